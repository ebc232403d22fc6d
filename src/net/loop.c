#include "net/loop.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/log.h"
#include "net/child.h"
#include "net/conn.h"
#include "net/tempo.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOP_PROBE = 10,       /* ms: longest wait while a clock runs, so that a standstill shows */
    LOOP_IDLE = 250,       /* ms: longest wait otherwise */
    LOOP_DRAINS = 64,      /* reads of what has arrived, before deadlines take effect */
    LOOP_FILES = 65536,    /* descriptors asked for, where the hard limit allows */
    LOOP_SIGNALS = 4,
};

struct watch {
    struct event *event;
    void (*ready)(void *owner);
    void *owner;
};

struct loop {
    struct event_base *base;
    struct event *timer;
    struct event *signal[LOOP_SIGNALS];
    struct loop_hooks hooks;
    struct referee *referee;
    struct conn_set *conns;
    struct child_set *children;
    int stops;           /* stop signals so far */
    bool quit;
    struct tempo tempo;
    int64_t now;         /* the referee's clock when this turn's wait ended, -1 before that */
    uint64_t reads;      /* that brought something */
    int64_t owner_next;  /* when the owner wants its next turn */
    char room[LOOP_ROOM];
};

int64_t loop_micros(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t loop_clock(void) {
    return loop_micros() / 1000;
}

int64_t loop_now(struct loop *loop) {
    if (loop->now < 0) {
        int64_t reading = loop_micros();
        struct referee_lag lag = tempo_wake(&loop->tempo, reading);
        if (lag.held > 0) {
            log_line(LOG_LEVEL_INFO, "loop stood still ms=%lld", (long long)lag.held);
        }
        if (loop->referee != NULL) {
            referee_heard(loop->referee, &lag);
        }
        loop->now = tempo_read(&loop->tempo, reading);
    }
    return loop->now;
}

int64_t loop_fresh(struct loop *loop) {
    return tempo_read(&loop->tempo, loop_micros());
}

void loop_note_read(struct loop *loop) {
    loop->reads++;
}

void loop_hurry(struct loop *loop) {
    loop->owner_next = INT64_MIN;
}

int64_t loop_date(void) {
    return (int64_t)time(NULL);
}

struct event_base *loop_base(struct loop *loop) {
    return loop->base;
}

struct referee *loop_referee(struct loop *loop) {
    return loop->referee;
}

const struct loop_hooks *loop_hooks(const struct loop *loop) {
    return &loop->hooks;
}

struct conn_set *loop_conns(struct loop *loop) {
    return loop->conns;
}

struct child_set *loop_children(struct loop *loop) {
    return loop->children;
}

char *loop_room(struct loop *loop) {
    return loop->room;
}

static void on_timer(evutil_socket_t fd, short what, void *owner) {
    (void)fd;
    (void)what;
    /* The wait has ended; that is all a timer is for. */
    loop_now(owner);
}

static void on_stop(evutil_socket_t fd, short what, void *owner) {
    struct loop *loop = owner;
    (void)what;
    loop_now(loop);
    if (fd == SIGHUP && loop->hooks.hangup != NULL) {
        loop->hooks.hangup(loop->hooks.owner);
        return;
    }
    loop->stops++;
    loop->hooks.stop(loop->hooks.owner, loop->stops);
}

static void on_child(evutil_socket_t fd, short what, void *owner) {
    (void)fd;
    (void)what;
    child_set_reap(loop_children(owner));
}

static void on_ready(evutil_socket_t fd, short what, void *owner) {
    struct watch *watch = owner;
    (void)fd;
    (void)what;
    watch->ready(watch->owner);
}

struct watch *loop_watch(struct loop *loop, int fd, void (*ready)(void *owner), void *owner) {
    struct watch *watch = alloc_zeroed(1, sizeof *watch);
    watch->ready = ready;
    watch->owner = owner;
    watch->event = event_new(loop->base, fd, EV_READ | EV_PERSIST, on_ready, watch);
    if (watch->event == NULL || event_add(watch->event, NULL) != 0) {
        fail_fatal("net: cannot watch descriptor %d", fd);
    }
    return watch;
}

void watch_free(struct watch *watch) {
    if (watch != NULL) {
        event_free(watch->event);
        free(watch);
    }
}

static void raise_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        rlim_t want = limit.rlim_max < LOOP_FILES ? limit.rlim_max : LOOP_FILES;
        if (limit.rlim_cur < want) {
            limit.rlim_cur = want;
            setrlimit(RLIMIT_NOFILE, &limit);
        }
    }
}

