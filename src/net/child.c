#include "net/child.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/lang.h"
#include "base/log.h"
#include "net/conn.h"
#include "net/dial.h"
#include "net/spawn.h"
#include "net/stray.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    CHILD_TERM = 500,       /* ms from SIGTERM to SIGKILL */
    CHILD_PAUSE = 5000000,  /* ns between looks at one that was killed */
    CHILD_ROUNDS = 400,     /* of those looks */
    CHILD_CALL = 50,        /* ms between two calls to one that does not listen yet */
    CHILD_CALLS = 300,      /* of those calls */
};

/* How far its end has come: what is awaited. */
enum child_state {
    CHILD_CALLED, /* that it listens; `deadline` is the next call, INT64_MAX while one is made */
    CHILD_RUNS,
    CHILD_ASKED,
    CHILD_TERMED,
    CHILD_KILLED,
    CHILD_REAPED
};

struct child {
    struct loop *loop;
    struct child *next;
    enum child_state state;
    int64_t deadline;      /* of the state; INT64_MAX for none */
    pid_t pid;
    int status;            /* of waitpid, once reaped */
    bool forced;           /* it did not go by itself */
    uint32_t session;
    int errors;
    struct event *ready;   /* its error output */
    struct bytes words;    /* the last of it, at most SPAWN_ERRORS_MAX */
    struct speech speech;
    int input;             /* of one that listens: kept open; else -1 */
    int output;            /* the same: read and kept with the errors */
    struct event *chatter; /* its output */
    struct dial *dial;
    int calls;
};

struct child_set {
    struct loop *loop;
    struct child *first;
    struct innate innate;
};

struct child_set *child_set_new(struct loop *loop) {
    struct child_set *set = alloc_zeroed(1, sizeof *set);
    set->loop = loop;
    bool adopts = stray_adopt(&set->innate);
    log_line(LOG_LEVEL_DEBUG, "children new strays=%s", adopts ? "adopted" : "not-seen");
    return set;
}

static void child_free(struct child *child) {
    event_free(child->ready);
    close(child->errors);
    dial_cancel(child->dial);
    if (child->chatter != NULL) {
        event_free(child->chatter);
    }
    if (child->input >= 0) {
        close(child->input);
        close(child->output);
    }
    bytes_clear(&child->words);
    free(child);
}

/* One read; false when there is nothing now or never again. */
static bool child_read(struct child *child, int fd, struct event *ready) {
    char *room = loop_room(child->loop);
    ssize_t got = read(fd, room, LOOP_ROOM);
    if (got > 0) {
        spawn_keep_errors(&child->words, room, (size_t)got);
        return true;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        event_del(ready);
    }
    return false;
}

static bool child_read_errors(struct child *child) {
    return child_read(child, child->errors, child->ready);
}

static void on_chatter(evutil_socket_t fd, short what, void *owner) {
    struct child *child = owner;
    (void)what;
    loop_now(child->loop);
    child_read(child, fd, child->chatter);
}

static void on_errors(evutil_socket_t fd, short what, void *owner) {
    struct child *child = owner;
    (void)fd;
    (void)what;
    loop_now(child->loop);
    child_read_errors(child);
}

static void child_set_state(struct child *child, enum child_state state, int64_t deadline) {
    log_line(LOG_LEVEL_DEBUG, "child %ld state=%d", (long)child->pid, (int)state);
    child->state = state;
    child->deadline = deadline;
}

static void on_called(void *owner, uint32_t session, const char *why) {
    struct child *child = owner;
    child->dial = NULL;
    child->session = session;
    if (session != 0) {
        child_set_state(child, CHILD_RUNS, INT64_MAX);
    } else if (child->calls < CHILD_CALLS) {
        child->deadline = loop_now(child->loop) + CHILD_CALL;
    } else {
        log_line(LOG_LEVEL_INFO, "child %ld does not listen: %s", (long)child->pid, why);
        child_set_state(child, CHILD_RUNS, INT64_MAX);
    }
}

