/* Messages: the one table of the protocol. Wire, record and spectator stream
 * share it; each row is a message, each message exists in both spellings.
 *
 * A message is its kind and the values of its fields, kept in the text spelling
 * (unescaped). Values point into the message's own room, so a message must not
 * be copied or moved while its values are used.
 */
#ifndef HAKEM_WIRE_MESSAGE_H
#define HAKEM_WIRE_MESSAGE_H

#include "rules/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum message_kind {
    /* bot to referee */
    MESSAGE_HELLO, MESSAGE_READY, MESSAGE_DECLINE, MESSAGE_PLAY, MESSAGE_ROLL, MESSAGE_DOUBLE,
    MESSAGE_TAKE, MESSAGE_DROP, MESSAGE_BEAVER, MESSAGE_RESIGN, MESSAGE_ACCEPT, MESSAGE_REJECT,
    MESSAGE_WATCH, MESSAGE_UNWATCH, MESSAGE_SYNC, MESSAGE_DISPUTE,
    /* referee to bot */
    MESSAGE_WELCOME, MESSAGE_REFUSED, MESSAGE_MATCH, MESSAGE_GAME, MESSAGE_DID, MESSAGE_PLAYS,
    MESSAGE_TURN, MESSAGE_CUBE, MESSAGE_OFFER, MESSAGE_RESULT, MESSAGE_END, MESSAGE_UNIT,
    MESSAGE_STATE, MESSAGE_PAUSE, MESSAGE_RESUME, MESSAGE_ERROR,
    /* either way */
    MESSAGE_PING, MESSAGE_PONG, MESSAGE_BYE, MESSAGE_NOTE, MESSAGE_COMMIT, MESSAGE_OPEN,
    /* in records, and shown to spectators */
    MESSAGE_RECORD, MESSAGE_FAULT, MESSAGE_MIX, MESSAGE_VOID, MESSAGE_REVEAL,
    MESSAGE_SIGN, MESSAGE_RETHROW,
    MESSAGE_COUNT /* also "none": a line whose message could not be told */
};

/* Who may send a message (bits). */
enum { SENT_BY_BOT = 1, SENT_BY_REFEREE = 2, KEPT_IN_RECORD = 4 };

enum field {
    FIELD_TABLE, FIELD_SERIAL, FIELD_CODE, FIELD_GAME, FIELD_PLY, FIELD_SEAT, FIELD_DICE,
    FIELD_UNIT, FIELD_HAKEM, FIELD_NAME, FIELD_VERSION, FIELD_AUTHOR, FIELD_TABLES,
    FIELD_VARIANTS, FIELD_WANT, FIELD_AUTO, FIELD_TOKEN, FIELD_SESSION, FIELD_SERVER, FIELD_LINE,
    FIELD_HAVE, FIELD_LEG, FIELD_VARIANT, FIELD_OPPONENT, FIELD_PAIRING, FIELD_SOURCE,
    FIELD_EVENT, FIELD_COMMIT, FIELD_MASTER, FIELD_MOVE_TIME, FIELD_RESERVE, FIELD_INCREMENT,
    FIELD_DELAY, FIELD_MARGIN, FIELD_CLOCK, FIELD_PASSED, FIELD_OPEN,
    FIELD_CONTENDED,
    FIELD_ATTEMPT, FIELD_SCORE, FIELD_OPENING, FIELD_STARTER, FIELD_SEED, FIELD_MS, FIELD_LAG,
    FIELD_FROM, FIELD_FIRST, FIELD_LAST, FIELD_POSITION, FIELD_OFF, FIELD_ROLL, FIELD_WINNER,
    FIELD_KIND, FIELD_POINTS, FIELD_REASON, FIELD_EXPECTED, FIELD_FATAL, FIELD_LINES, FIELD_HEAD,
    FIELD_HEADS, FIELD_RETRY, FIELD_ID, FIELD_TEXT, FIELD_X, FIELD_Y, FIELD_X_VERSION,
    FIELD_Y_VERSION, FIELD_KEY, FIELD_DATE, FIELD_GOT, FIELD_SIGNATURE, FIELD_PLAY,
    FIELD_PLAYLIST, FIELD_DEED, FIELD_THROW, FIELD_LENGTH, FIELD_CRAWFORD, FIELD_CUBE, FIELD_OWNER,
    FIELD_MAY, FIELD_ACT, FIELD_VALUE, FIELD_X_TITLE, FIELD_Y_TITLE,
    FIELD_WHAT, FIELD_AT, FIELD_DIGITS,
    FIELD_THROWS,
    FIELD_RESUME, FIELD_CRAWFORD_GAME, FIELD_OPENING_THROWS, FIELD_CONTRIBUTE, FIELD_PLAYER,
    FIELD_BYTES, FIELD_COMMIT_A, FIELD_COMMIT_B, FIELD_A, FIELD_B, FIELD_WITHHELD, FIELD_RECEIPT,
    FIELD_SETTINGS, FIELD_X_COMMAND, FIELD_Y_COMMAND, FIELD_X_FILES, FIELD_Y_FILES,
    FIELD_X_SETTINGS, FIELD_Y_SETTINGS,
    FIELD_COUNT
};

