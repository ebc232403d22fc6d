#include "cli/company.h"

#include "base/address.h"
#include "base/alloc.h"
#include "base/lang.h"
#include "base/log.h"
#include "cli/caller.h"
#include "cli/identity.h"
#include "cli/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Why one bot is not here. */
struct absence {
    int64_t since; /* ms, -1: it is here, 0: not looked at yet */
    bool out;      /* for too long: it loses what is left */
    bool kicked;   /* any bot: the organiser took it out */
};

struct company {
    struct company_setup setup;
    struct pool *pool;
    struct caller *caller;
    struct stage *stage;
    struct absence *absence; /* [entrant] */
    bool resumed;            /* the store was there before */
    bool gathering;          /* since company_gather */
    bool begun;              /* the store is made, the stage is on */
    bool stirred;            /* somebody came or went */
    bool paused;
};

static const char COMPANY_KICKED[] = "the organiser took the bot out";

static bool may_play(void *owner, int entrant);
static uint32_t find_session(void *owner, int entrant, uint32_t unit);
static bool is_lost(void *owner, int entrant, uint32_t unit, enum reason *reason);

static void on_match(void *owner, struct stage *stage, const struct match_row *row) {
    const struct company *company = owner;
    (void)stage;
    if (company->setup.hooks.match != NULL) {
        company->setup.hooks.match(company->setup.hooks.owner, row);
    }
}

static void on_fault(void *owner, struct stage *stage, const struct fault_row *row) {
    const struct company *company = owner;
    (void)stage;
    if (company->setup.hooks.fault != NULL) {
        company->setup.hooks.fault(company->setup.hooks.owner, row);
    }
}

struct company *company_new(const struct company_setup *setup) {
    struct company *company = alloc_zeroed(1, sizeof *company);
    company->setup = *setup;
    company->stirred = true;
    company->absence = alloc_zeroed((size_t)setup->event->entrant_count, sizeof *company->absence);
    const struct stage_setup stage = {
        .host = setup->host,
        .event = setup->event,
        .folder = setup->folder,
        .players = {.owner = company,
                    .may_play = may_play,
                    .session = find_session,
                    .lost = is_lost},
        .hooks = {.owner = company, .match = on_match, .fault = on_fault},
    };
    company->stage = stage_new(&stage);
    return company;
}

void company_free(struct company *company) {
    if (company != NULL) {
        if (company->setup.door != NULL) {
            door_forget(company->setup.door, company->setup.event);
        }
        stage_free(company->stage);
        caller_free(company->caller);
        pool_free(company->pool);
        free(company->absence);
        free(company);
    }
}

int company_open(struct company *company, struct fail *fail) {
    company->resumed = store_exists(company->setup.folder);
    if (identity_read(company->setup.event, company->setup.folder, fail) != 0) {
        return -1;
    }
    return company->resumed ? stage_resume(company->stage, fail) : 0;
}

static const struct entrant *entrant_of(const struct company *company, int entrant) {
    return &company->setup.event->entrants[entrant];
}

static bool is_remote(const struct company *company, int entrant) {
    return entrant_of(company, entrant)->kind != ENTRANT_CHILD;
}

/* Whether each bot can come the way the event says. */
static int check_ways(const struct company *company, struct fail *fail) {
    for (int i = 0; i < company->setup.event->entrant_count; i++) {
        const struct entrant *entrant = entrant_of(company, i);
        struct address address;
        if (entrant->kind == ENTRANT_DIALS_IN && company->setup.door == NULL) {
            return fail_set(fail, EXIT_CODE_USAGE,
                            _("bot \"%s\" dials in: say where with --listen 127.0.0.1:PORT"),
                            entrant->name);
        }
        if (entrant->kind == ENTRANT_DIALS_IN && !entrant->has_token &&
            (company->setup.tokens == NULL ||
             tokens_find(company->setup.tokens, entrant->name) == NULL)) {
            return fail_set(fail, EXIT_CODE_USAGE,
                            _("bot \"%s\" needs the \"token\": \"sha256:...\" that hakem token %s "
                              "prints: no daemon knows its token here"),
                            entrant->name, entrant->name);
        }
        if (entrant->kind == ENTRANT_DIALLED && !company->setup.plaintext &&
            !(address_read(entrant->address, &address) && address.loopback)) {
            return fail_set(fail, EXIT_CODE_USAGE,
                            _("bot \"%s\": %s is not a loopback address, and the lines are not "
                              "encrypted: --plaintext dials it all the same"),
                            entrant->name, entrant->address);
        }
    }
    return 0;
}