static void child_call(struct child *child) {
    const struct speech *speech = &child->speech;
    child->calls++;
    child->deadline = INT64_MAX;
    child->dial = dial_start(child->loop, &speech->address,
                             dialect_new(speech->rule, speech->name), on_called, child);
}

/* It is given its script, and called until it listens. */
static void child_listen(struct child *child, const struct spawned *spawned) {
    const char *script = child->speech.script;
    child->input = spawned->input;
    child->output = spawned->output;
    child->chatter = event_new(loop_base(child->loop), child->output, EV_READ | EV_PERSIST,
                               on_chatter, child);
    if (child->chatter == NULL || event_add(child->chatter, NULL) != 0) {
        fail_fatal("net: cannot watch a bot's output");
    }
    if (write(child->input, script, strlen(script)) < 0) { /* less than a pipe holds */
        log_line(LOG_LEVEL_INFO, "child %ld takes no script: %s", (long)child->pid,
                 strerror(errno));
    }
    child_set_state(child, CHILD_CALLED, loop_now(child->loop) + CHILD_CALL);
}

int child_start(struct loop *loop, char *const *argv, const struct speech *speech,
                struct child **out, struct fail *fail) {
    struct spawned spawned;
    if (spawn_program(argv, &spawned, fail) != 0) {
        return -1;
    }
    struct child *child = alloc_zeroed(1, sizeof *child);
    char who[64];
    snprintf(who, sizeof who, "pid:%ld", (long)spawned.pid);
    child->loop = loop;
    child->pid = spawned.pid;
    child->errors = spawned.errors;
    child->deadline = INT64_MAX;
    child->state = CHILD_RUNS;
    child->input = child->output = -1;
    child->speech = *speech;
    bytes_init(&child->words, SPAWN_ERRORS_MAX);
    child->ready = event_new(loop_base(loop), child->errors, EV_READ | EV_PERSIST, on_errors,
                             child);
    if (child->ready == NULL || event_add(child->ready, NULL) != 0) {
        fail_fatal("net: cannot watch a bot's error output");
    }
    if (speech->script != NULL) {
        child_listen(child, &spawned);
    } else {
        child->session = conn_open(
            loop, spawned.output, spawned.input, who,
            speech->rule != NULL ? dialect_new(speech->rule, speech->name) : NULL);
    }
    struct child_set *set = loop_children(loop);
    child->next = set->first;
    set->first = child;
    log_line(LOG_LEVEL_DEBUG, "child %ld start program=%s session=%u", (long)child->pid, argv[0],
             child->session);
    *out = child;
    return 0;
}

uint32_t child_session(const struct child *child) {
    return child->session;
}

bool child_is_mute(const struct child *child) {
    return child->session == 0 && child->state != CHILD_CALLED;
}

void child_stop(struct child *child, const char *reason, int64_t grace) {
    int64_t now = loop_now(child->loop);
    if (child->state <= CHILD_RUNS) {
        dial_cancel(child->dial);
        child->dial = NULL;
        if (child->input >= 0) { /* what listens again when its caller has left never ends */
            kill(-child->pid, SIGTERM);
        }
        referee_close(loop_referee(child->loop), child->session, reason, now);
        child_set_state(child, CHILD_ASKED, now + grace);
    }
}

void child_describe_end(const struct child *child, char out[CHILD_WORDS_MAX]) {
    if (child->state != CHILD_REAPED || child->forced) {
        snprintf(out, CHILD_WORDS_MAX, "%s", _("closed its output"));
    } else if (WIFSIGNALED(child->status)) {
        int number = WTERMSIG(child->status);
        snprintf(out, CHILD_WORDS_MAX, _("was killed by signal %d (%s)"), number,
                 strsignal(number));
    } else {
        snprintf(out, CHILD_WORDS_MAX, _("exited with status %d"), WEXITSTATUS(child->status));
    }
}

