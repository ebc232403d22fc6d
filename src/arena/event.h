/* Events: what is played, by whom, under which rules. Read from a JSON file
 * with `//` comments, or made by `hakem duel`; every wrong field is refused with
 * its line, the field and what is allowed. */
#ifndef HAKEM_ARENA_EVENT_H
#define HAKEM_ARENA_EVENT_H

#include "arena/event_clock.h"
#include "arena/row.h"
#include "base/bytes.h"
#include "base/fail.h"
#include "dice/throws.h"
#include "wire/dialect.h"

enum {
    EVENT_ENTRANTS_MAX = 256,
    EVENT_TITLE_MAX = 64,
    EVENT_TITLE_BYTES = EVENT_NAME_MAX - 1 - 1 - (HASH_HEX - 1), /* of a name */
    EVENT_PAIRS_MAX = 1000000,
    EVENT_UNITS_MAX = 2000000,     /* pairs times pairings: what memory and store are made for */
    EVENT_CONCURRENCY_MAX = 4096,
    EVENT_PROCESSES_MAX = 1024,
    EVENT_RESTARTS_MAX = 1000,
    ENTRANT_WEIGHTS_MAX = 8
};

struct doc;
struct cJSON;

/* A round-robin is known as a whole before it begins; a room grows: whoever comes is
 * entered, and each match is drawn when two are there. */
enum event_format { FORMAT_ROUND_ROBIN, FORMAT_ROOM };

enum pairing {
    PAIRING_MIRRORED, /* two legs on the same dice, each at its own pace */
    PAIRING_LOCKSTEP, /* and neither shows what the other one has not come to yet */
    PAIRING_INDEPENDENT,
    PAIRINGS
};

/* Match files written out as matches finish (bits). */
enum {
    FILES_HKM = 1,
    FILES_MAT = 2,
    FILES_SGF = 4,
    FILES_JSON = 8,
    FILES_TXT = 16,
    FILES_ALL = 31,
    FILES_PRESET = 32
};

/* How a bot comes to play. */
enum entrant_kind {
    ENTRANT_CHILD,    /* it is started here */
    ENTRANT_DIALS_IN, /* it dials in and shows a token */
    ENTRANT_DIALLED   /* it listens, and is dialled from here */
};

struct entrant {
    char name[NAME_MAX_BYTES + 1];
    enum entrant_kind kind;
    char *command;     /* of a child: split on blanks with quotes, no shell; else NULL */
    int processes;     /* of a child: that its matches are spread over; 0: as many as they need */
    char *address;     /* of one that is dialled: HOST:PORT; else NULL */
    bool has_token;    /* one that dials in, its token is given here: else the daemon knows it */
    struct hash token; /* SHA-256 of the token */
    struct dialect_rule dialect; /* what it speaks; the options' texts are owned */
    char *weight[ENTRANT_WEIGHTS_MAX]; /* files that belong to its program, owned */
    int weights;
    char *shown, *files; /* what a record says of its program, set by identity_read; owned */
};

/* A match of a room: entrants on X and Y. */
struct drawn {
    int player[SIDE_COUNT];
};

struct event {
    char name[EVENT_TITLE_MAX];
    char id[EVENT_NAME_MAX];       /* name # hex SHA-256 of the canonical part (dice.md) */
    enum event_format format;
    struct rules rules;
    struct entrant *entrants;      /* owned */
    int entrant_count;
    struct drawn *drawn;           /* of a room: its units, owned */
    uint32_t drawn_count;
    size_t drawn_space;
    int pairs;                     /* units of each pairing (a pair of matches when mirrored) */
    enum pairing pairing;
    enum dice_source source;
    bool contributions;            /* the bots are asked what they add to auditable dice */
    char seed[65];                 /* open seed of seeded and recorded dice, else "" */
    struct throws throws;          /* recorded dice, or manual ones so far, owned */
    struct clock_wish wish;        /* what was said of the clock, */
    struct clock_rule clock;       /* and what comes of it: set by event_seal */
    int concurrency;               /* matches at once */
    bool luck;                     /* its results are told without the luck of the dice too */
    bool stops;                    /* when two bots have been told apart, see stopping.h */
    unsigned files;                /* FILES_PRESET: hkm and mat up to 1,000 matches, none above */
    int restarts;                  /* of one bot in one event */
    bool same;                     /* a program that has changed is the same bot all the same */
    int64_t wait;                  /* ms that a bot which is not started here may be absent */
};

