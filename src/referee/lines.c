#include "base/log.h"
#include "record/header.h"
#include "referee/table.h"
#include "wire/frame.h"
#include "wire/ply_line.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef void handler(struct referee *referee, struct session *session,
                     const struct message *message);

static void answer_error(struct referee *referee, struct session *session, const char *code,
                         const struct message *about, const char *why) {
    struct message message;
    assert(code_is_among(code, error_code));
    message_init(&message, MESSAGE_ERROR);
    message_set(&message, FIELD_CODE, code);
    if (about != NULL && message_has(about, FIELD_TABLE)) {
        message_set(&message, FIELD_TABLE, message_text(about, FIELD_TABLE));
    }
    if (about != NULL && message_has(about, FIELD_SERIAL)) {
        message_set(&message, FIELD_SERIAL, message_text(about, FIELD_SERIAL));
    }
    message_set(&message, FIELD_REASON, why);
    referee_tell(referee, session, &message);
}

/* Whether one more line that nobody asked for is borne; the session goes when not. */
static bool may_talk(struct referee *referee, struct session *session) {
    bool may = session_may_talk(session, &referee->limits, referee->now);
    if (!may) {
        referee_drop(referee, session, REASON_DISCONNECT, "too many lines that nobody asked for");
    }
    return may;
}

/* A line that nobody asked for: answered and counted. */
static void answer_stray(struct referee *referee, struct session *session, const char *code,
                         const struct message *about, const char *why) {
    log_line(LOG_LEVEL_DEBUG, "session %u stray code=%s who=%s", session->id, code, session->who);
    if (may_talk(referee, session)) {
        answer_error(referee, session, code, about, why);
    }
}

/* A line that is no message, for no table that waits: three and the session goes. */
static void answer_malformed(struct referee *referee, struct session *session,
                             const struct message *about, const char *code, const char *why) {
    answer_error(referee, session, code, about, why);
    if (++session->strays >= referee->limits.strays) {
        referee_drop(referee, session, REASON_DISCONNECT, "too many malformed lines");
    }
}

/* The table a message names, if this session sits at it. */
static struct table *named_table(struct referee *referee, struct session *session,
                                 const struct message *message, enum side *side) {
    struct held_seat *seat =
        session_find_seat(session, (uint64_t)message_int(message, FIELD_TABLE, 0));
    if (seat == NULL) {
        return NULL;
    }
    *side = seat->side;
    return referee_find_table(referee, seat->table);
}

static void handle_ready(struct referee *referee, struct session *session,
                         const struct message *message) {
    enum side side;
    struct table *table = named_table(referee, session, message, &side);
    if (table == NULL || table->seat[side].ready) {
        answer_stray(referee, session, "unexpected", message, "no `match` awaits this `ready`");
        return;
    }
    table_ready(referee, table, side);
}

static void handle_decline(struct referee *referee, struct session *session,
                           const struct message *message) {
    enum side side;
    struct table *table = named_table(referee, session, message, &side);
    if (table == NULL || table->seat[side].ready) {
        answer_stray(referee, session, "unexpected", message, "no `match` awaits this `decline`");
        return;
    }
    table_forfeit(referee, table, side, REASON_ABORTED);
}

static uint64_t serial_of(const struct message *message) {
    return (uint64_t)message_int(message, FIELD_SERIAL, 0);
}

/* Whether this serial answers the open request of its table. */
static bool is_answer(const struct table *table, enum side side, uint64_t serial) {
    return game_is_asking(table, side) && serial == table->seat[side].serial;
}

/* An answer shows that its request was read, and all before it. */
static void heard_up_to(struct session *session, const struct table *table) {
    session->overruns = 0;
    if (session->kept.length > 0) {
        kept_confirm(session, table->request.end);
    }
}

