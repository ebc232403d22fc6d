/* A session: one connection, what it said of itself, what is queued for it, and
 * the seats it holds. Inside the referee only; tables know sessions by id. When it
 * is resumed the new connection takes over its id (comeback.c). */
#ifndef HAKEM_REFEREE_SESSION_H
#define HAKEM_REFEREE_SESSION_H

#include "base/bytes.h"
#include "referee/heap.h"
#include "referee/referee.h"
#include "referee/share.h"
#include "wire/spelling.h"

enum { KEPT_MAX = 64 * 1024 /* bytes of results and ends that may not have been heard */ };

enum session_state {
    SESSION_GREETING, /* awaits `hello`, until limits.hello */
    SESSION_REFUSED,  /* awaits the time at which it is told why it is refused */
    SESSION_OPEN,     /* plays; the deadlines are its tables' */
    SESSION_WATCHING, /* a spectator: plays nowhere, see gallery.h */
    SESSION_LOST,     /* awaits that it is resumed, until limits.vacant */
    SESSION_CLOSING,  /* `bye` is queued: awaits that it is written, until limits.stall */
    SESSION_GONE,     /* freed by the next sweep */
    SESSION_STATES
};

/* A seat that a session holds. The handle names it on the wire. */
struct held_seat {
    uint32_t table; /* 0: free */
    enum side side;
    uint64_t handle;
    int next; /* of the free ones, -1: the last */
};

/* A request that the kernel has not taken yet. */
struct unsent {
    uint32_t table;
    uint64_t end; /* byte count of the session at its last byte */
};

/* What is asked of a peer that is silent. */
struct ping {
    bool on;          /* it is pinged at all */
    int64_t heard_at; /* when its last bytes came, ms */
    uint64_t id;      /* of the last ping */
    int64_t sent_at;  /* ms; 0: it is answered */
};

struct session {
    uint32_t id;
    enum session_state state;
    char who[64]; /* for the log */
    bool spelled; /* the first byte has decided */
    enum spelling spelling;
    struct session_facts facts;
    bool unwelcome;           /* there is no room: its hello is answered with `full` */
    const char *refused_code; /* of SESSION_REFUSED; the reason is in doom_said */
    bool want_position, want_plays;
    enum contribute contribute; /* what it adds to the dice */
    bool auto_forced;        /* turns without a choice are played for it */
    struct bytes in;         /* a line that is not whole yet */
    struct bytes out;        /* not yet taken by the kernel */
    uint64_t queued, sent;   /* bytes ever queued, ever taken */
    int64_t blocked_since;   /* when the oldest unread byte was queued, -1: nothing unread */
    int strays;              /* malformed lines that named no table of its own */
    int overruns;            /* answers in a row that never came in time */
    int64_t tokens;          /* unasked lines it may still send, in thousandths */
    int64_t tokens_at;       /* when they were counted, ms */
    struct held_seat *seats; /* facts.tables of them, */
    int first_free;          /* the free ones in a list, -1: none, */
    int free_seats;          /* and how many these are */
    struct unsent *unsent;   /* a queue, in the order of their ends */
    size_t unsent_first, unsent_count, unsent_room;
    struct share share;      /* the time of its open requests */
    struct ping ping;
    struct viewer *viewer;   /* of a spectator (gallery.h), NULL: it plays */
    bool returns;            /* its peer could dial in again */
    uint64_t number;         /* its secret is made of it, 0: it has none */
    int64_t lost_at;         /* when its connection broke */
    struct bytes kept;       /* what it may not have heard, see kept.c */
    bool ghost;              /* over, and only there to hear what is kept, then a bye */
    struct timer timer;
    bool doomed; /* goes at the next tick, for `doom` */
    enum reason doom;
    char doom_said[96]; /* what `bye` says then, or why it was refused; "" nothing */
    bool dirty;         /* is in the list of sessions to be written */
};

struct session *session_new(uint32_t id, const char *who, const struct referee_limits *limits);
void session_free(struct session *session);

/* The words of a state, for the log. */
const char *session_state_name(enum session_state state);

/* Room for the tables it said it plays. */
void session_make_seats(struct session *session);

/* Takes a free seat for a table; its handle, 0 when there is none. */
uint64_t session_take_seat(struct session *session, uint32_t table, enum side side);

/* The seat of that handle, or NULL. */
struct held_seat *session_find_seat(struct session *session, uint64_t handle);

/* Gives a seat back. */
void session_leave_seat(struct session *session, uint64_t handle);

/* Queues a message; false when the queue is full (the session then has to go). */
bool session_queue(struct session *session, const struct message *message, int64_t now);

/* What was queued last ends a request of that table. */
void session_add_unsent(struct session *session, uint32_t table);

/* The next request that the kernel has taken whole; false when there is none. */
bool session_next_sent(struct session *session, struct unsent *out);

/* Queues bytes that are whole lines already. */
bool session_queue_bytes(struct session *session, struct bytes *lines, int64_t now);

/* Takes one unasked line from its allowance; false when it talks too much. */
bool session_may_talk(struct session *session, const struct referee_limits *limits, int64_t now);

#endif
