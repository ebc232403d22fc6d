/* check: what its parts share. The command (check.c) walks over the items, const
 * rows each; an item talks with the bot and leaves a fault in the talk, or says
 * why it does not apply, or says nothing: then it is good. */
#ifndef HAKEM_CLI_CHECK_H
#define HAKEM_CLI_CHECK_H

#include "arena/event.h"
#include "cli/check_scene.h"
#include "cli/check_seat.h"
#include "cli/check_talk.h"
#include "net/listen.h"
#include "net/stray.h"

enum { CHECK_ID_MAX = 48 };

/* The secret of a `welcome` to a bot that dials in. */
#define CHECK_SECRET "65536-0f0fd4b2a1c04aa1a52c5d0e7c1b9c3e"

/* A sentence in English and in the language of the user. */
struct check_words {
    char english[FAULT_TEXT_MAX];
    char local[FAULT_TEXT_MAX];
};

struct check {
    /* what was asked */
    struct event event;          /* with the bot, where it is started here */
    const struct entrant *bot;   /* NULL when it dials in */
    int listening;               /* the socket then */
    char where[ADDRESS_TEXT_MAX]; /* its name */
    unsigned variants;           /* bit v: to be tried */
    int64_t time;                /* us for whole games of each kind */
    /* the bot */
    struct talk talk;
    struct innate innate;        /* children that are not ours */
    bool untouched;              /* no item has spoken with it yet */
    bool welcomed;               /* it was told so */
    bool met;                    /* it said hello once */
    bool gone;                   /* it did not dial in */
    struct fail fail;            /* why it could not be started at all */
    uint64_t errors;             /* bytes on its error output, of those that have ended */
    struct fault watched[BLAME_COUNT]; /* the first of each kind that does not blame an item */
    /* what the item says */
    bool skipped;
    struct check_words why;  /* it does not apply, once skipped */
    struct check_words fact; /* "" or what is to be said of a good one */
    struct scene_finds finds[VARIANT_COUNT];
};

/* What an item needs (bits). */
enum {
    NEEDS_OWN = 1 << 0,    /* a connection of its own that has just said hello, and no more */
    NEEDS_CHILD = 1 << 1,  /* a process started here */
    NEEDS_TABLES = 1 << 2, /* a bot that plays several tables at once */
    NEEDS_NOBODY = 1 << 3, /* no connection: it makes its own, or none */
    LOOKS_BACK = 1 << 4,   /* at what the other items saw */
    LEAVES = 1 << 5,       /* the connection is of no more use behind it */
    ANY_GAME = 1 << 6,     /* not even a game that the bot plays */
    AT_REFEREE = 1 << 7,   /* a hello that a referee welcomes */
};

struct check_item {
    const char *id;
    const char *what; /* is checked, marked N_ */
    unsigned needs;
    unsigned variants; /* bit v: once for each; 0: once, with the first that the bot plays */
    void (*run)(struct check *check, const struct rules *rules, int detail);
    int detail; /* what the row adds */
};

enum { EVERY_VARIANT = (1 << VARIANT_COUNT) - 1 };

/* The rows, by chapter; a row without an id ends each. */
extern const struct check_item check_items_greeting[];
extern const struct check_item check_items_lines[];
extern const struct check_item check_items_course[];
extern const struct check_item check_items_cube[];
extern const struct check_item check_items_games[];
extern const struct check_item check_items_life[];
extern const struct check_item check_items_watch[];

/* The item does not apply, for that reason (marked N_). */
void check_skip(struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What is to be said of a good item. */
void check_fact(struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes sure that somebody is there: starts the bot, or waits until it dials in, and hears
 * its hello. `own`: a new one in any case. False: a fault, or nobody came. */
bool check_meet(struct check *check, bool own);

/* Tells `welcome`, once. */
void check_welcome(struct check *check);

/* Ends the connection without ado; a process is killed. */
void check_leave(struct check *check);

/* Breaks a connection that was dialled in, without a word. */
void check_break(struct check *check);

/* Opens the match of a seat; false: a fault, or it declines, which is then why the item does
 * not apply. */
bool check_sit(struct check *check, struct seat *seat);

/* The item of a scene (check_course.c). */
void check_scene(struct check *check, const struct rules *rules, int scene);

/* The items that watch all the time: which one it is that blames. */
const char *check_watch_id(enum blame blame);

#endif
