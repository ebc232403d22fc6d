#include "net/conn.h"

#include "base/alloc.h"
#include "base/log.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CONN_BUCKETS = 1024,   /* a power of two */
    CONN_LAST_READS = 4,   /* of LOOP_ROOM each, once the peer has ended */
    CONN_LINGER = 2,       /* s that a last word may stay unread */
};

struct conn {
    struct loop *loop;
    struct conn *next;     /* in its bucket */
    uint32_t session;
    int in, out;
    struct event *read, *write;
    bool deaf;             /* the peer takes no more bytes; its own may still come */
    struct dialect *dialect; /* NULL: the peer speaks as the referee does */
    size_t told;           /* bytes of the session's output that the dialect was told */
};

struct conn_set {
    struct loop *loop;
    struct conn *bucket[CONN_BUCKETS];
};

struct conn_set *conn_set_new(struct loop *loop) {
    struct conn_set *set = alloc_zeroed(1, sizeof *set);
    set->loop = loop;
    return set;
}

static struct conn **conn_place(struct conn_set *set, uint32_t session) {
    struct conn **at = &set->bucket[session % CONN_BUCKETS];
    while (*at != NULL && (*at)->session != session) {
        at = &(*at)->next;
    }
    return at;
}

static void conn_free(struct conn *conn) {
    if (conn->read != NULL) {
        event_free(conn->read);
    }
    if (conn->write != NULL) {
        event_free(conn->write);
    }
    close(conn->in);
    if (conn->out != conn->in) {
        close(conn->out);
    }
    dialect_free(conn->dialect);
    free(conn);
}

/* Takes a connection out of the set; NULL when there is none. */
static struct conn *conn_take(struct conn_set *set, uint32_t session) {
    struct conn **at = conn_place(set, session);
    struct conn *conn = *at;
    if (conn != NULL) {
        *at = conn->next;
    }
    return conn;
}

static void conn_put(struct conn_set *set, struct conn *conn, uint32_t session) {
    struct conn **at = conn_place(set, session);
    if (conn != NULL) {
        conn->session = session;
        conn->next = *at;
        *at = conn;
    }
}

/* Takes it out of the set first: the referee's hooks may look around. */
static void conn_end(struct conn *conn) {
    struct loop *loop = conn->loop;
    uint32_t session = conn->session;
    conn_take(loop_conns(loop), session);
    conn_free(conn);
    referee_closed(loop_referee(loop), session, loop_now(loop));
}

void conn_set_free(struct conn_set *set) {
    for (int i = 0; set != NULL && i < CONN_BUCKETS; i++) {
        while (set->bucket[i] != NULL) {
            struct conn *conn = set->bucket[i];
            set->bucket[i] = conn->next;
            conn_free(conn);
        }
    }
    free(set);
}

enum conn_read { CONN_READ_MORE, CONN_READ_LATER, CONN_READ_END };

/* Tells the referee what a dialect makes of its peer, and the dialect what the referee has to
 * say, until both have said all. */
static void conn_interpret(struct conn *conn) {
    struct referee *referee = loop_referee(conn->loop);
    struct bytes *inward = dialect_inward(conn->dialect);
    const char *data;
    for (;;) {
        size_t size = referee_output(referee, conn->session, &data);
        if (size > conn->told) {
            dialect_tell(conn->dialect, data + conn->told, size - conn->told);
            conn->told = size;
        } else if (inward->length > 0) {
            struct bytes said = *inward;
            bytes_init(inward, said.ceiling);
            referee_input(referee, conn->session, said.data, said.length, loop_now(conn->loop));
            bytes_clear(&said);
            loop_hurry(conn->loop);
        } else {
            break;
        }
    }
    const char *wrong = dialect_wrong(conn->dialect);
    if (wrong[0] != '\0') {
        referee_close(referee, conn->session, wrong, loop_now(conn->loop));
    }
}

/* Hands bytes of the peer to the referee. */
static void conn_hear(struct conn *conn, const char *data, size_t length) {
    if (conn->dialect == NULL) {
        referee_input(loop_referee(conn->loop), conn->session, data, length,
                      loop_now(conn->loop));
        return;
    }
    dialect_hear(conn->dialect, data, length);
    conn_interpret(conn);
    referee_wake(loop_referee(conn->loop), conn->session);
}

/* One read, handed to the referee as having arrived in this turn. */
static enum conn_read conn_read_once(struct conn *conn) {
    char *room = loop_room(conn->loop);
    ssize_t got = read(conn->in, room, LOOP_ROOM);
    if (got > 0) {
        loop_note_read(conn->loop);
        conn_hear(conn, room, (size_t)got);
        return CONN_READ_MORE;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return CONN_READ_LATER;
    }
    return CONN_READ_END;
}

/* One read a turn: a peer that floods waits its turn like the others. */
static void on_readable(evutil_socket_t fd, short what, void *owner) {
    struct conn *conn = owner;
    (void)fd;
    (void)what;
    if (conn_read_once(conn) == CONN_READ_END) {
        conn_end(conn);
    }
}

