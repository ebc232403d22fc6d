/* The first message of a connection: who comes in, who is refused, who takes up a session again. */
#include "base/log.h"
#include "referee/inside.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { TABLES_PER_SESSION_MAX = 4096, PROTOCOL_VERSION = 1 };

void hello_refuse(struct referee *referee, struct session *session, const char *code,
                  const char *why) {
    struct message message;
    assert(code_is_among(code, refusal_code));
    message_init(&message, MESSAGE_REFUSED);
    message_set(&message, FIELD_CODE, code);
    message_set(&message, FIELD_REASON, why);
    message_set_int(&message, FIELD_HAVE, PROTOCOL_VERSION);
    referee_tell(referee, session, &message);
    log_line(LOG_LEVEL_INFO, "session %u refused code=%s name=%s reason=%s", session->id, code,
             session->facts.name, why);
    if (why != session->doom_said) {
        snprintf(session->doom_said, sizeof session->doom_said, "%s", why);
    }
    referee_drop(referee, session, REASON_DISCONNECT, NULL);
}

/* The outside refuses it, at once or later: who guesses is made to wait. */
static void refuse(struct referee *referee, struct session *session,
                   const struct hello_refusal *refusal) {
    if (refusal->delay <= 0 || referee->turned_away >= referee->limits.turned_away) {
        hello_refuse(referee, session, refusal->code, refusal->reason);
        return;
    }
    referee->greeting--;
    referee->turned_away++;
    session->state = SESSION_REFUSED;
    session->refused_code = refusal->code;
    snprintf(session->doom_said, sizeof session->doom_said, "%s", refusal->reason);
    heap_set(&referee->timers, &session->timer, referee->now + refusal->delay);
}

static unsigned variants_of(const struct message *message) {
    unsigned variants = 0;
    for (int id = 0; id < VARIANT_COUNT; id++) {
        if (!message_has(message, FIELD_VARIANTS) ||
            message_list_has(message, FIELD_VARIANTS, variant_row((enum variant_id)id)->name)) {
            variants |= 1U << id;
        }
    }
    return variants;
}

static void read_facts(struct session *session, const struct message *message) {
    int64_t tables = message_int(message, FIELD_TABLES, 1);
    struct session_facts *facts = &session->facts;
    snprintf(facts->name, sizeof facts->name, "%s", message_text(message, FIELD_NAME));
    const char *version = message_text(message, FIELD_VERSION);
    text_copy(facts->version, sizeof facts->version, version, strlen(version));
    text_copy_words(facts->settings, sizeof facts->settings, message_text(message, FIELD_SETTINGS));
    facts->tables = tables > TABLES_PER_SESSION_MAX ? TABLES_PER_SESSION_MAX : (int)tables;
    facts->variants = variants_of(message);
    facts->has_token = message_has(message, FIELD_TOKEN);
    if (facts->has_token) {
        const char *token = message_text(message, FIELD_TOKEN);
        facts->token = hash_bytes(token, strlen(token));
    }
    session->want_position = message_list_has(message, FIELD_WANT, "position");
    session->want_plays = message_list_has(message, FIELD_WANT, "plays");
    session->contribute = contribute_find(message_text(message, FIELD_CONTRIBUTE));
    session->auto_forced = message_list_has(message, FIELD_AUTO, "forced");
}

void hello_welcome(struct referee *referee, struct session *session) {
    struct message message;
    message_init(&message, MESSAGE_WELCOME);
    message_set_int(&message, FIELD_HAKEM, PROTOCOL_VERSION);
    message_set_print(&message, FIELD_SESSION, "s%u", session->id);
    message_set(&message, FIELD_SERVER, "hakem/" HAKEM_VERSION);
    message_set_int(&message, FIELD_LINE,
                    session->spelling == SPELLING_JSON ? JSON_LINE_MAX : TEXT_LINE_MAX);
    if (session->number > 0) {
        char secret[SECRET_TEXT];
        comeback_secret(referee, session, secret);
        message_set(&message, FIELD_RESUME, secret);
    }
    referee_tell(referee, session, &message);
}

void hello_handle(struct referee *referee, struct session *session,
                  const struct message *message) {
    const char *name = message_text(message, FIELD_NAME);
    struct hello_refusal refusal = {.code = "name", .reason = "not expected here"};
    if (message_int(message, FIELD_HAKEM, 0) != PROTOCOL_VERSION) {
        hello_refuse(referee, session, "version", "this referee speaks hakem=1");
        return;
    }
    if (!text_is_name(name, strlen(name))) {
        hello_refuse(referee, session, "name",
                     "a name is a letter or digit, then up to 31 of A-Z a-z 0-9 . _ -");
        return;
    }
    read_facts(session, message);
    if (message_has(message, FIELD_RESUME)) { /* it is in already, so that there is room */
        comeback_take_over(referee, session, message);
        return;
    }
    if (session->unwelcome) {
        hello_refuse(referee, session, "full", "no more bots are let in now: try again later");
        return;
    }
    bool watches = session->facts.tables == 0;
    if (watches && !gallery_join(referee, session)) {
        hello_refuse(referee, session, "full",
                     referee->limits.spectators > 0 ? "too many spectators"
                                                    : "nobody may watch here");
        return;
    }
    if (!watches && referee->hooks.hello != NULL &&
        !referee->hooks.hello(referee->hooks.owner, session->id, &session->facts, &refusal)) {
        refuse(referee, session, &refusal);
        return;
    }
    referee->greeting--;
    session->state = watches ? SESSION_WATCHING : SESSION_OPEN;
    heap_unset(&referee->timers, &session->timer);
    session_make_seats(session);
    session->number = session->returns && referee->has_key && !watches ? ++referee->secrets : 0;
    hello_welcome(referee, session);
    if (!watches && referee->hooks.welcomed != NULL) {
        referee->hooks.welcomed(referee->hooks.owner, session->id);
    }
}
