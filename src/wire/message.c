#include "wire/message.h"

#include "base/text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct field_row fields[FIELD_COUNT] = {
    [FIELD_TABLE] = {"table", TYPE_INT},
    [FIELD_SERIAL] = {"serial", TYPE_INT},
    [FIELD_CODE] = {"code", TYPE_WORD},
    [FIELD_GAME] = {"game", TYPE_INT},
    [FIELD_PLY] = {"ply", TYPE_INT},
    [FIELD_SEAT] = {"seat", TYPE_WORD},
    [FIELD_DICE] = {"dice", TYPE_DICE},
    [FIELD_UNIT] = {"unit", TYPE_WORD},
    [FIELD_HAKEM] = {"hakem", TYPE_INT},
    [FIELD_NAME] = {"name", TYPE_WORD},
    [FIELD_VERSION] = {"version", TYPE_STRING},
    [FIELD_AUTHOR] = {"author", TYPE_STRING},
    [FIELD_TABLES] = {"tables", TYPE_INT},
    [FIELD_VARIANTS] = {"variants", TYPE_LIST},
    [FIELD_WANT] = {"want", TYPE_LIST},
    [FIELD_AUTO] = {"auto", TYPE_LIST},
    [FIELD_TOKEN] = {"token", TYPE_STRING},
    [FIELD_SESSION] = {"session", TYPE_WORD},
    [FIELD_SERVER] = {"server", TYPE_STRING},
    [FIELD_LINE] = {"line", TYPE_INT},
    [FIELD_HAVE] = {"have", TYPE_INT},
    [FIELD_LEG] = {"leg", TYPE_INT},
    [FIELD_VARIANT] = {"variant", TYPE_WORD},
    [FIELD_OPPONENT] = {"opponent", TYPE_WORD},
    [FIELD_PAIRING] = {"pairing", TYPE_WORD},
    [FIELD_SOURCE] = {"source", TYPE_WORD},
    [FIELD_EVENT] = {"event", TYPE_STRING},
    [FIELD_COMMIT] = {"commit", TYPE_WORD},
    [FIELD_MASTER] = {"master", TYPE_WORD},
    [FIELD_THROWS] = {"throws", TYPE_WORD},
    [FIELD_MOVE_TIME] = {"move_time", TYPE_INT},
    [FIELD_RESERVE] = {"reserve", TYPE_NUMBERS},
    [FIELD_INCREMENT] = {"increment", TYPE_INT},
    [FIELD_DELAY] = {"delay", TYPE_INT},
    [FIELD_MARGIN] = {"margin", TYPE_INT},
    [FIELD_CLOCK] = {"clock", TYPE_WORD},
    [FIELD_PASSED] = {"passed", TYPE_INT},
    [FIELD_OPEN] = {"open", TYPE_INT},
    [FIELD_CONTENDED] = {"contended", TYPE_FLAG},
    [FIELD_ATTEMPT] = {"attempt", TYPE_INT},
    [FIELD_SCORE] = {"score", TYPE_NUMBERS},
    [FIELD_OPENING] = {"opening", TYPE_LIST},
    [FIELD_STARTER] = {"starter", TYPE_WORD},
    [FIELD_SEED] = {"seed", TYPE_SEED},
    [FIELD_MS] = {"ms", TYPE_INT},
    [FIELD_LAG] = {"lag", TYPE_INT},
    [FIELD_FROM] = {"from", TYPE_INT},
    [FIELD_FIRST] = {"first", TYPE_FLAG},
    [FIELD_LAST] = {"last", TYPE_FLAG},
    [FIELD_POSITION] = {"position", TYPE_NUMBERS},
    [FIELD_OFF] = {"off", TYPE_NUMBERS},
    [FIELD_ROLL] = {"roll", TYPE_WORD},
    [FIELD_WINNER] = {"winner", TYPE_WORD},
    [FIELD_KIND] = {"kind", TYPE_WORD},
    [FIELD_POINTS] = {"points", TYPE_NUMBERS},
    [FIELD_REASON] = {"reason", TYPE_STRING},
    [FIELD_EXPECTED] = {"expected", TYPE_STRING},
    [FIELD_FATAL] = {"fatal", TYPE_WORD},
    [FIELD_LINES] = {"lines", TYPE_INT},
    [FIELD_HEAD] = {"head", TYPE_WORD},
    [FIELD_HEADS] = {"heads", TYPE_LIST},
    [FIELD_RETRY] = {"retry", TYPE_INT},
    [FIELD_ID] = {"id", TYPE_STRING},
    [FIELD_TEXT] = {"text", TYPE_STRING},
    [FIELD_X] = {"x", TYPE_WORD},
    [FIELD_Y] = {"y", TYPE_WORD},
    [FIELD_X_VERSION] = {"x_version", TYPE_STRING},
    [FIELD_Y_VERSION] = {"y_version", TYPE_STRING},
    [FIELD_X_TITLE] = {"x_title", TYPE_STRING},
    [FIELD_Y_TITLE] = {"y_title", TYPE_STRING},
    [FIELD_KEY] = {"key", TYPE_WORD},
    [FIELD_DATE] = {"date", TYPE_WORD},
    [FIELD_GOT] = {"got", TYPE_STRING},
    [FIELD_SIGNATURE] = {"signature", TYPE_WORD},
    [FIELD_PLAY] = {"play", TYPE_PLAY},
    [FIELD_PLAYLIST] = {"plays", TYPE_PLAYS},
    [FIELD_DEED] = {"dice", TYPE_DEED},
    [FIELD_THROW] = {"throw", TYPE_DICE},
    [FIELD_LENGTH] = {"match", TYPE_INT},
    [FIELD_CRAWFORD] = {"crawford", TYPE_FLAG},
    [FIELD_CUBE] = {"cube", TYPE_INT},
    [FIELD_OWNER] = {"owner", TYPE_WORD},
    [FIELD_MAY] = {"may", TYPE_LIST},
    [FIELD_ACT] = {"act", TYPE_WORD},
    [FIELD_VALUE] = {"value", TYPE_INT},
    [FIELD_WHAT] = {"what", TYPE_STRING},
    [FIELD_AT] = {"at", TYPE_STRING},
    [FIELD_DIGITS] = {"digits", TYPE_WORD},
    [FIELD_RESUME] = {"resume", TYPE_STRING},
    [FIELD_CONTRIBUTE] = {"contribute", TYPE_WORD},
    [FIELD_PLAYER] = {"player", TYPE_INT},
    [FIELD_BYTES] = {"bytes", TYPE_WORD},
    [FIELD_COMMIT_A] = {"commit_a", TYPE_WORD},
    [FIELD_COMMIT_B] = {"commit_b", TYPE_WORD},
    [FIELD_A] = {"a", TYPE_WORD},
    [FIELD_B] = {"b", TYPE_WORD},
    [FIELD_WITHHELD] = {"withheld", TYPE_LIST},
    [FIELD_RECEIPT] = {"receipt", TYPE_WORD},
    [FIELD_SETTINGS] = {"settings", TYPE_LIST},
    [FIELD_X_COMMAND] = {"x_command", TYPE_STRING},
    [FIELD_Y_COMMAND] = {"y_command", TYPE_STRING},
    [FIELD_X_FILES] = {"x_files", TYPE_LIST},
    [FIELD_Y_FILES] = {"y_files", TYPE_LIST},
    [FIELD_X_SETTINGS] = {"x_settings", TYPE_LIST},
    [FIELD_Y_SETTINGS] = {"y_settings", TYPE_LIST},
    /* beside the options `crawford` and `opening` */
    [FIELD_CRAWFORD_GAME] = {"crawford_game", TYPE_FLAG},
    [FIELD_OPENING_THROWS] = {"opening_throws", TYPE_LIST},
};

