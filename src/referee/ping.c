/* Pings: a peer whose line may be cut without a word (TCP) is pinged when nothing was heard of it
 * for a while and it is asked nothing. What that tells is the round trip, and nobody is dropped for
 * not answering: a bot of ten lines need not know it. But bytes that are not taken make the
 * kernel notice that nobody is there. */
#include "base/log.h"
#include "referee/table.h"

#include <stdio.h>
#include <string.h>

enum { PING_IDLE = 15 * 1000 /* ms */ };

void referee_allow_pings(struct referee *referee, uint32_t id) {
    struct session *session = referee_find_session(referee, id);
    if (session != NULL) {
        session->ping.on = true;
    }
}

void ping_rest(struct referee *referee, struct session *session) {
    if (!session->ping.on || session->state != SESSION_OPEN) {
        heap_unset(&referee->timers, &session->timer);
    } else if (session->timer.place == 0) { /* one that rings too early does not matter */
        heap_set(&referee->timers, &session->timer, referee->now + PING_IDLE);
    }
}

static void ping(struct referee *referee, struct session *session) {
    struct message message;
    message_init(&message, MESSAGE_PING);
    message_set_u64(&message, FIELD_ID, ++session->ping.id);
    session->ping.sent_at = referee->now;
    referee_tell(referee, session, &message);
}

bool ping_expire(struct referee *referee, struct session *session) {
    bool blocked = session->blocked_since >= 0;
    int64_t stall = session->blocked_since + referee->limits.stall;
    if (!session->ping.on || (blocked && stall <= referee->now)) {
        return false;
    }
    int64_t next = session->ping.heard_at + PING_IDLE;
    bool asked = session->share.open > 0;
    if (!blocked && !asked && next <= referee->now) {
        ping(referee, session);
    }
    if (asked || next <= referee->now) {
        next = referee->now + PING_IDLE;
    }
    heap_set(&referee->timers, &session->timer, blocked && stall < next ? stall : next);
    return true;
}

void ping_hear(struct referee *referee, struct session *session, const struct message *message) {
    struct ping *pinged = &session->ping;
    char id[24];
    snprintf(id, sizeof id, "%llu", (unsigned long long)pinged->id);
    if (message->kind != MESSAGE_PONG || pinged->sent_at == 0 ||
        strcmp(message_text(message, FIELD_ID), id) != 0) {
        return;
    }
    int64_t took = referee->now - pinged->sent_at - referee->lag.fresh;
    session->facts.round_trip = took > 0 ? took : 0;
    pinged->sent_at = 0;
    log_line(LOG_LEVEL_DEBUG, "session %u ping ms=%lld who=%s", session->id,
             (long long)session->facts.round_trip, session->who);
}
