/* The pool: processes of those of an event's bots that are started here. One of each
 * is started as a trial before anything is written; more are started when play would
 * have to wait, at most one for each match that may run at once. A process that is
 * lost is replaced; a bot that loses more than the event's `restarts` is lost itself,
 * and forfeits what is left. */
#ifndef HAKEM_CLI_POOL_H
#define HAKEM_CLI_POOL_H

#include "arena/event.h"
#include "cli/host.h"

enum { POOL_LINE = 256 };

struct pool;

/* Who is told, in a sentence, that a bot's process ended in the middle of play. */
struct pool_hooks {
    void *owner;
    void (*ended)(void *owner, const char *sentence);
};

/* Nothing is started yet; the event outlives the pool. */
struct pool *pool_new(struct host *host, const struct event *event,
                      const struct pool_hooks *hooks);

/* The processes themselves belong to the loop. */
void pool_free(struct pool *pool);

/* Checks that this machine gives descriptors for at least one process of every bot, and
 * keeps to what it gives; says so on `line` when that is less than the event's matches
 * at once need ("" else). After host_open, which raises the limit. */
int pool_fit(struct pool *pool, char line[POOL_LINE], struct fail *fail)
    __attribute__((warn_unused_result));

/* Starts what is due and lets go what is lost; called each turn. -1 with a sentence
 * when a bot failed its trial. */
int pool_turn(struct pool *pool, struct fail *fail) __attribute__((warn_unused_result));

/* Asks the processes of that entrant (-1: all) to go, and starts no more of them. */
void pool_dismiss(struct pool *pool, int entrant, const char *reason);

/* When a process that this machine could not start just now is tried again; INT64_MAX. */
int64_t pool_next(const struct pool *pool);

/* Whether a process of every bot has said hello. */
bool pool_is_ready(const struct pool *pool);

/* Whether that session is a process of the pool. */
bool pool_knows(const struct pool *pool, uint32_t session);

/* The hooks of host.h for its sessions; `owner` is the pool. */
bool pool_hello(void *owner, uint32_t session, const struct session_facts *facts,
                struct hello_refusal *refusal);
void pool_welcomed(void *owner, uint32_t session);
void pool_gone(void *owner, uint32_t session, const char *why);
void pool_exited(void *owner, struct child *child);

/* The players of stage.h; `owner` is the pool. */
bool pool_may_play(void *owner, int entrant);
uint32_t pool_session(void *owner, int entrant);
bool pool_lost(void *owner, int entrant);

#endif