/* What is to be written now. */
static size_t conn_output(struct conn *conn, const char **data) {
    if (conn->dialect == NULL) {
        return referee_output(loop_referee(conn->loop), conn->session, data);
    }
    conn_interpret(conn);
    struct bytes *outward = dialect_outward(conn->dialect);
    *data = outward->data;
    return outward->length;
}

/* The kernel took so much of it. What was told to a dialect has been sent when the peer has all
 * that the dialect made of it. */
static void conn_took(struct conn *conn, size_t length) {
    if (conn->dialect != NULL) {
        struct bytes *outward = dialect_outward(conn->dialect);
        bytes_drop(outward, length);
        length = outward->length == 0 ? conn->told : 0;
        conn->told -= length;
    }
    referee_sent(loop_referee(conn->loop), conn->session, length, loop_fresh(conn->loop));
}

/* Hands over all output the kernel takes; 0 all written or nobody listens, 1 later. */
static int conn_write(struct conn *conn) {
    struct referee *referee = loop_referee(conn->loop);
    const char *data;
    size_t size;
    while (!conn->deaf && (size = conn_output(conn, &data)) > 0) {
        ssize_t put = write(conn->out, data, size);
        if (put > 0) {
            conn_took(conn, (size_t)put);
        } else if (put < 0 && errno == EAGAIN) {
            referee_sent(referee, conn->session, 0, loop_fresh(conn->loop));
            return 1;
        } else if (put < 0 && errno != EINTR) {
            /* What the peer wrote before it went is still to be read: its end comes there. */
            log_line(LOG_LEVEL_DEBUG, "session %u deaf error=%s", conn->session, strerror(errno));
            conn->deaf = true;
        }
    }
    if (conn->told > 0) { /* it was no news for the peer */
        conn_took(conn, 0);
    }
    return 0;
}

static void conn_flush(struct conn *conn) {
    int later = conn_write(conn);
    bool closing = referee_closing(loop_referee(conn->loop), conn->session);
    if (later != 0) {
        const struct timeval linger = {.tv_sec = CONN_LINGER};
        event_add(conn->write, closing ? &linger : NULL);
    } else if (closing) {
        conn_end(conn);
    }
}

static void on_writable(evutil_socket_t fd, short what, void *owner) {
    struct conn *conn = owner;
    (void)fd;
    loop_now(conn->loop);
    if ((what & EV_TIMEOUT) != 0) {
        conn_end(conn);
    } else {
        conn_flush(conn);
    }
}

bool conn_set_empty(const struct conn_set *set) {
    for (int i = 0; i < CONN_BUCKETS; i++) {
        if (set->bucket[i] != NULL) {
            return false;
        }
    }
    return true;
}

void conn_set_dismiss(struct conn_set *set, const char *reason) {
    for (int i = 0; i < CONN_BUCKETS; i++) {
        for (struct conn *conn = set->bucket[i]; conn != NULL; conn = conn->next) {
            referee_close(loop_referee(set->loop), conn->session, reason, loop_now(set->loop));
        }
    }
}

void conn_set_flush(struct conn_set *set) {
    struct referee *referee = loop_referee(set->loop);
    uint32_t session;
    while ((session = referee_next_dirty(referee)) != 0) {
        struct conn *conn = *conn_place(set, session);
        if (conn != NULL) {
            conn_flush(conn);
        }
    }
}

void conn_swap(struct loop *loop, uint32_t session, uint32_t other) {
    struct conn_set *set = loop_conns(loop);
    struct conn *one = conn_take(set, session);
    struct conn *two = conn_take(set, other);
    conn_put(set, one, other);
    conn_put(set, two, session);
}

uint32_t conn_open(struct loop *loop, int in, int out, const char *who,
                   struct dialect *dialect) {
    struct conn *conn = alloc_zeroed(1, sizeof *conn);
    conn->loop = loop;
    conn->in = in;
    conn->out = out;
    conn->dialect = dialect;
    conn->read = event_new(loop_base(loop), in, EV_READ | EV_PERSIST, on_readable, conn);
    conn->write = event_new(loop_base(loop), out, EV_WRITE, on_writable, conn);
    if (conn->read != NULL && conn->write != NULL && event_add(conn->read, NULL) == 0) {
        conn->session = referee_open(loop_referee(loop), who, loop_now(loop));
    }
    if (conn->session == 0) {
        conn_free(conn);
        return 0;
    }
    if (in == out) { /* a socket, whose peer may vanish without a word */
        referee_allow_pings(loop_referee(loop), conn->session);
    }
    conn_put(loop_conns(loop), conn, conn->session);
    if (dialect != NULL) {
        dialect_open(dialect);
        referee_wake(loop_referee(loop), conn->session);
    }
    return conn->session;
}

void conn_finish(struct loop *loop, uint32_t session) {
    for (int i = 0; i < CONN_LAST_READS; i++) {
        struct conn *conn = *conn_place(loop_conns(loop), session);
        if (conn == NULL || conn_read_once(conn) != CONN_READ_MORE) {
            break;
        }
    }
    conn_cut(loop, session);
}

void conn_cut(struct loop *loop, uint32_t session) {
    struct conn *conn = *conn_place(loop_conns(loop), session);
    if (conn != NULL) {
        conn_end(conn);
    }
}
