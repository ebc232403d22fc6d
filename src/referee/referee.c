#include "referee/referee.h"

#include "base/alloc.h"
#include "base/log.h"
#include "record/header.h"
#include "referee/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void referee_limits_init(struct referee_limits *limits) {
    *limits = (struct referee_limits){
        .hello = 10 * 1000,
        .ready = 10 * 1000,
        .answer = 10 * 60 * 1000,
        .vacant = 30 * 1000,
        .stall = 10 * 1000,
        .grace = 1000,
        .queue = 256 * 1024,
        .strays = 3,
        .sessions = REFEREE_SESSIONS_MAX,
        .greeting = 1024,
        .turned_away = 64,
        .returns = 16,
        .ghosts = 64,
        .plies = RECORD_PLIES_MAX,
        .burst = 200,
        .rate = 50,
    };
}

struct referee *referee_new(const struct referee_limits *limits,
                            const struct referee_hooks *hooks) {
    struct referee *referee = alloc_zeroed(1, sizeof *referee);
    referee->limits = *limits;
    referee->hooks = *hooks;
    gallery_init(&referee->gallery);
    return referee;
}

void referee_free(struct referee *referee) {
    for (size_t slot = 0; slot < referee->tables.slots; slot++) {
        if (referee->tables.thing[slot] != NULL) {
            table_free(referee->tables.thing[slot]);
        }
    }
    for (size_t slot = 0; slot < referee->sessions.slots; slot++) {
        if (referee->sessions.thing[slot] != NULL) {
            session_free(referee->sessions.thing[slot]);
        }
    }
    gallery_clear(&referee->gallery);
    shelf_clear(&referee->tables);
    shelf_clear(&referee->sessions);
    heap_clear(&referee->timers);
    free(referee->dirty);
    free(referee->dead);
    free(referee);
}

struct session *referee_find_session(const struct referee *referee, uint32_t id) {
    return shelf_find(&referee->sessions, id);
}

struct table *referee_find_table(const struct referee *referee, uint32_t id) {
    return shelf_find(&referee->tables, id);
}

/* A session that can be seated and spoken to. */
static struct session *open_session(const struct referee *referee, uint32_t id) {
    struct session *session = referee_find_session(referee, id);
    return session != NULL && session->state == SESSION_OPEN && !session->doomed ? session : NULL;
}

/* Notes that the session has something to write or is to be closed. */
void referee_touch(struct referee *referee, struct session *session) {
    if (session->dirty) {
        return;
    }
    referee->dirty = alloc_more(referee->dirty, referee->dirty_count, &referee->dirty_room,
                                sizeof *referee->dirty);
    referee->dirty[referee->dirty_count++] = session->id;
    session->dirty = true;
}

void referee_bury(struct referee *referee, uint32_t id, enum timer_owner kind) {
    referee->dead = alloc_more(referee->dead, referee->dead_count, &referee->dead_room,
                               sizeof *referee->dead);
    referee->dead[referee->dead_count++] = (struct corpse){id, kind};
}

void referee_doom(struct referee *referee, struct session *session, enum reason reason,
                  const char *said) {
    if (session->doomed || session->state >= SESSION_CLOSING) {
        return;
    }
    session->doomed = true;
    session->doom = reason;
    snprintf(session->doom_said, sizeof session->doom_said, "%s", said == NULL ? "" : said);
    heap_set(&referee->timers, &session->timer, referee->now);
}

void referee_tell(struct referee *referee, struct session *session, const struct message *message) {
    if (session == NULL || session->state == SESSION_GONE) {
        return;
    }
    if (session->state != SESSION_LOST) {
        if (!session_queue(session, message, referee->now)) {
            referee_doom(referee, session, REASON_STALL, NULL);
        }
        referee_touch(referee, session);
    }
    kept_add(session, message);
}

void referee_tell_bytes(struct referee *referee, struct session *session, struct bytes *lines) {
    if (!session_queue_bytes(session, lines, referee->now)) {
        referee_doom(referee, session, REASON_STALL, NULL);
    }
    referee_touch(referee, session);
}

static void set_gone(struct referee *referee, struct session *session) {
    if (session->state == SESSION_GONE) {
        return;
    }
    session->state = SESSION_GONE;
    heap_unset(&referee->timers, &session->timer);
    heap_unset(&referee->timers, &session->share.timer);
    referee_touch(referee, session);
    referee_bury(referee, session->id, TIMER_OF_SESSION);
}

/* Every seat it holds is lost. */
static void lose_seats(struct referee *referee, struct session *session, enum reason reason) {
    for (int place = 0; session->seats != NULL && place < session->facts.tables; place++) {
        struct held_seat held = session->seats[place];
        struct table *table = held.table == 0 ? NULL : referee_find_table(referee, held.table);
        if (table != NULL) {
            table_lose_session(referee, table, held.side, reason);
        }
    }
}

