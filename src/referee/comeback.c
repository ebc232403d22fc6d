/* Coming back: a peer that could dial in again does not lose its games with its connection.
 *
 * The session becomes lost: its tables go on without being heard, its clocks burn, no new
 * game begins. Who shows its secret in time takes it over on a new connection, lost or not,
 * and is told the state of its seats. Two session objects change places for that: the one of
 * the new connection takes the id, the seats and the memory of the session; the other one is
 * left with the old connection, which is closed.
 */
#include "base/log.h"
#include "referee/table.h"

#include <stdio.h>
#include <string.h>

static const struct hash_field secret_label = {"hakem/v1/resume", 15};

/* The secret part of a secret. */
static struct hash secret_of(const struct referee *referee, uint64_t number) {
    uint8_t text[8];
    for (int i = 0; i < 8; i++) {
        text[i] = (uint8_t)(number >> (56 - 8 * i));
    }
    const struct hash_field fields[] = {secret_label, {text, sizeof text}};
    return hash_keyed(&referee->key, fields, 2, (struct hash_field){NULL, 0});
}

void comeback_secret(const struct referee *referee, const struct session *session,
                     char out[SECRET_TEXT]) {
    struct hash secret = secret_of(referee, session->number);
    int length = snprintf(out, SECRET_TEXT, "%u-", session->id);
    hash_hex(&secret, out + length);
}

/* The session of that name and secret, NULL for none; what is wrong takes no less time. */
static struct session *find_by_secret(const struct referee *referee, const struct message *hello) {
    const char *text = message_text(hello, FIELD_RESUME);
    const char *dash = strchr(text, '-');
    struct hash given = {0};
    uint64_t id = 0;
    bool good = dash != NULL && text_u64(text, (size_t)(dash - text), &id) && id <= UINT32_MAX &&
                strlen(dash + 1) == HASH_HEX - 1 &&
                text_unhex(dash + 1, HASH_HEX - 1, given.byte, HASH_BYTES);
    struct session *session = good ? referee_find_session(referee, (uint32_t)id) : NULL;
    struct hash secret = secret_of(referee, session == NULL ? 0 : session->number);
    good = hash_same(&secret, &given) && session != NULL && session->number > 0 &&
           !session->doomed &&
           (session->state == SESSION_OPEN || session->state == SESSION_LOST) &&
           strcmp(session->facts.name, message_text(hello, FIELD_NAME)) == 0;
    return good ? session : NULL;
}

/* Calls `each` with every table at which the session sits. */
static void for_each_table(struct referee *referee, struct session *session,
                           void (*each)(struct referee *referee, struct table *table,
                                        enum side side)) {
    for (int place = 0; session->seats != NULL && place < session->facts.tables; place++) {
        struct held_seat held = session->seats[place];
        struct table *table = held.table == 0 ? NULL : referee_find_table(referee, held.table);
        if (table != NULL) {
            each(referee, table, held.side);
        }
    }
}

/* A seat cannot hear any more. After too many times the game is lost as it was before anybody
 * could come back. */
static void lose_sight(struct referee *referee, struct table *table, enum side side) {
    if (table->seat[side].returns >= referee->limits.returns) {
        table_lose_session(referee, table, side, REASON_DISCONNECT);
    } else {
        table_lose_sight(referee, table, side);
    }
}

static void set_lost(struct referee *referee, struct session *session) {
    session->state = SESSION_LOST;
    session->lost_at = referee->now;
    session->blocked_since = -1;
    heap_set(&referee->timers, &session->timer, referee->now + referee->limits.vacant);
    log_line(LOG_LEVEL_INFO, "session %u lost who=%s", session->id, session->who);
}

static void forget_connection(struct session *session) {
    bytes_clear(&session->in);
    bytes_clear(&session->out);
    session->unsent_first = session->unsent_count = 0;
}

static bool has_seat(const struct session *session) {
    return session->seats != NULL && session->free_seats < session->facts.tables;
}

bool comeback_lose(struct referee *referee, struct session *session) {
    if (session->number == 0 || session->state != SESSION_OPEN || session->doomed ||
        (!has_seat(session) && session->kept.length == 0)) {
        return false;
    }
    set_lost(referee, session);
    forget_connection(session);
    for_each_table(referee, session, lose_sight);
    return true;
}

/* It is over for everybody else; it stays for its last lines. */
static bool become_ghost(struct referee *referee, struct session *session) {
    if (session->number == 0 || session->kept.length == 0 ||
        referee->ghosts >= referee->limits.ghosts) {
        return false;
    }
    session->doomed = false;
    session->ghost = true;
    referee->ghosts++;
    return true;
}

bool comeback_linger(struct referee *referee, struct session *session) {
    if (!session->doomed || session->doom != REASON_ABORTED || !become_ghost(referee, session)) {
        return false;
    }
    set_lost(referee, session);
    forget_connection(session);
    return true;
}

bool comeback_close(struct referee *referee, struct session *session, const char *reason) {
    if (session->state != SESSION_LOST || has_seat(session)) {
        return false;
    }
    if (!session->ghost && become_ghost(referee, session)) {
        snprintf(session->doom_said, sizeof session->doom_said, "%s", reason);
        referee->hooks.gone(referee->hooks.owner, session->id, reason);
    }
    return session->ghost;
}

void referee_set_key(struct referee *referee, const struct hash *key) {
    referee->key = hash_key_of(key);
    referee->has_key = true;
}

