#include "cli/door.h"

#include "base/alloc.h"
#include "cli/strikes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An event whose bots are expected. */
struct expected {
    struct expected *next;
    const struct event *event;
};

struct guest {
    struct guest *next;
    uint32_t session;
};

struct door {
    struct host *host;
    struct expected *expected;
    struct guest *guests;
    struct strikes strikes;
};

struct door *door_new(struct host *host) {
    struct door *door = alloc_zeroed(1, sizeof *door);
    door->host = host;
    return door;
}

void door_free(struct door *door) {
    if (door == NULL) {
        return;
    }
    while (door->expected != NULL) {
        door_forget(door, door->expected->event);
    }
    while (door->guests != NULL) {
        struct guest *guest = door->guests;
        door->guests = guest->next;
        free(guest);
    }
    free(door);
}

void door_expect(struct door *door, const struct event *event) {
    struct expected *expected = alloc_zeroed(1, sizeof *expected);
    expected->event = event;
    expected->next = door->expected;
    door->expected = expected;
}

void door_forget(struct door *door, const struct event *event) {
    struct expected **at = &door->expected;
    while (*at != NULL && (*at)->event != event) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        struct expected *expected = *at;
        *at = expected->next;
        free(expected);
    }
}

/* Whether a bot that said this may sit there as that entrant. */
static bool is_entrant(const struct entrant *entrant, const struct session_facts *facts) {
    return entrant->kind == ENTRANT_DIALS_IN && entrant->has_token && facts->has_token &&
           text_same_fold(entrant->name, strlen(entrant->name), facts->name, strlen(facts->name)) &&
           hash_same(&entrant->token, &facts->token);
}

static bool plays_variant(const struct session_facts *facts, const struct variant *variant) {
    return (facts->variants & 1U << variant->id) != 0;
}

bool door_hello(void *owner, uint32_t session, const struct session_facts *facts,
                struct hello_refusal *refusal) {
    struct door *door = owner;
    const struct variant *other = NULL;
    (void)session;
    for (const struct expected *at = door->expected; at != NULL; at = at->next) {
        for (int i = 0; i < at->event->entrant_count; i++) {
            if (!is_entrant(&at->event->entrants[i], facts)) {
                continue;
            }
            if (plays_variant(facts, at->event->rules.variant)) {
                return true;
            }
            other = at->event->rules.variant;
        }
    }
    if (other != NULL) {
        refusal->code = "variant";
        snprintf(refusal->reason, sizeof refusal->reason,
                 "%s is played, and variants= does not "
                 "offer it",
                 other->name);
        return false;
    }
    /* One answer for a name that is not known and a token that is wrong. */
    refusal->code = "token";
    snprintf(refusal->reason, sizeof refusal->reason, "unknown name or wrong token");
    refusal->delay = strikes_add(&door->strikes, facts->who, loop_now(door->host->loop));
    return false;
}

void door_welcomed(void *owner, uint32_t session) {
    struct door *door = owner;
    struct guest *guest = alloc_zeroed(1, sizeof *guest);
    guest->session = session;
    guest->next = door->guests;
    door->guests = guest;
}

void door_gone(void *owner, uint32_t session, const char *why) {
    struct door *door = owner;
    struct guest **at = &door->guests;
    (void)why;
    while (*at != NULL && (*at)->session != session) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        struct guest *guest = *at;
        *at = guest->next;
        free(guest);
    }
}

/* The facts of a guest that is that entrant, or NULL. */
static const struct session_facts *facts_of(const struct door *door, const struct guest *guest,
                                            const struct event *event, int entrant) {
    const struct session_facts *facts = referee_session(door->host->referee, guest->session);
    bool fits = facts != NULL && is_entrant(&event->entrants[entrant], facts) &&
                plays_variant(facts, event->rules.variant);
    return fits ? facts : NULL;
}

uint32_t door_session(const struct door *door, const struct event *event, int entrant) {
    uint32_t best = 0;
    int fewest = 0;
    for (const struct guest *guest = door->guests; guest != NULL; guest = guest->next) {
        const struct session_facts *facts = facts_of(door, guest, event, entrant);
        int room = facts != NULL ? referee_free_tables(door->host->referee, guest->session) : 0;
        if (room > 0 && (best == 0 || facts->tables - room < fewest)) {
            best = guest->session;
            fewest = facts->tables - room;
        }
    }
    return best;
}

int door_count(const struct door *door, const struct event *event, int entrant) {
    int count = 0;
    for (const struct guest *guest = door->guests; guest != NULL; guest = guest->next) {
        count += facts_of(door, guest, event, entrant) != NULL;
    }
    return count;
}
