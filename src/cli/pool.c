#include "cli/pool.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/log.h"
#include "cli/launch_bot.h"
#include "cli/pool_inside.h"
#include "cli/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    POOL_STARTS = 4,          /* processes that start at the same time */
    POOL_TRIAL_GRACE = 500,   /* ms for a bot that failed its trial */
    POOL_OWN_FILES = 32,      /* descriptors that are not a process's */
    POOL_FILES = 3,           /* descriptors that each process keeps */
    POOL_PAUSE = 500,         /* ms after this machine could start no process */
};

struct pool *pool_new(struct host *host, const struct event *event,
                      const struct pool_hooks *hooks) {
    struct pool *pool = alloc_zeroed(1, sizeof *pool);
    pool->host = host;
    pool->event = event;
    pool->hooks = *hooks;
    pool->room = RLIM_INFINITY;
    pool->crew = alloc_zeroed((size_t)event->entrant_count, sizeof *pool->crew);
    return pool;
}

void pool_free(struct pool *pool) {
    if (pool == NULL) {
        return;
    }
    while (pool->processes != NULL) {
        struct process *process = pool->processes;
        pool->processes = process->next;
        free(process);
    }
    free(pool->crew);
    free(pool);
}

/* The others of the event's bots are not the pool's affair. */
static bool is_child(const struct pool *pool, int entrant) {
    return pool->event->entrants[entrant].kind == ENTRANT_CHILD;
}

int pool_fit(struct pool *pool, char line[POOL_LINE], struct fail *fail) {
    const struct event *event = pool->event;
    struct rlimit limit;
    line[0] = '\0';
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return 0;
    }
    rlim_t files = limit.rlim_cur;
    int bots = 0;
    for (int i = 0; i < event->entrant_count; i++) {
        bots += is_child(pool, i);
    }
    if (bots == 0) {
        return 0;
    }
    rlim_t least = POOL_OWN_FILES + POOL_FILES * (rlim_t)bots;
    if (files < least) {
        return fail_set(fail, EXIT_CODE_IO,
                        _("%d bots need %llu open files and the limit is %llu: raise it with "
                          "ulimit -n"), bots, (unsigned long long)least,
                        (unsigned long long)files);
    }
    pool->room = (files - POOL_OWN_FILES) / POOL_FILES;
    rlim_t wanted = (rlim_t)event->concurrency * 2;
    if (pool->room < wanted) {
        snprintf(line, POOL_LINE,
                 _("%d matches at once need %llu open files and the limit is %llu: fewer are "
                   "played at once; raise it with ulimit -n"), event->concurrency,
                 (unsigned long long)(POOL_OWN_FILES + POOL_FILES * wanted),
                 (unsigned long long)files);
    }
    return 0;
}

