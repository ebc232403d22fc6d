/* The engine room that `duel`, `run` and `serve` share: the loop, the referee,
 * and the way of facts from the referee to the stage whose match it is.
 *
 * A stage (stage.h) is one event being played. Who sits down at it, processes
 * started here (pool.h) or bots that dial in (serve.c), is the owner's affair:
 * it hears of sessions through the hooks. */
#ifndef HAKEM_CLI_HOST_H
#define HAKEM_CLI_HOST_H

#include "net/child.h"
#include "net/loop.h"

struct stage;

enum { HOST_SPECTATORS = 256 /* at once, where they are let in */ };

struct host_hooks {
    void *owner;
    bool (*hello)(void *owner, uint32_t session, const struct session_facts *facts,
                  struct hello_refusal *refusal);
    void (*welcomed)(void *owner, uint32_t session);
    void (*gone)(void *owner, uint32_t session, const char *why);
    void (*exited)(void *owner, struct child *child);
    /* See loop.h. */
    int64_t (*turn)(void *owner, int64_t now);
    void (*stop)(void *owner, int count);
    void (*hangup)(void *owner); /* NULL: it counts as a signal to stop */
};

struct host {
    struct loop *loop;
    struct referee *referee;
    struct host_hooks hooks;
    struct stage *stages; /* those that are on, linked by the stages themselves */
    bool streams;         /* the event stream goes to standard output */
    bool closing;         /* the owner's `turn` is not called any more */
};

/* Makes loop and referee; `limits` as referee_limits_init gave them or changed. */
int host_open(struct host *host, const struct host_hooks *hooks,
              const struct referee_limits *limits, struct fail *fail)
    __attribute__((warn_unused_result));

/* Says good-bye to everybody, waits a moment for it to be heard, frees everything. */
void host_close(struct host *host, const char *reason);

#endif