/* An event with the documented defaults and no entrant. */
void event_init(struct event *event);

/* The same of a room: as many matches at once as can be. */
void event_init_room(struct event *event);
void event_clear(struct event *event);

/* The entrant of that name (case aside), or -1. */
int event_find_entrant(const struct event *event, const char *name);

/* A room's next unit: enters who is new and draws their match. Fails when the room has all
 * the bots or matches that it can hold. */
int event_draw(struct event *event, const char *x, const char *y, struct fail *fail)
    __attribute__((warn_unused_result));

/* Adds an entrant; without a name (NULL) it is the program's basename, of an interpreter's
 * command (`python3 bot.py`) that of what it runs; NAME-2 when another one has it. */
int event_add_entrant(struct event *event, const char *name, const char *command,
                      struct fail *fail) __attribute__((warn_unused_result));

/* Adds one that is not started here: with `address` it is dialled, else it dials in, and
 * `token` is what is kept of its token (NULL: the daemon knows it by name). */
int event_add_remote(struct event *event, const char *name, const char *address,
                     const struct hash *token, struct fail *fail)
    __attribute__((warn_unused_result));

/* Adds an option of an entrant that speaks a dialect. */
int entrant_add_option(struct entrant *entrant, const char *name, const char *value,
                       struct fail *fail) __attribute__((warn_unused_result));

/* Adds an entrant from `COMMAND` or `NAME=COMMAND`; the command may be `ubgi:COMMAND`, `gnubg` or
 * `gnubg:2ply`. 0 or -1. */
int event_add_bot(struct event *event, const char *spec, struct fail *fail)
    __attribute__((warn_unused_result));

/* Recorded dice from a file, which is read whole (see dice/throws.h). */
int event_set_throws(struct event *event, const char *path, struct fail *fail)
    __attribute__((warn_unused_result));

/* Whether they fit the event: each unit needs its own throws; how many of them, nobody knows
 * before. Manual ones are thrown for one match at a time. */
int event_settle_throws(struct event *event, struct fail *fail)
    __attribute__((warn_unused_result));

/* Reads an event file. */
int event_read(struct event *event, const char *path, struct fail *fail)
    __attribute__((warn_unused_result));

/* Reads event text; `path` is for messages. */
int event_parse(struct event *event, const char *path, const char *text, size_t length,
                struct fail *fail) __attribute__((warn_unused_result));

/* Reads a room, an item of a configuration's list, and seals it; `members` is whether only
 * bots with a token are let in. The event is cleared by the caller in any case. */
int event_read_room(struct event *event, const struct doc *doc, const struct cJSON *room,
                    bool *members) __attribute__((warn_unused_result));

/* Checks the whole, computes `clock` and `id`; to be called once the event is complete. */
int event_seal(struct event *event, struct fail *fail) __attribute__((warn_unused_result));

/* The canonical part that affects play, as the JSON text that is hashed. It is an
 * event text itself: parsed and sealed, it gives the same id. */
void event_canonical(const struct event *event, struct bytes *out);

/* The same, with what else a store has to know of its event: the files that it writes out. */
void event_kept(const struct event *event, struct bytes *out);

/* Reads "none", or kinds with commas ("hkm,mat"); false on any other word. */
bool event_read_files(const char *list, unsigned *files);

/* Reads "none" or "asked"; false on any other word. */
bool event_read_contributions(const char *word, bool *asked);

/* Reads "decided" or "never"; false on any other word. */
bool event_read_stop(const char *word, bool *stops);

/* Reads "on" or "off"; false on any other word. */
bool event_read_luck(const char *word, bool *luck);

/* The word of a pairing, and back: -1 for no such word. */
int pairing_find(const char *word);
const char *pairing_name(enum pairing pairing);

#endif