static bool take_signals(struct loop *loop) {
    static const int numbers[LOOP_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < LOOP_SIGNALS; i++) {
        loop->signal[i] = evsignal_new(loop->base, numbers[i],
                                       numbers[i] == SIGCHLD ? on_child : on_stop, loop);
        if (loop->signal[i] == NULL || event_add(loop->signal[i], NULL) != 0) {
            return false;
        }
    }
    return true;
}

int loop_new(const struct loop_hooks *hooks, struct loop **out, struct fail *fail) {
    struct loop *loop = alloc_zeroed(1, sizeof *loop);
    loop->hooks = *hooks;
    loop->owner_next = INT64_MAX;
    tempo_init(&loop->tempo, loop_micros());
    loop->now = loop_fresh(loop); /* of what is done before the first turn */
    raise_files();
    loop->base = event_base_new();
    if (loop->base != NULL) {
        loop->timer = evtimer_new(loop->base, on_timer, loop);
        loop->conns = conn_set_new(loop);
        loop->children = child_set_new(loop);
    }
    if (loop->base == NULL || loop->timer == NULL || !take_signals(loop)) {
        loop_free(loop);
        return fail_set(fail, EXIT_CODE_IO, _("the event loop does not start: are too many "
                                              "files open?"));
    }
    log_line(LOG_LEVEL_DEBUG, "loop new backend=%s libevent=%s",
             event_base_get_method(loop->base), event_get_version());
    *out = loop;
    return 0;
}

void loop_free(struct loop *loop) {
    if (loop == NULL) {
        return;
    }
    if (loop->base != NULL) {
        child_set_free(loop->children);
        conn_set_free(loop->conns);
    }
    for (int i = 0; i < LOOP_SIGNALS; i++) {
        if (loop->signal[i] != NULL) {
            event_free(loop->signal[i]);
        }
    }
    if (loop->timer != NULL) {
        event_free(loop->timer);
    }
    if (loop->base != NULL) {
        event_base_free(loop->base);
    }
    free(loop);
}

void loop_set_referee(struct loop *loop, struct referee *referee) {
    loop->referee = referee;
}

/* Milliseconds to wait at most from now on. */
static int64_t loop_patience(struct loop *loop) {
    int64_t next = loop->owner_next;
    int64_t referee = referee_next_deadline(loop->referee);
    int64_t child = child_set_next(loop->children);
    next = referee < next ? referee : next;
    next = child < next ? child : next;
    int64_t now = loop_fresh(loop);
    int64_t longest = referee_waits(loop->referee) ? LOOP_PROBE : LOOP_IDLE;
    if (next > now + longest) {
        return longest;
    }
    /* At least one: a deadline that is not moved by its tick must not spin. */
    return next > now ? next - now : 1;
}

/* One wait for events, which has run its length when nothing came. */
static void loop_listen(struct loop *loop) {
    int64_t patience = loop_patience(loop);
    struct timeval wait = {.tv_sec = 0, .tv_usec = (suseconds_t)(patience * 1000)};
    tempo_wait(&loop->tempo, loop_micros(), patience);
    loop->now = -1;
    event_add(loop->timer, &wait);
    event_base_loop(loop->base, EVLOOP_ONCE);
    int64_t now = loop_now(loop);
    uint64_t before;
    int drains = 0;
    do {
        before = loop->reads;
        if (referee_next_deadline(loop->referee) <= now) {
            event_base_loop(loop->base, EVLOOP_NONBLOCK);
        }
    } while (loop->reads != before && ++drains < LOOP_DRAINS);
}

static void loop_turn(struct loop *loop) {
    loop_listen(loop);
    int64_t now = loop_now(loop);
    log_turn(now);
    referee_tick(loop->referee, now);
    child_set_tick(loop->children, now);
    loop->owner_next = loop->hooks.turn(loop->hooks.owner, now);
    tempo_write(&loop->tempo, loop_micros());
    conn_set_flush(loop->conns);
    referee_sweep(loop->referee);
}

void loop_run(struct loop *loop) {
    loop->quit = false;
    while (!loop->quit) {
        loop_turn(loop);
    }
}

void loop_quit(struct loop *loop) {
    loop->quit = true;
}

void loop_end(struct loop *loop, const char *reason, int64_t limit) {
    int64_t end = loop_clock() + limit;
    conn_set_dismiss(loop->conns, reason);
    child_set_stop(loop->children, reason, limit / 2);
    while ((!child_set_empty(loop->children) || !conn_set_empty(loop->conns)) &&
           loop_clock() < end) {
        loop_turn(loop);
    }
    child_set_kill(loop->children);
}
