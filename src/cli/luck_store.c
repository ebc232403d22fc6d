#include "cli/luck_store.h"

#include "arena/estimate_report.h"
#include "arena/luck.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lang.h"
#include "cli/evaluator.h"
#include "cli/records.h"

#include <stdlib.h>
#include <string.h>

/* Samples of every two bots, a < b. */
struct survey {
    struct records records;
    struct net *net;
    struct play_room *room;
    struct estimate_units *pair;
};

static struct estimate_units *pair_of(const struct survey *survey, int a, int b) {
    return &survey->pair[(size_t)b * (size_t)(b - 1) / 2 + (size_t)a];
}

/* Where the games of the match at hand go. */
struct game_sink {
    struct estimate_units *units;
    double sign;
};

static void take_game(void *owner, const struct luck_game *game) {
    const struct game_sink *sink = owner;
    estimate_units_add_game(sink->units, sink->sign * game->net / POINT_HALVES,
                            sink->sign * (double)game->points / LUCK_ONE);
}

/* Adds one match to a unit seen by `a`; 1 it counts, 0 it has not ended, -1 failed. */
static int add_match(struct survey *survey, const struct unit *unit, int leg,
                     struct estimate_unit *sample, struct fail *fail) {
    int a =
        unit->player[SIDE_X] < unit->player[SIDE_Y] ? unit->player[SIDE_X] : unit->player[SIDE_Y];
    int b = unit->player[SIDE_X] + unit->player[SIDE_Y] - a;
    double sign = schedule_entrant(unit, leg, SIDE_X) == a ? 1 : -1;
    struct game_sink sink = {pair_of(survey, a, b), sign};
    struct bytes record;
    char name[RECORDS_NAME_MAX], why[RECORD_WHY_MAX];
    struct luck_match match;
    uint64_t number = schedule_match_number(&survey->records.event, unit->number, leg);
    bytes_init(&record, RECORDS_FILE_MAX);
    int status = records_read(&survey->records, number, &record, name, fail);
    if (status == 1 && luck_read(survey->net, record.data, record.length, survey->room, take_game,
                                 &sink, &match, why) != 0) {
        status = fail_set(fail, EXIT_CODE_VERIFY, "%s: %s", name, why);
    }
    bytes_clear(&record);
    if (status != 1 || !match.over || match.aborted) {
        return status == 1 ? 0 : status;
    }
    sample->games += match.games;
    sample->points += sign * match.net / POINT_HALVES;
    sample->luck += sign * (double)match.points / LUCK_ONE;
    sample->matches++;
    sample->score += match.winner < 0                                            ? 0.5
                     : schedule_entrant(unit, leg, (enum side)match.winner) == a ? 1
                                                                                 : 0;
    sample->luck_of_score += sign * (double)match.wins / LUCK_ONE;
    return 1;
}

/* Adds a unit of which every match has ended. */
static int add_unit(struct survey *survey, uint32_t number, struct fail *fail) {
    struct unit unit = schedule_unit(&survey->records.event, number);
    struct estimate_unit sample = {.games = 0};
    int x = unit.player[SIDE_X], y = unit.player[SIDE_Y];
    int a = x < y ? x : y, b = x < y ? y : x, status = 1;
    for (int leg = 1; leg <= unit.legs && status == 1; leg++) {
        status = add_match(survey, &unit, leg, &sample, fail);
    }
    if (status == 1 && a != b && sample.games > 0) {
        estimate_units_add(pair_of(survey, a, b), &sample);
    }
    return status < 0 ? -1 : 0;
}

static void write_pairs(const struct survey *survey, enum report_format format, struct bytes *out) {
    const struct event *event = &survey->records.event;
    if (format == REPORT_CSV) {
        estimate_write_csv_head(out);
    }
    for (int b = 1; b < event->entrant_count; b++) {
        for (int a = 0; a < b; a++) {
            struct estimate_units *units = pair_of(survey, a, b);
            struct estimate estimate;
            struct estimate_view view = {event, a, b, net_name(survey->net), lang_is_turkish()};
            units->score_luck = event->rules.value[OPTION_MATCH] == 1;
            if (units->count > 0) {
                estimate_make(units, &estimate);
                estimate_write(&view, format, &estimate, out);
            }
        }
    }
}