int company_gather(struct company *company, char line[POOL_LINE], struct fail *fail) {
    const struct company_setup *setup = &company->setup;
    line[0] = '\0';
    if (check_ways(company, fail) != 0) {
        return -1;
    }
    const struct pool_hooks ended = {.owner = setup->hooks.owner,
                                      .ended = setup->hooks.said};
    const struct caller_hooks said = {.owner = setup->hooks.owner,
                                      .said = setup->hooks.said};
    company->pool = pool_new(setup->host, setup->event, &ended);
    company->caller = caller_new(setup->host, setup->event, &said);
    if (pool_fit(company->pool, line, fail) != 0) {
        return -1;
    }
    if (setup->door != NULL) {
        door_expect(setup->door, setup->event);
    }
    company->gathering = true;
    return 0;
}

static bool is_here(const struct company *company, int entrant) {
    switch (entrant_of(company, entrant)->kind) {
    case ENTRANT_CHILD:
        break;
    case ENTRANT_DIALS_IN:
        return door_count(company->setup.door, company->setup.event, entrant) > 0;
    case ENTRANT_DIALLED:
        return caller_is_here(company->caller, entrant);
    }
    return true;
}

/* Who was away for too long is out, once and for good; said when the others play on. */
static void put_out(struct company *company, int entrant) {
    const struct entrant *bot = entrant_of(company, entrant);
    char sentence[256];
    company->absence[entrant].out = true;
    stage_stir(company->setup.host->stages);
    log_line(LOG_LEVEL_INFO, "bot %s out wait=%lld", bot->name,
             (long long)company->setup.event->wait);
    snprintf(sentence, sizeof sentence,
             _("bot \"%s\" stayed away for %lld s: it loses the matches that are left"), bot->name,
             (long long)company->setup.event->wait / 1000);
    company->setup.hooks.said(company->setup.hooks.owner, sentence);
}

/* Who is here, since when the others are away, and who is out; the time of the next one. */
static int64_t tend_absences(struct company *company, int64_t now) {
    int64_t next = INT64_MAX;
    for (int i = 0; i < company->setup.event->entrant_count; i++) {
        struct absence *absence = &company->absence[i];
        if (!is_remote(company, i) || absence->out || absence->kicked || company->paused) {
            continue;
        }
        if (company->stirred) {
            bool here = is_here(company, i);
            absence->since = here ? -1 : absence->since > 0 ? absence->since : now;
        }
        if (absence->since >= 0) {
            int64_t end = absence->since + company->setup.event->wait;
            if (end <= now && company->begun) {
                put_out(company, i);
            }
            next = end < next && end > now ? end : next;
        }
    }
    company->stirred = false;
    return next;
}

/* Bots that are not here; whether one of them can still come. */
static int count_absent(const struct company *company, int64_t now, bool *hope) {
    int absent = 0;
    *hope = false;
    for (int i = 0; i < company->setup.event->entrant_count; i++) {
        int64_t since = company->absence[i].since;
        if (is_remote(company, i) && since >= 0) {
            absent++;
            *hope = *hope || since + company->setup.event->wait > now;
        }
    }
    return absent;
}

void company_write_absent(const struct company *company, char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < company->setup.event->entrant_count && used < room; i++) {
        const struct absence *absence = &company->absence[i];
        if (is_remote(company, i) && !absence->out && absence->since >= 0) {
            int added = snprintf(out + used, room - used, "%s%s", used > 0 ? ", " : "",
                                 entrant_of(company, i)->name);
            used += (size_t)added;
        }
    }
}

/* A crash before it is kept lets other programs go on, no more. */
static void keep_identity(const struct company *company) {
    struct fail fail;
    if (identity_keep(company->setup.event, company->setup.folder, &fail) != 0) {
        log_line(LOG_LEVEL_WARN, "identity not kept error=%s", fail.text);
    }
}

/* All that are to come have come, or have been waited for: only now is anything written. */
static int begin(struct company *company, int64_t now, bool *waits, struct fail *fail) {
    bool hope;
    int count = company->setup.event->entrant_count;
    int absent = count_absent(company, now, &hope);
    *waits = !pool_is_ready(company->pool) || hope;
    if (*waits) {
        return 0;
    }
    if (count - absent < 2) {
        char names[256];
        company_write_absent(company, names, sizeof names);
        return fail_set(fail, EXIT_CODE_BOT,
                        _("%d of %d bots came within %lld s, so nothing is played; absent: %s"),
                        count - absent, count, (long long)company->setup.event->wait / 1000, names);
    }
    if ((!company->resumed && stage_create(company->stage, fail) != 0) ||
        stage_begin(company->stage, fail) != 0) {
        return -1;
    }
    company->begun = true;
    keep_identity(company);
    company->setup.hooks.begun(company->setup.hooks.owner);
    return 0;
}

