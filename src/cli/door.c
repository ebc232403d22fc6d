#include "cli/door.h"

#include "base/alloc.h"
#include "cli/strikes.h"
#include "cli/tokens.h"

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
    const struct tokens *tokens;
    struct expected *expected;
    struct guest *guests;
    struct strikes strikes;
};

struct door *door_new(struct host *host, const struct tokens *tokens) {
    struct door *door = alloc_zeroed(1, sizeof *door);
    door->host = host;
    door->tokens = tokens;
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

/* Whether it shows the token that the table has for its name. */
static bool is_known(const struct door *door, const struct session_facts *facts) {
    const struct hash *kept = door->tokens != NULL ? tokens_find(door->tokens, facts->name) : NULL;
    return kept != NULL && facts->has_token && hash_same(kept, &facts->token);
}

static bool is_named(const struct entrant *entrant, const struct session_facts *facts) {
    return entrant->kind == ENTRANT_DIALS_IN &&
           text_same_name(entrant->name, facts->name);
}

/* Whether a bot that said this may sit there as that entrant. */
static bool is_entrant(const struct door *door, const struct entrant *entrant,
                       const struct session_facts *facts) {
    if (!is_named(entrant, facts)) {
        return false;
    }
    return entrant->has_token ? facts->has_token && hash_same(&entrant->token, &facts->token)
                              : is_known(door, facts);
}

static bool plays_variant(const struct session_facts *facts, const struct variant *variant) {
    return (facts->variants & 1U << variant->id) != 0;
}

/* What the events make of it. */
struct claim {
    bool named;                    /* an entrant has that name */
    bool expected;                 /* and this token, and it plays the variant */
    const struct variant *variant; /* what is played where it does not play that, or NULL */
};

static struct claim find_claim(const struct door *door, const struct session_facts *facts) {
    struct claim claim = {.named = false};
    for (const struct expected *at = door->expected; at != NULL; at = at->next) {
        for (int i = 0; i < at->event->entrant_count; i++) {
            const struct entrant *entrant = &at->event->entrants[i];
            claim.named = claim.named || is_named(entrant, facts);
            if (!is_entrant(door, entrant, facts)) {
                continue;
            }
            if (plays_variant(facts, at->event->rules.variant)) {
                claim.expected = true;
            } else {
                claim.variant = at->event->rules.variant;
            }
        }
    }
    return claim;
}

enum door_verdict door_judge(const struct door *door, const struct session_facts *facts,
                             struct hello_refusal *refusal) {
    struct claim claim = find_claim(door, facts);
    if (claim.expected) {
        return DOOR_EXPECTED;
    }
    if (claim.variant != NULL) {
        refusal->code = "variant";
        snprintf(refusal->reason, sizeof refusal->reason,
                 "%s is played, and variants= does not offer it", claim.variant->name);
        return DOOR_VARIANT;
    }
    if (is_known(door, facts)) {
        return DOOR_KNOWN;
    }
    bool held = claim.named ||
                (door->tokens != NULL && tokens_find(door->tokens, facts->name) != NULL);
    return held || facts->has_token ? DOOR_WRONG : DOOR_STRANGER;
}

void door_refuse(struct door *door, const struct session_facts *facts,
                 struct hello_refusal *refusal) {
    refusal->code = "token";
    snprintf(refusal->reason, sizeof refusal->reason, "unknown name or wrong token");
    refusal->delay = strikes_add(&door->strikes, facts->who, loop_now(door->host->loop));
}

/* Whether both said the same of who they are. */
static bool is_same_bot(const struct session_facts *a, const struct session_facts *b) {
    return text_same_name(a->name, b->name) &&
           hash_same(&a->token, &b->token);
}

/* Who says hello anew instead of resuming gives up what it had lost. */
static void forget_lost(struct door *door, uint32_t session) {
    struct referee *referee = door->host->referee;
    const struct session_facts *facts = referee_session(referee, session);
    struct guest *next;
    for (struct guest *guest = door->guests; guest != NULL && facts != NULL; guest = next) {
        const struct session_facts *other = referee_session(referee, guest->session);
        next = guest->next; /* the guest itself leaves when it is forgotten */
        if (other != NULL && is_same_bot(facts, other)) {
            referee_forget(referee, guest->session, loop_now(door->host->loop));
        }
    }
}

void door_welcomed(struct door *door, uint32_t session) {
    forget_lost(door, session);
    struct guest *guest = alloc_zeroed(1, sizeof *guest);
    guest->session = session;
    guest->next = door->guests;
    door->guests = guest;
}

void door_gone(struct door *door, uint32_t session) {
    struct guest **at = &door->guests;
    while (*at != NULL && (*at)->session != session) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        struct guest *guest = *at;
        *at = guest->next;
        free(guest);
    }
}

void door_dismiss(struct door *door, const struct event *event, const char *reason) {
    for (const struct guest *guest = door->guests; guest != NULL; guest = guest->next) {
        const struct session_facts *facts = referee_session(door->host->referee, guest->session);
        bool its = false;
        for (int i = 0; facts != NULL && i < event->entrant_count; i++) {
            its = its || is_entrant(door, &event->entrants[i], facts);
        }
        bool sits = referee_held_tables(door->host->referee, guest->session) > 0;
        if (its && !sits && !find_claim(door, facts).expected) {
            referee_close(door->host->referee, guest->session, reason, loop_now(door->host->loop));
        }
    }
}

int door_kick(struct door *door, const char *name, const char *reason) {
    int count = 0;
    for (const struct guest *guest = door->guests; guest != NULL; guest = guest->next) {
        const struct session_facts *facts = referee_session(door->host->referee, guest->session);
        if (facts != NULL && text_same_name(facts->name, name)) {
            referee_close(door->host->referee, guest->session, reason, loop_now(door->host->loop));
            count++;
        }
    }
    return count;
}

/* The facts of a guest that is that entrant, or NULL. */
static const struct session_facts *facts_of(const struct door *door, const struct guest *guest,
                                            const struct event *event, int entrant) {
    const struct session_facts *facts = referee_session(door->host->referee, guest->session);
    bool fits = facts != NULL && is_entrant(door, &event->entrants[entrant], facts) &&
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
