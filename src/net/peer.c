#include "net/peer.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/system.h"
#include "net/loop.h"
#include "net/socket.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PEER_ROOM = 65536,
    PEER_LOOK = 2000,       /* us between two looks at whether it has exited */
    PEER_KILL = 2000000,    /* us that a killed one is waited for */
    PEER_CALL = 50000,      /* us between two calls to one that does not listen yet */
    PEER_CALLS = 300,       /* of those calls */
};

struct peer {
    pid_t pid;      /* 0: it dialled in */
    bool reaped;
    int status;     /* of waitpid, once reaped */
    int in;         /* we read what it says */
    int out;        /* we write; -1 after the hang-up; the same one for a socket */
    int errors;     /* its error output, -1: none */
    bool ended;     /* its output has */
    struct bytes inbox;
    struct bytes outbox;
    struct bytes words; /* the last of its error output */
    uint64_t error_bytes;
    struct dialect *dialect; /* NULL: it speaks as we do */
    int script;     /* the input of one that listens, kept open; -1: it does not */
    int chatter;    /* its output */
};

static struct peer *peer_new(pid_t pid, int in, int out, int errors) {
    struct peer *peer = alloc_zeroed(1, sizeof *peer);
    signal(SIGPIPE, SIG_IGN); /* a bot that has gone is noticed by write() */
    peer->pid = pid;
    peer->in = in;
    peer->out = out;
    peer->errors = errors;
    peer->script = peer->chatter = -1;
    bytes_init(&peer->inbox, PEER_INBOX_MAX);
    bytes_init(&peer->outbox, PEER_OUTBOX_MAX);
    bytes_init(&peer->words, SPAWN_ERRORS_MAX);
    return peer;
}

/* What its dialect has to say to either side. */
static void interpret(struct peer *peer) {
    struct bytes *outward = dialect_outward(peer->dialect);
    struct bytes *inward = dialect_inward(peer->dialect);
    if (peer->out >= 0) {
        bytes_add(&peer->outbox, outward->data, outward->length);
    }
    bytes_add(&peer->inbox, inward->data, inward->length);
    bytes_drop(outward, outward->length);
    bytes_drop(inward, inward->length);
    peer->ended = peer->ended || dialect_wrong(peer->dialect)[0] != '\0';
}

/* A connection to a program that listens soon; -1 when it does not. */
static int call(const struct address *address) {
    static const struct timespec pause = {.tv_nsec = PEER_CALL * 1000L};
    struct sockaddr_storage there;
    socklen_t size = socket_address(address, &there);
    for (int i = 0; i < PEER_CALLS; i++) {
        int fd = socket_new(address->v6), error = 0;
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        socklen_t room = sizeof error;
        if (fd < 0) {
            return -1;
        }
        connect(fd, (const struct sockaddr *)&there, size);
        if (poll(&ready, 1, 1000) > 0 &&
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &room) == 0 && error == 0) {
            socket_tune(fd);
            return fd;
        }
        close(fd);
        nanosleep(&pause, NULL);
    }
    return -1;
}

/* Gives a program its script, and calls it where it listens then. */
static int start_listener(const struct spawned *spawned, const struct speech *speech,
                          const char *program, struct peer **out, struct fail *fail) {
    ssize_t put = write(spawned->input, speech->script, strlen(speech->script));
    int fd = put < 0 ? -1 : call(&speech->address);
    struct peer *peer = peer_new(spawned->pid, fd >= 0 ? fd : spawned->output,
                                 fd >= 0 ? fd : spawned->input, spawned->errors);
    if (fd < 0) {
        peer_free(peer);
        return fail_set(fail, EXIT_CODE_BOT, _("\"%s\" was started, and does not listen"), program);
    }
    peer->script = spawned->input;
    peer->chatter = spawned->output;
    *out = peer;
    return 0;
}