/* It is counted no more among those that come in. */
void referee_leave_greeting(struct referee *referee, const struct session *session) {
    bool comes_in = session->state == SESSION_GREETING;
    referee->greeting -= comes_in && !session->unwelcome;
    referee->turned_away -= (comes_in && session->unwelcome) || session->state == SESSION_REFUSED;
}

static void tell_bye(struct referee *referee, struct session *session, const char *said) {
    struct message message;
    message_init(&message, MESSAGE_BYE);
    message_set(&message, FIELD_REASON, said);
    if (referee->retry > 0) {
        message_set_int(&message, FIELD_RETRY, referee->retry);
    }
    referee_tell(referee, session, &message);
}

void referee_drop(struct referee *referee, struct session *session, enum reason reason,
                  const char *said) {
    if (session->state >= SESSION_CLOSING) {
        return;
    }
    log_line(LOG_LEVEL_INFO, "session %u drop was=%s who=%s reason=%s", session->id,
             session_state_name(session->state), session->who, reason_name(reason));
    bool lost = session->state == SESSION_LOST;
    bool watched = session->state == SESSION_WATCHING;
    referee_leave_greeting(referee, session);
    session->state = SESSION_CLOSING;
    heap_set(&referee->timers, &session->timer, referee->now + referee->limits.stall);
    lose_seats(referee, session, reason);
    gallery_leave(referee, session);
    if (said != NULL) {
        tell_bye(referee, session, said);
    }
    referee_touch(referee, session);
    if (!session->ghost && !watched) {
        referee->hooks.gone(referee->hooks.owner, session->id,
                            said != NULL ? said : session->doom_said);
    }
    if (lost) {
        referee->ghosts -= session->ghost;
        set_gone(referee, session);
    }
}

void referee_replace(struct referee *referee, struct session *session, bool heard) {
    session->state = SESSION_CLOSING;
    if (heard) {
        heap_set(&referee->timers, &session->timer, referee->now + referee->limits.stall);
        tell_bye(referee, session, "replaced");
    } else {
        set_gone(referee, session);
    }
}

/* Whether one more bot can be let in. */
static bool has_seats(const struct referee *referee) {
    return referee->greeting < referee->limits.greeting &&
           referee->sessions.count < (size_t)referee->limits.sessions;
}

bool referee_has_room(const struct referee *referee) {
    const struct referee_limits *limits = &referee->limits;
    return has_seats(referee) ||
           (referee->turned_away < limits->turned_away &&
            referee->sessions.count < (size_t)(limits->sessions + limits->turned_away));
}

uint32_t referee_open(struct referee *referee, const char *who, int64_t now) {
    referee->now = now;
    if (!referee_has_room(referee)) {
        return 0;
    }
    size_t most = (size_t)(referee->limits.sessions + referee->limits.turned_away);
    uint32_t id = shelf_next_id(&referee->sessions, most);
    struct session *session = session_new(id, who, &referee->limits);
    session->unwelcome = !has_seats(referee);
    session->tokens_at = now;
    shelf_add(&referee->sessions, id, session);
    referee->greeting += !session->unwelcome;
    referee->turned_away += session->unwelcome;
    heap_set(&referee->timers, &session->timer, now + referee->limits.hello);
    return id;
}

void referee_input(struct referee *referee, uint32_t id, const void *data, size_t length,
                   int64_t now) {
    struct session *session = referee_find_session(referee, id);
    referee->now = now;
    if (session != NULL) {
        lines_input(referee, session, data, length);
    }
}

void referee_closed(struct referee *referee, uint32_t id, int64_t now) {
    struct session *session = referee_find_session(referee, id);
    referee->now = now;
    if (session == NULL || session->state == SESSION_LOST || comeback_lose(referee, session)) {
        return;
    }
    referee_drop(referee, session, REASON_DISCONNECT, NULL);
    if (!comeback_linger(referee, session)) {
        set_gone(referee, session);
    }
}

static void expire_session(struct referee *referee, struct session *session) {
    if (session->doomed) {
        referee_drop(referee, session, session->doom,
                     session->doom_said[0] == 0 ? NULL : session->doom_said);
        if (session->doom == REASON_STALL && session->doom_said[0] == 0) {
            set_gone(referee, session); /* nothing more can be told */
        }
        return;
    }
    switch (session->state) {
    case SESSION_GREETING:
        referee_drop(referee, session, REASON_TIMEOUT, "no hello in time (is each line flushed?)");
        break;
    case SESSION_REFUSED:
        hello_refuse(referee, session, session->refused_code, session->doom_said);
        break;
    case SESSION_OPEN:
        if (ping_expire(referee, session)) {
            break;
        }
        snprintf(session->doom_said, sizeof session->doom_said, "it does not read its lines");
        referee_drop(referee, session, REASON_STALL, NULL);
        set_gone(referee, session);
        break;
    case SESSION_WATCHING: /* half its queue is left for that */
        referee_drop(referee, session, REASON_STALL, "it does not read its lines");
        break;
    case SESSION_LOST:
        comeback_expire(referee, session);
        break;
    case SESSION_CLOSING:
        set_gone(referee, session);
        break;
    case SESSION_GONE:
    case SESSION_STATES:
        break;
    }
}

