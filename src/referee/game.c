#include "referee/table.h"

#include "record/replacement.h"

#include <stdio.h>
#include <string.h>

enum { OPENING_THROWS_MAX = 128, AMBIGUITIES_MAX = 3, OVERRUNS_MAX = 2 };

static int64_t answer_limit(const struct referee *referee, const struct table *table) {
    return clock_is_set(&table->clock) ? clock_allowance(&table->clock, table->now.mover)
                                       : referee->limits.answer;
}

/* Time the open request has cost so far: from when the kernel took it, or from
 * a grace after it was queued when its reader does not read. */
static int64_t request_elapsed(const struct referee *referee, const struct table *table) {
    const struct request *request = &table->request;
    int64_t start =
        request->started_at >= 0 ? request->started_at : request->queued_at + referee->limits.grace;
    return referee->now > start ? referee->now - start : 0;
}

/* The game is over: record, score, both seats, the outside. */
static void finish(struct referee *referee, struct table *table, struct game_facts *facts) {
    table->in_game = false;
    match_add(&table->match, facts->winner, facts->half_points, table->starter);
    facts->table = table->id;
    facts->game = table->game;
    facts->attempt = table->attempt;
    facts->starter = table->starter;
    facts->plies = table->ply;
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        facts->turns[side] = table->seat[side].turns;
        facts->ms[side] = table->seat[side].ms;
    }
    tell_result(referee, table, facts);
    facts->record = bytes_text(&table->record.text);
    facts->record_length = table->record.text.length;
    referee->hooks.game(referee->hooks.owner, facts);
    bytes_drop(&table->record.text, table->record.text.length);
    table->game++;
    table->attempt = 0;
}

static void finish_normal(struct referee *referee, struct table *table, struct outcome outcome) {
    struct game_facts facts = {.winner = outcome.drawn ? -1 : (int)outcome.winner,
                               .kind = outcome.kind,
                               .half_points = outcome_half_points(&table->rules, &outcome),
                               .reason = REASON_NORMAL,
                               .offender = -1};
    finish(referee, table, &facts);
}

/* The running game is lost by the fault. */
static void lose(struct referee *referee, struct table *table, const struct fault *fault) {
    enum side side = fault->side;
    const struct board *board = &table->now.board;
    record_fault(table, fault);
    struct game_facts facts = {.winner = (int)side_other(side),
                               .kind = board_worst(&table->rules, board, side).kind,
                               .half_points =
                                   board_forfeit_points(&table->rules, board, side) * POINT_HALVES,
                               .reason = fault->reason,
                               .offender = (int)side};
    finish(referee, table, &facts);
}

void game_forfeit(struct referee *referee, struct table *table, enum side side,
                  enum reason reason) {
    struct fault fault = {.side = side,
                          .reason = reason,
                          .why = reason_name(reason),
                          .ms = request_elapsed(referee, table)};
    lose(referee, table, &fault);
}

/* A game without progress ends the match without a winner: it would only come again. */
static void finish_cap(struct referee *referee, struct table *table) {
    struct game_facts facts = {.winner = -1, .reason = REASON_CAP, .offender = -1};
    finish(referee, table, &facts);
    table_end(referee, table, -1, REASON_CAP, -1);
}

static void throw_dice(struct table *table) {
    enum side mover = table->now.mover;
    struct seat *seat = &table->seat[mover];
    struct roll roll =
        game_roll(&table->game_key, mover == SIDE_X ? STREAM_X : STREAM_Y, seat->throws);
    memcpy(table->now.dice, roll.die, sizeof table->now.dice);
}

static void ask_again(struct referee *referee, struct table *table) {
    tell_turn(referee, table);
    table_set_state(table, TABLE_PLAY);
    heap_set(&referee->timers, &table->timer,
             referee->now + referee->limits.grace + answer_limit(referee, table));
}

static void ask(struct referee *referee, struct table *table) {
    table->seat[table->now.mover].turns++;
    table->refusals = 0;
    ask_again(referee, table);
}

