#include "cli/luck_files.h"

#include "arena/estimate_report.h"
#include "arena/fortune.h"
#include "base/alloc.h"
#include "base/lang.h"

#include <stdlib.h>
#include <string.h>

/* A match with a result. */
struct file_match {
    char event[EVENT_NAME_MAX];
    char unit[UNIT_NAME_MAX];
    int leg;
    int legs;                /* of its unit */
    int player[SIDE_COUNT];  /* entrants on X and Y */
    struct tally tally;
    struct fortune_leg luck;
};

void luck_files_init(struct luck_files *files) {
    *files = (struct luck_files){.count = 0};
    event_init(&files->event);
    memcpy(files->event.name, "records", sizeof "records");
}

void luck_files_clear(struct luck_files *files) {
    event_clear(&files->event);
    free(files->match);
}

/* The entrant of that name, entered if it is new; -1 when there are too many. */
static int entrant_of(struct luck_files *files, const char *name) {
    struct fail ignored;
    int found = event_find_entrant(&files->event, name);
    if (found < 0 && event_add_entrant(&files->event, name, "-", &ignored) == 0) {
        found = files->event.entrant_count - 1;
    }
    return found;
}

void luck_files_add(struct luck_files *files, const struct luck_match *match,
                    const char *evaluator) {
    const struct record_header *header = &match->header;
    if (files->count == 0) {
        memcpy(files->evaluator, evaluator, strlen(evaluator) + 1);
        files->event.rules = header->rules;
    }
    int x = entrant_of(files, header->name[SIDE_X]), y = entrant_of(files, header->name[SIDE_Y]);
    if (!match->over || x < 0 || y < 0 || x == y || strcmp(files->evaluator, evaluator) != 0) {
        return;
    }
    struct tally tally = tally_match(&header->rules, &match->end);
    if (!tally.counts) {
        return;
    }
    files->match = alloc_more(files->match, files->count, &files->room, sizeof *files->match);
    struct file_match *row = &files->match[files->count++];
    *row = (struct file_match){.leg = header->leg,
                               .legs = strcmp(header->pairing, "independent") == 0 ? 1 : 2,
                               .player = {x, y},
                               .tally = tally,
                               .luck = {.points = match->points, .wins = match->wins}};
    memcpy(row->event, header->event, sizeof row->event);
    memcpy(row->unit, header->unit, sizeof row->unit);
}

static int compare_units(const struct file_match *a, const struct file_match *b) {
    int order = strcmp(a->event, b->event);
    return order != 0 ? order : strcmp(a->unit, b->unit);
}

static int compare(const void *a, const void *b) {
    const struct file_match *one = a, *other = b;
    int order = compare_units(one, other);
    return order != 0 ? order : one->leg - other->leg;
}

/* The matches of a unit from `first` on; how many they are. A unit without its other leg is no
 * sample. */
static size_t add_unit(const struct luck_files *files, size_t first,
                       const struct fortune_survey *survey) {
    const struct file_match *row = &files->match[first];
    int x = row->player[SIDE_X], y = row->player[SIDE_Y];
    int a = x < y ? x : y, b = x < y ? y : x, legs = 0;
    struct estimate_unit sample = {.games = 0};
    size_t end = first;
    for (; end < files->count && compare_units(row, &files->match[end]) == 0; end++) {
        const struct file_match *match = &files->match[end];
        if (end == first || compare(match - 1, match) != 0) {
            fortune_add_match(&match->tally, &match->luck,
                              match->player[SIDE_X] == a ? SIDE_X : SIDE_Y, &sample);
            legs++;
        }
    }
    if (legs == row->legs && sample.games > 0) {
        estimate_units_add(fortune_pair(survey, a, b), &sample);
    }
    return end - first;
}

void luck_files_write(struct luck_files *files, enum report_format format, struct bytes *out) {
    struct fortune fortune;
    struct fortune_survey survey;
    struct report_view view = {.event = &files->event,
                               .fortune = &fortune,
                               .format = format,
                               .turkish = lang_is_turkish()};
    if (files->count < 2) {
        return;
    }
    fortune_init(&fortune, &files->event);
    memcpy(fortune.evaluator, files->evaluator, sizeof fortune.evaluator);
    qsort(files->match, files->count, sizeof *files->match, compare);
    fortune_survey_init(&survey, &files->event);
    for (size_t at = 0; at < files->count;) {
        at += add_unit(files, at, &survey);
    }
    estimate_write_survey(&view, &survey, out);
    fortune_survey_clear(&survey);
}
