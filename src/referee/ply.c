#include "record/header.h"
#include "referee/table.h"
#include "wire/phrase.h"
#include "wire/ply_line.h"

/* What an answer has cost, as far as it is written down: ms, passed, open, lag. */
static void times_of(struct table *table, const struct cost *cost, int64_t time[PLY_TIMES]) {
    time[0] = cost->ms;
    time[1] = cost->passed != cost->ms ? cost->passed : -1;
    time[2] = cost->open > 1 ? cost->open : -1;
    time[3] = cost->lag > 0 ? cost->lag : -1;
    table->contended = table->contended || cost->lag > RECORD_LAG_CONTENDED;
}

void tell_set_cost(struct table *table, struct message *message, const struct cost *cost) {
    static const enum field fields[PLY_TIMES] = {FIELD_MS, FIELD_PASSED, FIELD_OPEN, FIELD_LAG};
    int64_t time[PLY_TIMES];
    times_of(table, cost, time);
    for (int i = 0; i < PLY_TIMES; i++) {
        if (time[i] >= 0) {
            message_set_int(message, fields[i], time[i]);
        }
    }
}

/* A ply, apart from whose table it is and what it was. */
static void set_did(struct message *message, const struct table *table, enum side seat) {
    message_init(message, MESSAGE_DID);
    message_set_int(message, FIELD_PLY, table->ply);
    message_set(message, FIELD_SEAT, side_name((int)seat));
}

/* Keeps a ply for a seat until its next request or result. */
static void keep_news(struct referee *referee, struct table *table, enum side side,
                      struct message *message) {
    struct session *session = referee_find_session(referee, table->seat[side].session);
    if (session != NULL) {
        message_set_u64(message, FIELD_TABLE, table->seat[side].handle);
        spelling_encode(session->spelling, message, &table->seat[side].news);
    }
}

/* The same of a throw and its play, which has no message of its own in text. */
static void keep_ply(struct referee *referee, struct table *table, enum side side,
                     struct ply_line *ply) {
    struct session *session = referee_find_session(referee, table->seat[side].session);
    if (session == NULL) {
        return;
    }
    if (session->spelling == SPELLING_TEXT) {
        char line[PLY_LINE_MAX + 1];
        ply->table = table->seat[side].handle;
        size_t length = ply_line_did(ply, line);
        line[length++] = '\n';
        bytes_add(&table->seat[side].news, line, length);
        return;
    }
    struct message message;
    set_did(&message, table, table->now.mover);
    phrase_dice(&message, FIELD_DEED, table->now.dice);
    message_set_bytes(&message, FIELD_PLAY, ply->play, ply->play_length);
    keep_news(referee, table, side, &message);
}

void tell_did(struct referee *referee, struct table *table, const struct play *play,
              const struct cost *cost) {
    enum side mover = table->now.mover;
    char text[PLAY_TEXT_MAX], line[PLY_LINE_MAX];
    struct ply_line ply = {.play = text, .time = {-1, -1, -1, -1}};
    ply_line_begin(&ply, (uint64_t)table->ply, *side_name((int)mover), table->now.dice);
    ply.play_length = play_write_mirrored(&table->rules, play, ' ', text);
    keep_ply(referee, table, side_other(mover), &ply);
    ply.play_length = play_write(play, ' ', true, text);
    keep_ply(referee, table, mover, &ply);
    ply.table = (uint64_t)table->leg;
    if (cost != NULL) {
        times_of(table, cost, ply.time);
    }
    record_add_line(&table->record, line, ply_line_did(&ply, line));
}

void tell_act(struct referee *referee, struct table *table, enum act act, int kind,
              const struct cost *cost) {
    struct message message;
    set_did(&message, table, table->decision.side);
    message_set(&message, FIELD_DEED, act_name(act));
    if (act == ACT_RESIGN) {
        message_set(&message, FIELD_KIND, kind_name(&table->rules, kind));
    }
    if (act == ACT_RESIGN && decision_thrown(&table->decision)) {
        phrase_dice(&message, FIELD_THROW, table->now.dice);
    }
    keep_news(referee, table, SIDE_X, &message);
    keep_news(referee, table, SIDE_Y, &message);
    message_set_int(&message, FIELD_TABLE, table->leg);
    if (cost != NULL) {
        tell_set_cost(table, &message, cost);
    }
    record_add(&table->record, &message);
}
