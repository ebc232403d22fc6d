#include "referee/session.h"

#include "base/alloc.h"
#include "referee/gallery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN = 1000, SEAT_QUEUE = 4096 /* bytes more that may wait for each further table */ };

struct session *session_new(uint32_t id, const char *who, const struct referee_limits *limits) {
    struct session *session = alloc_zeroed(1, sizeof *session);
    session->id = id;
    session->facts.who = session->who;
    session->state = SESSION_GREETING;
    snprintf(session->who, sizeof session->who, "%s", who);
    bytes_init(&session->in, JSON_LINE_MAX);
    bytes_init(&session->out, limits->queue);
    bytes_init(&session->kept, KEPT_MAX);
    session->blocked_since = -1;
    session->first_free = -1;
    session->tokens = (int64_t)limits->burst * TOKEN;
    session->timer = (struct timer){.owner = TIMER_OF_SESSION, .id = id};
    session->facts.round_trip = -1;
    share_init(&session->share, id);
    return session;
}

void session_free(struct session *session) {
    bytes_clear(&session->in);
    bytes_clear(&session->out);
    share_clear(&session->share);
    bytes_clear(&session->kept);
    free(session->seats);
    free(session->unsent);
    if (session->viewer != NULL) {
        free(session->viewer->behind);
        free(session->viewer);
    }
    free(session);
}

const char *session_state_name(enum session_state state) {
    static const char *const names[SESSION_STATES] = {
        [SESSION_GREETING] = "greeting",
        [SESSION_REFUSED] = "refused",
        [SESSION_OPEN] = "open",
        [SESSION_WATCHING] = "watching",
        [SESSION_LOST] = "lost",
        [SESSION_CLOSING] = "closing",
        [SESSION_GONE] = "gone",
    };
    return names[state];
}

void session_make_seats(struct session *session) {
    if (session->facts.tables == 0) {
        return; /* it watches */
    }
    int count = session->facts.tables;
    session->out.ceiling += (size_t)(count - 1) * SEAT_QUEUE;
    session->seats = alloc_zeroed((size_t)count, sizeof *session->seats);
    for (int place = 0; place < count; place++) {
        session->seats[place].next = place + 1 < count ? place + 1 : -1;
    }
    session->first_free = 0;
    session->free_seats = count;
}

/* Handles of one place are `place + 1` plus whole rounds of the table count, so
 * that a place is found without a search and a handle never comes again. */
uint64_t session_take_seat(struct session *session, uint32_t table, enum side side) {
    if (session->first_free < 0) {
        return 0;
    }
    int place = session->first_free;
    struct held_seat *seat = &session->seats[place];
    session->first_free = seat->next;
    session->free_seats--;
    seat->table = table;
    seat->side = side;
    seat->handle += seat->handle == 0 ? (uint64_t)place + 1 : (uint64_t)session->facts.tables;
    return seat->handle;
}

struct held_seat *session_find_seat(struct session *session, uint64_t handle) {
    if (session->seats == NULL || handle == 0) {
        return NULL;
    }
    struct held_seat *seat = &session->seats[(handle - 1) % (uint64_t)session->facts.tables];
    return seat->table != 0 && seat->handle == handle ? seat : NULL;
}

void session_leave_seat(struct session *session, uint64_t handle) {
    struct held_seat *seat = session_find_seat(session, handle);
    if (seat != NULL) {
        seat->table = 0;
        seat->next = session->first_free;
        session->first_free = (int)(seat - session->seats);
        session->free_seats++;
    }
}

void session_add_unsent(struct session *session, uint32_t table) {
    if (session->unsent_count == session->unsent_room && session->unsent_first > 0) {
        session->unsent_count -= session->unsent_first;
        memmove(session->unsent, session->unsent + session->unsent_first,
                session->unsent_count * sizeof *session->unsent);
        session->unsent_first = 0;
    }
    session->unsent = alloc_more(session->unsent, session->unsent_count, &session->unsent_room,
                                 sizeof *session->unsent);
    session->unsent[session->unsent_count++] = (struct unsent){table, session->queued};
}

bool session_next_sent(struct session *session, struct unsent *out) {
    if (session->unsent_first == session->unsent_count) {
        session->unsent_first = session->unsent_count = 0;
        return false;
    }
    *out = session->unsent[session->unsent_first];
    session->unsent_first += out->end <= session->sent;
    return out->end <= session->sent;
}

static void queued(struct session *session, size_t before, int64_t now) {
    session->queued += session->out.length - before;
    if (session->blocked_since < 0) {
        session->blocked_since = now;
    }
}

bool session_queue(struct session *session, const struct message *message, int64_t now) {
    size_t before = session->out.length;
    bool room = spelling_encode(session->spelling, message, &session->out);
    queued(session, before, now);
    return room;
}

bool session_queue_bytes(struct session *session, struct bytes *lines, int64_t now) {
    size_t before = session->out.length;
    bool room = lines->length == 0 || bytes_add(&session->out, lines->data, lines->length);
    bytes_drop(lines, lines->length);
    queued(session, before, now);
    return room;
}

bool session_may_talk(struct session *session, const struct referee_limits *limits, int64_t now) {
    int64_t most = (int64_t)limits->burst * TOKEN;
    int64_t grown = session->tokens + (now - session->tokens_at) * limits->rate * TOKEN / 1000;
    session->tokens = grown > most ? most : grown;
    session->tokens_at = now;
    if (session->tokens < TOKEN) {
        return false;
    }
    session->tokens -= TOKEN;
    return true;
}
