/* The caller: bots of an event that listen, and are dialled from here. Whoever does
 * not answer or hangs up is dialled again, later each time. */
#ifndef HAKEM_CLI_CALLER_H
#define HAKEM_CLI_CALLER_H

#include "arena/event.h"
#include "cli/host.h"

struct caller;

/* Who is told, in a sentence, that a bot cannot be reached or has hung up. */
struct caller_hooks {
    void *owner;
    void (*said)(void *owner, const char *sentence);
};

/* Nobody is dialled yet; the event outlives the caller. */
struct caller *caller_new(struct host *host, const struct event *event,
                          const struct caller_hooks *hooks);

/* Gives up the calls that are not through; sessions belong to the loop. NULL is nothing. */
void caller_free(struct caller *caller);

/* Dials whom it is time to dial; when it wants to be called again, or INT64_MAX. */
int64_t caller_turn(struct caller *caller, int64_t now);

/* Tells that entrant (-1: everyone) good-bye; it is not dialled again. */
void caller_dismiss(struct caller *caller, int entrant, const char *reason);

/* Whether it made that session. */
bool caller_knows(const struct caller *caller, uint32_t session);

/* The hooks of host.h for its sessions; `owner` is the caller. */
bool caller_hello(void *owner, uint32_t session, const struct session_facts *facts,
                  struct hello_refusal *refusal);
void caller_welcomed(void *owner, uint32_t session);
void caller_gone(void *owner, uint32_t session, const char *why);

/* The entrant's session if it has room, else 0. */
uint32_t caller_session(const struct caller *caller, int entrant);

/* Whether it is connected and has said hello. */
bool caller_is_here(const struct caller *caller, int entrant);

#endif
