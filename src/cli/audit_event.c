#include "cli/audit_event.h"

#include "arena/tournament.h"
#include "base/alloc.h"
#include "base/lang.h"
#include "store/store.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MAX = 20 }; /* stretches of missing units that are named one by one */

struct audit_event {
    struct records *records;
    struct game_row *games;         /* in the order of units, legs, games, attempts */
    size_t game_count, game_room;
    size_t at;                      /* the first one of the match that comes next */
    struct match_row *matches;      /* in order */
    size_t match_count, match_room, match_at;
    struct hash master;             /* C_M */
    uint64_t *voids;                /* of each entrant, as the records tell */
    uint32_t *missing;              /* units of which a leg has not ended */
    size_t missing_count, missing_room;
    uint64_t absent;                /* matches that have not ended */
    bool refused;                   /* the rows do not follow from the records */
    bool differs;                   /* something else does not fit: a file, the log */
};

static void take_start(void *owner, uint32_t unit) {
    (void)owner, (void)unit;
}

static void take_game(void *owner, const struct game_row *row) {
    struct audit_event *event = owner;
    event->games = alloc_more(event->games, event->game_count, &event->game_room,
                              sizeof *event->games);
    event->games[event->game_count++] = *row;
}

static void take_match(void *owner, const struct match_row *row) {
    struct audit_event *event = owner;
    event->matches = alloc_more(event->matches, event->match_count, &event->match_room,
                                sizeof *event->matches);
    event->matches[event->match_count++] = *row;
}

struct audit_event *audit_event_new(struct records *records, struct fail *fail) {
    struct audit_event *event = alloc_zeroed(1, sizeof *event);
    const struct store_event *kept = store_event(records->store);
    const struct store_visitor visitor = {
        .owner = event, .start = take_start, .game = take_game, .match = take_match};
    event->records = records;
    event->voids = alloc_zeroed((size_t)records->event.entrant_count + 1, sizeof *event->voids);
    event->master = dice_master_commitment(&kept->master, kept->id);
    if (store_visit(records->store, &visitor, fail) != 0) {
        audit_event_free(event);
        return NULL;
    }
    return event;
}

void audit_event_free(struct audit_event *event) {
    if (event != NULL) {
        free(event->games);
        free(event->matches);
        free(event->voids);
        free(event->missing);
        free(event);
    }
}

bool audit_event_refused(const struct audit_event *event) {
    return event->refused || event->differs;
}

uint64_t audit_event_missing(const struct audit_event *event) {
    return event->absent;
}

__attribute__((format(printf, 3, 4))) static void find(struct audit_event *event, const char *name,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("%s: ", name);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    event->refused = true;
}

void audit_event_refuse(struct audit_event *event) {
    event->differs = true;
}

size_t audit_event_matches(const struct audit_event *event) {
    return event->match_count;
}

static uint32_t unit_number(const char *unit) {
    unsigned number;
    return sscanf(unit, "U%u", &number) == 1 ? (uint32_t)number : 0;
}