void referee_allow_return(struct referee *referee, uint32_t id) {
    struct session *session = referee_find_session(referee, id);
    if (session != NULL) {
        session->returns = true;
    }
}

bool referee_is_lost(const struct referee *referee, uint32_t id) {
    const struct session *session = referee_find_session(referee, id);
    return session != NULL && session->state == SESSION_LOST && !session->ghost;
}

void referee_forget(struct referee *referee, uint32_t id, int64_t now) {
    referee->now = now;
    if (referee_is_lost(referee, id)) {
        referee_drop(referee, referee_find_session(referee, id), REASON_DISCONNECT, NULL);
    }
}

static bool has_frozen_table(struct referee *referee, const struct session *session) {
    for (int place = 0; session->seats != NULL && place < session->facts.tables; place++) {
        const struct table *table = referee_find_table(referee, session->seats[place].table);
        if (table != NULL && table->holds != 0) {
            return true;
        }
    }
    return false;
}

void comeback_expire(struct referee *referee, struct session *session) {
    if (has_frozen_table(referee, session)) { /* the end of the pause says how long it lasts */
        heap_set(&referee->timers, &session->timer, referee->now + referee->limits.vacant);
        return;
    }
    for_each_table(referee, session, table_miss);
    snprintf(session->doom_said, sizeof session->doom_said, "it did not come back");
    referee_drop(referee, session, REASON_DISCONNECT, NULL);
}

/* The two objects change their places and what is the session's, not the connection's. */
static void exchange(struct referee *referee, struct session *old, struct session *fresh) {
    uint32_t id = old->id;
    bool dirty = old->dirty;
    shelf_exchange(&referee->sessions, old->id, fresh->id);
    old->id = old->timer.id = fresh->id;
    fresh->id = fresh->timer.id = id;
    old->dirty = fresh->dirty;
    fresh->dirty = dirty;
    fresh->facts = old->facts;
    fresh->facts.who = fresh->who;
    fresh->returns = true;
    fresh->number = old->number;
    heap_unset(&referee->timers, &old->share.timer);
    share_move(&fresh->share, &old->share);
    wait_arm(referee, fresh);
    fresh->seats = old->seats;
    fresh->first_free = old->first_free;
    fresh->free_seats = old->free_seats;
    fresh->out.ceiling = old->out.ceiling;
    fresh->kept = old->kept;
    fresh->ghost = old->ghost;
    fresh->strays = old->strays;
    fresh->tokens = old->tokens;
    fresh->tokens_at = old->tokens_at;
    old->number = 0;
    old->seats = NULL;
    old->first_free = -1;
    old->facts.tables = 0;
    bytes_init(&old->kept, KEPT_MAX);
}

/* The lines of a seat that wait for its next request, from one spelling to the other. */
static void respell_news(struct seat *seat, enum spelling from, enum spelling to) {
    struct bytes news = seat->news;
    size_t at = 0;
    bytes_init(&seat->news, news.ceiling);
    while (at < news.length) {
        struct message message;
        char why[160];
        size_t length = (size_t)((char *)memchr(news.data + at, '\n', news.length - at) -
                                 (news.data + at));
        if (spelling_decode(from, news.data + at, length, SENT_BY_REFEREE, &message, why) ==
            DECODED_MESSAGE) {
            spelling_encode(to, &message, &seat->news);
        }
        at += length + 1;
    }
    bytes_clear(&news);
}

static void tell_seat(struct referee *referee, struct table *table, enum side side) {
    table->seat[side].returns += table->holds == 0;
    tell_state(referee, table, side);
    if (game_is_asking(table, side)) { /* an answer shows that it was read on this connection */
        table->request.end = referee_find_session(referee, table->seat[side].session)->queued;
    }
}

/* The session is there again: it hears what it needs to go on. */
static void return_to_seats(struct referee *referee, struct session *session,
                            enum spelling spelled) {
    for (int place = 0; session->seats != NULL && place < session->facts.tables; place++) {
        struct table *table = referee_find_table(referee, session->seats[place].table);
        if (table != NULL && spelled != session->spelling) {
            respell_news(&table->seat[session->seats[place].side], spelled, session->spelling);
        }
    }
    kept_tell(referee, session);
    for_each_table(referee, session, tell_seat);
    for_each_table(referee, session, table_regain);
}

void comeback_take_over(struct referee *referee, struct session *session,
                        const struct message *hello) {
    struct session *old = find_by_secret(referee, hello);
    if (old == NULL) {
        hello_refuse(referee, session, "token", "nothing to resume: say hello without `resume`");
        return;
    }
    bool heard = old->state == SESSION_OPEN;
    if (heard) {
        set_lost(referee, old);
        for_each_table(referee, old, lose_sight);
    }
    log_line(LOG_LEVEL_INFO, "session %u resumed who=%s was=%s after_ms=%lld", old->id,
             session->who, old->who, (long long)(referee->now - old->lost_at));
    referee_leave_greeting(referee, session);
    heap_unset(&referee->timers, &session->timer);
    exchange(referee, old, session);
    session->state = SESSION_OPEN;
    if (referee->hooks.swapped != NULL) {
        referee->hooks.swapped(referee->hooks.owner, session->id, old->id);
    }
    referee_replace(referee, old, heard);
    hello_welcome(referee, session);
    return_to_seats(referee, session, old->spelling);
    if (session->ghost) {
        referee->ghosts--;
        referee_doom(referee, session, REASON_ABORTED, old->doom_said);
    }
}