static rlim_t count_processes(const struct pool *pool) {
    rlim_t count = 0;
    for (const struct process *at = pool->processes; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

static struct process *find_session(const struct pool *pool, uint32_t session) {
    struct process *process = pool->processes;
    while (process != NULL && child_session(process->child) != session) {
        process = process->next;
    }
    return process;
}

static void count_crash(struct pool *pool, int entrant, const char *why) {
    struct crew *crew = &pool->crew[entrant];
    crew->crashes++;
    stage_stir(pool->host->stages);
    log_line(LOG_LEVEL_INFO, "bot %s lost crashes=%d allowed=%d why=%s",
             pool_entrant(pool, entrant)->name, crew->crashes, pool->event->restarts, why);
}

/* Keeps the first failure of a trial: one line names one bot. */
static void fail_trial(struct pool *pool, const struct fail *fail) {
    if (!pool->failed) {
        pool->failed = true;
        pool->fail = *fail;
    }
}

/* Our own lack of descriptors or processes is no crash of the bot: it is tried again. */
static void start_later(struct pool *pool, int entrant, const struct fail *fail) {
    log_line(LOG_LEVEL_WARN, "bot %s start later error=%s", pool_entrant(pool, entrant)->name,
             fail->text);
    pool->crew[entrant].wanted = true;
    pool->resume = loop_now(pool->host->loop) + POOL_PAUSE;
}

/* It never gets a session. */
static void lose_mute(struct pool *pool, struct process *process, const char *why) {
    snprintf(process->why, sizeof process->why, "%s", why);
    process->state = PROCESS_LOST;
    process->tried = true;
    pool->crew[process->entrant].starting--;
}

static void start_process(struct pool *pool, int entrant) {
    struct crew *crew = &pool->crew[entrant];
    struct fail fail = {.code = EXIT_CODE_DONE};
    struct child *child;
    int status = launch_bot(pool->host->loop, pool->event, pool_entrant(pool, entrant), &child,
                            &fail);
    if (status != 0 && crew->passed && fail.code == EXIT_CODE_IO) {
        start_later(pool, entrant, &fail);
        return;
    }
    if (status != 0) {
        count_crash(pool, entrant, fail.text);
        fail_wrap(&fail, _("bot \"%s\""), pool_entrant(pool, entrant)->name);
        if (!crew->passed) {
            fail_trial(pool, &fail);
        }
        return;
    }
    struct process *process = alloc_zeroed(1, sizeof *process);
    process->entrant = entrant;
    process->child = child;
    process->next = pool->processes;
    pool->processes = process;
    crew->starting++;
    if (child_is_mute(child)) {
        lose_mute(pool, process, _("the referee has no room for it"));
    }
}

bool pool_knows(const struct pool *pool, uint32_t session) {
    return find_session(pool, session) != NULL;
}

bool pool_hello(void *owner, uint32_t session, const struct session_facts *facts,
                struct hello_refusal *refusal) {
    struct pool *pool = owner;
    struct process *process = find_session(pool, session);
    const struct variant *variant = pool->event->rules.variant;
    if ((facts->variants & 1U << variant->id) == 0) {
        refusal->code = "variant";
        snprintf(refusal->reason, sizeof refusal->reason, "%s is played, and variants= does not "
                 "offer it", variant->name);
        snprintf(process->why, sizeof process->why, _("its hello does not offer %s"),
                 variant->name);
        return false;
    }
    return true;
}

void pool_welcomed(void *owner, uint32_t session) {
    struct pool *pool = owner;
    struct process *process = find_session(pool, session);
    if (process != NULL) {
        struct crew *crew = &pool->crew[process->entrant];
        process->state = PROCESS_READY;
        crew->starting--;
        crew->ready++;
        crew->passed = true;
    }
}

void pool_gone(void *owner, uint32_t session, const char *why) {
    struct pool *pool = owner;
    struct process *process = find_session(pool, session);
    if (process == NULL || process->state >= PROCESS_LOST) {
        return;
    }
    struct crew *crew = &pool->crew[process->entrant];
    process->tried = process->state == PROCESS_STARTING;
    crew->starting -= process->state == PROCESS_STARTING;
    crew->ready -= process->state == PROCESS_READY;
    process->state = PROCESS_LOST;
    if (process->why[0] == '\0') {
        snprintf(process->why, sizeof process->why, "%s", why);
    }
    if (!pool->host->closing) {
        count_crash(pool, process->entrant, process->why);
        process->crash = crew->crashes;
    }
}

void pool_exited(void *owner, struct child *child) {
    struct pool *pool = owner;
    struct process **at = &pool->processes;
    while (*at != NULL && (*at)->child != child) {
        at = &(*at)->next;
    }
    struct process *process = *at;
    if (process == NULL) {
        return;
    }
    if (process->state == PROCESS_STARTING) { /* before anybody could speak with it */
        lose_mute(pool, process, "");
        count_crash(pool, process->entrant, "it ended before it listened");
    }
    if (process->tried && !pool->crew[process->entrant].passed) {
        struct fail fail;
        pool_describe_trial(pool, process, &fail);
        fail_trial(pool, &fail);
    } else if (process->crash > 0) {
        pool_tell_end(pool, process);
    }
    *at = process->next;
    free(process);
}

static void stop_lost(struct pool *pool) {
    for (struct process *process = pool->processes; process != NULL; process = process->next) {
        if (process->state == PROCESS_STARTING && child_is_mute(process->child)) {
            lose_mute(pool, process, _("it does not listen"));
            count_crash(pool, process->entrant, process->why);
        }
        if (process->state == PROCESS_LOST) {
            process->state = PROCESS_STOPPED;
            child_stop(process->child, "lost", process->tried ? POOL_TRIAL_GRACE : CHILD_GRACE);
        }
    }
}

void pool_dismiss(struct pool *pool, int entrant, const char *reason) {
    for (struct process *process = pool->processes; process != NULL; process = process->next) {
        struct crew *crew = &pool->crew[process->entrant];
        if ((entrant >= 0 && process->entrant != entrant) || process->state >= PROCESS_LOST) {
            continue;
        }
        crew->starting -= process->state == PROCESS_STARTING;
        crew->ready -= process->state == PROCESS_READY;
        process->state = PROCESS_STOPPED;
        child_stop(process->child, reason, CHILD_GRACE);
    }
    for (int i = 0; i < pool->event->entrant_count; i++) {
        if (entrant < 0 || i == entrant) {
            pool->crew[i].passed = true;
            pool->crew[i].crashes = pool->event->restarts + 1;
        }
    }
}

/* Bots without a process, each of which keeps a place: a second one of another bot must
 * not take the last. */
static rlim_t count_empty(const struct pool *pool) {
    rlim_t count = 0;
    for (int i = 0; i < pool->event->entrant_count; i++) {
        const struct crew *crew = &pool->crew[i];
        count += is_child(pool, i) && crew->starting + crew->ready == 0 &&
                 crew->crashes <= pool->event->restarts;
    }
    return count;
}

/* How many processes a bot has at most. */
static int most_processes(const struct pool *pool, int entrant) {
    int concurrency = pool->event->concurrency;
    int said = pool_entrant(pool, entrant)->processes;
    return said > 0 && said < concurrency ? said : concurrency;
}

int pool_turn(struct pool *pool, struct fail *fail) {
    int starting = 0;
    stop_lost(pool);
    rlim_t room = pool->room - count_processes(pool);
    rlim_t kept = count_empty(pool);
    bool paused = loop_now(pool->host->loop) < pool->resume;
    for (int i = 0; i < pool->event->entrant_count; i++) {
        starting += pool->crew[i].starting;
    }
    for (int i = 0; i < pool->event->entrant_count && !pool->failed; i++) {
        struct crew *crew = &pool->crew[i];
        bool trial = is_child(pool, i) && !crew->passed && crew->crashes == 0;
        bool due = trial || (crew->wanted && !pool_lost(pool, i));
        if (crew->starting > 0 || crew->ready >= most_processes(pool, i)) {
            crew->wanted = false;
        } else if (due && starting < POOL_STARTS && !paused &&
                   room > (crew->ready > 0 ? kept : 0)) {
            room--;
            kept -= crew->ready == 0 && kept > 0;
            crew->wanted = false;
            start_process(pool, i);
            starting += crew->starting;
        }
    }
    if (pool->failed) {
        *fail = pool->fail;
        return -1;
    }
    return 0;
}

int64_t pool_next(const struct pool *pool) {
    for (int i = 0; i < pool->event->entrant_count; i++) {
        if (pool->crew[i].wanted && pool->resume > loop_now(pool->host->loop)) {
            return pool->resume;
        }
    }
    return INT64_MAX;
}

bool pool_is_ready(const struct pool *pool) {
    for (int i = 0; i < pool->event->entrant_count; i++) {
        if (is_child(pool, i) && !pool->crew[i].passed) {
            return false;
        }
    }
    return true;
}

bool pool_lost(void *owner, int entrant) {
    const struct pool *pool = owner;
    return pool->crew[entrant].crashes > pool->event->restarts;
}

/* Matches that a process plays now. */
static int count_taken(const struct pool *pool, const struct process *process) {
    struct referee *referee = pool->host->referee;
    uint32_t session = child_session(process->child);
    const struct session_facts *facts = referee_session(referee, session);
    return facts == NULL ? 0 : facts->tables - referee_free_tables(referee, session);
}

/* The least busy of a bot's processes. One that has its share of the matches already takes more
 * only when no further process comes. */
uint32_t pool_session(void *owner, int entrant) {
    struct pool *pool = owner;
    struct crew *crew = &pool->crew[entrant];
    const struct process *least = NULL;
    int taken = 0;
    for (const struct process *at = pool->processes; at != NULL; at = at->next) {
        if (at->entrant == entrant && at->state == PROCESS_READY &&
            referee_free_tables(pool->host->referee, child_session(at->child)) > 0 &&
            (least == NULL || count_taken(pool, at) < taken)) {
            least = at;
            taken = count_taken(pool, at);
        }
    }
    int most = most_processes(pool, entrant);
    bool comes = crew->starting > 0 || count_processes(pool) < pool->room;
    bool spread = pool_entrant(pool, entrant)->processes > 0 && crew->ready < most && comes;
    int share = (pool->event->concurrency + most - 1) / most;
    if (least != NULL && !(spread && taken >= share)) {
        return child_session(least->child);
    }
    crew->wanted = true;
    return 0;
}

bool pool_may_play(void *owner, int entrant) {
    return pool_lost(owner, entrant) || pool_session(owner, entrant) != 0;
}
