#include "base/log.h"
#include "referee/table.h"

#include <stdio.h>
#include <string.h>

enum { OVERRUNS_MAX = 2 };

/* The game is over: record, score, both seats, the outside. */
static void finish(struct referee *referee, struct table *table, struct game_facts *facts) {
    wait_stop(referee, table);
    table->in_game = false;
    table->waits = WAITS_NOT;
    table->forced = false;
    bytes_clear(&table->held);
    match_add(&table->match, facts->winner, facts->half_points, table->starter);
    facts->table = table->id;
    facts->game = table->game;
    facts->attempt = table->attempt;
    facts->starter = table->starter;
    facts->plies = table->ply;
    facts->contended = table->contended;
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        facts->turns[side] = table->seat[side].turns;
        facts->ms[side] = table->seat[side].ms;
    }
    tell_result(referee, table, facts);
    facts->record = bytes_text(&table->record.text);
    facts->record_length = table->record.text.length;
    referee->hooks.game(referee->hooks.owner, facts);
    gallery_turn_page(referee, table);
    record_empty(&table->record);
    table->used += table->opened + table->seat[SIDE_X].throws + table->seat[SIDE_Y].throws;
    table->game++;
    table->attempt = 0;
    pair_stir(referee, table);
}

void game_finish(struct referee *referee, struct table *table, struct outcome outcome,
                 enum reason reason) {
    struct game_facts facts = {.winner = outcome.drawn ? -1 : (int)outcome.winner,
                               .kind = outcome.kind,
                               .half_points = outcome_half_points(&table->rules, &outcome),
                               .reason = reason,
                               .offender = -1};
    finish(referee, table, &facts);
    table_go_on(referee, table);
}

void game_lose(struct referee *referee, struct table *table, const struct fault *fault) {
    enum side side = fault->side;
    struct outcome cost = cube_forfeit(&table->rules, &table->decision, &table->now.board, side);
    record_fault(table, fault);
    struct game_facts facts = {.winner = (int)side_other(side),
                               .kind = cost.kind,
                               .half_points = cost.points * POINT_HALVES,
                               .reason = fault->reason,
                               .offender = (int)side};
    finish(referee, table, &facts);
}

void game_forfeit(struct referee *referee, struct table *table, enum side side,
                  enum reason reason) {
    if (side == table->decision.side) {
        wait_settle(referee, table);
    }
    struct fault fault = {.side = side,
                          .reason = reason,
                          .why = reason_name(reason),
                          .cost = table->request.cost};
    game_lose(referee, table, &fault);
}

/* A game without progress ends the match without a winner: it would only come again. */
static void finish_cap(struct referee *referee, struct table *table) {
    struct game_facts facts = {.winner = -1, .reason = REASON_CAP, .offender = -1};
    finish(referee, table, &facts);
    table_end(referee, table, -1, REASON_CAP, -1);
}

void game_ask(struct referee *referee, struct table *table) {
    tell_request(referee, table);
    table_set_state(table, TABLE_PLAY);
    if (table->request.started_at < 0) {
        table_set_deadline(referee, table, referee->now + referee->limits.grace);
    }
}

static void ask(struct referee *referee, struct table *table) {
    table->seat[table->decision.side].turns++;
    table->refusals = 0;
    game_ask(referee, table);
}

size_t game_plays(struct referee *referee, const struct table *table) {
    if (referee->listed != table->id) {
        referee->listed_count =
            plays_list(&table->rules, &table->now, referee->room.list, PLAYS_MAX);
        referee->listed = table->id;
    }
    return referee->listed_count;
}

bool game_take(struct referee *referee, struct table *table, const struct cost *cost) {
    const struct verdict *verdict = &referee->verdict;
    enum side mover = table->now.mover;
    table->ply++;
    if (cost != NULL) {
        clock_reward(&table->clock, mover);
    }
    tell_did(referee, table, &verdict->play, cost);
    table->now.board = verdict->final;
    referee->listed = 0;
    cube_do(&table->decision, ACT_PLAY, 0);
    table->now.mover = table->decision.side;
    table->thrown = false;
    table->rolled.ms = -1;
    struct outcome outcome =
        cube_outcome(&table->rules, &table->decision,
                     game_outcome(&table->rules, &table->now.board, table->starter, mover));
    if (outcome.over) {
        game_finish(referee, table, outcome, REASON_NORMAL);
    }
    return !outcome.over;
}

/* Whether its bot leaves a single final position to the referee, with nothing else to decide. */
static bool leaves_forced(const struct referee *referee, const struct table *table) {
    const struct session *session =
        referee_find_session(referee, table->seat[table->now.mover].session);
    return session != NULL && session->auto_forced &&
           cube_may(&table->rules, &table->match, &table->decision) == ACT_PLAY;
}

/* Whether the turn is no choice of the seat's; the verdict then is what it plays. Only a bot
 * that leaves such turns to the referee costs a list of all plays. */
static bool is_forced(struct referee *referee, struct table *table) {
    struct verdict *verdict = &referee->verdict;
    if (leaves_forced(referee, table)) {
        size_t finals = game_plays(referee, table);
        verdict->play = referee->room.list[0].play;
        verdict->final = referee->room.list[0].final;
        return finals == 1;
    }
    verdict->play = (struct play){.count = 0};
    verdict->final = table->now.board;
    return !plays_any(&table->rules, &table->now, referee->room.list, PLAYS_MAX);
}

enum begun { BEGUN_ASK, BEGUN_PLAYED, BEGUN_STOPS };