const struct match_row *audit_event_match(const struct audit_event *event, const char *unit,
                                          int leg) {
    uint32_t number = unit_number(unit);
    size_t low = 0;
    size_t high = event->match_count;
    while (low < high) { /* the rows stand in order */
        size_t middle = low + (high - low) / 2;
        const struct match_row *row = &event->matches[middle];
        if (row->unit == number && row->leg == leg) {
            return row;
        }
        if (row->unit < number || (row->unit == number && row->leg < leg)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

bool audit_event_is_void(const struct audit_event *event, const char *unit, int leg,
                         unsigned game, unsigned attempt) {
    uint32_t number = unit_number(unit);
    for (size_t i = 0; i < event->game_count; i++) {
        const struct game_row *row = &event->games[i];
        if (row->unit == number && row->leg == leg && row->game == (int)game &&
            row->attempt == (int)attempt) {
            return row->reason == REASON_VOID;
        }
    }
    return false;
}

static void note_missing(struct audit_event *event, uint32_t unit) {
    event->absent++;
    if (event->missing_count > 0 && event->missing[event->missing_count - 1] == unit) {
        return;
    }
    event->missing = alloc_more(event->missing, event->missing_count, &event->missing_room,
                                sizeof *event->missing);
    event->missing[event->missing_count++] = unit;
}

/* The row of a match, or NULL; they are asked for in order. */
static const struct match_row *match_of(struct audit_event *event, uint32_t unit, int leg) {
    size_t *at = &event->match_at;
    const struct match_row *row = event->matches;
    while (*at < event->match_count &&
           (row[*at].unit < unit || (row[*at].unit == unit && row[*at].leg < leg))) {
        ++*at;
    }
    bool found = *at < event->match_count && row[*at].unit == unit && row[*at].leg == leg;
    return found ? &row[*at] : NULL;
}

/* The rows of a match's games; how many there are. */
static size_t games_of(struct audit_event *event, uint32_t unit, int leg,
                       const struct game_row **first) {
    size_t *at = &event->at;
    const struct game_row *row = event->games;
    while (*at < event->game_count &&
           (row[*at].unit < unit || (row[*at].unit == unit && row[*at].leg < leg))) {
        ++*at;
    }
    size_t count = 0;
    while (*at + count < event->game_count && row[*at + count].unit == unit &&
           row[*at + count].leg == leg) {
        count++;
    }
    *first = count > 0 ? &row[*at] : NULL;
    return count;
}

/* The header: does this record belong to the event, at this place, on its dice? */
static void check_header(struct audit_event *event, const struct audit_record *record,
                         const struct unit *unit, int leg) {
    const struct record_header *header = &record->report.header;
    const struct store_event *kept = store_event(event->records->store);
    struct unit_dice dice;
    unit_dice_init(&dice, &kept->master, kept->id, unit->name, 0);
    if (strcmp(header->event, kept->id) != 0) {
        find(event, record->name, _("event=%s is another event"), header->event);
    } else if (strcmp(header->unit, unit->name) != 0 || header->leg != leg) {
        find(event, record->name, _("it is the record of %s-%d"), header->unit, header->leg);
    } else if (memcmp(header->key, kept->key.public_key, SIGN_PUBLIC_BYTES) != 0) {
        find(event, record->name, "%s", _("key= is not the key of this event"));
    } else if (memcmp(&header->master, &event->master, sizeof header->master) != 0) {
        find(event, record->name, "%s", _("master= is not the commitment of this event"));
    } else if (memcmp(&header->commitment, &dice.commitment, sizeof dice.commitment) != 0) {
        find(event, record->name, "%s",
             _("commit= does not follow from the master seed of this event"));
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        int entrant = schedule_entrant(unit, leg, (enum side)side);
        const char *name = event->records->event.entrants[entrant].name;
        if (strcmp(header->name[side], name) != 0) {
            find(event, record->name, _("%s sits at %s, and the schedule has %s there"),
                 header->name[side], side_name(side), name);
        }
    }
}

static bool same_game(const struct verify_game *game, const struct game_row *row) {
    if (game->game != (unsigned)row->game || game->attempt != (unsigned)row->attempt ||
        game->is_void != (row->reason == REASON_VOID)) {
        return false;
    }
    const struct replay_result *result = &game->result;
    return game->is_void ||
           (result->winner == row->winner && result->kind == row->kind &&
            result->half_points == row->half_points &&
            result->reason == row->reason &&
            game->offender == row->offender && (int)game->starter == row->starter &&
            game->plies == (unsigned)row->plies);
}

/* Game by game: what the record proves, and what the standings were made of. */
static void check_games(struct audit_event *event, const struct audit_record *record,
                        const struct unit *unit, int leg) {
    const struct game_row *rows;
    size_t count = games_of(event, unit->number, leg, &rows);
    for (size_t i = 0; i < record->game_count; i++) {
        const struct verify_game *game = &record->games[i];
        for (int side = 0; side < SIDE_COUNT && game->is_void; side++) {
            event->voids[schedule_entrant(unit, leg, (enum side)side)]++;
        }
        if (i < count && !same_game(game, &rows[i])) {
            find(event, record->name, _("the store has another result of game %u than the record"),
                 game->game);
            return;
        }
    }
    if (count != record->game_count) {
        find(event, record->name, _("the store has the results of %zu games, the record %zu"),
             count, record->game_count);
    }
}

static void check_match(struct audit_event *event, const struct audit_record *record,
                        const struct unit *unit, int leg) {
    const struct verify_report *report = &record->report;
    const struct match_row *row = match_of(event, unit->number, leg);
    if (!report->ended) {
        note_missing(event, unit->number);
        if (row != NULL) {
            find(event, record->name, "%s", _("the store has its result, the record no end"));
        }
        return;
    }
    bool same = row != NULL && row->winner == report->winner &&
                row->offender == report->offender && row->games == report->match.games &&
                report->end_reason == row->reason;
    for (int side = 0; side < SIDE_COUNT && same; side++) {
        same = row->score[side] == report->match.score[side] &&
               row->entrant[side] == schedule_entrant(unit, leg, (enum side)side);
    }
    if (!same) {
        find(event, record->name, "%s", _("the store has another result than the record"));
    } else if (memcmp(&row->head, &report->head, sizeof report->head) != 0) {
        find(event, record->name, "%s", _("the store has another head of the record's chain"));
    }
}

void audit_event_record(struct audit_event *event, const struct audit_record *record) {
    uint32_t number;
    int leg;
    schedule_match_at(&event->records->event, record->number, &number, &leg);
    struct unit unit = schedule_unit(&event->records->event, number);
    if (record->report.lines > 0) {
        check_header(event, record, &unit, leg);
    }
    if (record->outcome == VERIFY_REFUSED) {
        event->refused = true;
        return;
    }
    check_games(event, record, &unit, leg);
    check_match(event, record, &unit, leg);
}

void audit_event_absent(struct audit_event *event, uint64_t match) {
    uint32_t number;
    int leg;
    const struct game_row *rows;
    schedule_match_at(&event->records->event, match, &number, &leg);
    note_missing(event, number);
    if (match_of(event, number, leg) != NULL || games_of(event, number, leg, &rows) > 0) {
        char name[RECORDS_NAME_MAX];
        struct unit unit = schedule_unit(&event->records->event, number);
        snprintf(name, sizeof name, "%s-%d", unit.name, leg);
        find(event, name, "%s", _("the store has results of it and no record"));
    }
}

/* Units that are missing, in stretches: "U000004, U000009-U000012". */
static void print_missing(const struct audit_event *event) {
    int named = 0;
    printf(_("%llu matches are missing: "), (unsigned long long)event->absent);
    for (size_t i = 0; i < event->missing_count; named++) {
        size_t last = i;
        while (last + 1 < event->missing_count &&
               event->missing[last + 1] == event->missing[last] + 1) {
            last++;
        }
        if (named == NAMED_MAX) {
            printf(", ...");
            break;
        }
        printf("%s%s", named > 0 ? ", " : "",
               schedule_unit(&event->records->event, event->missing[i]).name);
        if (last > i) {
            printf("-%s", schedule_unit(&event->records->event, event->missing[last]).name);
        }
        i = last + 1;
    }
    printf("\n");
}

void audit_event_sum(struct audit_event *event) {
    const struct event *of = &event->records->event;
    if (event->absent > 0) {
        print_missing(event);
    }
    for (int i = 0; i < of->entrant_count; i++) {
        if (event->voids[i] > 0) {
            printf(_("%s: %llu void games"), of->entrants[i].name,
                   (unsigned long long)event->voids[i]);
            printf("\n");
        }
    }
    printf("%s\n", event->refused ? _("the standings of the store do not follow from the records")
                                  : _("the standings of the store follow from the records"));
}
