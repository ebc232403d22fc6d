#include "cli/serve_room.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/stage.h"
#include "net/listen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SERVED_NAME_MAX = 24, SERVE_PAUSE = 1000 /* ms before a match is tried again */ };

/* A bot that has dialled in and waits for an opponent, or for its seat. */
struct guest {
    struct guest *next;
    uint32_t session;
    char name[NAME_MAX_BYTES + 1]; /* as its hello said */
};

/* A served match: an event of its own with one unit, in a store of its own. */
struct served {
    struct served *next;
    struct serve *serve;
    struct event event;
    char *folder;
    struct stage *stage;
    uint32_t session[SIDE_COUNT];  /* of the entrants */
    char name[SIDE_COUNT][NAME_MAX_BYTES + 1]; /* their hellos': who may come back */
    bool on;                       /* both were ready: who leaves is waited for */
};

struct serve {
    const struct serve_setup *setup;
    struct host host;
    struct listener *listener;
    long started;                  /* matches */
    long number;                   /* of the last match's folder */
    struct guest *guests;          /* in the order of their coming */
    struct served *matches;
    int64_t retry;                 /* no match is started before this time */
    bool told;                     /* that none can be started */
    int stops;
    bool failed;
    struct fail fail;
};

static bool is_alive(const struct serve *serve, uint32_t session) {
    return referee_free_tables(serve->host.referee, session) > 0;
}

/* Also while it sits at a table. */
static bool is_here(const struct serve *serve, uint32_t session) {
    return referee_session(serve->host.referee, session) != NULL;
}

/* The players of a stage: the two sessions, as long as they last. */
static uint32_t served_session(void *owner, int entrant) {
    const struct served *served = owner;
    return is_alive(served->serve, served->session[entrant]) ? served->session[entrant] : 0;
}

/* Who leaves before the match is on will not be waited for, and its partner does not
 * win by it: the match is off for both. */
static bool served_lost(void *owner, int entrant) {
    const struct served *served = owner;
    (void)entrant;
    return !served->on && !(is_here(served->serve, served->session[SIDE_X]) &&
                            is_here(served->serve, served->session[SIDE_Y]));
}

static bool served_may_play(void *owner, int entrant) {
    const struct served *served = owner;
    return is_alive(served->serve, served->session[entrant]) || served_lost(owner, entrant);
}

static void served_ended(void *owner, struct stage *stage, const struct match_row *row) {
    struct served *served = owner;
    const struct entrant *entrants = stage_event(stage)->entrants;
    char score[SIDE_COUNT][SCORE_TEXT_MAX];
    score_write(row->score[SIDE_X], score[SIDE_X]);
    score_write(row->score[SIDE_Y], score[SIDE_Y]);
    printf(_("%s: %s %s-%s %s, winner %s (%s), %d games; kept in %s\n"), served->event.name,
           entrants[row->entrant[SIDE_X]].name, score[SIDE_X], score[SIDE_Y],
           entrants[row->entrant[SIDE_Y]].name,
           row->winner < 0 ? _("nobody") : entrants[row->entrant[row->winner]].name,
           reason_name(row->reason), row->games, served->folder);
    fflush(stdout);
}

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    const struct serve *serve = owner;
    const struct variant *variant = serve->setup->rules.rules.variant;
    (void)session;
    refusal->code = "variant";
    snprintf(refusal->reason, sizeof refusal->reason, "%s is played here, and variants= does not "
             "offer it", variant->name);
    return (facts->variants & 1U << variant->id) != 0;
}

static void guest_joins(struct serve *serve, uint32_t session, bool first) {
    struct guest *guest = alloc_zeroed(1, sizeof *guest);
    const struct session_facts *facts = referee_session(serve->host.referee, session);
    struct guest **at = &serve->guests;
    while (*at != NULL && !first) {
        at = &(*at)->next;
    }
    guest->session = session;
    snprintf(guest->name, sizeof guest->name, "%s", facts->name);
    guest->next = *at;
    *at = guest;
}

static void on_welcomed(void *owner, uint32_t session) {
    guest_joins(owner, session, false);
}

static void guest_leaves(struct serve *serve, uint32_t session) {
    struct guest **at = &serve->guests;
    while (*at != NULL && (*at)->session != session) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        struct guest *guest = *at;
        *at = guest->next;
        free(guest);
    }
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    (void)why;
    guest_leaves(owner, session);
}

static void on_exited(void *owner, struct child *child) {
    (void)owner;
    (void)child;
}