/* The evaluator that the store's folder names; "" where none was declared. */
static void read_declared(const char *path, char name[NET_NAME_MAX]) {
    struct bytes text;
    struct fail absent;
    bytes_init(&text, NET_NAME_MAX);
    name[0] = '\0';
    if (file_read(path, &text, &absent) == 0 && text.length > 1) {
        text_copy(name, NET_NAME_MAX, text.data, text.length - 1);
    }
    bytes_clear(&text);
}

/* Keeps the first evaluator of an event; a later one only compares. */
static int keep_declared(const char *folder, const struct net *net, char changed[NET_NAME_MAX],
                         struct fail *fail) {
    char *path = alloc_print("%s/evaluator", folder);
    char *line = alloc_print("%s\n", net_name(net));
    int status = 0;
    read_declared(path, changed);
    if (changed[0] == '\0') {
        status = file_write(path, line, strlen(line), fail);
    } else if (strcmp(changed, net_name(net)) == 0) {
        changed[0] = '\0';
    }
    free(line);
    free(path);
    return status;
}

int luck_store_declare(const char *folder, const struct event *event, bool jsonl, struct bytes *out,
                       char changed[NET_NAME_MAX], struct fail *fail) {
    struct net *net = evaluator_new(&event->rules, NULL, fail);
    if (net == NULL) {
        return -1;
    }
    int status = keep_declared(folder, net, changed, fail);
    if (status == 0 && jsonl) {
        bytes_add_text(out, "{\"type\":\"evaluator\"");
        json_add_member(out, "event", event->name);
        json_add_member(out, "evaluator", net_name(net));
        json_add_member(out, "headline", estimate_reading_name(ESTIMATE_FITTED));
        bytes_add_text(out, "}\n");
    } else if (status == 0) {
        bytes_print(out, _("luck is taken off by %s; the fitted figure is the headline\n"),
                    net_name(net));
    }
    net_free(net);
    return status;
}

/* Says when the event had another evaluator, or had two. */
static void warn_changed(const char *folder, const struct net *net, enum report_format format,
                         struct bytes *out) {
    char *path = alloc_print("%s/evaluator", folder);
    char declared[NET_NAME_MAX];
    read_declared(path, declared);
    if (declared[0] != '\0' && strcmp(declared, net_name(net)) != 0 && format == REPORT_TEXT) {
        bytes_print(out,
                    _("The event was declared with the evaluator %s, which is another one: what "
                      "follows holds,\nbut is not the headline that was declared.\n"),
                    declared);
    }
    free(path);
}

static int survey_all(struct survey *survey, const char *folder, const char *net,
                      enum report_format format, struct bytes *out, struct fail *fail) {
    const struct event *event = &survey->records.event;
    survey->net = evaluator_new(&event->rules, net, fail);
    if (survey->net == NULL) {
        return -1;
    }
    size_t count = (size_t)event->entrant_count;
    size_t pairs = count < 2 ? 0 : count * (count - 1) / 2;
    uint32_t units = schedule_units(event);
    int status = 0;
    survey->pair = alloc_zeroed(pairs + 1, sizeof *survey->pair);
    survey->room = alloc_zeroed(1, sizeof *survey->room);
    for (uint32_t unit = 1; unit <= units && status == 0; unit++) {
        status = add_unit(survey, unit, fail);
    }
    if (status == 0) {
        warn_changed(folder, survey->net, format, out);
        write_pairs(survey, format, out);
    }
    for (size_t i = 0; i < pairs; i++) {
        estimate_units_clear(&survey->pair[i]);
    }
    free(survey->pair);
    free(survey->room);
    net_free(survey->net);
    return status;
}

int luck_store_write(const char *folder, const char *net, enum report_format format,
                     struct bytes *out, struct fail *fail) {
    struct survey survey = {.net = NULL};
    if (records_open(folder, &survey.records, fail) != 0) {
        return -1;
    }
    int status = survey_all(&survey, folder, net, format, out, fail);
    records_close(&survey.records);
    return status;
}