enum {
    BY_BOT = SENT_BY_BOT,
    BY_REFEREE = SENT_BY_REFEREE,
    BY_BOTH = SENT_BY_BOT | SENT_BY_REFEREE,
    SEEN = SENT_BY_REFEREE | KEPT_IN_RECORD /* spectators read every line of a record */
};

/* Columns: name, senders, positional, required, options; then the fields in the
 * order in which they are written, required ones first. */
#define FIELDS(...) {__VA_ARGS__, FIELD_COUNT}
static const struct message_row messages[MESSAGE_COUNT] = {
    [MESSAGE_HELLO] = {"hello", BY_BOT, 0, 2, false,
        FIELDS(FIELD_HAKEM, FIELD_NAME, FIELD_VERSION, FIELD_AUTHOR, FIELD_TABLES,
               FIELD_VARIANTS, FIELD_WANT, FIELD_AUTO, FIELD_CONTRIBUTE, FIELD_SETTINGS,
               FIELD_TOKEN, FIELD_RESUME)},
    [MESSAGE_READY] = {"ready", BY_BOT, 1, 1, false, FIELDS(FIELD_TABLE)},
    [MESSAGE_DECLINE] = {"decline", BY_BOT, 1, 1, false, FIELDS(FIELD_TABLE, FIELD_REASON)},
    [MESSAGE_PLAY] = {"play", BY_BOT, 2, 2, false,
        FIELDS(FIELD_TABLE, FIELD_SERIAL, FIELD_PLAY)},
    [MESSAGE_ROLL] = {"roll", BY_BOT, 2, 2, false, FIELDS(FIELD_TABLE, FIELD_SERIAL)},
    [MESSAGE_DOUBLE] = {"double", BY_BOT, 2, 2, false, FIELDS(FIELD_TABLE, FIELD_SERIAL)},
    [MESSAGE_TAKE] = {"take", BY_BOT, 2, 2, false, FIELDS(FIELD_TABLE, FIELD_SERIAL)},
    [MESSAGE_DROP] = {"drop", BY_BOT, 2, 2, false, FIELDS(FIELD_TABLE, FIELD_SERIAL)},
    [MESSAGE_BEAVER] = {"beaver", BY_BOT, 2, 2, false, FIELDS(FIELD_TABLE, FIELD_SERIAL)},
    [MESSAGE_RESIGN] = {"resign", BY_BOT, 3, 3, false,
        FIELDS(FIELD_TABLE, FIELD_SERIAL, FIELD_KIND)},
    [MESSAGE_ACCEPT] = {"accept", BY_BOT, 2, 2, false, FIELDS(FIELD_TABLE, FIELD_SERIAL)},
    [MESSAGE_REJECT] = {"reject", BY_BOT, 2, 2, false, FIELDS(FIELD_TABLE, FIELD_SERIAL)},
    [MESSAGE_WATCH] = {"watch", BY_BOT, 1, 1, false, FIELDS(FIELD_WHAT, FIELD_DELAY)},
    [MESSAGE_UNWATCH] = {"unwatch", BY_BOT, 1, 1, false, FIELDS(FIELD_WHAT)},
    [MESSAGE_SYNC] = {"sync", BY_BOT, 1, 1, false, FIELDS(FIELD_TABLE)},
    [MESSAGE_DISPUTE] = {"dispute", BY_BOT | SEEN, 3, 3, false,
        FIELDS(FIELD_TABLE, FIELD_SERIAL, FIELD_CODE, FIELD_SEAT, FIELD_PLY, FIELD_AT,
               FIELD_DIGITS)},

    [MESSAGE_WELCOME] = {"welcome", BY_REFEREE, 0, 1, false,
        FIELDS(FIELD_HAKEM, FIELD_SESSION, FIELD_SERVER, FIELD_LINE, FIELD_RESUME)},
    [MESSAGE_REFUSED] = {"refused", BY_REFEREE, 1, 1, false,
        FIELDS(FIELD_CODE, FIELD_REASON, FIELD_HAVE)},
    [MESSAGE_MATCH] = {"match", BY_REFEREE, 3, 5, true,
        FIELDS(FIELD_TABLE, FIELD_UNIT, FIELD_LEG, FIELD_VARIANT, FIELD_SEAT, FIELD_OPPONENT,
               FIELD_PAIRING, FIELD_SOURCE, FIELD_EVENT, FIELD_COMMIT, FIELD_MOVE_TIME,
               FIELD_RESERVE, FIELD_INCREMENT, FIELD_DELAY, FIELD_MARGIN,
               FIELD_CLOCK)},
    [MESSAGE_GAME] = {"game", SEEN, 2, 5, false,
        FIELDS(FIELD_TABLE, FIELD_GAME, FIELD_ATTEMPT, FIELD_SCORE, FIELD_STARTER,
               FIELD_OPENING, FIELD_CRAWFORD, FIELD_CUBE, FIELD_SEED, FIELD_AT, FIELD_DIGITS)},
    [MESSAGE_DID] = {"did", SEEN, 4, 4, false,
        FIELDS(FIELD_TABLE, FIELD_PLY, FIELD_SEAT, FIELD_DEED, FIELD_PLAY, FIELD_KIND,
               FIELD_THROW, FIELD_MS, FIELD_PASSED, FIELD_OPEN, FIELD_LAG, FIELD_AT,
               FIELD_DIGITS)},
    [MESSAGE_PLAYS] = {"plays", BY_REFEREE, 3, 3, false,
        FIELDS(FIELD_TABLE, FIELD_SERIAL, FIELD_FROM, FIELD_PLAYLIST)},
    [MESSAGE_TURN] = {"turn", BY_REFEREE, 3, 3, false,
        FIELDS(FIELD_TABLE, FIELD_SERIAL, FIELD_DICE, FIELD_MS, FIELD_RESERVE, FIELD_FIRST,
               FIELD_LAST, FIELD_POSITION, FIELD_OFF, FIELD_SCORE, FIELD_ROLL, FIELD_VARIANT,
               FIELD_LENGTH, FIELD_CRAWFORD, FIELD_CUBE, FIELD_OWNER, FIELD_MAY)},
    [MESSAGE_CUBE] = {"cube", BY_REFEREE, 2, 3, false,
        FIELDS(FIELD_TABLE, FIELD_SERIAL, FIELD_MAY, FIELD_MS, FIELD_RESERVE, FIELD_POSITION,
               FIELD_OFF, FIELD_SCORE, FIELD_ROLL, FIELD_VARIANT, FIELD_LENGTH, FIELD_CRAWFORD,
               FIELD_CUBE, FIELD_OWNER)},
    [MESSAGE_OFFER] = {"offer", BY_REFEREE, 3, 4, false,
        FIELDS(FIELD_TABLE, FIELD_SERIAL, FIELD_ACT, FIELD_MAY, FIELD_VALUE, FIELD_KIND,
               FIELD_THROW, FIELD_MS, FIELD_RESERVE, FIELD_POSITION, FIELD_OFF, FIELD_SCORE,
               FIELD_ROLL, FIELD_VARIANT, FIELD_LENGTH, FIELD_CRAWFORD, FIELD_CUBE, FIELD_OWNER)},
    [MESSAGE_RESULT] = {"result", SEEN, 2, 4, false,
        FIELDS(FIELD_TABLE, FIELD_GAME, FIELD_WINNER, FIELD_REASON, FIELD_KIND, FIELD_POINTS,
               FIELD_SCORE, FIELD_CONTENDED, FIELD_LINES, FIELD_HEAD, FIELD_AT,
               FIELD_DIGITS)},
    [MESSAGE_END] = {"end", SEEN, 1, 2, false,
        FIELDS(FIELD_TABLE, FIELD_WINNER, FIELD_SCORE, FIELD_REASON, FIELD_AT, FIELD_DIGITS)},
    [MESSAGE_UNIT] = {"unit", BY_REFEREE, 1, 2, false,
        FIELDS(FIELD_UNIT, FIELD_SEED, FIELD_HEADS)},
    [MESSAGE_STATE] = {"state", BY_REFEREE, 3, 8, true,
        FIELDS(FIELD_TABLE, FIELD_UNIT, FIELD_LEG, FIELD_VARIANT, FIELD_SEAT, FIELD_OPPONENT,
               FIELD_SERIAL, FIELD_SCORE, FIELD_PAIRING, FIELD_SOURCE, FIELD_EVENT, FIELD_COMMIT,
               FIELD_MOVE_TIME, FIELD_RESERVE, FIELD_INCREMENT, FIELD_DELAY, FIELD_MARGIN,
               FIELD_CLOCK, FIELD_GAME, FIELD_ATTEMPT, FIELD_STARTER, FIELD_OPENING_THROWS,
               FIELD_CRAWFORD_GAME, FIELD_SEED, FIELD_PLY, FIELD_POSITION, FIELD_OFF, FIELD_CUBE,
               FIELD_OWNER, FIELD_VALUE)},
    [MESSAGE_PAUSE] = {"pause", BY_REFEREE, 1, 1, false, FIELDS(FIELD_TABLE, FIELD_REASON)},
    [MESSAGE_RESUME] = {"resume", BY_REFEREE, 1, 1, false, FIELDS(FIELD_TABLE)},
    [MESSAGE_ERROR] = {"error", BY_REFEREE, 1, 1, false,
        FIELDS(FIELD_CODE, FIELD_TABLE, FIELD_SERIAL, FIELD_REASON, FIELD_EXPECTED,
               FIELD_FATAL)},

    [MESSAGE_PING] = {"ping", BY_BOTH, 0, 0, false, FIELDS(FIELD_ID)},
    [MESSAGE_PONG] = {"pong", BY_BOTH, 0, 0, false, FIELDS(FIELD_ID)},
    [MESSAGE_BYE] = {"bye", BY_BOTH, 0, 0, false, FIELDS(FIELD_REASON, FIELD_RETRY)},
    [MESSAGE_NOTE] = {"note", BY_BOTH, 0, 0, false, FIELDS(FIELD_TEXT)},
    [MESSAGE_COMMIT] = {"commit", BY_BOTH, 1, 2, false,
        FIELDS(FIELD_UNIT, FIELD_COMMIT, FIELD_PLAYER, FIELD_EVENT, FIELD_MS)},
    [MESSAGE_OPEN] = {"open", BY_BOTH, 1, 1, false,
        FIELDS(FIELD_UNIT, FIELD_BYTES, FIELD_COMMIT_A, FIELD_COMMIT_B, FIELD_MS)},

    [MESSAGE_RECORD] = {"record", SEEN, 1, 9, true,
        FIELDS(FIELD_TABLE, FIELD_HAKEM, FIELD_UNIT, FIELD_EVENT, FIELD_VARIANT, FIELD_SOURCE,
               FIELD_COMMIT, FIELD_X, FIELD_Y, FIELD_X_VERSION, FIELD_Y_VERSION, FIELD_X_TITLE,
               FIELD_Y_TITLE, FIELD_X_COMMAND, FIELD_Y_COMMAND, FIELD_X_FILES, FIELD_Y_FILES,
               FIELD_X_SETTINGS, FIELD_Y_SETTINGS, FIELD_PAIRING, FIELD_MASTER, FIELD_THROWS,
               FIELD_SERVER, FIELD_KEY, FIELD_DATE, FIELD_MOVE_TIME, FIELD_RESERVE,
               FIELD_INCREMENT, FIELD_DELAY, FIELD_MARGIN, FIELD_CLOCK, FIELD_AT, FIELD_DIGITS)},
    [MESSAGE_FAULT] = {"fault", SEEN, 3, 4, false,
        FIELDS(FIELD_TABLE, FIELD_PLY, FIELD_SEAT, FIELD_CODE, FIELD_DICE, FIELD_GOT,
               FIELD_REASON, FIELD_MS, FIELD_PASSED, FIELD_OPEN, FIELD_LAG, FIELD_AT,
               FIELD_DIGITS)},
    [MESSAGE_VOID] = {"void", SEEN, 2, 2, false,
        FIELDS(FIELD_TABLE, FIELD_GAME, FIELD_ATTEMPT, FIELD_REASON, FIELD_AT, FIELD_DIGITS)},
    [MESSAGE_RETHROW] = {"rethrow", SEEN, 2, 3, false,
        FIELDS(FIELD_TABLE, FIELD_PLY, FIELD_REASON, FIELD_SEAT, FIELD_AT, FIELD_DIGITS)},
    [MESSAGE_MIX] = {"mix", SEEN, 1, 1, false,
        FIELDS(FIELD_UNIT, FIELD_COMMIT_A, FIELD_A, FIELD_COMMIT_B, FIELD_B, FIELD_WITHHELD,
               FIELD_RECEIPT, FIELD_AT, FIELD_DIGITS)},
    [MESSAGE_REVEAL] = {"reveal", BY_BOT | SEEN, 1, 1, false,
        FIELDS(FIELD_UNIT, FIELD_BYTES, FIELD_A, FIELD_B, FIELD_MS, FIELD_SEED, FIELD_AT,
               FIELD_DIGITS)},
    [MESSAGE_SIGN] = {"sign", SEEN, 1, 2, false,
        FIELDS(FIELD_LINES, FIELD_SIGNATURE, FIELD_AT, FIELD_DIGITS)},
};
#undef FIELDS

