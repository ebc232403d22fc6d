/* Playing one event with bots started here: what `duel` and `run` share once they
 * know what is to be played. */
#ifndef HAKEM_CLI_PLAY_H
#define HAKEM_CLI_PLAY_H

#include "arena/event.h"
#include "cli/args.h"
#include "cli/progress.h"

struct play_setup {
    const char *command;   /* "run", for messages */
    struct event event;    /* sealed by play_event */
    const char *folder;    /* of the store */
    const char *listen;    /* HOST:PORT where bots dial in, or NULL */
    bool plaintext;        /* other addresses than loopback are allowed */
    bool by_name;          /* the same command finds the folder again */
    bool jsonl;            /* the event stream on standard output, nothing for people */
    bool strict;           /* bot faults make exit code 3 */
};

/* The options both commands take beside their own. */
enum { PLAY_ROWS = 8 };
struct play_options {
    const char *store, *files, *format, *log;
    long concurrency;      /* 0: as the event says */
    const char *luck, *stop; /* NULL: as the event says */
    bool strict;
};

/* Writes the rows of these options into `rows`. */
void play_option_rows(struct play_options *options, struct arg_row rows[PLAY_ROWS]);

/* Takes over what they say, the folder apart. */
int play_apply_options(const struct play_options *options, struct play_setup *setup,
                       struct fail *fail) __attribute__((warn_unused_result));

/* The clock, for commands that have no event file. */
enum { CLOCK_ROWS = CLOCK_TIMES + 1 };
struct clock_options {
    long time[CLOCK_TIMES]; /* ms, -1: not given */
    const char *kind;       /* NULL: not given */
};

/* Sets them to "not given" and writes their rows. */
void clock_option_rows(struct clock_options *options, struct arg_row rows[CLOCK_ROWS]);
int clock_apply_options(const struct clock_options *options, struct clock_wish *wish,
                        struct fail *fail) __attribute__((warn_unused_result));

/* --seed: seeded dice from that open seed. */
int play_set_seed(struct event *event, const char *seed, struct fail *fail)
    __attribute__((warn_unused_result));

/* --format: text, or jsonl. */
int play_read_format(const char *text, bool *jsonl, struct fail *fail)
    __attribute__((warn_unused_result));

/* --log: the level of the log. */
int play_set_log(const char *level, struct fail *fail) __attribute__((warn_unused_result));

/* "hakem-COMMAND-20261130-184949", UTC; the caller frees. */
char *play_name_folder(const char *command);

/* Plays the event, or goes on with it, to its end; the exit code. */
int play_event(struct play_setup *setup);

#endif
