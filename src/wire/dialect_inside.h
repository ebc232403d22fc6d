/* The inside of the dialects: what they share. Nobody else includes this. */
#ifndef HAKEM_WIRE_DIALECT_INSIDE_H
#define HAKEM_WIRE_DIALECT_INSIDE_H

#include "rules/cube.h"
#include "rules/match_position.h"
#include "rules/play.h"
#include "wire/dialect.h"
#include "wire/message.h"

/* What the referee wants to know. */
enum asked {
    ASKED_NOTHING,
    ASKED_PLAY,   /* which play, with these dice */
    ASKED_THROW,  /* whether to double before the throw */
    ASKED_DOUBLE, /* take, drop or beaver */
    ASKED_RESIGN  /* accept or reject */
};

/* An open request. */
struct question {
    enum asked asked;
    uint64_t serial;
    unsigned may;                   /* acts */
    struct match_position position; /* the peer is SIDE_X */
    bool first_turn;
    bool beaver; /* ASKED_DOUBLE: it is its own double that comes back */
    int kind;    /* ASKED_RESIGN */
};

/* What a dialect does; `d->question` is what is asked. */
struct tongue {
    void (*open)(struct dialect *d);
    void (*match)(struct dialect *d); /* a match is offered: dialect_ready when it may begin */
    void (*game)(struct dialect *d);  /* a game begins */
    void (*ask)(struct dialect *d);   /* `question` is asked */
    void (*drop)(struct dialect *d);  /* it is over, and was not answered */
    void (*hear)(struct dialect *d, const char *line, size_t length); /* NUL-terminated */
    void (*close)(struct dialect *d); /* it is told good-bye */
};

extern const struct tongue ubgi_tongue, gnubg_tongue;

enum { DIALECT_LIST_MAX = 16384, DIALECT_PEER_LINE = 4096, DIALECT_SET_MAX = 512 };

/* How far a UBGI engine is. */
enum ubgi_step {
    UBGI_GREETED,  /* awaits `ubgiok`, or `readyok` of the first draft */
    UBGI_SET,      /* an option was set: awaits `readyok` */
    UBGI_READ,     /* and read back */
    UBGI_RESTS,    /* nothing is asked */
    UBGI_VARIED,   /* the game was set: awaits `readyok` */
    UBGI_PREPARED, /* it was told the position: awaits `readyok` */
    UBGI_THINKS    /* it was told to go */
};

/* What is known of something that an engine can be asked in several spellings. */
struct ubgi_way {
    int form;    /* the spelling that is used */
    bool proven; /* it was answered */
    bool unable; /* none was */
};

struct ubgi {
    enum ubgi_step step;
    bool draft;             /* the first draft: a position is asked as a bare line */
    bool second;            /* it says proto 0.2 or later */
    char name[48], version[32];
    int option;             /* that is being set */
    char said[DIALECT_WRONG_MAX]; /* its last `error` since the last barrier, or value */
    bool refused;
    const char *variant;    /* what it plays now */
    bool greeted_game;      /* `newgame` is due */
    int barriers;           /* `isready` that are not answered */
    int owed;               /* answers to questions that are over */
    struct ubgi_way chequer, cube, take;
    int chance;             /* its last word on its winning chance, in 1/1000; -1: none */
};

/* How far GNU Backgammon is. */
enum gnubg_step {
    GNUBG_GREETED, /* awaits its version */
    GNUBG_PROBED,  /* awaits the answer to one of two known questions */
    GNUBG_RESTS,
    GNUBG_THINKS
};

struct gnubg {
    enum gnubg_step step;
    int probe;          /* which question, from 0 */
    bool first_doubles; /* it answered the first one with a double */
    bool fibs_order;    /* it reads the scores as FIBS writes them */
    char version[32];
    int owed;           /* lines that answer questions which are over */
    bool waits;         /* `question` is asked once these have come */
};

struct dialect {
    const struct tongue *tongue;
    const struct dialect_rule *rule;
    char name[NAME_MAX_BYTES + 1];
    char opponent[NAME_MAX_BYTES + 1];
    struct bytes heard, told;      /* lines that are not whole yet */
    struct bytes outward, inward;
    struct bytes list;             /* what a UBGI engine says of its options */
    char options[DIALECT_SET_MAX]; /* that have taken effect: words with commas between */
    char wrong[DIALECT_WRONG_MAX];
    bool closed;
    int idle;                      /* lines that it said since it last was asked */
    uint64_t table;
    struct rules rules;            /* legs in any order */
    struct question question;
    char answer[TEXT_LINE_MAX];    /* the last one, as a line without its LF */
    struct play_room *room;        /* for judging, made when it is needed */
    union {
        struct ubgi ubgi;
        struct gnubg gnubg;
    };
};

/* A line for the peer. */
void dialect_say(struct dialect *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* It cannot go on, for a reason; only the first is kept. */
void dialect_fail(struct dialect *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A message of ours for the referee. */
void dialect_tell_referee(struct dialect *d, const struct message *message);

/* An option has taken effect; what does not fit into a word becomes `_`. */
void dialect_was_set(struct dialect *d, const char *name, const char *value);

/* The peer can play these variants (bits): hello. `version` is for people; options go with it. */
void dialect_greet(struct dialect *d, unsigned variants, const char *version);

/* The match may begin; it cannot, and why. */
void dialect_ready(struct dialect *d);
void dialect_decline(struct dialect *d, const char *reason);

/* Answers the question with a play in whatever notation; one that cannot be played goes on as
 * it was said. */
void dialect_play(struct dialect *d, const char *text, size_t length);

/* Answers the question with a word. */
void dialect_act(struct dialect *d, enum act act);

/* Answers the question with something that is no answer. */
void dialect_spoil(struct dialect *d, const char *text, size_t length);

/* The play of the question that leads to the position of a GNU id, in whoever's view. */
void dialect_play_id(struct dialect *d, const char *id, size_t length);

/* What is said for a peer that cannot be asked: no double; a take from the take point on
 * (`chance` in 1/1000, -1: by the pips), and of a resignation what cannot get better. */
void dialect_policy(struct dialect *d, int chance);

#endif