const struct field_row *field_row(enum field field) {
    assert(field >= 0 && field < FIELD_COUNT);
    return &fields[field];
}

const struct message_row *message_row(enum message_kind kind) {
    assert(kind >= 0 && kind < MESSAGE_COUNT);
    return &messages[kind];
}

int message_find(const char *name, size_t length) {
    for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
        const char *known = messages[kind].name;
        if (length > 0 && known[0] == name[0] && strlen(known) == length &&
            memcmp(known, name, length) == 0) {
            return kind;
        }
    }
    return -1;
}

void message_init(struct message *message, enum message_kind kind) {
    message->kind = kind;
    message->used = 0;
    memset(message->fields, 0, sizeof message->fields);
    memset(message->options, 0, sizeof message->options);
}

void message_keep(struct message *message, enum field field, const char *text, size_t length) {
    message->fields[field / 64] |= UINT64_C(1) << field % 64;
    message->value[field] = (struct value){.text = text, .length = length};
}

/* Copies a text into the room, NUL added. */
static const char *room_take(struct message *message, const char *text, size_t length) {
    assert(length < MESSAGE_ROOM - message->used);
    char *start = message->room + message->used;
    memcpy(start, text, length);
    start[length] = '\0';
    message->used += length + 1;
    return start;
}

void message_set_bytes(struct message *message, enum field field, const char *text,
                       size_t length) {
    enum field_type type = field_row(field)->type;
    if ((type == TYPE_PLAY || type == TYPE_PLAYS) && length == 0) {
        message->fields[field / 64] &= ~(UINT64_C(1) << field % 64);
        return;
    }
    message_keep(message, field, room_take(message, text, length), length);
}

