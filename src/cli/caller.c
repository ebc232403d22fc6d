#include "cli/caller.h"

#include "base/alloc.h"
#include "base/backoff.h"
#include "base/lang.h"
#include "base/log.h"
#include "net/dial.h"

#include <stdio.h>
#include <stdlib.h>

enum { CALL_FIRST = 500, CALL_MOST = 15000 /* ms until it is dialled again */ };

/* How far the connection to a bot is. */
enum call_state {
    CALL_RESTS,  /* dialled again at `next` */
    CALL_DIALS,  /* awaits that it takes the call */
    CALL_GREETS, /* awaits its hello, until the referee's limit */
    CALL_TALKS
};

struct call {
    struct caller *caller;
    enum call_state state;
    int entrant;
    struct address address;
    struct dial *dial;
    uint32_t session;
    uint32_t lost; /* the session before it, which the bot may resume; or 0 */
    int failures;  /* in a row */
    int64_t next;
    char why[96]; /* it was refused */
};

struct caller {
    struct host *host;
    const struct event *event;
    struct caller_hooks hooks;
    struct call *call; /* [count] */
    int count;
};

struct caller *caller_new(struct host *host, const struct event *event,
                          const struct caller_hooks *hooks) {
    struct caller *caller = alloc_zeroed(1, sizeof *caller);
    caller->host = host;
    caller->event = event;
    caller->hooks = *hooks;
    caller->call = alloc_zeroed((size_t)event->entrant_count, sizeof *caller->call);
    for (int i = 0; i < event->entrant_count; i++) {
        struct call *call = &caller->call[caller->count];
        if (event->entrants[i].kind == ENTRANT_DIALLED) {
            call->caller = caller;
            call->entrant = i;
            call->next = INT64_MIN;
            if (!address_read(event->entrants[i].address, &call->address)) {
                fail_fatal("cli: the address of bot %s cannot be read", event->entrants[i].name);
            }
            caller->count++;
        }
    }
    return caller;
}

void caller_free(struct caller *caller) {
    if (caller != NULL) {
        for (int i = 0; i < caller->count; i++) {
            dial_cancel(caller->call[i].dial);
        }
        free(caller->call);
        free(caller);
    }
}

static struct call *find_session(const struct caller *caller, uint32_t session) {
    for (int i = 0; i < caller->count; i++) {
        struct call *call = &caller->call[i];
        if (call->session == session && call->state >= CALL_GREETS) {
            return call;
        }
    }
    return NULL;
}

/* The call whose lost session that is, or NULL. */
static struct call *find_lost(const struct caller *caller, uint32_t session) {
    for (int i = 0; i < caller->count; i++) {
        if (session != 0 && caller->call[i].lost == session) {
            return &caller->call[i];
        }
    }
    return NULL;
}

static const struct call *find_entrant(const struct caller *caller, int entrant) {
    int i = 0;
    while (caller->call[i].entrant != entrant) {
        i++;
    }
    return &caller->call[i];
}

/* It is dialled again later; said once, not at each try. */
static void rest(struct call *call, const char *why) {
    const struct caller *caller = call->caller;
    const struct entrant *entrant = &caller->event->entrants[call->entrant];
    char sentence[512];
    call->state = CALL_RESTS;
    call->session = 0;
    call->failures++;
    call->next =
        loop_now(caller->host->loop) + backoff_delay(call->failures, CALL_FIRST, CALL_MOST);
    log_line(LOG_LEVEL_INFO, "bot %s away address=%s failures=%d why=%s", entrant->name,
             entrant->address, call->failures, why);
    if (call->failures == 1 && !caller->host->closing) {
        snprintf(sentence, sizeof sentence,
                 _("bot \"%s\" at %s is not there: %s; it is dialled "
                   "again"),
                 entrant->name, entrant->address, why);
        caller->hooks.said(caller->hooks.owner, sentence);
    }
}

static void on_dialled(void *owner, uint32_t session, const char *why) {
    struct call *call = owner;
    call->dial = NULL;
    if (session == 0) {
        rest(call, why);
    } else {
        referee_allow_return(call->caller->host->referee, session);
        call->session = session;
        call->state = CALL_GREETS;
    }
}

