#include "net/dial.h"

#include "base/alloc.h"
#include "net/conn.h"
#include "net/socket.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIAL_PATIENCE = 10 /* s for the other side to take the call */ };

struct dial {
    struct loop *loop;
    int fd; /* -1: it failed at once, which is told in the next turn */
    int error;
    struct event *event;
    struct dialect *dialect;
    char who[ADDRESS_TEXT_MAX];
    void (*done)(void *owner, uint32_t session, const char *why);
    void *owner;
};

/* Frees it; the descriptor is handed out. */
static int dial_free(struct dial *dial) {
    int fd = dial->fd;
    event_free(dial->event);
    free(dial);
    return fd;
}

static void on_settled(evutil_socket_t fd, short what, void *owner) {
    struct dial *dial = owner;
    struct loop *loop = dial->loop;
    int error = dial->error;
    socklen_t size = sizeof error;
    loop_now(loop);
    if (dial->fd >= 0 && (what & EV_TIMEOUT) != 0) {
        error = ETIMEDOUT;
    } else if (dial->fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
        error = errno;
    }
    struct dial told = *dial;
    int taken = dial_free(dial);
    if (error == 0) {
        socket_tune(taken);
        uint32_t session = conn_open(loop, taken, taken, told.who, told.dialect);
        told.done(told.owner, session, session != 0 ? NULL : "the referee has no room for it");
        return;
    }
    if (taken >= 0) {
        close(taken);
    }
    dialect_free(told.dialect);
    told.done(told.owner, 0, strerror(error));
}

struct dial *dial_start(struct loop *loop, const struct address *address, struct dialect *dialect,
                        void (*done)(void *owner, uint32_t session, const char *why), void *owner) {
    struct dial *dial = alloc_zeroed(1, sizeof *dial);
    struct sockaddr_storage there;
    socklen_t size = socket_address(address, &there);
    struct timeval patience = {.tv_sec = DIAL_PATIENCE};
    dial->loop = loop;
    dial->dialect = dialect;
    dial->done = done;
    dial->owner = owner;
    socket_name(&there, dial->who);
    dial->fd = socket_new(address->v6);
    if (dial->fd < 0 || (connect(dial->fd, (const struct sockaddr *)&there, size) != 0 &&
                         errno != EINPROGRESS && errno != EINTR)) {
        dial->error = errno;
        if (dial->fd >= 0) {
            close(dial->fd);
        }
        dial->fd = -1;
        patience = (struct timeval){0};
    }
    short what = dial->fd >= 0 ? EV_WRITE : 0;
    dial->event = event_new(loop_base(loop), dial->fd, what, on_settled, dial);
    if (dial->event == NULL || event_add(dial->event, &patience) != 0) {
        fail_fatal("net: cannot watch a call");
    }
    return dial;
}

void dial_cancel(struct dial *dial) {
    if (dial != NULL) {
        dialect_free(dial->dialect);
        int fd = dial_free(dial);
        if (fd >= 0) {
            close(fd);
        }
    }
}