/* How a value is spelled. Text spelling / JSON spelling: */
enum field_type {
    TYPE_INT,     /* 57 / 57: whole number, 0..2^53-1 */
    TYPE_SEED,    /* 1844674... / "1844674...": 64-bit number, or 64 hex digits (S_u) */
    TYPE_WORD,    /* mirrored / "mirrored": no blanks, no control bytes */
    TYPE_STRING,  /* percent-encoded / "any UTF-8 but NUL" */
    TYPE_FLAG,    /* yes, no / true, false */
    TYPE_DICE,    /* 31 / [3,1]: two dice in thrown order */
    TYPE_DEED,    /* 31, double / [3,1], "double": a throw, or a word of rules/cube.h */
    TYPE_LIST,    /* a,b / ["a","b"]: words */
    TYPE_NUMBERS, /* 0,-2,2.5 / [0,-2,2.5]; a list of one is a plain number: 5 / 5 */
    TYPE_PLAY,    /* trailing words 8/5 6/5 / "8/5 6/5" */
    TYPE_PLAYS,   /* trailing words 8/5,6/5 24/20 / ["8/5,6/5","24/20"] */
};

enum { MESSAGE_FIELDS_MAX = 40, MESSAGE_ROOM = 20480, TEXT_LINE_MAX = 4096, JSON_LINE_MAX = 16384 };

struct field_row {
    const char *name;
    enum field_type type;
};

struct message_row {
    const char *name;
    unsigned senders;                       /* bits of SENT_BY_BOT... */
    int positional;                         /* the first fields that stand without a key in text;
                                               all of them are required */
    int required;                           /* how many of the first fields must be there */
    bool options;                           /* also carries rule options by their own names */
    enum field fields[MESSAGE_FIELDS_MAX];  /* FIELD_COUNT ends the list */
};

struct value {
    const char *text; /* NULL: absent */
    size_t length;
};

/* Sets of fields and of options, bit n of word n / 64 for the nth. */
enum { FIELD_WORDS = (FIELD_COUNT + 63) / 64, OPTION_WORDS = (OPTION_COUNT + 63) / 64 };

struct message {
    enum message_kind kind;
    uint64_t fields[FIELD_WORDS];      /* those that are there; the other values are not even */
    uint64_t options[OPTION_WORDS];    /* cleared, there are so many: see message_value */
    struct value value[FIELD_COUNT];
    struct value option[OPTION_COUNT]; /* rule options carried by name */
    size_t used;                       /* bytes of room taken */
    char room[MESSAGE_ROOM];
};

/* The row of a field. */
const struct field_row *field_row(enum field field);

/* The row of a message. */
const struct message_row *message_row(enum message_kind kind);

/* The kind of that name, or -1. */
int message_find(const char *name, size_t length);

/* An empty message of a kind; its room is not cleared. */
void message_init(struct message *message, enum message_kind kind);

/* Sets a field of the message's row. The text is copied into the room; a text
 * that does not fit is an assertion: senders know their sizes. It has to be
 * UTF-8 without NUL: a peer's raw bytes go through text_escape first. An empty
 * play is an absent one. */
void message_set(struct message *message, enum field field, const char *text);
void message_set_bytes(struct message *message, enum field field, const char *text, size_t length);
void message_set_int(struct message *message, enum field field, int64_t value);
void message_set_u64(struct message *message, enum field field, uint64_t value);
void message_set_print(struct message *message, enum field field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Keeps a value that stands in the message's room already, NUL-terminated. */
void message_keep(struct message *message, enum field field, const char *text, size_t length);

/* Sets a rule option by its value. */
void message_set_option(struct message *message, enum option option, int value);

/* The value of a field or of a rule option; its text is NULL when it is not there. */
struct value message_value(const struct message *message, enum field field);
struct value message_option(const struct message *message, enum option option);

/* Whether the field is there. */
static inline bool message_has(const struct message *message, enum field field) {
    return (message->fields[field / 64] >> field % 64 & 1) != 0;
}

/* The text of a field, "" when absent; NUL-terminated (no value with a NUL byte is decoded). */
const char *message_text(const struct message *message, enum field field);

/* The number of a field, or `absent` (a decoded TYPE_INT is always a number). */
int64_t message_int(const struct message *message, enum field field, int64_t absent);

/* Whether a comma list holds the word. */
bool message_list_has(const struct message *message, enum field field, const char *word);

#endif