/* Hands an answer to its game. */
static void take_answer(struct referee *referee, struct table *table,
                        const struct message *message) {
    if (message->kind == MESSAGE_PLAY) {
        const char *claim = message_text(message, FIELD_PLAY);
        game_answer(referee, table, claim, strlen(claim));
        return;
    }
    const char *word = message_row(message->kind)->name;
    const char *kind = message_text(message, FIELD_KIND);
    game_act(referee, table, (enum act)act_find(word, strlen(word)),
             message->kind == MESSAGE_RESIGN ? kind_find(&table->rules, kind) : 0);
}

/* Whether the answer that has just come is to be given later, see pause.c and pair.c. */
static bool keeps_answer(const struct table *table) {
    return table->holds != 0 || (table->waits == WAITS_ANSWER && table->held.length == 0);
}

static void handle_answer(struct referee *referee, struct session *session,
                          const struct message *message) {
    enum side side;
    struct table *table = named_table(referee, session, message, &side);
    if (table == NULL) {
        answer_stray(referee, session, "unexpected", message, "no such table");
    } else if (is_answer(table, side, serial_of(message))) {
        heard_up_to(session, table);
        if (table->holds == 0) {
            take_answer(referee, table, message);
        }
        if (keeps_answer(table)) {
            table->held_spelling = session->spelling;
            spelling_encode_bare(session->spelling, message, &table->held);
        }
    } else if (message_int(message, FIELD_SERIAL, 0) <= (int64_t)table->seat[side].serial) {
        answer_stray(referee, session, "late", message, "this request is answered or over");
    } else {
        answer_stray(referee, session, "unexpected", message, "no request has this serial");
    }
}

/* A disagreement is put on the record, a few times a game, and changes nothing. */
static void handle_dispute(struct referee *referee, struct session *session,
                           const struct message *message) {
    enum side side;
    struct table *table = named_table(referee, session, message, &side);
    uint64_t serial = (uint64_t)message_int(message, FIELD_SERIAL, 0);
    const char *code = message_text(message, FIELD_CODE);
    if (table == NULL || serial == 0 || serial > table->seat[side].serial) {
        answer_stray(referee, session, "unexpected", message, "no request has this serial");
    } else if (!text_is_name(code, strlen(code))) {
        answer_stray(referee, session, "not-allowed", message, "a code is spelled as a name is");
    } else if (table->seat[side].disputes >= RECORD_DISPUTES_MAX) {
        answer_stray(referee, session, "not-allowed", message, "three disputes a game are enough");
    } else if (may_talk(referee, session)) {
        table->seat[side].disputes++;
        record_dispute(table, side, serial, code);
    }
}

static void handle_watch(struct referee *referee, struct session *session,
                         const struct message *message) {
    const char *wrong = gallery_obey(referee, session, message);
    if (wrong != NULL) {
        answer_stray(referee, session, "not-allowed", message, wrong);
    }
}

static void handle_mix(struct referee *referee, struct session *session,
                       const struct message *message) {
    if (!may_talk(referee, session)) {
        return;
    }
    const char *wrong = mix_hear(referee, session, message);
    if (wrong != NULL) {
        answer_error(referee, session, "unexpected", message, wrong);
    }
}

/* Where does this table stand? */
static void handle_sync(struct referee *referee, struct session *session,
                        const struct message *message) {
    enum side side;
    struct table *table = named_table(referee, session, message, &side);
    if (table == NULL) {
        answer_stray(referee, session, "unexpected", message, "no such table");
    } else if (may_talk(referee, session)) {
        tell_state(referee, table, side);
    }
}

static void handle_ping(struct referee *referee, struct session *session,
                        const struct message *message) {
    if (!may_talk(referee, session)) {
        return;
    }
    struct message pong;
    message_init(&pong, MESSAGE_PONG);
    if (message_has(message, FIELD_ID)) {
        message_set(&pong, FIELD_ID, message_text(message, FIELD_ID));
    }
    referee_tell(referee, session, &pong);
}

