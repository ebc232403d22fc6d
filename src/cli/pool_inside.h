/* The inside of the pool: what its files share. Nobody else includes this. */
#ifndef HAKEM_CLI_POOL_INSIDE_H
#define HAKEM_CLI_POOL_INSIDE_H

#include "cli/pool.h"

#include <sys/resource.h>

/* How far a process is. */
enum process_state {
    PROCESS_STARTING, /* awaits `hello`, until the referee's limit */
    PROCESS_READY,    /* can be seated */
    PROCESS_LOST,     /* its session is over: to be stopped in the next turn */
    PROCESS_STOPPED   /* awaits its end */
};

struct process {
    struct process *next;
    enum process_state state;
    int entrant;
    struct child *child;
    bool tried;        /* it failed before it was ready */
    int crash;         /* which of its bot's crashes its end is, 0 none */
    char why[160];     /* the referee's or our word for why it is lost */
};

/* One bot's processes. */
struct crew {
    int starting, ready;
    int crashes;
    bool passed;       /* one of them has been ready */
    bool wanted;       /* play waits for another one */
};

struct pool {
    struct host *host;
    const struct event *event;
    struct pool_hooks hooks;
    struct crew *crew;         /* [entrant] */
    struct process *processes;
    rlim_t room;               /* processes there are descriptors for */
    int64_t resume;            /* no start before this time */
    bool failed;               /* the trial */
    struct fail fail;
};

/* pool_words.c: the event's entry of that bot. */
const struct entrant *pool_entrant(const struct pool *pool, int entrant);

/* pool_words.c: says that a bot ended in the middle of an event: how, its last words, and what
 * comes now. */
void pool_tell_end(const struct pool *pool, const struct process *process);

/* pool_words.c: why a bot never came to play, with the last it said on its error output. */
void pool_describe_trial(const struct pool *pool, const struct process *process,
                         struct fail *fail);

#endif
