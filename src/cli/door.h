/* The door: bots that dial in. It knows which names are expected and what each has
 * to show, lets them in or not, and says which of an entrant's connections has
 * room: one entrant may come with several of them, and their tables add up. */
#ifndef HAKEM_CLI_DOOR_H
#define HAKEM_CLI_DOOR_H

#include "arena/event.h"
#include "cli/host.h"

struct door;
struct tokens;

/* What a hello that nobody else knows is worth. */
enum door_verdict {
    DOOR_EXPECTED, /* an entrant of an event, with its token */
    DOOR_KNOWN,    /* a name of the token table, with its token */
    DOOR_STRANGER, /* a name that nobody holds, without a token */
    DOOR_VARIANT,  /* an entrant that does not play what is played: the refusal says so */
    DOOR_WRONG     /* anything else */
};

/* `tokens` may be NULL; it outlives the door. */
struct door *door_new(struct host *host, const struct tokens *tokens);

/* The sessions themselves belong to the loop. NULL is nothing. */
void door_free(struct door *door);

/* The event's bots that dial in are expected, until door_forget. */
void door_expect(struct door *door, const struct event *event);
void door_forget(struct door *door, const struct event *event);

/* Judges a hello. */
enum door_verdict door_judge(const struct door *door, const struct session_facts *facts,
                             struct hello_refusal *refusal);

/* Refuses it, in the same words for an unknown name and a wrong token, and later each time. */
void door_refuse(struct door *door, const struct session_facts *facts,
                 struct hello_refusal *refusal);

/* It was let in; it is gone (nothing happens when it never was a guest). */
void door_welcomed(struct door *door, uint32_t session);
void door_gone(struct door *door, uint32_t session);

/* The event is over: its guests that no other event expects are told good-bye. */
void door_dismiss(struct door *door, const struct event *event, const char *reason);

/* Tells the guests of that name good-bye, for a reason; how many there were. */
int door_kick(struct door *door, const char *name, const char *reason);

/* A connection of that entrant with room, the one with the fewest tables; 0: none. */
uint32_t door_session(const struct door *door, const struct event *event, int entrant);

/* Its connections. */
int door_count(const struct door *door, const struct event *event, int entrant);

#endif
