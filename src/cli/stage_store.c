#include "cli/stage_inside.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/copies.h"
#include "record/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVENT_TEXT_MAX = 16 << 20,
    MEND_UNITS = 1000 /* of a room: the last ones; older copies were looked at before */
};

/* What a visit of the store finds beside its rows, by unit. */
enum { SEEN = 1, UNSEALED = 2 /* leg 1; leg 2: twice that */ };

struct visit {
    struct stage *stage;
    uint8_t *unit;      /* [unit] bits of the above */
    uint32_t units;
};

static void note(struct visit *visit, uint32_t unit, int bit) {
    if (unit >= 1 && unit <= visit->units) {
        visit->unit[unit] |= (uint8_t)bit;
    }
}

static void take_start(void *owner, uint32_t unit) {
    struct visit *visit = owner;
    struct stage *stage = visit->stage;
    tournament_load_start(stage->plan, unit);
    tournament_load_start(stage->shown, unit);
    note(visit, unit, SEEN);
    if (unit >= 1 && unit <= visit->units) {
        stage->start[unit] = 0;
    }
}

static void take_game(void *owner, const struct game_row *row) {
    struct visit *visit = owner;
    tournament_load_game(visit->stage->plan, row);
    tournament_load_game(visit->stage->shown, row);
    stage_log_game(visit->stage, row);
}

static void take_match(void *owner, const struct match_row *row) {
    struct visit *visit = owner;
    tournament_load_match(visit->stage->plan, row);
    tournament_load_match(visit->stage->shown, row);
    stage_log_match(visit->stage, row);
}

static void take_unsealed(void *owner, uint32_t unit, int leg) {
    note(owner, unit, leg == 1 ? UNSEALED : UNSEALED << 1);
}

/* A leg of an earlier process: what its record says so far. */
static int take_leg(struct stage *stage, struct book *book, int number, struct fail *fail) {
    struct leg *leg = &book->leg[number - 1];
    const struct match_row *match = tournament_match(stage->plan, book->unit.number, number);
    leg->ended = match != NULL;
    leg->resumed = !leg->ended;
    leg->sealed = leg->ended && leg->sealed;
    if (store_record(stage->store, book->unit.number, number, &leg->text, fail) < 0) {
        return -1;
    }
    if (stage->event->contributions && leg->text.length > 0) {
        book_take_mix(book, leg);
    }
    if (stage_luck_resume(stage, book->unit.number, number, &leg->text, fail) != 0) {
        return -1;
    }
    if (leg->sealed) {
        leg->head = match->head;
    } else if (leg->ended) {
        struct record_writer writer;
        record_init(&writer);
        if (record_resume(&writer, leg->text.data, leg->text.length) != 0) {
            return fail_set(fail, EXIT_CODE_IO,
                            _("the store's record of %s-%d is damaged: restore a copy"),
                            book->unit.name, number);
        }
        leg->head = writer.head;
        leg->lines = writer.lines;
        record_clear(&writer);
    }
    return 0;
}

/* A unit that is begun and not sealed goes on where it was. */
static int take_book(struct stage *stage, const struct unit *unit, unsigned seen,
                     struct fail *fail) {
    struct book *book = book_open(stage, unit);
    int status = 0;
    for (int leg = 1; leg <= unit->legs && status == 0; leg++) {
        book->leg[leg - 1].sealed = (seen & (unsigned)UNSEALED << (leg - 1)) == 0;
        status = take_leg(stage, book, leg, fail);
    }
    return status;
}

/* The copies of a finished unit that are missing or torn. */
static int mend_unit(struct stage *stage, const struct unit *unit, struct fail *fail) {
    int status = 0;
    for (int leg = 1; leg <= unit->legs && status == 0; leg++) {
        struct bytes text;
        bytes_init(&text, RECORD_TEXT_MAX);
        if (store_record(stage->store, unit->number, leg, &text, fail) < 0) {
            status = -1;
        } else {
            status = copies_mend(stage->setup.folder, unit, leg, stage->files, &text, fail);
        }
        bytes_clear(&text);
    }
    return status;
}