static void on_stop(void *owner, int count) {
    struct serve *serve = owner;
    serve->stops = count;
    if (count == 1 && serve->matches != NULL) {
        fprintf(stderr, "hakem %s: %s\n", serve->setup->command,
                _("stopping when the running matches have ended; once more to stop now"));
    }
}

/* A guest of that name takes the seat again that its connection lost. */
static void reseat_guests(struct serve *serve) {
    for (struct served *served = serve->matches; served != NULL; served = served->next) {
        for (int entrant = 0; entrant < SIDE_COUNT; entrant++) {
            struct guest *guest = serve->guests;
            if (is_alive(serve, served->session[entrant]) ||
                !stage_awaits(served->stage, entrant)) {
                continue;
            }
            while (guest != NULL && strcmp(guest->name, served->name[entrant]) != 0) {
                guest = guest->next;
            }
            if (guest != NULL) {
                served->session[entrant] = guest->session;
                guest_leaves(serve, guest->session);
            }
        }
    }
}

static int fill_served(struct served *served, const struct guest *guests, struct fail *fail) {
    const struct guest *pair[SIDE_COUNT] = {guests, guests->next};
    for (int i = 0; i < SIDE_COUNT; i++) {
        char name[NAME_MAX_BYTES + 1];
        served->session[i] = pair[i]->session;
        memcpy(served->name[i], pair[i]->name, sizeof served->name[i]);
        memcpy(name, pair[i]->name, sizeof name);
        if (i == 1 && text_same_fold(pair[0]->name, strlen(pair[0]->name), name, strlen(name))) {
            /* A bot against itself: the second one's name says so. */
            snprintf(name, sizeof name, "%.*s-2", NAME_MAX_BYTES - 2, pair[1]->name);
        }
        if (event_add_entrant(&served->event, name, "dialled-in", fail) != 0) {
            return -1;
        }
    }
    return event_seal(&served->event, fail);
}

static void served_free(struct served *served) {
    stage_free(served->stage);
    event_clear(&served->event);
    free(served->folder);
    free(served);
}

/* The next folder that is not there yet. */
static char *next_folder(struct serve *serve, char name[SERVED_NAME_MAX]) {
    for (;;) {
        struct stat status;
        serve->number++;
        snprintf(name, SERVED_NAME_MAX, "M%06ld", serve->number);
        char *folder = alloc_print("%s/%s", serve->setup->folder, name);
        if (stat(folder, &status) != 0) {
            return folder;
        }
        free(folder);
    }
}

/* The first two guests sit down. */
static int start_match(struct serve *serve, struct fail *fail) {
    struct served *served = alloc_zeroed(1, sizeof *served);
    char name[SERVED_NAME_MAX];
    served->serve = serve;
    served->event = serve->setup->rules;
    served->folder = next_folder(serve, name);
    snprintf(served->event.name, sizeof served->event.name, "%s", name);
    if (fill_served(served, serve->guests, fail) != 0) {
        served_free(served);
        return -1;
    }
    const struct stage_setup setup = {
        .host = &serve->host,
        .event = &served->event,
        .folder = served->folder,
        .players = {served, served_may_play, served_session, served_lost},
        .hooks = {served, served_ended},
    };
    served->stage = stage_new(&setup);
    if (stage_create(served->stage, fail) != 0 || stage_begin(served->stage, fail) != 0) {
        serve->number -= rmdir(served->folder) == 0;
        served_free(served);
        return -1;
    }
    served->next = serve->matches;
    serve->matches = served;
    serve->started++;
    guest_leaves(serve, served->session[0]);
    guest_leaves(serve, served->session[1]);
    printf(_("%s: %s (X) against %s (Y)\n"), name, served->event.entrants[0].name,
           served->event.entrants[1].name);
    fflush(stdout);
    return 0;
}

/* A match that is on disk: its players are free to go. When it never began, who is still
 * there waits again, before the others, and it is not counted. */
static int end_match(struct serve *serve, struct served *served, int64_t now, struct fail *fail) {
    struct served **at = &serve->matches;
    while (*at != served) {
        at = &(*at)->next;
    }
    *at = served->next;
    for (int i = 0; i < SIDE_COUNT; i++) {
        if (!served->on && is_alive(serve, served->session[i])) {
            guest_joins(serve, served->session[i], true);
        } else {
            referee_close(serve->host.referee, served->session[i], "the match is over", now);
        }
    }
    serve->started -= !served->on;
    int status = stage_close(served->stage, fail);
    served_free(served);
    return status;
}

