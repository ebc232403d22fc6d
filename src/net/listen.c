#include "net/listen.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/log.h"
#include "base/system.h"
#include "net/conn.h"
#include "net/socket.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LISTEN_BACKLOG = 4096,  /* a crowd that dials in at once; the system may take less */
    LISTEN_PER_TURN = 16,   /* accepts of one turn */
    LISTEN_PAUSE = 500000,  /* us without accepting when descriptors ran out */
};

struct listener {
    struct loop *loop;
    int fd;
    struct event *ready;
    struct event *pause;
    char name[ADDRESS_TEXT_MAX];
};

/* The waiting peer keeps the socket readable: without a pause this would spin. */
static void listener_rest(struct listener *listener, const char *why) {
    const struct timeval pause = {.tv_usec = LISTEN_PAUSE};
    log_line(LOG_LEVEL_WARN, "listener %s paused error=%s", listener->name, why);
    event_del(listener->ready);
    event_add(listener->pause, &pause);
}

/* One accept; false when there is nothing more to take now. */
static bool accept_one(struct listener *listener) {
    struct sockaddr_storage peer;
    int fd = system_accept(listener->fd, &peer, sizeof peer);
    if (fd < 0) {
        bool poor = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        if (poor) {
            listener_rest(listener, strerror(errno));
        }
        return !poor && (errno == EINTR || errno == ECONNABORTED);
    }
    char who[ADDRESS_TEXT_MAX];
    socket_name(&peer, who);
    socket_tune(fd);
    uint32_t session = conn_open(listener->loop, fd, fd, who, NULL);
    referee_allow_return(loop_referee(listener->loop), session);
    return session != 0;
}

static void on_incoming(evutil_socket_t fd, short what, void *owner) {
    (void)fd;
    (void)what;
    struct listener *listener = owner;
    bool room = true;
    for (int i = 0; i < LISTEN_PER_TURN && room; i++) {
        room = referee_has_room(loop_referee(listener->loop));
        if (!room) {
            listener_rest(listener, "too many connections come in");
        }
        room = room && accept_one(listener);
    }
}

static void on_pause_over(evutil_socket_t fd, short what, void *owner) {
    struct listener *listener = owner;
    (void)fd;
    (void)what;
    event_add(listener->ready, NULL);
}

/* A bound, listening socket; -1 with a sentence. */
static int open_socket(const char *where, const struct address *address, struct fail *fail) {
    struct sockaddr_storage own;
    socklen_t size = socket_address(address, &own);
    int fd = socket_new(address->v6);
    if (fd >= 0) {
        int on = 1;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (bind(fd, (const struct sockaddr *)&own, size) == 0 && listen(fd, LISTEN_BACKLOG) == 0) {
            return fd;
        }
    }
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (error == EADDRINUSE) {
        return fail_set(fail, EXIT_CODE_IO, _("%s is in use by another program: choose another "
                                              "port, or 0 for a free one"), where);
    }
    return fail_set(fail, EXIT_CODE_IO, _("cannot listen on %s: %s"), where, strerror(error));
}

int listener_check(const char *where, bool plaintext, struct address *address,
                   struct fail *fail) {
    if (!address_read(where, address)) {
        return fail_set(fail, EXIT_CODE_USAGE, _("\"%s\" is not an address to listen on: write "
                                                 "HOST:PORT, for example 127.0.0.1:1444"), where);
    }
    if (!address->loopback && !plaintext) {
        return fail_set(fail, EXIT_CODE_USAGE, _("%s is not a loopback address: the lines are not "
                                                 "encrypted, so only this machine is let in; use "
                                                 "127.0.0.1:PORT"), where);
    }
    return 0;
}

int listen_socket(const char *where, bool plaintext, char name[ADDRESS_TEXT_MAX],
                  struct fail *fail) {
    struct address address;
    int fd = listener_check(where, plaintext, &address, fail) == 0
                 ? open_socket(where, &address, fail) : -1;
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    if (fd >= 0 && getsockname(fd, (struct sockaddr *)&own, &size) == 0) {
        socket_name(&own, name);
    }
    return fd;
}

int listener_open(struct loop *loop, const char *where, bool plaintext, struct listener **out,
                  struct fail *fail) {
    char name[ADDRESS_TEXT_MAX] = "";
    int fd = listen_socket(where, plaintext, name, fail);
    if (fd < 0) {
        return -1;
    }
    struct listener *listener = alloc_zeroed(1, sizeof *listener);
    listener->loop = loop;
    listener->fd = fd;
    memcpy(listener->name, name, sizeof name);
    listener->ready = event_new(loop_base(loop), fd, EV_READ | EV_PERSIST, on_incoming, listener);
    listener->pause = evtimer_new(loop_base(loop), on_pause_over, listener);
    if (listener->ready == NULL || listener->pause == NULL ||
        event_add(listener->ready, NULL) != 0) {
        fail_fatal("net: cannot watch the listener");
    }
    *out = listener;
    return 0;
}

void listener_close(struct listener *listener) {
    if (listener != NULL) {
        event_free(listener->ready);
        event_free(listener->pause);
        close(listener->fd);
        free(listener);
    }
}

const char *listener_name(const struct listener *listener) {
    return listener->name;
}
