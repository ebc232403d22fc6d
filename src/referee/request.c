#include "referee/table.h"

#include "rules/position.h"

#include <stdio.h>

enum { PLAYS_PER_LINE = 128 };

/* The legal plays, PLAYS_PER_LINE to a line, numbered on. */
static void tell_plays(struct referee *referee, struct table *table, struct session *session) {
    const struct seat *seat = &table->seat[table->decision.side];
    const struct option_play *list = referee->room.list;
    size_t count = game_plays(referee, table);
    for (size_t from = 0; from < count; from += PLAYS_PER_LINE) {
        struct message message;
        char words[PLAYS_PER_LINE * PLAY_TEXT_MAX];
        size_t length = 0;
        for (size_t i = from; i < count && i < from + PLAYS_PER_LINE; i++) {
            if (i > from) {
                words[length++] = ' ';
            }
            length += play_write(&list[i].play, ',', true, words + length);
        }
        message_init(&message, MESSAGE_PLAYS);
        message_set_u64(&message, FIELD_TABLE, seat->handle);
        message_set_u64(&message, FIELD_SERIAL, seat->serial);
        message_set_u64(&message, FIELD_FROM, from);
        message_set_bytes(&message, FIELD_PLAYLIST, words, length);
        referee_tell(referee, session, &message);
    }
}

void tell_set_board(struct message *message, const struct rules *rules, const struct board *board,
                    enum side side) {
    int8_t counts[POINT_COUNT];
    char text[POINT_COUNT * 4];
    int length = 0;
    position_counts(rules, board, side, counts);
    for (int point = 0; point < POINT_COUNT; point++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%d",
                           point > 0 ? "," : "", counts[point]);
    }
    message_set(message, FIELD_POSITION, text);
    message_set_print(message, FIELD_OFF, "%d,%d", board->men[side][POINT_OFF],
                      board->men[side_other(side)][POINT_OFF]);
}

const char *tell_owner(const struct cube *cube, enum side side) {
    return cube->owner == CUBE_MIDDLE ? "none" : cube->owner == (int)side ? "me" : "opp";
}

/* The cube as the side asked sees it. */
static void set_cube(struct message *message, const struct table *table) {
    const struct cube *cube = &table->decision.cube;
    message_set(message, FIELD_CRAWFORD, table->match.crawford == CRAWFORD_NOW ? "yes" : "no");
    message_set_int(message, FIELD_CUBE, cube->value);
    message_set(message, FIELD_OWNER, tell_owner(cube, table->decision.side));
}

/* What a bot that keeps no state needs. */
static void set_position(struct message *message, const struct table *table) {
    enum side side = table->decision.side;
    tell_set_board(message, &table->rules, &table->now.board, side);
    tell_set_score(message, &table->match, side);
    message_set(message, FIELD_ROLL, side == table->now.mover ? "me" : "opp");
    message_set(message, FIELD_VARIANT, table->rules.variant->name);
    message_set_int(message, FIELD_LENGTH, table->match.length);
    if (table->rules.value[OPTION_VIDO]) {
        set_cube(message, table);
    }
}

/* What the side asked may do, in words. */
static void set_may(struct message *message, unsigned may) {
    char text[96];
    int length = 0;
    for (int bit = 0; bit < ACT_COUNT; bit++) {
        if ((may & 1U << bit) != 0) {
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%s",
                               length > 0 ? "," : "", act_name((enum act)(1U << bit)));
        }
    }
    message_set(message, FIELD_MAY, text);
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
        tell_set_dice(message, FIELD_THROW, table->now.dice);
    }
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
        tell_set_dice(message, FIELD_DICE, table->now.dice);
        if (table->now.first_turn) {
            message_set(message, FIELD_FIRST, "yes");
        }
        if (table->now.board.men[side_other(table->now.mover)][POINT_OFF] ==
            table->rules.variant->checkers) {
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
        set_may(message, may);
    }
}

static void set_clock(struct message *message, struct referee *referee, struct table *table) {
    enum side side = table->decision.side;
    if (clock_is_set(&table->clock)) {
        message_set_int(message, FIELD_MS, wait_left(referee, table));
    }
    if (table->clock.rule.reserve > 0) {
        message_set_print(message, FIELD_RESERVE, "%lld,%lld", (long long)table->clock.left[side],
                          (long long)table->clock.left[side_other(side)]);
    }
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
    tell_news(referee, table, side);
    table->request = (struct request){.queued_at = referee->now, .started_at = -1};
    tell_open_request(referee, table);
    if (table->request.started_at < 0) {
        table->request.end = session->queued;
        session_add_unsent(session, table->id);
    }
}