static void handle_idle(struct referee *referee, struct session *session,
                        const struct message *message) {
    ping_hear(referee, session, message);
    (void)may_talk(referee, session);
}

static void handle_bye(struct referee *referee, struct session *session,
                       const struct message *message) {
    (void)message;
    referee_drop(referee, session, REASON_DISCONNECT, NULL);
}

/* {state, message} -> handler; what is not here is `unexpected`. */
static handler *const handlers[SESSION_STATES][MESSAGE_COUNT] = {
    [SESSION_GREETING] =
        {
            [MESSAGE_HELLO] = hello_handle,
            [MESSAGE_BYE] = handle_bye,
        },
    [SESSION_OPEN] =
        {
            [MESSAGE_READY] = handle_ready,
            [MESSAGE_DECLINE] = handle_decline,
            [MESSAGE_PLAY] = handle_answer,
            [MESSAGE_ROLL] = handle_answer,
            [MESSAGE_DOUBLE] = handle_answer,
            [MESSAGE_TAKE] = handle_answer,
            [MESSAGE_DROP] = handle_answer,
            [MESSAGE_BEAVER] = handle_answer,
            [MESSAGE_RESIGN] = handle_answer,
            [MESSAGE_ACCEPT] = handle_answer,
            [MESSAGE_REJECT] = handle_answer,
            [MESSAGE_COMMIT] = handle_mix,
            [MESSAGE_OPEN] = handle_mix,
            [MESSAGE_REVEAL] = handle_mix,
            [MESSAGE_SYNC] = handle_sync,
            [MESSAGE_DISPUTE] = handle_dispute,
            [MESSAGE_PING] = handle_ping,
            [MESSAGE_PONG] = handle_idle,
            [MESSAGE_NOTE] = handle_idle,
            [MESSAGE_BYE] = handle_bye,
        },
    [SESSION_WATCHING] =
        {
            [MESSAGE_WATCH] = handle_watch,
            [MESSAGE_UNWATCH] = handle_watch,
            [MESSAGE_PING] = handle_ping,
            [MESSAGE_PONG] = handle_idle,
            [MESSAGE_NOTE] = handle_idle,
            [MESSAGE_BYE] = handle_bye,
        },
};

bool lines_know(enum session_state state, enum message_kind kind) {
    return handlers[state][kind] != NULL;
}

static void handle(struct referee *referee, struct session *session,
                   const struct message *message) {
    handler *known = handlers[session->state][message->kind];
    if (known != NULL) {
        known(referee, session, message);
    } else {
        answer_malformed(referee, session, message, "unexpected",
                         session->state == SESSION_GREETING ? "`hello` comes first"
                                                            : "not from a bot, or not now");
    }
}

/* A line that cannot be read: when it answers an open request it is that answer. */
static void handle_malformed(struct referee *referee, struct session *session,
                             const struct message *message, const struct frame *frame,
                             const char *why) {
    enum side side;
    bool answers = session->state == SESSION_OPEN && message->kind < MESSAGE_COUNT &&
                   handlers[SESSION_OPEN][message->kind] == handle_answer;
    struct table *table = answers ? named_table(referee, session, message, &side) : NULL;
    if (table != NULL && is_answer(table, side, serial_of(message))) {
        heard_up_to(session, table);
        if (table->holds == 0) {
            game_spoilt(referee, table, (struct hash_field){frame->line, frame->length}, why);
        }
        if (keeps_answer(table)) {
            table->held_spelling = session->spelling;
            bytes_add(&table->held, frame->line, frame->length);
        }
    } else {
        answer_malformed(referee, session, message, "malformed", why);
    }
}

void lines_take_held(struct referee *referee, struct table *table) {
    struct bytes held = table->held;
    struct message message;
    char why[160];
    bytes_init(&table->held, JSON_LINE_MAX);
    if (spelling_decode(table->held_spelling, held.data, held.length, SENT_BY_BOT, &message,
                        why) == DECODED_MESSAGE) {
        take_answer(referee, table, &message);
    } else {
        game_spoilt(referee, table, (struct hash_field){held.data, held.length}, why);
    }
    if (keeps_answer(table)) {
        bytes_add(&table->held, held.data, held.length);
    }
    bytes_clear(&held);
}