void message_set(struct message *message, enum field field, const char *text) {
    message_set_bytes(message, field, text, strlen(text));
}

void message_set_u64(struct message *message, enum field field, uint64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    message_set_bytes(message, field, digits + at, sizeof digits - at);
}

void message_set_int(struct message *message, enum field field, int64_t value) {
    assert(value >= 0);
    message_set_u64(message, field, (uint64_t)value);
}

void message_set_print(struct message *message, enum field field, const char *format, ...) {
    size_t room = MESSAGE_ROOM - message->used;
    char *start = message->room + message->used;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(start, room, format, args);
    va_end(args);
    assert(length >= 0 && (size_t)length < room);
    message_keep(message, field, start, (size_t)length);
    message->used += (size_t)length + 1;
}

void message_set_option(struct message *message, enum option option, int value) {
    char text[16];
    option_write(option, value, text);
    size_t length = strlen(text);
    message->options[option / 64] |= UINT64_C(1) << option % 64;
    message->option[option] =
        (struct value){.text = room_take(message, text, length), .length = length};
}

struct value message_value(const struct message *message, enum field field) {
    return message_has(message, field) ? message->value[field] : (struct value){NULL, 0};
}

struct value message_option(const struct message *message, enum option option) {
    bool has = (message->options[option / 64] >> option % 64 & 1) != 0;
    return has ? message->option[option] : (struct value){NULL, 0};
}

const char *message_text(const struct message *message, enum field field) {
    return message_has(message, field) ? message->value[field].text : "";
}

int64_t message_int(const struct message *message, enum field field, int64_t absent) {
    struct value value = message_value(message, field);
    int64_t number;
    if (value.text == NULL || !text_i64(value.text, value.length, 0, INT64_MAX, &number)) {
        return absent;
    }
    return number;
}

bool message_list_has(const struct message *message, enum field field, const char *word) {
    struct value value = message_value(message, field);
    size_t size = strlen(word);
    for (size_t at = 0; at < value.length;) {
        const char *comma = memchr(value.text + at, ',', value.length - at);
        size_t end = comma != NULL ? (size_t)(comma - value.text) : value.length;
        if (end - at == size && memcmp(value.text + at, word, size) == 0) {
            return true;
        }
        at = end + 1;
    }
    return false;
}