/* Plays the verdict of a turn that is no choice, or has it wait for the other leg. */
static enum begun play_forced(struct referee *referee, struct table *table) {
    table->forced = pair_waits(referee, table, WAITS_FORCED, pair_step(table, PAIR_PLAY), false);
    if (table->forced) {
        return BEGUN_STOPS;
    }
    const struct cost *rolled = table->rolled.ms >= 0 ? &table->rolled : NULL;
    return game_take(referee, table, rolled) ? BEGUN_PLAYED : BEGUN_STOPS;
}

/* Begins the turn of a throw; what is forced is played at once. */
static enum begun begin_turn(struct referee *referee, struct table *table) {
    struct seat *seat = &table->seat[table->now.mover];
    table->now.first_turn = seat->throws == 0;
    seat->throws++;
    table->thrown = true;
    referee->listed = 0;
    return is_forced(referee, table) ? play_forced(referee, table) : BEGUN_ASK;
}

/* Whether the side to throw is asked before it does: only where it may double. */
static bool asks_before(const struct table *table) {
    return table->decision.phase == PHASE_THROW && !table->thrown &&
           (cube_may(&table->rules, &table->match, &table->decision) & ACT_DOUBLE) != 0;
}

/* A turn without a choice, which waited for the other leg, is played; whether the game goes on. */
static bool play_late(struct referee *referee, struct table *table) {
    return !table->forced ||
           (is_forced(referee, table) && play_forced(referee, table) == BEGUN_PLAYED);
}

void game_proceed(struct referee *referee, struct table *table) {
    if (!play_late(referee, table)) {
        return;
    }
    while (table->ply < referee->limits.plies) {
        bool offered = table->decision.phase >= PHASE_DOUBLED;
        if (offered || asks_before(table)) {
            ask(referee, table);
            return;
        }
        if (!table->thrown &&
            pair_waits(referee, table, WAITS_THROW, pair_step(table, PAIR_OFFER), false)) {
            table_set_state(table, TABLE_PLAY);
            return;
        }
        if (!table->thrown && !throw_dice(table)) {
            throw_is_missing(referee, table);
            return;
        }
        cube_do(&table->decision, ACT_ROLL, 0);
        if (table->thrown) { /* asked again: a resignation was rejected */
            ask(referee, table);
            return;
        }
        enum begun begun = begin_turn(referee, table);
        if (begun == BEGUN_ASK) {
            ask(referee, table);
        }
        if (begun != BEGUN_PLAYED) {
            return;
        }
    }
    finish_cap(referee, table);
}

void game_start(struct referee *referee, struct table *table) {
    struct roll opening[OPENING_THROWS_MAX];
    struct hash key = game_key(&table->dice, table->game, table->attempt);
    table->game_key = hash_key_of(&key);
    int throws = throw_opening(table, opening);
    if (throws < 0) {
        throw_is_missing(referee, table);
        return;
    }
    table->in_game = true;
    table->step = 0;
    table->request = (struct request){.started_at = -1, .settled = true};
    pair_stir(referee, table);
    table->contended = false;
    table->ply = 0;
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        table->seat[side].turns = 0;
        table->seat[side].disputes = 0;
        table->seat[side].ms = 0;
        table->seat[side].throws = 0;
    }
    board_init(&table->now.board, &table->rules);
    int starter = match_starter(&table->match, &table->rules);
    if (throws > 0) {
        const uint8_t *die = opening[throws - 1].die;
        starter = die[0] > die[1] ? SIDE_X : SIDE_Y;
        memcpy(table->now.dice, die, sizeof table->now.dice);
    }
    bool decides = throws > 0 && table->rules.value[OPTION_OPENING] == OPENING_DECIDING;
    table->opened = (uint32_t)throws - (decides ? 1 : 0); /* its own turn counts that one */
    table->starter = (enum side)starter;
    table->now.mover = table->starter;
    table->thrown = false;
    table->rolled.ms = -1;
    decision_init(&table->decision, &table->rules, table->starter, throws > 0 ? throws - 1 : 0);
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        tell_heard(table, side);
    }
    tell_game(referee, table, opening, throws);
    /* no game ends with its first turn */
    if (decides) {
        cube_do(&table->decision, ACT_ROLL, 0);
        if (begin_turn(referee, table) == BEGUN_STOPS) {
            table_set_state(table, TABLE_PLAY);
            return;
        }
    }
    game_proceed(referee, table);
}

bool game_is_asking(const struct table *table, enum side side) {
    return table->state == TABLE_PLAY && table->decision.side == side &&
           table->held.length == 0 && table->waits == WAITS_NOT;
}

void game_start_clock(struct referee *referee, struct table *table) {
    if (table->request.started_at < 0 && table->waits == WAITS_NOT) {
        wait_start(referee, table);
    }
}

void game_request_sent(struct referee *referee, struct table *table) {
    if (table->state == TABLE_PLAY) {
        game_start_clock(referee, table);
    }
}

void game_overrun(struct referee *referee, struct table *table) {
    enum side side = table->decision.side;
    struct session *session = referee_find_session(referee, table->seat[side].session);
    tell_error(referee, table, side, reason_name(REASON_TIMEOUT), "no answer in time");
    bool match_lost = wait_lapse(referee, table);
    if (match_lost) {
        table_forfeit(referee, table, side, REASON_TIMEOUT);
    } else {
        game_forfeit(referee, table, side, REASON_TIMEOUT);
    }
    /* Who hangs is let go before the next game, which would only be lost as well. Who is lost
     * has its own time. */
    if (session != NULL && session->state == SESSION_OPEN && ++session->overruns >= OVERRUNS_MAX) {
        referee_drop(referee, session, REASON_DISCONNECT, "no answer, several times in a row");
    } else if (!match_lost) {
        table_go_on(referee, table);
    }
}
