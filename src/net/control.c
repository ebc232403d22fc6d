#include "net/control.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/system.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    CONTROL_BACKLOG = 16,
    CONTROL_CLIENTS = 16,        /* at once; more wait in the backlog */
    CONTROL_PAUSE = 500000,      /* us without accepting when descriptors ran out */
    CONTROL_READ = 65536,        /* bytes of a request read at once */
    CONTROL_REPLY = 256 << 20,   /* bytes of an answer */
    SOCKET_NAME_MAX = 64,        /* bytes of the socket's own name in a long path */
    CONTROL_PATIENCE = 10,       /* s for a client to ask, or to take in a piece */
};

struct client {
    struct control *control;
    struct client *next;
    int fd;
    struct event *event;   /* reading until the line is whole, then writing */
    struct bytes line;
    struct bytes reply;
};

struct control {
    struct loop *loop;
    int fd;
    char *path;
    size_t longest;        /* bytes of a request */
    struct event *ready;
    struct event *pause;
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
    bytes_clear(&client->line);
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
    control->answer(control->owner, client->line.data, &client->reply);
    event_free(client->event);
    client->event = event_new(loop_base(control->loop), client->fd, EV_WRITE | EV_PERSIST,
                              on_client_writable, client);
    if (client->event == NULL || event_add(client->event, &patience) != 0) {
        fail_fatal("net: cannot watch a control client");
    }
}

static void on_client_readable(evutil_socket_t fd, short what, void *owner) {
    struct client *client = owner;
    struct bytes *line = &client->line;
    size_t left = line->ceiling - line->length;
    size_t want = left < CONTROL_READ ? left : CONTROL_READ;
    char *room = want > 0 ? bytes_reserve(line, want) : NULL;
    ssize_t got = -1;
    if ((what & EV_READ) != 0 && room != NULL) {
        got = read(fd, room, want);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
    }
    if (got <= 0) {
        client_free(client);
        return;
    }
    bytes_took(line, (size_t)got);
    char *end = memchr(room, '\n', (size_t)got);
    if (end != NULL) {
        *end = '\0';
        client_answer(client);
    } else if (line->length == line->ceiling) {
        client_free(client);
    }
}

/* Whether the other end is ours; where the system does not tell, the socket's mode has to do. */
static bool is_own(int fd) {
    uid_t uid = geteuid();
#ifdef HAKEM_LINUX
    struct ucred peer;
    socklen_t size = sizeof peer;
    bool told = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    uid = told ? peer.uid : uid;
#elif defined(HAVE_GETPEEREID)
    gid_t gid;
    uid_t other;
    bool told = getpeereid(fd, &other, &gid) == 0;
    uid = told ? other : uid;
#else
    bool told = fd >= 0;
#endif
    return told && (uid == geteuid() || uid == 0);
}

static void on_incoming(evutil_socket_t fd, short what, void *owner) {
    struct control *control = owner;
    (void)what;
    int peer = system_accept(fd, NULL, 0);
    if (peer < 0) {
        if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
            /* Nobody can be let in: looking again at once would spin. */
            static const struct timeval pause = {.tv_usec = CONTROL_PAUSE};
            log_line(LOG_LEVEL_WARN, "control %s rests error=%s", control->path, strerror(errno));
            event_del(control->ready);
            event_add(control->pause, &pause);
        }
        return;
    }
    if (!is_own(peer)) {
        log_line(LOG_LEVEL_WARN, "control %s refused reason=another-user", control->path);
        close(peer);
        return;
    }
    struct client *client = alloc_zeroed(1, sizeof *client);
    bytes_init(&client->line, control->longest);
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

static void on_pause_over(evutil_socket_t fd, short what, void *owner) {
    struct control *control = owner;
    (void)fd;
    (void)what;
    if (control->clients < CONTROL_CLIENTS) {
        event_add(control->ready, NULL);
    }
}

/* The address of a path. One that is too long for it goes by way of the folder's descriptor,
 * where the system has such paths; the caller closes that (-1: none). False with errno. */
static bool write_address(const char *path, struct sockaddr_un *address, int *folder) {
    size_t length = strlen(path);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    *folder = -1;
    if (length < sizeof address->sun_path) {
        memcpy(address->sun_path, path, length + 1);
        return true;
    }
    errno = ENAMETOOLONG;
#ifdef HAKEM_LINUX
    const char *slash = strrchr(path, '/');
    if (slash != NULL && strlen(slash) < SOCKET_NAME_MAX) {
        char *parent = alloc_text(path, (size_t)(slash - path));
        *folder = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
        snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d%s", *folder, slash);
        free(parent);
    }
#endif
    return *folder >= 0;
}

int control_connect(const char *path) {
    struct sockaddr_un address;
    int folder;
    if (!write_address(path, &address, &folder)) {
        return -1;
    }
    int fd = system_socket(AF_UNIX, SOCK_STREAM, true);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(fd);
        fd = -1;
        errno = error;
    }
    if (folder >= 0) {
        close(folder);
    }
    return fd;
}

static int control_listen(const char *path) {
    struct sockaddr_un address;
    int folder;
    if (!write_address(path, &address, &folder)) {
        return -1;
    }
    int fd = system_socket(AF_UNIX, SOCK_STREAM, false);
    if (fd < 0) {
        return -1;
    }
    unlink(path);
    mode_t mask = umask(0177);
    int bound = bind(fd, (const struct sockaddr *)&address, sizeof address);
    umask(mask);
    if (folder >= 0) {
        close(folder);
    }
    if (bound != 0 || listen(fd, CONTROL_BACKLOG) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

struct control *control_open(struct loop *loop, const char *path, size_t longest,
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
    control->longest = longest;
    control->answer = answer;
    control->owner = owner;
    control->ready = event_new(loop_base(loop), fd, EV_READ | EV_PERSIST, on_incoming, control);
    control->pause = evtimer_new(loop_base(loop), on_pause_over, control);
    if (control->ready == NULL || control->pause == NULL || event_add(control->ready, NULL) != 0) {
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
    event_free(control->pause);
    close(control->fd);
    unlink(control->path);
    free(control->path);
    free(control);
}