/* From a throw to the next decision: what cannot be played is passed over here. */
static void throw_and_ask(struct referee *referee, struct table *table, bool thrown) {
    static const struct play pass = {.count = 0};
    while (table->ply < referee->limits.plies) {
        struct seat *seat = &table->seat[table->now.mover];
        if (!thrown) {
            throw_dice(table);
        }
        thrown = false;
        table->now.first_turn = seat->throws == 0;
        seat->throws++;
        plays_list(&table->rules, &table->now, referee->room.list, PLAYS_MAX);
        if (referee->room.list[0].play.count > 0) {
            ask(referee, table);
            return;
        }
        table->ply++;
        tell_did(referee, table, &pass, 0);
        table->now.mover = side_other(table->now.mover);
    }
    finish_cap(referee, table);
}

/* Opening throws until they differ; how many there were. */
static int throw_opening(struct table *table, struct roll opening[OPENING_THROWS_MAX]) {
    int throws = 0;
    do {
        opening[throws] = game_roll(&table->game_key, STREAM_OPENING, (uint32_t)throws);
        throws++;
    } while (throws < OPENING_THROWS_MAX &&
             opening[throws - 1].die[0] == opening[throws - 1].die[1]);
    return throws;
}

void game_start(struct referee *referee, struct table *table) {
    struct roll opening[OPENING_THROWS_MAX];
    int throws = 0;
    int starter = match_starter(&table->match, &table->rules);
    table->game_key = game_key(&table->dice, table->game, table->attempt);
    table->in_game = true;
    table->ply = 0;
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        table->seat[side].turns = 0;
        table->seat[side].ms = 0;
        table->seat[side].throws = 0;
    }
    board_init(&table->now.board, &table->rules);
    if (starter < 0) {
        throws = throw_opening(table, opening);
        const uint8_t *die = opening[throws - 1].die;
        starter = die[0] > die[1] ? SIDE_X : SIDE_Y;
        memcpy(table->now.dice, die, sizeof table->now.dice);
    }
    table->starter = (enum side)starter;
    table->now.mover = table->starter;
    tell_game(referee, table, opening, throws);
    bool thrown = throws > 0 && table->rules.value[OPTION_OPENING] == OPENING_DECIDING;
    throw_and_ask(referee, table, thrown);
}

void game_request_sent(struct referee *referee, struct table *table, uint64_t sent) {
    struct request *request = &table->request;
    if (table->state != TABLE_PLAY || request->started_at >= 0 || request->end > sent) {
        return;
    }
    request->started_at = referee->now;
    heap_set(&referee->timers, &table->timer, referee->now + answer_limit(referee, table));
}

/* Reads "#k", an index into the plays of this request. */
static bool judge_index(struct referee *referee, const struct table *table, const char *claim,
                        size_t length) {
    struct verdict *verdict = &referee->verdict;
    uint64_t index;
    *verdict = (struct verdict){.judgement = JUDGED_MALFORMED};
    if (length < 2 || claim[0] != '#') {
        return false;
    }
    verdict->legal = plays_list(&table->rules, &table->now, referee->room.list, PLAYS_MAX);
    if (!text_u64(claim + 1, length - 1, &index) || index >= verdict->legal) {
        snprintf(verdict->reason, sizeof verdict->reason,
                 "%.24s: the plays of this request are #0 to #%zu", claim, verdict->legal - 1);
        return true;
    }
    verdict->judgement = JUDGED_LEGAL;
    verdict->play = referee->room.list[index].play;
    verdict->final = referee->room.list[index].final;
    return true;
}

static void judge(struct referee *referee, const struct table *table, const char *claim,
                  size_t length) {
    if (!judge_index(referee, table, claim, length)) {
        play_judge(&table->rules, &table->now, claim, length, &referee->room, &referee->verdict);
    }
}

/* The play of the verdict is played; `ms` -1: it was not the bot's. */
static void accept(struct referee *referee, struct table *table, int64_t ms) {
    table->ply++;
    tell_did(referee, table, &referee->verdict.play, ms);
    table->now.board = referee->verdict.final;
    struct outcome outcome =
        game_outcome(&table->rules, &table->now.board, table->starter, table->now.mover);
    if (outcome.over) {
        finish_normal(referee, table, outcome);
        table_go_on(referee, table);
        return;
    }
    table->now.mover = side_other(table->now.mover);
    throw_and_ask(referee, table, false);
}

