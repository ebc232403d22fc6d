/* Talk: a conversation of `hakem check` with the bot, message by message. The
 * lines go through the one table of the wire, in the spelling that the bot
 * chose; its answers are decoded, matched with what was asked and judged by
 * rules/. The first thing that is wrong is kept with the lines that led to it.
 *
 * Times are microseconds. A function that returns bool returns false when there
 * is a fault; whoever gets a false stops. */
#ifndef HAKEM_CLI_CHECK_TALK_H
#define HAKEM_CLI_CHECK_TALK_H

#include "base/text.h"
#include "net/peer.h"
#include "rules/cube.h"
#include "rules/play.h"
#include "wire/spelling.h"

enum {
    TALK_LINES = 12,       /* of the conversation, that are kept */
    TALK_LINE_MAX = 200,   /* bytes of each, made printable */
    TALK_ASKS_MAX = 1024,
    FAULT_TEXT_MAX = 480,
    TALK_SAMPLES_MAX = 1 << 16,
    TALK_CHATTER_MAX = 200,
    TALK_PONG_NONE = -1,
    TALK_PONG_AWAITED = -2,
};

/* Whose fault a fault is: of the item that was being tried, or of an item that watches all
 * the time. */
enum blame {
    BLAME_ITEM,
    BLAME_STDOUT,   /* what it said is no message */
    BLAME_SPELLING, /* a message in the other spelling */
    BLAME_ADDRESS,  /* an answer to a T or S that was not asked */
    BLAME_SILENCE,  /* said something unasked */
    BLAME_TIME,     /* answered, but too late */
    BLAME_COUNT
};

/* The last lines of a conversation, each with its sign: `>` from the bot, `<` to it. */
struct transcript {
    char line[TALK_LINES][TALK_LINE_MAX];
    unsigned count; /* that were ever added; the last TALK_LINES are kept */
};

struct fault {
    bool there;
    bool mute;  /* there was no answer at all */
    bool ended; /* the bot has */
    enum blame blame;
    char english[FAULT_TEXT_MAX];
    char local[FAULT_TEXT_MAX]; /* in the language of the user */
    struct transcript said;
};

/* How lines are dressed up on their way: all of it is allowed. */
struct manner {
    bool strange; /* fields that nobody knows */
    bool turned;  /* keys in another order */
    bool blanks;  /* more of them */
    bool crlf;    /* line ends */
    bool pieces;  /* written in small odd pieces */
};

/* What its hello said. */
struct greeting {
    enum spelling spelling;
    char name[NAME_MAX_BYTES + 1];
    int64_t version;     /* hakem= */
    int64_t tables;
    unsigned variants;   /* bit v */
    unsigned strangers;  /* names of variants that do not exist */
    bool position, plays, nothing_else; /* want= */
    char resume[80]; /* the secret it comes back with, or "" */
    bool forced; /* auto=: it is not asked where there is only one play */
    char line[JSON_LINE_MAX];
    size_t length; /* with its LF */
    int64_t took;  /* from the start to the hello */
};

/* A request that was told, and its answer. */
struct ask {
    uint64_t table, serial;
    enum message_kind question; /* MATCH, TURN, CUBE, OFFER */
    unsigned may;               /* what it may answer: bits of enum act */
    const struct rules *rules;  /* of a turn */
    struct situation at;        /* of a turn */
    int64_t since;
    int64_t took; /* once it is answered */
    bool answered;
    enum message_kind answer;
    struct play play;   /* of a turn, as understood */
    struct board final; /* of a turn */
    int kind;           /* of a resignation */
};

struct seat;

struct talk {
    struct peer *peer; /* NULL: nobody is there */
    struct greeting hello;
    struct manner manner;
    int64_t patience; /* for an answer */
    struct bytes out; /* told and not yet written */
    struct transcript said;
    struct fault fault;
    struct ask ask[TALK_ASKS_MAX];
    struct seat *seats; /* of the item, linked (check_seat.h) */
    int asks;
    int open;           /* of them, not answered */
    int64_t last;       /* when the last line came */
    int64_t before;     /* when the one before it came */
    int chatter;        /* notes and pings of the bot, of this item */
    int64_t pong;       /* id of the pong that came; or none is due; or it is awaited */
    char line[JSON_LINE_MAX]; /* that was heard last */
    uint32_t *sample;   /* what each answer took */
    size_t samples;
    uint64_t lines;     /* that it said */
    uint64_t tables;    /* handles that were given out on this connection */
    struct play_room room;
};

void talk_init(struct talk *talk, int64_t patience);
void talk_clear(struct talk *talk);

/* Notes a fault, if it is the first; false. The format is marked N_. */
bool talk_fault(struct talk *talk, enum blame blame, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Keeps a line of the conversation. */
void talk_note(struct talk *talk, char sign, const char *line, size_t length);

/* Writes the lines of a transcript, oldest first, each with its LF. */
void transcript_write(const struct transcript *said, const char *indent, struct bytes *out);

/* A bot is there: forgets the one before and hears its hello, within `limit`. */
bool talk_greet(struct talk *talk, struct peer *peer, int64_t limit);

/* Nobody is there any more; the peer is the caller's. */
void talk_part(struct talk *talk);

/* Nothing is asked any more; that it was is known for a while, to tell a second answer. */
void talk_close_asks(struct talk *talk);

/* A new item begins: no fault, nothing is asked. */
void talk_forget(struct talk *talk);

/* Tells a line, printed in the text spelling of the document, in the bot's own. */
void talk_tell(struct talk *talk, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tells a message. */
void talk_message(struct talk *talk, const struct message *message);

/* Tells a line as it stands. */
void talk_raw(struct talk *talk, const char *line);

/* Asks: notes that the request just told has to be answered. */
struct ask *talk_ask(struct talk *talk, enum message_kind question, uint64_t table,
                     uint64_t serial);

/* Writes what was told and hears until everything asked is answered. */
bool talk_hear(struct talk *talk);

/* Writes what was told; then nothing may come for so long. */
bool talk_quiet(struct talk *talk, int64_t micros);

/* Writes what was told and hears a pong of that id. */
bool talk_ping(struct talk *talk, int64_t id);

/* The next line of the bot; false with a fault when it ends, is silent until then, or the line
 * is too long. `*line` is talk->line. */
bool talk_line(struct talk *talk, int64_t until, const char **line, size_t *length);

/* Faults: it has ended, or it did not answer within `waited`. */
bool talk_ended(struct talk *talk);
bool talk_mute(struct talk *talk, int64_t waited);

/* Counts what an answer took. */
void talk_sample(struct talk *talk, int64_t took);

/* Judges a line against what is asked (check_hear.c). */
bool talk_take(struct talk *talk, const char *line, size_t length);

/* Only whether it is a message that a bot may send, and not a second hello. */
bool talk_look(struct talk *talk, const char *line, size_t length);

#endif