int peer_start(char *const *argv, const struct speech *speech, struct peer **out,
               struct fail *fail) {
    struct spawned spawned;
    if (spawn_program(argv, &spawned, fail) != 0) {
        return -1;
    }
    if (speech->script == NULL) {
        *out = peer_new(spawned.pid, spawned.output, spawned.input, spawned.errors);
    } else if (start_listener(&spawned, speech, argv[0], out, fail) != 0) {
        return -1;
    }
    if (speech->rule != NULL) {
        (*out)->dialect = dialect_new(speech->rule, speech->name);
        dialect_open((*out)->dialect);
        interpret(*out);
    }
    return 0;
}

const char *peer_wrong(const struct peer *peer) {
    return peer->dialect != NULL ? dialect_wrong(peer->dialect) : "";
}

/* Milliseconds of poll() up to a time, rounded up. */
static int patience(int64_t until) {
    int64_t left = until - loop_micros();
    return left <= 0 ? 0 : (int)((left + 999) / 1000);
}

struct peer *peer_accept(int listening, int64_t until) {
    struct pollfd ready = {.fd = listening, .events = POLLIN};
    while (loop_micros() < until) {
        if (poll(&ready, 1, patience(until)) > 0) {
            int fd = system_accept(listening, NULL, 0);
            if (fd >= 0) {
                socket_tune(fd);
                return peer_new(0, fd, fd, -1);
            }
        }
    }
    return NULL;
}

bool peer_is_child(const struct peer *peer) {
    return peer->pid > 0 && peer->script < 0;
}

void peer_send(struct peer *peer, const void *data, size_t length) {
    if (peer->dialect != NULL) {
        dialect_tell(peer->dialect, data, length);
        interpret(peer);
    } else if (peer->out >= 0) {
        bytes_add(&peer->outbox, data, length);
    }
}

size_t peer_unsent(const struct peer *peer) {
    return peer->outbox.length;
}

struct bytes *peer_inbox(struct peer *peer) {
    return &peer->inbox;
}

bool peer_ended(const struct peer *peer) {
    return peer->ended;
}

/* One write; true when it took some, or will never take any more. */
static bool write_some(struct peer *peer) {
    ssize_t put = write(peer->out, peer->outbox.data, peer->outbox.length);
    if (put > 0) {
        bytes_drop(&peer->outbox, (size_t)put);
        return true;
    }
    if (put < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    bytes_drop(&peer->outbox, peer->outbox.length);
    return true;
}

/* One read into the inbox, as far as there is room; true when something came, be it the end. */
static bool read_some(struct peer *peer) {
    size_t room = PEER_INBOX_MAX - peer->inbox.length;
    char *into = bytes_reserve(&peer->inbox, room < PEER_ROOM ? room : PEER_ROOM);
    ssize_t got = read(peer->in, into, room < PEER_ROOM ? room : PEER_ROOM);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    if (got > 0 && peer->dialect != NULL) {
        dialect_hear(peer->dialect, into, (size_t)got);
        interpret(peer);
    } else if (got > 0) {
        bytes_took(&peer->inbox, (size_t)got);
    } else {
        peer->ended = true;
    }
    return true;
}

/* Its error output is always read: a full pipe would stop it. */
static void read_errors(struct peer *peer) {
    char room[PEER_ROOM];
    ssize_t got = read(peer->errors, room, sizeof room);
    if (got > 0) {
        spawn_keep_errors(&peer->words, room, (size_t)got);
        peer->error_bytes += (uint64_t)got;
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(peer->errors);
        peer->errors = -1;
    }
}

/* What one that listens prints meanwhile is read and dropped. */
static void read_chatter(struct peer *peer) {
    char room[PEER_ROOM];
    ssize_t got = read(peer->chatter, room, sizeof room);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        close(peer->chatter);
        peer->chatter = -1;
    }
}