/* Everything is read before anything is put: the seals come last. */
static int take_units(struct stage *stage, const struct visit *visit, struct fail *fail) {
    struct hash heads[SIDE_COUNT];
    int status = 0;
    for (uint32_t number = 1; number <= visit->units && status == 0; number++) {
        struct unit unit = schedule_unit(stage->event, number);
        bool over = visit->unit[number] != 0 && tournament_unit_over(stage->plan, number, heads);
        if (visit->unit[number] == 0) {
            continue;
        }
        bool open = !over || (visit->unit[number] & (UNSEALED | UNSEALED << 1)) != 0;
        for (int leg = 1; leg <= unit.legs && !open && status == 0; leg++) {
            status = stage_luck_resume(stage, number, leg, NULL, fail);
        }
        if (open) {
            status = take_book(stage, &unit, visit->unit[number], fail);
        } else if (status == 0 && stage->files != 0 && (stage->event->format != FORMAT_ROOM ||
                                         number + MEND_UNITS > visit->units)) {
            status = mend_unit(stage, &unit, fail);
        }
    }
    struct book *next;
    for (struct book *book = stage->books; book != NULL && status == 0; book = next) {
        next = book->next;
        if (tournament_unit_over(stage->plan, book->unit.number, heads)) {
            book_seal(stage, book);
        }
    }
    return status;
}

static int check_event(const struct stage *stage, struct fail *fail) {
    if (strcmp(store_event(stage->store)->id, stage->event->id) != 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("%s holds another event (or other bots, rules or dice): give --store "
                          "another folder"), stage->setup.folder);
    }
    return 0;
}

static int take_drawn(void *owner, const char *x, const char *y) {
    struct fail ignored;
    return event_draw(owner, x, y, &ignored);
}

/* What is kept of recorded dice is their hash; to play on them takes the file. */
static int check_throws(const struct stage *stage, struct fail *fail) {
    return stage->event->source != DICE_RECORDED || stage->event->throws.count > 0
               ? 0
               : fail_set(fail, EXIT_CODE_USAGE, _("recorded dice need a file of throws"));
}

int stage_resume(struct stage *stage, struct fail *fail) {
    if (check_throws(stage, fail) != 0) {
        return -1;
    }
    if (store_open(stage->setup.folder, false, &stage->store, fail) != 0) {
        return -1;
    }
    if (check_event(stage, fail) != 0) {
        return -1;
    }
    if (stage->event->format == FORMAT_ROOM) {
        if (store_drawn(stage->store, take_drawn, stage->event, fail) != 0) {
            return -1;
        }
        stage_grow(stage);
    }
    stage_log_open(stage);
    if (stage_luck_ready(stage, fail) != 0) {
        return -1;
    }
    struct visit visit = {.stage = stage, .units = schedule_units(stage->event)};
    visit.unit = alloc_zeroed((size_t)visit.units + 1, 1);
    const struct store_visitor visitor = {.owner = &visit,
                                          .start = take_start,
                                          .game = take_game,
                                          .match = take_match,
                                          .unsealed = take_unsealed};
    int status = store_visit(stage->store, &visitor, fail);
    if (status == 0) {
        stage_luck_open(stage);
        status = take_units(stage, &visit, fail);
    }
    free(visit.unit);
    if (status == 0) {
        stage_drain(stage);
    }
    if (status == 0 && (tournament_over(stage->plan) || stage->event->stops)) {
        stage_luck_finish(stage);
        stage_stop_look(stage);
    }
    return status;
}

int stage_create(struct stage *stage, struct fail *fail) {
    const struct event *event = stage->event;
    if (check_throws(stage, fail) != 0 || stage_luck_ready(stage, fail) != 0) {
        return -1;
    }
    struct store_event kept = {.master = event->seed[0] == '\0' ? dice_fresh_master()
                                                                : dice_open_master(event->seed)};
    struct bytes json;
    bytes_init(&json, EVENT_TEXT_MAX);
    event_kept(event, &json);
    bytes_add(&json, "", 1);
    kept.json = json.data;
    snprintf(kept.id, sizeof kept.id, "%s", event->id);
    text_utc(loop_date(), kept.date);
    sign_key_fresh(&kept.key);
    int status = store_create(stage->setup.folder, &kept, &stage->store, fail);
    bytes_clear(&json);
    if (status == 0) {
        stage_log_open(stage);
        stage_luck_open(stage);
    }
    return status;
}
