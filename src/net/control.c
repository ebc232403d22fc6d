#include "net/control.h"

#include "base/alloc.h"
#include "base/log.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    CONTROL_BACKLOG = 16,
    CONTROL_CLIENTS = 16,        /* at once; more wait in the backlog */
    CONTROL_LINE = 1024,         /* bytes of a request */
    CONTROL_REPLY = 256 << 20,   /* bytes of an answer */
    CONTROL_PATIENCE = 10,       /* s for a client to ask, or to take in a piece */
};

struct client {
    struct control *control;
    struct client *next;
    int fd;
    struct event *event;   /* reading until the line is whole, then writing */
    char line[CONTROL_LINE];
    size_t length;
    struct bytes reply;
};

struct control {
    struct loop *loop;
    int fd;
    char *path;
    struct event *ready;
    struct client *first;
    int clients;
    void (*answer)(void *owner, const char *line, struct bytes *reply);
    void *owner;
};

static const struct timeval patience = {.tv_sec = CONTROL_PATIENCE};

static void client_free(struct client *client) {
    struct control *control = client->control;
    struct client **at = &control->first;
    while (*at != client) {
        at = &(*at)->next;
    }
    *at = client->next;
    if (control->clients-- == CONTROL_CLIENTS) {
        event_add(control->ready, NULL);
    }
    event_free(client->event);
    close(client->fd);
    bytes_clear(&client->reply);
    free(client);
}

static void on_client_writable(evutil_socket_t fd, short what, void *owner) {
    struct client *client = owner;
    ssize_t put = -1;
    if ((what & EV_WRITE) != 0) {
        put = write(fd, client->reply.data, client->reply.length);
        if (put < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
    }
    if (put > 0) {
        bytes_drop(&client->reply, (size_t)put);
    }
    if (put < 0 || client->reply.length == 0) {
        client_free(client);
    }
}

/* The line is whole: the event turns to writing. */
static void client_answer(struct client *client) {
    struct control *control = client->control;
    bytes_init(&client->reply, CONTROL_REPLY);
    control->answer(control->owner, client->line, &client->reply);
    event_free(client->event);
    client->event = event_new(loop_base(control->loop), client->fd, EV_WRITE | EV_PERSIST,
                              on_client_writable, client);
    if (client->event == NULL || event_add(client->event, &patience) != 0) {
        fail_fatal("net: cannot watch a control client");
    }
}

static void on_client_readable(evutil_socket_t fd, short what, void *owner) {
    struct client *client = owner;
    ssize_t got = -1;
    if ((what & EV_READ) != 0) {
        got = read(fd, client->line + client->length, CONTROL_LINE - client->length);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
    }
    if (got <= 0) {
        client_free(client);
        return;
    }
    client->length += (size_t)got;
    char *end = memchr(client->line, '\n', client->length);
    if (end != NULL) {
        *end = '\0';
        client_answer(client);
    } else if (client->length == CONTROL_LINE) {
        client_free(client);
    }
}

static void on_incoming(evutil_socket_t fd, short what, void *owner) {
    struct control *control = owner;
    (void)what;
    int peer = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0) {
        if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
            /* Nobody can be let in: looking again at once would spin. */
            log_line(LOG_LEVEL_WARN, "control %s off error=%s", control->path, strerror(errno));
            event_del(control->ready);
        }
        return;
    }
    struct client *client = alloc_zeroed(1, sizeof *client);
    client->control = control;
    client->fd = peer;
    bytes_init(&client->reply, CONTROL_REPLY);
    client->event = event_new(loop_base(control->loop), peer, EV_READ | EV_PERSIST,
                              on_client_readable, client);
    if (client->event == NULL || event_add(client->event, &patience) != 0) {
        fail_fatal("net: cannot watch a control client");
    }
    client->next = control->first;
    control->first = client;
    if (++control->clients == CONTROL_CLIENTS) {
        event_del(control->ready);
    }
}

static int control_listen(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, length + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    unlink(path);
    mode_t mask = umask(0177);
    int bound = bind(fd, (const struct sockaddr *)&address, sizeof address);
    umask(mask);
    if (bound != 0 || listen(fd, CONTROL_BACKLOG) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

struct control *control_open(struct loop *loop, const char *path,
                             void (*answer)(void *owner, const char *line, struct bytes *reply),
                             void *owner) {
    int fd = control_listen(path);
    if (fd < 0) {
        log_line(LOG_LEVEL_WARN, "control %s missing error=%s", path, strerror(errno));
        return NULL;
    }
    struct control *control = alloc_zeroed(1, sizeof *control);
    control->loop = loop;
    control->fd = fd;
    control->path = alloc_text(path, strlen(path));
    control->answer = answer;
    control->owner = owner;
    control->ready = event_new(loop_base(loop), fd, EV_READ | EV_PERSIST, on_incoming, control);
    if (control->ready == NULL || event_add(control->ready, NULL) != 0) {
        fail_fatal("net: cannot watch the control socket");
    }
    return control;
}

void control_close(struct control *control) {
    if (control == NULL) {
        return;
    }
    while (control->first != NULL) {
        client_free(control->first);
    }
    event_free(control->ready);
    close(control->fd);
    unlink(control->path);
    free(control->path);
    free(control);
}