/* Whether the bot has taken up its lost session on the new connection; then that is the call's. */
static bool is_back(struct call *call) {
    const struct referee *referee = call->caller->host->referee;
    if (call->lost == 0 || referee_is_lost(referee, call->lost) ||
        referee_session(referee, call->lost) == NULL) {
        return false;
    }
    call->session = call->lost;
    call->lost = 0;
    call->state = CALL_TALKS;
    call->failures = 0;
    return true;
}

/* A connection that broke: the session may be resumed on the next one. */
static void notice_lost(struct call *call) {
    if (call->state == CALL_TALKS &&
        referee_is_lost(call->caller->host->referee, call->session)) {
        call->lost = call->session;
        rest(call, _("it hung up"));
    }
}

int64_t caller_turn(struct caller *caller, int64_t now) {
    int64_t next = INT64_MAX;
    for (int i = 0; i < caller->count; i++) {
        struct call *call = &caller->call[i];
        is_back(call);
        notice_lost(call);
        if (call->state != CALL_RESTS) {
            continue;
        }
        if (call->next <= now) {
            call->state = CALL_DIALS;
            call->why[0] = '\0';
            const struct entrant *entrant = &caller->event->entrants[call->entrant];
            call->dial = dial_start(caller->host->loop, &call->address,
                                    dialect_new(&entrant->dialect, entrant->name), on_dialled,
                                    call);
        } else if (call->next < next) {
            next = call->next;
        }
    }
    return next;
}

void caller_dismiss(struct caller *caller, int entrant, const char *reason) {
    for (int i = 0; i < caller->count; i++) {
        struct call *call = &caller->call[i];
        if (entrant >= 0 && call->entrant != entrant) {
            continue;
        }
        uint32_t open[] = {call->state >= CALL_GREETS ? call->session : 0, call->lost};
        for (int k = 0; k < 2; k++) {
            if (open[k] != 0) {
                referee_close(caller->host->referee, open[k], reason,
                              loop_now(caller->host->loop));
            }
        }
        dial_cancel(call->dial);
        call->dial = NULL;
        call->session = call->lost = 0;
        call->state = CALL_RESTS;
        call->next = INT64_MAX;
    }
}

bool caller_knows(const struct caller *caller, uint32_t session) {
    return find_session(caller, session) != NULL || find_lost(caller, session) != NULL;
}

bool caller_hello(void *owner, uint32_t session, const struct session_facts *facts,
                  struct hello_refusal *refusal) {
    struct caller *caller = owner;
    struct call *call = find_session(caller, session);
    const struct variant *variant = caller->event->rules.variant;
    if ((facts->variants & 1U << variant->id) != 0) {
        return true;
    }
    refusal->code = "variant";
    snprintf(refusal->reason, sizeof refusal->reason,
             "%s is played, and variants= does not "
             "offer it",
             variant->name);
    snprintf(call->why, sizeof call->why, _("its hello does not offer %s"), variant->name);
    return false;
}

void caller_welcomed(void *owner, uint32_t session) {
    const struct caller *caller = owner;
    struct call *call = find_session(caller, session);
    uint32_t lost = call->lost;
    call->state = CALL_TALKS;
    call->failures = 0;
    if (lost != 0) { /* it begins anew */
        call->lost = 0;
        referee_forget(caller->host->referee, lost, loop_now(caller->host->loop));
    }
}

void caller_gone(void *owner, uint32_t session, const char *why) {
    struct call *call = find_lost(owner, session);
    if (call != NULL) { /* it was not resumed in time */
        call->lost = 0;
        return;
    }
    call = find_session(owner, session);
    if (is_back(call)) {
        return;
    }
    rest(call, call->why[0] != '\0' ? call->why : why[0] != '\0' ? why : _("it hung up"));
}

uint32_t caller_session(const struct caller *caller, int entrant) {
    const struct call *call = find_entrant(caller, entrant);
    bool room =
        call->state == CALL_TALKS && referee_free_tables(caller->host->referee, call->session) > 0;
    return room ? call->session : 0;
}

bool caller_is_here(const struct caller *caller, int entrant) {
    const struct call *call = find_entrant(caller, entrant);
    return call->state == CALL_TALKS || call->lost != 0;
}