/* The store of a match has failed: its players go, the other matches end, nothing new
 * begins. */
static void drop_match(struct serve *serve, struct served *served, int64_t now,
                       const struct fail *why) {
    struct fail ignored;
    serve->fail = serve->failed ? serve->fail : *why;
    serve->failed = true;
    served->on = true;
    (void)!end_match(serve, served, now, &ignored);
}

static void tend_matches(struct serve *serve, int64_t now, int64_t *next) {
    struct served *after;
    struct fail fail;
    for (struct served *served = serve->matches; served != NULL; served = after) {
        after = served->next;
        served->on = served->on || stage_is_on(served->stage);
        int64_t wants = stage_turn(served->stage, false, now, &fail);
        if (wants < 0) {
            drop_match(serve, served, now, &fail);
            continue;
        }
        *next = wants < *next ? wants : *next;
        if (stage_over(served->stage) && end_match(serve, served, now, &fail) != 0) {
            serve->fail = serve->failed ? serve->fail : fail;
            serve->failed = true;
        }
    }
}

static bool is_enough(const struct serve *serve) {
    return serve->setup->limit > 0 && serve->started >= serve->setup->limit;
}

/* Seats the guests that wait. A match that cannot be made now (no descriptors, no room on
 * the disk) is made later: its guests wait on. */
static void start_matches(struct serve *serve, int64_t now) {
    struct fail fail;
    while (serve->stops == 0 && !serve->failed && !is_enough(serve) && now >= serve->retry &&
           serve->guests != NULL && serve->guests->next != NULL) {
        if (start_match(serve, &fail) == 0) {
            serve->told = false;
            continue;
        }
        serve->retry = now + SERVE_PAUSE;
        if (!serve->told) {
            fprintf(stderr, _("hakem %s: no match can be started now: %s; it is tried again\n"),
                    serve->setup->command, fail.text);
            serve->told = true;
        }
    }
}

static int64_t on_turn(void *owner, int64_t now) {
    struct serve *serve = owner;
    int64_t next = INT64_MAX;
    reseat_guests(serve);
    start_matches(serve, now);
    tend_matches(serve, now, &next);
    bool idle = serve->matches == NULL;
    bool done = serve->stops > 0 || serve->failed || is_enough(serve);
    if (serve->stops > 1 || (idle && done)) {
        loop_quit(serve->host.loop);
    }
    bool waits = !done && serve->guests != NULL && serve->guests->next != NULL;
    if (waits) {
        int64_t again = serve->retry > now ? serve->retry : now;
        next = again < next ? again : next;
    }
    return next;
}

static void serve_close(struct serve *serve) {
    while (serve->matches != NULL) {
        struct served *served = serve->matches;
        serve->matches = served->next;
        served_free(served);
    }
    listener_close(serve->listener);
    host_close(&serve->host, "the referee ends");
    while (serve->guests != NULL) {
        guest_leaves(serve, serve->guests->session);
    }
}

/* A folder that cannot be written is told before anybody dials in. */
static int check_folder(const char *folder, struct fail *fail) {
    if (file_make_folder(folder, fail) != 0) {
        return -1;
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return fail_set(fail, EXIT_CODE_IO, _("cannot write %s: %s"), folder, strerror(errno));
    }
    return 0;
}

int serve_matches(const struct serve_setup *setup) {
    struct serve serve = {.setup = setup};
    const struct host_hooks hooks = {.owner = &serve,
                                     .hello = on_hello,
                                     .welcomed = on_welcomed,
                                     .gone = on_gone,
                                     .exited = on_exited,
                                     .turn = on_turn,
                                     .stop = on_stop};
    struct referee_limits limits;
    referee_limits_init(&limits);
    limits.spectators = HOST_SPECTATORS;
    if (host_open(&serve.host, &hooks, &limits, &serve.fail) != 0) {
        return args_refuse(setup->command, &serve.fail);
    }
    if (listener_open(serve.host.loop, setup->listen, false, &serve.listener, &serve.fail) != 0 ||
        check_folder(setup->folder, &serve.fail) != 0) {
        serve.failed = true;
    } else {
        printf(_("listening on %s\n"), listener_name(serve.listener));
        fflush(stdout);
        loop_run(serve.host.loop);
    }
    bool cut = serve.matches != NULL;
    serve_close(&serve);
    if (serve.failed) {
        return args_refuse(setup->command, &serve.fail);
    }
    return cut ? EXIT_CODE_INTERRUPTED : EXIT_CODE_DONE;
}
