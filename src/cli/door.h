/* The door: bots that dial in. It knows which names are expected and what each has
 * to show, lets them in or not, and says which of an entrant's connections has
 * room: one entrant may come with several of them, and their tables add up. */
#ifndef HAKEM_CLI_DOOR_H
#define HAKEM_CLI_DOOR_H

#include "arena/event.h"
#include "cli/host.h"

struct door;

struct door *door_new(struct host *host);

/* The sessions themselves belong to the loop. NULL is nothing. */
void door_free(struct door *door);

/* The event's bots that dial in are expected, until door_forget. */
void door_expect(struct door *door, const struct event *event);
void door_forget(struct door *door, const struct event *event);

/* The hooks of host.h for sessions that nobody else knows; `owner` is the door. */
bool door_hello(void *owner, uint32_t session, const struct session_facts *facts,
                struct hello_refusal *refusal);
void door_welcomed(void *owner, uint32_t session);
void door_gone(void *owner, uint32_t session, const char *why);

/* A connection of that entrant with room, the one with the fewest tables; 0: none. */
uint32_t door_session(const struct door *door, const struct event *event, int entrant);

/* Its connections. */
int door_count(const struct door *door, const struct event *event, int entrant);

#endif