/* Takes a plain `play` that answers an open request, as most lines do; false for any other, and
 * where it may have to be kept. */
static bool take_play(struct referee *referee, struct session *session,
                      const struct frame *frame) {
    struct ply_answer answer;
    if (session->spelling != SPELLING_TEXT || session->state != SESSION_OPEN ||
        !ply_line_play(frame->line, frame->length, &answer)) {
        return false;
    }
    struct held_seat *seat = session_find_seat(session, answer.table);
    struct table *table = seat != NULL ? referee_find_table(referee, seat->table) : NULL;
    if (table == NULL || table->holds != 0 || table->lockstep ||
        !is_answer(table, seat->side, answer.serial)) {
        return false;
    }
    heard_up_to(session, table);
    game_answer(referee, table, answer.play, answer.play_length);
    return true;
}

static void handle_line(struct referee *referee, struct session *session,
                        const struct frame *frame) {
    struct message message;
    char why[160];
    if (take_play(referee, session, frame)) {
        return;
    }
    switch (spelling_decode(session->spelling, frame->line, frame->length, SENT_BY_BOT, &message,
                            why)) {
    case DECODED_MESSAGE:
        handle(referee, session, &message);
        break;
    case DECODED_BLANK:
        handle_idle(referee, session, &message);
        break;
    case DECODED_UNKNOWN:
        answer_stray(referee, session, "unknown", NULL, why);
        break;
    case DECODED_MALFORMED:
        handle_malformed(referee, session, &message, frame, why);
        break;
    }
}

/* Whether what it says is read at all. */
static bool is_heard(const struct session *session) {
    return !session->doomed &&
           (session->state == SESSION_GREETING || session->state == SESSION_OPEN ||
            session->state == SESSION_WATCHING);
}

static size_t line_limit(const struct session *session) {
    return session->spelling == SPELLING_JSON ? JSON_LINE_MAX : TEXT_LINE_MAX;
}

/* Cuts and handles the lines of `data`; bytes of a line that is not whole are left. */
static size_t eat_lines(struct referee *referee, struct session *session, const char *data,
                        size_t length) {
    size_t eaten = 0;
    struct frame frame;
    if (!session->spelled) {
        int first = frame_first_byte(data, length);
        if (first < 0) {
            return length < TEXT_LINE_MAX ? 0 : length;
        }
        session->spelled = true;
        session->spelling = first == '{' ? SPELLING_JSON : SPELLING_TEXT;
    }
    while (is_heard(session)) {
        switch (frame_cut(data + eaten, length - eaten, line_limit(session), &frame)) {
        case FRAME_LINE:
            eaten += frame.consumed;
            handle_line(referee, session, &frame);
            break;
        case FRAME_PARTIAL:
            return eaten;
        case FRAME_TOO_LONG:
            answer_error(referee, session, "too-long", NULL, "a line is longer than its limit");
            referee_drop(referee, session, REASON_DISCONNECT, "a line is longer than its limit");
            return length;
        }
    }
    return length;
}

void lines_input(struct referee *referee, struct session *session, const char *data,
                 size_t length) {
    session->ping.heard_at = referee->now;
    while (length > 0 && is_heard(session)) {
        if (session->in.length == 0) {
            size_t eaten = eat_lines(referee, session, data, length);
            data += eaten;
            length -= eaten;
        }
        size_t room = session->in.ceiling - session->in.length;
        size_t piece = length < room ? length : room;
        if (piece == 0 || !is_heard(session)) {
            return;
        }
        bytes_add(&session->in, data, piece);
        data += piece;
        length -= piece;
        bytes_drop(&session->in, eat_lines(referee, session, session->in.data, session->in.length));
    }
}