/* Plays what the dice choose in place of an illegal play. */
static void replace(struct referee *referee, struct table *table) {
    struct play_room *room = &referee->room;
    size_t count = plays_list(&table->rules, &table->now, room->list, PLAYS_MAX);
    const struct option_play *chosen = replacement_choose(
        &table->game_key, (unsigned)table->ply + 1, table->now.mover, room->list, count);
    referee->verdict.play = chosen->play;
    referee->verdict.final = chosen->final;
    accept(referee, table, -1);
}

/* The answer was no legal play: said with the reason; what follows is the rules' (B8). */
static void refuse(struct referee *referee, struct table *table, enum reason reason,
                   struct hash_field claim) {
    enum side side = table->now.mover;
    char why[240];
    snprintf(why, sizeof why, "%s; legal plays: %zu", referee->verdict.reason,
             referee->verdict.legal);
    tell_error(referee, table, side, reason_name(reason), why);
    struct fault fault = {.side = side,
                          .reason = reason,
                          .got = claim.data,
                          .got_length = claim.length,
                          .why = why,
                          .ms = request_elapsed(referee, table)};
    enum illegal illegal = (enum illegal)table->rules.value[OPTION_ILLEGAL];
    if (illegal == ILLEGAL_RETRY && table->refusals++ < ILLEGAL_RETRIES) {
        record_fault(table, &fault);
        clock_refuse(&table->clock, side);
        ask_again(referee, table);
    } else if (illegal == ILLEGAL_REPLACE_RANDOM) {
        record_fault(table, &fault);
        clock_refuse(&table->clock, side);
        replace(referee, table);
    } else {
        lose(referee, table, &fault);
        table_go_on(referee, table);
    }
}

/* The answer came, but after its time. */
static bool overran(struct referee *referee, struct table *table, int64_t ms) {
    enum side side = table->now.mover;
    switch (clock_charge(&table->clock, side, ms)) {
    case CLOCK_IN_TIME:
        return false;
    case CLOCK_MOVE_OVER:
        game_forfeit(referee, table, side, REASON_TIMEOUT);
        table_go_on(referee, table);
        return true;
    case CLOCK_RESERVE_EMPTY:
        table_forfeit(referee, table, side, REASON_TIMEOUT);
        return true;
    }
    return false;
}

void game_answer(struct referee *referee, struct table *table, const char *claim, size_t length) {
    enum side side = table->now.mover;
    int64_t ms = request_elapsed(referee, table);
    judge(referee, table, claim, length);
    if (referee->verdict.judgement == JUDGED_AMBIGUOUS &&
        ++table->request.ambiguities < AMBIGUITIES_MAX) {
        tell_error(referee, table, side, "ambiguous", referee->verdict.reason);
        return;
    }
    heap_unset(&referee->timers, &table->timer);
    table->seat[side].ms += ms;
    if (clock_is_set(&table->clock) && overran(referee, table, ms)) {
        return;
    }
    switch (referee->verdict.judgement) {
    case JUDGED_LEGAL:
        accept(referee, table, ms);
        break;
    case JUDGED_ILLEGAL:
        refuse(referee, table, REASON_ILLEGAL, (struct hash_field){claim, length});
        break;
    case JUDGED_MALFORMED:
    case JUDGED_AMBIGUOUS:
        refuse(referee, table, REASON_MALFORMED, (struct hash_field){claim, length});
        break;
    }
}

void game_overrun(struct referee *referee, struct table *table) {
    enum side side = table->now.mover;
    struct session *session = referee_find_session(referee, table->seat[side].session);
    int64_t ms = request_elapsed(referee, table);
    table->seat[side].ms += ms;
    tell_error(referee, table, side, reason_name(REASON_TIMEOUT), "no answer in time");
    if (session != NULL && ++session->overruns >= OVERRUNS_MAX) {
        referee_doom(referee, session, REASON_TIMEOUT, "no answer, several times in a row");
    }
    if (!clock_is_set(&table->clock) || !overran(referee, table, ms)) {
        game_forfeit(referee, table, side, REASON_TIMEOUT);
        table_go_on(referee, table);
    }
}