/* One poll of all that is open; whether bytes went out, came in, or the output ended. */
static bool step(struct peer *peer, int64_t until) {
    enum { IN, OUT, ERRORS, CHATTER, COUNT };
    bool full = peer->inbox.length >= PEER_INBOX_MAX;
    bool unsent = peer->out >= 0 && peer->outbox.length > 0;
    struct pollfd ready[COUNT] = {
        [IN] = {.fd = peer->ended || full ? -1 : peer->in, .events = POLLIN},
        [OUT] = {.fd = unsent ? peer->out : -1, .events = POLLOUT},
        [ERRORS] = {.fd = peer->errors, .events = POLLIN},
        [CHATTER] = {.fd = peer->chatter, .events = POLLIN},
    };
    if (poll(ready, COUNT, patience(until)) <= 0) {
        return false;
    }
    if (ready[ERRORS].revents != 0) {
        read_errors(peer);
    }
    if (ready[CHATTER].revents != 0) {
        read_chatter(peer);
    }
    bool wrote = ready[OUT].revents != 0 && write_some(peer);
    bool got = ready[IN].revents != 0 && read_some(peer);
    return wrote || got;
}

bool peer_wait(struct peer *peer, int64_t until) {
    do {
        if (peer->ended || peer->inbox.length >= PEER_INBOX_MAX) {
            return false;
        }
        if (step(peer, until)) {
            return true;
        }
    } while (loop_micros() < until);
    return false;
}

void peer_hang_up(struct peer *peer) {
    if (peer->out < 0) {
        return;
    }
    if (peer->out == peer->in) {
        shutdown(peer->out, SHUT_WR);
    } else {
        close(peer->out);
    }
    peer->out = -1;
    bytes_drop(&peer->outbox, peer->outbox.length);
}

void peer_signal(const struct peer *peer, int number) {
    if (peer->pid > 0 && !peer->reaped) {
        kill(-peer->pid, number);
    }
}

/* Looks whether the process has exited; what it wrote until then is read. */
static bool look(struct peer *peer) {
    if (!peer->reaped && peer->pid > 0) {
        peer->reaped = waitpid(peer->pid, &peer->status, WNOHANG) == peer->pid;
    }
    return peer->reaped;
}

bool peer_exits(struct peer *peer, int64_t until, int *status) {
    while (peer->pid > 0 && !look(peer) && loop_micros() < until) {
        int64_t next = loop_micros() + PEER_LOOK;
        if (peer->inbox.length >= PEER_INBOX_MAX) {
            bytes_drop(&peer->inbox, peer->inbox.length); /* nobody reads a flood to its end */
        }
        step(peer, next < until ? next : until);
        if (peer->ended && peer->errors < 0) {
            nanosleep(&(struct timespec){.tv_nsec = PEER_LOOK * 1000L}, NULL);
        }
    }
    if (peer->reaped) {
        int64_t at_once = loop_micros();
        while (peer_wait(peer, at_once)) {
        }
        *status = peer->status;
    }
    return peer->reaped;
}

uint64_t peer_errors(const struct peer *peer) {
    return peer->error_bytes;
}

void peer_last_words(const struct peer *peer, char out[SPAWN_WORDS_MAX]) {
    const char *wrong = peer_wrong(peer);
    if (wrong[0] != '\0') {
        snprintf(out, SPAWN_WORDS_MAX, "%s", wrong);
    } else {
        spawn_last_words(&peer->words, out);
    }
}

long peer_memory(const struct peer *peer) {
    char path[64];
    long all = 0, held = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)peer->pid);
    FILE *file = peer->pid > 0 && !peer->reaped ? fopen(path, "re") : NULL;
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%ld %ld", &all, &held) != 2) {
        held = 0;
    }
    fclose(file);
    return held * (sysconf(_SC_PAGESIZE) / 1024);
}

void peer_free(struct peer *peer) {
    if (peer == NULL) {
        return;
    }
    if (peer->pid > 0 && !peer->reaped) {
        int status;
        kill(-peer->pid, SIGKILL);
        kill(peer->pid, SIGKILL);
        peer_exits(peer, loop_micros() + PEER_KILL, &status);
    }
    if (peer->out >= 0 && peer->out != peer->in) {
        close(peer->out);
    }
    close(peer->in);
    if (peer->errors >= 0) {
        close(peer->errors);
    }
    if (peer->script >= 0) {
        close(peer->script);
    }
    if (peer->chatter >= 0) {
        close(peer->chatter);
    }
    dialect_free(peer->dialect);
    bytes_clear(&peer->inbox);
    bytes_clear(&peer->outbox);
    bytes_clear(&peer->words);
    free(peer);
}
