#include "referee/table.h"

#include "base/alloc.h"
#include "base/log.h"
#include "record/replay.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEWS_MAX = 1 << 20,
    HANDOVER = 1000 /* ms to seat another session of a player that did not return */
};

struct table *table_new(uint32_t id, const struct match_spec *spec) {
    struct table *table = alloc_zeroed(1, sizeof *table);
    table->id = id;
    table->state = TABLE_VACANT;
    table->dice = spec->dice;
    table->source = spec->source;
    table->leg = spec->leg;
    table->rules = spec->rules;
    table->master_commitment = spec->master_commitment;
    snprintf(table->pairing, sizeof table->pairing, "%s", spec->pairing);
    table->listed = alloc_zeroed(spec->throw_count + 1, sizeof *table->listed);
    table->listed_count = spec->throw_count;
    if (spec->throw_count > 0) {
        memcpy(table->listed, spec->throws, spec->throw_count * sizeof *table->listed);
    }
    clock_init(&table->clock, &spec->clock);
    match_init(&table->match, &table->rules);
    record_init(&table->record);
    bytes_init(&table->held, JSON_LINE_MAX);
    table->game = 1;
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        snprintf(table->seat[side].name, sizeof table->seat[side].name, "%s", spec->name[side]);
        bytes_init(&table->seat[side].news, NEWS_MAX);
        table->seat[side].flag = (struct timer){.owner = TIMER_OF_TABLE, .id = id};
    }
    table->mix.step = spec->contributions ? MIX_DUE : MIX_DONE;
    table->timer = (struct timer){.owner = TIMER_OF_TABLE, .id = id};
    table->lockstep = strcmp(spec->pairing, "lockstep") == 0;
    table->wake = (struct timer){.owner = TIMER_OF_PAIR, .id = id};
    return table;
}

void table_free(struct table *table) {
    record_clear(&table->record);
    bytes_clear(&table->held);
    bytes_clear(&table->seat[SIDE_X].news);
    bytes_clear(&table->seat[SIDE_Y].news);
    free(table->listed);
    free(table);
}

/* The words of a state, for the log. */
static const char *state_name(enum table_state state) {
    static const char *const names[TABLE_STATES] = {
        [TABLE_VACANT] = "vacant",
        [TABLE_AWAY] = "away",
        [TABLE_MIX] = "mix",
        [TABLE_READY] = "ready",
        [TABLE_PLAY] = "play",
        [TABLE_OVER] = "over",
    };
    return names[state];
}

void table_set_state(struct table *table, enum table_state state) {
    enum {
        WAITS = 1U << TABLE_VACANT | 1U << TABLE_AWAY | 1U << TABLE_MIX | 1U << TABLE_READY |
                1U << TABLE_OVER
    };
    static const unsigned after[TABLE_STATES] = {
        [TABLE_VACANT] = WAITS,
        [TABLE_AWAY] = WAITS | 1U << TABLE_PLAY,
        [TABLE_MIX] = WAITS | 1U << TABLE_PLAY,
        [TABLE_READY] = WAITS | 1U << TABLE_PLAY,
        [TABLE_PLAY] = WAITS | 1U << TABLE_PLAY,
        [TABLE_OVER] = 0,
    };
    assert(after[table->state] & 1U << state);
    if (log_wants(LOG_LEVEL_DEBUG) && table->state != state) {
        log_line(LOG_LEVEL_DEBUG, "table %u state was=%s is=%s", table->id,
                 state_name(table->state), state_name(state));
    }
    table->state = state;
}

/* Goes on where the record of an interrupted match stops. */
static int take_over(struct table *table, const struct match_spec *spec, char why[160]) {
    struct record_standing standing;
    if (record_standing(spec->record, spec->record_length, &standing, why) != 0) {
        return -1;
    }
    if (record_resume(&table->record, spec->record, spec->record_length) != 0) {
        snprintf(why, 160, "the chain of the record so far is broken");
        return -1;
    }
    /* The clock is the record's, whatever has been changed since: else it would not hold. */
    clock_init(&table->clock, &(struct clock_rule){.move_time = standing.move_time,
                                                   .reserve = standing.reserve,
                                                   .increment = standing.increment,
                                                   .delay = standing.delay,
                                                   .margin = standing.margin,
                                                   .wall = standing.wall});
    table->match = standing.match;
    table->game = standing.game;
    table->attempt = standing.attempt;
    table->used = standing.used;
    if (standing.mixed) {
        mix_take_over(table, standing.of);
    }
    for (int side = SIDE_X; side < SIDE_COUNT; side++) {
        clock_resume(&table->clock, (enum side)side, standing.answers[side], standing.paid[side]);
    }
    return 0;
}

bool table_is_void(const struct table *table, const struct match_spec *spec) {
    int winner;
    return spec->void_running && !match_over(&table->match, &winner);
}

