#include "net/listen.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/log.h"
#include "base/text.h"
#include "net/conn.h"

#include <errno.h>
#include <event2/event.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LISTEN_BACKLOG = 128,
    LISTEN_PER_TURN = 16,   /* accepts of one turn */
    LISTEN_PAUSE = 500000,  /* us without accepting when descriptors ran out */
    HOST_MAX = 64,
};

struct listener {
    struct loop *loop;
    int fd;
    struct event *ready;
    struct event *pause;
    char name[LISTEN_NAME_MAX];
};

static bool is_loopback(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    }
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)address;
        return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
    }
    return false;
}

static void name_address(const struct sockaddr *address, socklen_t size, char *out) {
    char host[HOST_MAX] = "?";
    char port[8] = "?";
    getnameinfo(address, size, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    bool v6 = address->sa_family == AF_INET6;
    snprintf(out, LISTEN_NAME_MAX, v6 ? "[%s]:%s" : "%s:%s", host, port);
}

/* "HOST:PORT" into its two parts; 0 or -1. */
static int split_where(const char *where, char host[HOST_MAX], const char **port) {
    const char *colon = strrchr(where, ':');
    uint64_t number;
    if (colon == NULL || !text_u64(colon + 1, strlen(colon + 1), &number) || number > 65535) {
        return -1;
    }
    const char *begin = where;
    const char *end = colon;
    if (end - begin >= 2 && begin[0] == '[' && end[-1] == ']') {
        begin++;
        end--;
    }
    if (end - begin >= HOST_MAX) {
        return -1;
    }
    snprintf(host, HOST_MAX, "%.*s", (int)(end - begin), begin);
    *port = colon + 1;
    return 0;
}

static void set_flag(int fd, int level, int option, int value) {
    setsockopt(fd, level, option, &value, sizeof value);
}

/* Answers go out at once; a peer that vanished without a word is found out. */
static void tune_socket(int fd) {
    set_flag(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set_flag(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
#ifdef __linux__
    set_flag(fd, IPPROTO_TCP, TCP_KEEPIDLE, 20);
    set_flag(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);
    set_flag(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
#endif
}

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
    socklen_t size = sizeof peer;
    int fd = accept4(listener->fd, (struct sockaddr *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        bool poor = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        if (poor) {
            listener_rest(listener, strerror(errno));
        }
        return !poor && (errno == EINTR || errno == ECONNABORTED);
    }
    char who[LISTEN_NAME_MAX];
    name_address((const struct sockaddr *)&peer, size, who);
    tune_socket(fd);
    return conn_open(listener->loop, fd, fd, who) != 0;
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
static int open_socket(const char *where, const struct addrinfo *info, struct fail *fail) {
    int fd = socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        set_flag(fd, SOL_SOCKET, SO_REUSEADDR, 1);
        if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && listen(fd, LISTEN_BACKLOG) == 0) {
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

static int resolve_and_open(const char *where, struct fail *fail) {
    char host[HOST_MAX];
    const char *port;
    if (split_where(where, host, &port) != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("\"%s\" is not an address to listen on: write "
                                                 "HOST:PORT, for example 127.0.0.1:1444"), where);
    }
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICSERV};
    struct addrinfo *list = NULL;
    int error = getaddrinfo(host[0] != '\0' ? host : "127.0.0.1", port, &hints, &list);
    if (error != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("\"%s\" names no address of this machine: %s"),
                        where, gai_strerror(error));
    }
    int fd = -1;
    if (!is_loopback(list->ai_addr)) {
        fail_set(fail, EXIT_CODE_USAGE, _("%s is not a loopback address: without tokens only this "
                                          "machine is let in, use 127.0.0.1:PORT"), where);
    } else {
        fd = open_socket(where, list, fail);
    }
    freeaddrinfo(list);
    return fd;
}

int listener_open(struct loop *loop, const char *where, struct listener **out,
                  struct fail *fail) {
    int fd = resolve_and_open(where, fail);
    if (fd < 0) {
        return -1;
    }
    struct listener *listener = alloc_zeroed(1, sizeof *listener);
    listener->loop = loop;
    listener->fd = fd;
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    getsockname(fd, (struct sockaddr *)&own, &size);
    name_address((const struct sockaddr *)&own, size, listener->name);
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