int64_t company_turn(struct company *company, bool closing, int64_t now, struct fail *fail) {
    int64_t next = INT64_MAX;
    if (company->begun) {
        next = stage_turn(company->stage, closing, now, fail);
        if (next < 0) {
            return -1;
        }
    }
    if (pool_turn(company->pool, fail) != 0) {
        return -1;
    }
    int64_t times[] = {pool_next(company->pool), caller_turn(company->caller, now),
                       tend_absences(company, now)};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        next = times[i] < next ? times[i] : next;
    }
    if (!company->begun && !closing && !company->paused) {
        bool waits;
        if (begin(company, now, &waits, fail) != 0) {
            return -1;
        }
        next = waits ? next : now;
    }
    return next;
}

void company_pause(struct company *company, bool pause, int64_t now) {
    company->paused = pause;
    company->stirred = true;
    for (int i = 0; i < company->setup.event->entrant_count; i++) {
        company->absence[i].since = 0; /* who is away is waited for anew */
    }
    stage_pause(company->stage, pause, now);
}

bool company_kick(struct company *company, const char *name) {
    int entrant = event_find_entrant(company->setup.event, name);
    if (entrant < 0 || company->absence[entrant].kicked) {
        return false;
    }
    company->absence[entrant].kicked = true;
    pool_dismiss(company->pool, entrant, COMPANY_KICKED);
    caller_dismiss(company->caller, entrant, COMPANY_KICKED);
    stage_stir(company->setup.host->stages);
    return true;
}

void company_abandon(struct company *company, int64_t now) {
    stage_abandon(company->stage, now);
}

void company_dismiss(struct company *company, const char *reason) {
    if (company->gathering) {
        pool_dismiss(company->pool, -1, reason);
        caller_dismiss(company->caller, -1, reason);
    }
    if (company->setup.door != NULL) {
        door_forget(company->setup.door, company->setup.event);
        door_dismiss(company->setup.door, company->setup.event, reason);
    }
}

int company_close(struct company *company, struct fail *fail) {
    return stage_close(company->stage, fail);
}

bool company_has_begun(const struct company *company) {
    return company->begun;
}

bool company_is_quiet(const struct company *company) {
    return stage_quiet(company->stage);
}

bool company_is_over(const struct company *company) {
    return stage_over(company->stage);
}

void company_tell(struct company *company) {
    stage_tell(company->stage);
}

const struct stage *company_stage(const struct company *company) {
    return company->stage;
}

static bool is_lost(void *owner, int entrant, uint32_t unit, enum reason *reason) {
    const struct company *company = owner;
    (void)unit;
    bool kicked = company->absence[entrant].kicked;
    *reason = kicked ? REASON_ABORTED : REASON_DISCONNECT;
    if (kicked) {
        return true;
    }
    return is_remote(company, entrant) ? company->absence[entrant].out
                                       : pool_lost(company->pool, entrant);
}

static uint32_t find_session(void *owner, int entrant, uint32_t unit) {
    const struct company *company = owner;
    (void)unit;
    switch (entrant_of(company, entrant)->kind) {
    case ENTRANT_CHILD:
        break;
    case ENTRANT_DIALS_IN:
        return door_session(company->setup.door, company->setup.event, entrant);
    case ENTRANT_DIALLED:
        return caller_session(company->caller, entrant);
    }
    return pool_session(company->pool, entrant);
}

static bool may_play(void *owner, int entrant) {
    enum reason reason;
    return is_lost(owner, entrant, 0, &reason) || find_session(owner, entrant, 0) != 0;
}

bool company_knows(const struct company *company, uint32_t session) {
    return company->gathering &&
           (pool_knows(company->pool, session) || caller_knows(company->caller, session));
}

bool company_hello(struct company *company, uint32_t session, const struct session_facts *facts,
                   struct hello_refusal *refusal) {
    return caller_knows(company->caller, session)
               ? caller_hello(company->caller, session, facts, refusal)
               : pool_hello(company->pool, session, facts, refusal);
}

void company_welcomed(struct company *company, uint32_t session) {
    company->stirred = true;
    if (caller_knows(company->caller, session)) {
        caller_welcomed(company->caller, session);
    } else {
        pool_welcomed(company->pool, session);
    }
}

void company_gone(struct company *company, uint32_t session, const char *why) {
    company->stirred = true;
    if (caller_knows(company->caller, session)) {
        caller_gone(company->caller, session, why);
    } else {
        pool_gone(company->pool, session, why);
    }
}

void company_exited(struct company *company, struct child *child) {
    if (company->gathering) {
        pool_exited(company->pool, child);
    }
}

void company_stir(struct company *company) {
    company->stirred = true;
}