int table_open_record(const struct referee *referee, struct table *table,
                      const struct match_spec *spec, char why[160]) {
    if (spec->record == NULL || spec->record_length == 0) {
        record_header(referee, table, spec);
    } else if (take_over(table, spec, why) != 0) {
        return -1;
    }
    if (table_is_void(table, spec)) {
        record_void(table);
        table->attempt++;
    }
    if (spec->mixed != NULL && table->mix.step == MIX_DUE) {
        mix_take_over(table, spec->mixed);
        record_mix(table);
    }
    return 0;
}

void table_report_void(struct referee *referee, struct table *table) {
    struct game_facts facts = {.table = table->id,
                               .game = table->game,
                               .attempt = table->attempt - 1,
                               .winner = -1,
                               .reason = REASON_VOID,
                               .offender = -1,
                               .record = bytes_text(&table->record.text),
                               .record_length = table->record.text.length};
    referee->hooks.game(referee->hooks.owner, &facts);
    gallery_turn_page(referee, table);
    bytes_drop(&table->record.text, table->record.text.length);
}

bool table_attach(struct referee *referee, struct table *table, enum side side,
                  uint32_t session_id) {
    struct seat *seat = &table->seat[side];
    struct session *session = referee_find_session(referee, session_id);
    if (session == NULL || session->state != SESSION_OPEN || session->doomed) {
        return false;
    }
    seat->handle = session_take_seat(session, table->id, side);
    if (seat->handle == 0) {
        return false;
    }
    seat->session = session_id;
    seat->ready = false;
    seat->mix_told = MIX_DUE;
    return true;
}

int64_t table_spent(const struct table *table) {
    bool rolled = table->rolled.ms > 0 && table->decision.side == table->now.mover;
    return rolled ? table->rolled.ms : 0;
}

struct cost table_ply_cost(const struct table *table, struct cost last) {
    if (table_spent(table) > 0) {
        last.ms += table->rolled.ms;
        last.passed += table->rolled.passed;
        last.lag += table->rolled.lag;
    }
    return last;
}

void table_detach(struct referee *referee, struct table *table, enum side side) {
    struct seat *seat = &table->seat[side];
    struct session *session = referee_find_session(referee, seat->session);
    if (side == table->decision.side) {
        wait_stop(referee, table);
    }
    if (session != NULL) {
        heap_unset(&session->share.order, &seat->flag);
        session_leave_seat(session, seat->handle);
    }
    seat->session = 0;
    bytes_drop(&seat->news, seat->news.length);
}

/* Nobody hears at this seat: it is vacant, or its session is lost. */
static bool is_absent(const struct referee *referee, const struct table *table, enum side side) {
    const struct session *session = referee_find_session(referee, table->seat[side].session);
    return session == NULL || session->state == SESSION_LOST;
}

void table_go_on(struct referee *referee, struct table *table) {
    int winner;
    if (table->state == TABLE_OVER) {
        return;
    }
    table->waits = WAITS_NOT;
    if (match_over(&table->match, &winner)) {
        table_end(referee, table, winner, REASON_NORMAL, -1);
    } else if (mix_is_withheld(table, SIDE_X) || mix_is_withheld(table, SIDE_Y)) {
        mix_end(referee, table);
    } else if (table->seat[SIDE_X].session == 0 || table->seat[SIDE_Y].session == 0) {
        table_set_state(table, TABLE_VACANT);
        table_set_deadline(referee, table, table_time(referee, table) + referee->limits.vacant);
    } else if (is_absent(referee, table, SIDE_X) || is_absent(referee, table, SIDE_Y)) {
        table_set_state(table, TABLE_AWAY);
        table_clear_deadline(table);
    } else if (table->mix.step != MIX_DONE) {
        mix_go_on(referee, table);
    } else if (!table->seat[SIDE_X].ready || !table->seat[SIDE_Y].ready) {
        table_set_state(table, TABLE_READY);
        table_set_deadline(referee, table, table_time(referee, table) + referee->limits.ready);
    } else if (table->holds != 0) {
        table_set_state(table, TABLE_READY); /* the game starts when the pause ends */
        table_clear_deadline(table);
    } else if (pair_waits(referee, table, WAITS_START, 0, false)) {
        table_set_state(table, TABLE_READY);
    } else {
        game_start(referee, table);
    }
}

void table_ready(struct referee *referee, struct table *table, enum side side) {
    table->seat[side].ready = true;
    if (table->state == TABLE_READY && table->seat[side_other(side)].ready) {
        table_go_on(referee, table);
    }
}

void table_lose_session(struct referee *referee, struct table *table, enum side side,
                        enum reason reason) {
    if (table->in_game && side == table->decision.side) {
        wait_settle(referee, table);
    }
    table_detach(referee, table, side);
    if (table->in_game) {
        game_forfeit(referee, table, side, reason);
    } else if (++table->seat[side].departures > referee->limits.returns) {
        table_forfeit(referee, table, side, reason); /* or it could come and go for ever */
        return;
    }
    table_go_on(referee, table);
    if (table->state == TABLE_VACANT && referee->hooks.vacant != NULL) {
        referee->hooks.vacant(referee->hooks.owner, table->id, side);
    }
}