void child_last_words(const struct child *child, char out[CHILD_WORDS_MAX]) {
    spawn_last_words(&child->words, out);
}

static void child_kill(struct child *child) {
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
    child->forced = true;
    child_set_state(child, CHILD_KILLED, INT64_MAX);
}

bool child_set_empty(const struct child_set *set) {
    return set->first == NULL;
}

int64_t child_set_next(const struct child_set *set) {
    int64_t next = INT64_MAX;
    for (const struct child *child = set->first; child != NULL; child = child->next) {
        next = child->deadline < next ? child->deadline : next;
    }
    return next;
}

void child_set_tick(struct child_set *set, int64_t now) {
    for (struct child *child = set->first; child != NULL; child = child->next) {
        if (child->deadline > now) {
            continue;
        }
        if (child->state == CHILD_CALLED) {
            child_call(child);
        } else if (child->state == CHILD_ASKED) {
            conn_cut(set->loop, child->session);
            kill(-child->pid, SIGTERM);
            child->forced = true;
            child_set_state(child, CHILD_TERMED, now + CHILD_TERM);
        } else {
            child_kill(child);
        }
    }
}

/* Takes it out of the set, reads what it left, tells the owner, frees it. */
static void child_bury(struct child_set *set, struct child *child) {
    struct child **at = &set->first;
    while (*at != child) {
        at = &(*at)->next;
    }
    *at = child->next;
    child_set_state(child, CHILD_REAPED, INT64_MAX);
    for (int i = 0; i < 4 && child_read_errors(child); i++) {
    }
    conn_finish(child->loop, child->session);
    log_line(LOG_LEVEL_INFO, "child %ld ended session=%u forced=%d exit=%d signal=%d",
             (long)child->pid, child->session, child->forced,
             WIFEXITED(child->status) ? WEXITSTATUS(child->status) : -1,
             WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0);
    const struct loop_hooks *hooks = loop_hooks(child->loop);
    hooks->exited(hooks->owner, child);
    child_free(child);
}

static struct child *child_of_pid(struct child_set *set, pid_t pid) {
    struct child *child = set->first;
    while (child != NULL && child->pid != pid) {
        child = child->next;
    }
    return child;
}

void child_set_reap(struct child_set *set) {
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
            break;
        }
        struct child *child = child_of_pid(set, info.si_pid);
        if (child == NULL) {
            waitpid(info.si_pid, NULL, 0); /* a stray that became ours */
            continue;
        }
        /* While the leader is not reaped its group's number cannot be given away. */
        kill(-child->pid, SIGKILL);
        waitpid(child->pid, &child->status, 0);
        child_bury(set, child);
    }
}

void child_set_stop(struct child_set *set, const char *reason, int64_t grace) {
    for (struct child *child = set->first; child != NULL; child = child->next) {
        child_stop(child, reason, grace);
    }
}

/* Waits for one that was killed, but not for ever: the kernel may hold it. */
static void child_await(struct child *child) {
    static const struct timespec pause = {.tv_nsec = CHILD_PAUSE};
    for (int i = 0; i < CHILD_ROUNDS; i++) {
        if (waitpid(child->pid, &child->status, WNOHANG) != 0) {
            return;
        }
        nanosleep(&pause, NULL);
    }
    log_line(LOG_LEVEL_WARN, "child %ld does not end", (long)child->pid);
}

void child_set_kill(struct child_set *set) {
    for (struct child *child = set->first; child != NULL; child = child->next) {
        child_kill(child);
    }
    while (set->first != NULL) {
        struct child *child = set->first;
        child_await(child);
        child_bury(set, child);
    }
    int strays = stray_kill_all(&set->innate);
    if (strays > 0) {
        log_line(LOG_LEVEL_WARN, "children strays=%d killed", strays);
    }
}

void child_set_free(struct child_set *set) {
    if (set != NULL) {
        child_set_kill(set);
        free(set);
    }
}
