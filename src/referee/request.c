#include "referee/table.h"

#include "wire/phrase.h"
#include "wire/ply_line.h"

/* The legal plays, some to a line. */
static void tell_plays(struct referee *referee, struct table *table, struct session *session) {
    const struct seat *seat = &table->seat[table->decision.side];
    size_t count = game_plays(referee, table);
    for (size_t next = 0; next < count;) {
        struct message message;
        next = phrase_plays(&message, referee->room.list, count, next);
        message_set_u64(&message, FIELD_TABLE, seat->handle);
        message_set_u64(&message, FIELD_SERIAL, seat->serial);
        referee_tell(referee, session, &message);
    }
}

/* What a bot that keeps no state needs. */
static void set_position(struct message *message, const struct table *table) {
    enum side side = table->decision.side;
    phrase_board(message, &table->rules, &table->now.board, side);
    phrase_score(message, table->match.score, side);
    message_set(message, FIELD_ROLL, side == table->now.mover ? "me" : "opp");
    message_set(message, FIELD_VARIANT, table->rules.variant->name);
    message_set_int(message, FIELD_LENGTH, table->match.length);
    if (table->rules.value[OPTION_VIDO]) {
        phrase_cube(message, &table->decision.cube, table->match.crawford == CRAWFORD_NOW, side);
    }
}

/* What was offered. */
static void set_offer(struct message *message, const struct table *table) {
    const struct decision *decision = &table->decision;
    if (decision->phase == PHASE_DOUBLED) {
        message_set(message, FIELD_ACT,
                    act_name(decision->cube.beavers > 0 ? ACT_BEAVER : ACT_DOUBLE));
        message_set_int(message, FIELD_VALUE, decision->cube.offer);
        return;
    }
    message_set(message, FIELD_ACT, act_name(ACT_RESIGN));
    message_set(message, FIELD_KIND, kind_name(&table->rules, decision->kind));
    if (decision_thrown(decision)) {
        phrase_dice(message, FIELD_THROW, table->now.dice);
    }
}

/* Whether the other side has borne off everything: this throw may still draw the game. */
static bool is_last(const struct table *table) {
    enum side other = side_other(table->now.mover);
    return table->now.board.men[other][POINT_OFF] == table->rules.variant->checkers;
}

/* What is asked, by the phase. */
static void set_question(struct message *message, const struct table *table) {
    unsigned may = cube_may(&table->rules, &table->match, &table->decision);
    switch (table->decision.phase) {
    case PHASE_THROW:
        message_init(message, MESSAGE_CUBE);
        break;
    case PHASE_THROWN:
        message_init(message, MESSAGE_TURN);
        phrase_dice(message, FIELD_DICE, table->now.dice);
        if (table->now.first_turn) {
            message_set(message, FIELD_FIRST, "yes");
        }
        if (is_last(table)) {
            message_set(message, FIELD_LAST, "yes");
        }
        break;
    case PHASE_DOUBLED:
    case PHASE_RESIGNED:
        message_init(message, MESSAGE_OFFER);
        set_offer(message, table);
        break;
    }
    if (may != ACT_PLAY) {
        phrase_may(message, may);
    }
}

/* Time for the answer, -1 without a clock. */
static int64_t told_ms(struct referee *referee, struct table *table) {
    return clock_is_set(&table->clock) ? wait_left(referee, table) : -1;
}

static void set_clock(struct message *message, struct referee *referee, struct table *table) {
    enum side side = table->decision.side;
    int64_t ms = told_ms(referee, table);
    if (ms >= 0) {
        message_set_int(message, FIELD_MS, ms);
    }
    if (table->clock.rule.reserve > 0) {
        message_set_print(message, FIELD_RESERVE, "%lld,%lld", (long long)table->clock.left[side],
                          (long long)table->clock.left[side_other(side)]);
    }
}

/* Whether a play is asked for with nothing beside it, as it mostly is. */
static bool is_plain(const struct table *table, const struct session *session) {
    return session->state == SESSION_OPEN && session->spelling == SPELLING_TEXT &&
           !session->want_plays && !session->want_position &&
           table->decision.phase == PHASE_THROWN && table->clock.rule.reserve == 0 &&
           !table->now.first_turn && !is_last(table) &&
           cube_may(&table->rules, &table->match, &table->decision) == ACT_PLAY;
}

/* Puts such a request behind the news, which it goes out with. */
static bool add_plain(struct referee *referee, struct table *table) {
    struct seat *seat = &table->seat[table->decision.side];
    char line[PLY_LINE_MAX + 1];
    size_t length =
        ply_line_turn(seat->handle, seat->serial, table->now.dice, told_ms(referee, table), line);
    line[length++] = '\n';
    return bytes_add(&seat->news, line, length);
}

void tell_open_request(struct referee *referee, struct table *table) {
    enum side side = table->decision.side;
    struct seat *seat = &table->seat[side];
    struct session *session = referee_find_session(referee, seat->session);
    if (session->state == SESSION_LOST) { /* its clock runs all the same */
        game_start_clock(referee, table);
        return;
    }
    if (session->want_plays && table->decision.phase == PHASE_THROWN) {
        tell_plays(referee, table, session);
    }
    struct message message;
    set_question(&message, table);
    message_set_u64(&message, FIELD_TABLE, seat->handle);
    message_set_u64(&message, FIELD_SERIAL, seat->serial);
    set_clock(&message, referee, table);
    if (session->want_position) {
        set_position(&message, table);
    }
    referee_tell(referee, session, &message);
}

void tell_request(struct referee *referee, struct table *table) {
    enum side side = table->decision.side;
    struct session *session = referee_find_session(referee, table->seat[side].session);
    table->seat[side].serial++;
    table->request = (struct request){.queued_at = referee->now, .started_at = -1};
    bool plain = is_plain(table, session) && add_plain(referee, table);
    tell_news(referee, table, side);
    if (!plain) {
        tell_open_request(referee, table);
    }
    if (table->request.started_at < 0) {
        table->request.end = session->queued;
        session_add_unsent(session, table->id);
    }
}