void table_lose_sight(struct referee *referee, struct table *table, enum side side) {
    if (table->state == TABLE_READY || table->state == TABLE_MIX) {
        table_go_on(referee, table);
    } else if (table->state == TABLE_PLAY && table->decision.side == side) {
        game_start_clock(referee, table);
    }
}

void table_regain(struct referee *referee, struct table *table, enum side side) {
    (void)side;
    if (table->state == TABLE_AWAY) {
        table_go_on(referee, table);
    }
}

void table_miss(struct referee *referee, struct table *table, enum side side) {
    bool begun = table->in_game || table->match.games > 0;
    table_lose_session(referee, table, side, REASON_DISCONNECT);
    if (begun && table->state == TABLE_VACANT) { /* it was waited for */
        table_set_deadline(referee, table, table_time(referee, table) + HANDOVER);
    }
}

void table_forfeit(struct referee *referee, struct table *table, enum side side,
                   enum reason reason) {
    if (mix_forfeit(referee, table, side == SIDE_X, side == SIDE_Y)) {
        return;
    }
    if (table->in_game) {
        game_forfeit(referee, table, side, reason);
    } else {
        struct fault fault = {.side = side, .reason = reason, .why = "between games"};
        record_fault(table, &fault);
    }
    int winner = (int)side_other(side);
    if (match_over(&table->match, &winner)) {
        table_end(referee, table, winner, REASON_NORMAL, -1);
    } else {
        table_end(referee, table, (int)side_other(side), reason, (int)side);
    }
}

/* The other leg goes on alone. */
static void part(struct referee *referee, const struct table *table) {
    struct table *mate = referee_find_table(referee, table->mate);
    if (mate == NULL || mate->state == TABLE_OVER) {
        return;
    }
    pair_stir(referee, table);
    mate->mate = 0;
    if (mate->state == TABLE_MIX && mate->mix.step == MIX_DUE) {
        table_go_on(referee, mate);
    }
}

void table_end(struct referee *referee, struct table *table, int winner, enum reason reason,
               int offender) {
    table_clear_deadline(table);
    heap_unset(&referee->timers, &table->timer);
    heap_unset(&referee->timers, &table->wake);
    tell_end(referee, table, winner, reason);
    gallery_end(referee, table);
    table_detach(referee, table, SIDE_X);
    table_detach(referee, table, SIDE_Y);
    table_set_state(table, TABLE_OVER);
    referee_bury(referee, table->id, TIMER_OF_TABLE);
    struct match_facts facts = {.table = table->id,
                                .winner = winner,
                                .score = {table->match.score[SIDE_X], table->match.score[SIDE_Y]},
                                .games = table->match.games,
                                .reason = reason,
                                .offender = offender,
                                .record = bytes_text(&table->record.text),
                                .record_length = table->record.text.length,
                                .head = table->record.head,
                                .lines = table->record.lines};
    referee->hooks.match(referee->hooks.owner, &facts);
    part(referee, table);
}

/* Who does not even say `ready` does not listen: its connection goes, or each match
 * to come would cost the same wait. */
static void dismiss(struct referee *referee, struct table *table, enum side side) {
    struct session *session = referee_find_session(referee, table->seat[side].session);
    if (session != NULL && session->state == SESSION_OPEN) {
        referee_doom(referee, session, REASON_DISCONNECT, "no `ready` in time");
    }
}

/* Neither came: nobody wins. */
static void expire_waiting(struct referee *referee, struct table *table, bool x_missing,
                           bool y_missing) {
    enum reason reason = table->state == TABLE_READY ? REASON_TIMEOUT : REASON_DISCONNECT;
    if (x_missing) {
        dismiss(referee, table, SIDE_X);
    }
    if (y_missing) {
        dismiss(referee, table, SIDE_Y);
    }
    if (mix_forfeit(referee, table, x_missing, y_missing)) {
        return;
    }
    if (x_missing && y_missing) {
        table_end(referee, table, -1, reason, -1);
    } else {
        table_forfeit(referee, table, x_missing ? SIDE_X : SIDE_Y, reason);
    }
}

void table_expire(struct referee *referee, struct table *table) {
    const struct seat *seat = table->seat;
    table->due = false;
    switch (table->state) {
    case TABLE_VACANT:
        expire_waiting(referee, table, is_absent(referee, table, SIDE_X),
                       is_absent(referee, table, SIDE_Y));
        break;
    case TABLE_MIX:
        mix_expire(referee, table);
        break;
    case TABLE_READY:
        expire_waiting(referee, table, !seat[SIDE_X].ready, !seat[SIDE_Y].ready);
        break;
    case TABLE_PLAY:
        if (table->request.started_at < 0) {
            wait_start(referee, table); /* its reader does not read */
        } else {
            game_overrun(referee, table);
        }
        break;
    case TABLE_AWAY:
    case TABLE_OVER:
    case TABLE_STATES:
        break;
    }
}