void referee_tick(struct referee *referee, int64_t now) {
    referee->now = now;
    struct timer *timer;
    while ((timer = heap_ring(&referee->timers, now)) != NULL) {
        switch (timer->owner) {
        case TIMER_OF_SESSION:
            expire_session(referee, referee_find_session(referee, timer->id));
            break;
        case TIMER_OF_TABLE:
            table_expire(referee, referee_find_table(referee, timer->id));
            break;
        case TIMER_OF_SHARE:
            wait_expire(referee, referee_find_session(referee, timer->id));
            break;
        case TIMER_OF_PAIR:
            pair_wake(referee, referee_find_table(referee, timer->id));
            break;
        case TIMER_OF_GALLERY:
            gallery_catch_up(referee);
            break;
        }
    }
}

int64_t referee_next_deadline(const struct referee *referee) {
    return heap_next(&referee->timers);
}

size_t referee_output(struct referee *referee, uint32_t id, const char **data) {
    struct session *session = referee_find_session(referee, id);
    if (session == NULL || session->state == SESSION_GONE) {
        return 0;
    }
    *data = session->out.data;
    return session->out.length;
}

void referee_sent(struct referee *referee, uint32_t id, size_t length, int64_t now) {
    struct session *session = referee_find_session(referee, id);
    referee->now = now;
    if (session == NULL || session->state == SESSION_GONE) {
        return;
    }
    bytes_drop(&session->out, length);
    session->sent += length;
    if (length > 0) {
        session->blocked_since = session->out.length > 0 ? now : -1;
    }
    bool watches = session->state == SESSION_WATCHING;
    if ((session->state != SESSION_OPEN && !watches) || session->doomed) {
        return;
    }
    if (session->blocked_since >= 0) {
        heap_set(&referee->timers, &session->timer, session->blocked_since + referee->limits.stall);
    } else {
        ping_rest(referee, session);
    }
    if (watches) {
        gallery_sent(referee, session);
        return;
    }
    struct unsent sent;
    while (session_next_sent(session, &sent)) {
        struct table *table = referee_find_table(referee, sent.table);
        if (table != NULL && table->request.end == sent.end &&
            table->seat[table->decision.side].session == id) {
            game_request_sent(referee, table);
        }
    }
}

bool referee_closing(const struct referee *referee, uint32_t id) {
    struct session *session = referee_find_session(referee, id);
    return session == NULL || session->state >= SESSION_CLOSING;
}

void referee_wake(struct referee *referee, uint32_t id) {
    struct session *session = referee_find_session(referee, id);
    if (session != NULL) {
        referee_touch(referee, session);
    }
}

uint32_t referee_next_dirty(struct referee *referee) {
    if (referee->dirty_next == referee->dirty_count) {
        referee->dirty_next = referee->dirty_count = 0;
        return 0;
    }
    uint32_t id = referee->dirty[referee->dirty_next++];
    struct session *session = referee_find_session(referee, id);
    if (session != NULL) {
        session->dirty = false;
    }
    return id;
}

void referee_sweep(struct referee *referee) {
    for (size_t i = 0; i < referee->dead_count; i++) {
        struct corpse corpse = referee->dead[i];
        if (corpse.kind == TIMER_OF_TABLE) {
            table_free(referee_find_table(referee, corpse.id));
            shelf_remove(&referee->tables, corpse.id);
        } else {
            session_free(referee_find_session(referee, corpse.id));
            shelf_remove(&referee->sessions, corpse.id);
        }
    }
    referee->dead_count = 0;
}

void referee_close(struct referee *referee, uint32_t id, const char *reason, int64_t now) {
    struct session *session = referee_find_session(referee, id);
    referee->now = now;
    if (session != NULL && !comeback_close(referee, session, reason)) {
        referee_doom(referee, session, REASON_ABORTED, reason);
    }
}

const struct session_facts *referee_session(const struct referee *referee, uint32_t id) {
    const struct session *session = referee_is_lost(referee, id)
                                        ? referee_find_session(referee, id)
                                        : open_session(referee, id);
    return session == NULL ? NULL : &session->facts;
}

int referee_held_tables(const struct referee *referee, uint32_t id) {
    const struct session *session = referee_find_session(referee, id);
    return session == NULL || session->seats == NULL ? 0
                                                     : session->facts.tables - session->free_seats;
}

int referee_free_tables(const struct referee *referee, uint32_t id) {
    const struct session *session = open_session(referee, id);
    return session == NULL ? 0 : session->free_seats;
}
