#include "referee/table.h"

#include "record/header.h"
#include "wire/phrase.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOT_MAX = 512 };

static void set_hash(struct message *message, enum field field, const struct hash *hash) {
    char hex[HASH_HEX];
    hash_hex(hash, hex);
    message_set(message, field, hex);
}

static void set_clock(struct message *message, const struct clock_rule *rule) {
    if (rule->move_time > 0) {
        message_set_int(message, FIELD_MOVE_TIME, rule->move_time);
    }
    if (rule->reserve > 0) {
        message_set_print(message, FIELD_RESERVE, "%lld,%lld", (long long)rule->reserve,
                          (long long)rule->reserve);
        message_set_int(message, FIELD_INCREMENT, rule->increment);
    }
    if (rule->delay > 0) {
        message_set_int(message, FIELD_DELAY, rule->delay);
    }
    bool limited = rule->move_time > 0 || rule->reserve > 0;
    if (limited && rule->margin != RECORD_MARGIN_DEFAULT) {
        message_set_int(message, FIELD_MARGIN, rule->margin);
    }
    if (limited && rule->wall) {
        message_set(message, FIELD_CLOCK, "wall");
    }
}

/* The session of a seat, NULL while it is vacant. */
static struct session *seated(struct referee *referee, const struct table *table, enum side side) {
    return referee_find_session(referee, table->seat[side].session);
}

static_assert((int)SETTINGS_MAX_BYTES == (int)HEADER_SETTINGS_MAX, "one length of settings");

/* What is known of a bot beside its name; of one that is not there yet, nothing. */
static void set_identity(struct message *message, const struct match_spec *spec, enum side side,
                         const struct session_facts *facts) {
    static const enum field versions[SIDE_COUNT] = {FIELD_X_VERSION, FIELD_Y_VERSION};
    static const enum field commands[SIDE_COUNT] = {FIELD_X_COMMAND, FIELD_Y_COMMAND};
    static const enum field files[SIDE_COUNT] = {FIELD_X_FILES, FIELD_Y_FILES};
    static const enum field settings[SIDE_COUNT] = {FIELD_X_SETTINGS, FIELD_Y_SETTINGS};
    message_set(message, versions[side], facts != NULL ? facts->version : "");
    if (spec->command[side] != NULL) {
        message_set(message, commands[side], spec->command[side]);
    }
    if (spec->files[side] != NULL) {
        char list[HEADER_FILES_MAX];
        text_copy_words(list, sizeof list, spec->files[side]);
        message_set(message, files[side], list);
    }
    if (facts != NULL && facts->settings[0] != '\0') {
        message_set(message, settings[side], facts->settings);
    }
}

void record_header(const struct referee *referee, struct table *table,
                   const struct match_spec *spec) {
    struct message message;
    message_init(&message, MESSAGE_RECORD);
    message_set_int(&message, FIELD_TABLE, table->leg);
    message_set_int(&message, FIELD_HAKEM, 1);
    message_set(&message, FIELD_UNIT, table->dice.unit);
    message_set(&message, FIELD_EVENT, table->dice.event);
    message_set(&message, FIELD_VARIANT, table->rules.variant->name);
    message_set(&message, FIELD_SOURCE, dice_source_name(table->source));
    message_set(&message, FIELD_PAIRING, table->pairing);
    set_hash(&message, FIELD_COMMIT, &table->dice.commitment);
    set_hash(&message, FIELD_MASTER, &table->master_commitment);
    if (table->source == DICE_RECORDED) {
        set_hash(&message, FIELD_THROWS, spec->throws_hash);
    }
    message_set(&message, FIELD_X, table->seat[SIDE_X].name);
    message_set(&message, FIELD_Y, table->seat[SIDE_Y].name);
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        set_identity(&message, spec, side, referee_session(referee, spec->session[side]));
    }
    message_set(&message, FIELD_SERVER, spec->server);
    char key[2 * SIGN_PUBLIC_BYTES + 1];
    text_hex(spec->public_key, SIGN_PUBLIC_BYTES, key);
    message_set(&message, FIELD_KEY, key);
    message_set(&message, FIELD_DATE, spec->date);
    set_clock(&message, &table->clock.rule);
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (rules_states(&table->rules, (enum option)option)) {
            message_set_option(&message, (enum option)option, table->rules.value[option]);
        }
    }
    record_add(&table->record, &message);
}

void record_void(struct table *table) {
    struct message message;
    message_init(&message, MESSAGE_VOID);
    message_set_int(&message, FIELD_TABLE, table->leg);
    message_set_int(&message, FIELD_GAME, table->game);
    message_set_int(&message, FIELD_ATTEMPT, table->attempt);
    message_set(&message, FIELD_REASON, reason_name(REASON_VOID));
    record_add(&table->record, &message);
}

void record_fault(struct table *table, const struct fault *fault) {
    struct message message;
    message_init(&message, MESSAGE_FAULT);
    message_set_int(&message, FIELD_TABLE, table->leg);
    message_set_int(&message, FIELD_PLY, table->in_game ? table->ply + 1 : 0);
    message_set(&message, FIELD_SEAT, side_name((int)fault->side));
    message_set(&message, FIELD_CODE, reason_name(fault->reason));
    if (table->in_game && table->thrown && decision_thrown(&table->decision)) {
        /* the throw in force, whoever is at fault */
        phrase_dice(&message, FIELD_DICE, table->now.dice);
    }
    if (table->in_game && fault->side == table->decision.side) {
        struct cost cost = table_ply_cost(table, fault->cost);
        tell_set_cost(table, &message, &cost);
        if (table_spent(table) > 0) { /* written down now */
            table->rolled = (struct cost){.ms = 0};
        }
    }
    if (fault->got != NULL) {
        char got[GOT_MAX];
        message_set(&message, FIELD_GOT,
                    text_escape(fault->got, fault->got_length, got, sizeof got));
    }
    message_set(&message, FIELD_REASON, fault->why);
    record_add(&table->record, &message);
}

void record_rethrow(struct table *table, enum throw_flaw flaw) {
    struct message message;
    message_init(&message, MESSAGE_RETHROW);
    message_set_int(&message, FIELD_TABLE, table->leg);
    message_set_int(&message, FIELD_PLY, table->in_game ? table->ply : 0);
    message_set(&message, FIELD_REASON, throw_flaw_name(flaw));
    if (table->in_game) {
        message_set(&message, FIELD_SEAT, side_name((int)table->now.mover));
    }
    record_add(&table->record, &message);
}

void record_dispute(struct table *table, enum side side, uint64_t serial, const char *code) {
    struct message message;
    message_init(&message, MESSAGE_DISPUTE);
    message_set_int(&message, FIELD_TABLE, table->leg);
    message_set_u64(&message, FIELD_SERIAL, serial);
    message_set(&message, FIELD_CODE, code);
    message_set(&message, FIELD_SEAT, side_name((int)side));
    message_set_int(&message, FIELD_PLY, table->in_game ? table->ply : 0);
    record_add(&table->record, &message);
}

void tell_set_match(struct message *message, const struct table *table, enum side side) {
    message_set_u64(message, FIELD_TABLE, table->seat[side].handle);
    message_set(message, FIELD_UNIT, table->dice.unit);
    message_set_int(message, FIELD_LEG, table->leg);
    message_set(message, FIELD_VARIANT, table->rules.variant->name);
    message_set(message, FIELD_SEAT, side_name((int)side));
    message_set(message, FIELD_OPPONENT, table->seat[side_other(side)].name);
    message_set(message, FIELD_PAIRING, table->pairing);
    message_set(message, FIELD_SOURCE, dice_source_name(table->source));
    message_set(message, FIELD_EVENT, table->dice.event);
    set_hash(message, FIELD_COMMIT, &table->dice.commitment);
    set_clock(message, &table->clock.rule);
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (option == OPTION_MATCH || rules_differs(&table->rules, (enum option)option)) {
            message_set_option(message, (enum option)option, table->rules.value[option]);
        }
    }
}

void tell_match(struct referee *referee, struct table *table, enum side side) {
    struct message message;
    message_init(&message, MESSAGE_MATCH);
    tell_set_match(&message, table, side);
    referee_tell(referee, seated(referee, table, side), &message);
    if (table->holds != 0) {
        tell_pause(referee, table, side);
    }
}

void tell_pause(struct referee *referee, const struct table *table, enum side side) {
    struct message message;
    message_init(&message, MESSAGE_PAUSE);
    message_set_u64(&message, FIELD_TABLE, table->seat[side].handle);
    message_set(&message, FIELD_REASON, table->frozen_for);
    referee_tell(referee, seated(referee, table, side), &message);
}

void tell_resume(struct referee *referee, const struct table *table, enum side side) {
    struct message message;
    message_init(&message, MESSAGE_RESUME);
    message_set_u64(&message, FIELD_TABLE, table->seat[side].handle);
    referee_tell(referee, seated(referee, table, side), &message);
}

void tell_set_throws(struct message *message, enum field field, const struct roll *opening,
                     int throws) {
    char text[3 * OPENING_THROWS_MAX];
    int length = 0;
    for (int i = 0; i < throws; i++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%d%d", i > 0 ? "," : "",
                           opening[i].die[0], opening[i].die[1]);
    }
    if (throws > 0) {
        message_set(message, field, text);
    }
}

void tell_game(struct referee *referee, struct table *table, const struct roll *opening,
               int throws) {
    for (int to = SIDE_X; to <= SIDE_COUNT; to++) { /* both seats, then the record */
        struct message message;
        message_init(&message, MESSAGE_GAME);
        bool to_seat = to < SIDE_COUNT;
        message_set_u64(&message, FIELD_TABLE,
                        to_seat ? table->seat[to].handle : (uint64_t)table->leg);
        message_set_int(&message, FIELD_GAME, table->game);
        message_set_int(&message, FIELD_ATTEMPT, table->attempt);
        phrase_score(&message, table->match.score, to_seat ? (enum side)to : SIDE_X);
        tell_set_throws(&message, FIELD_OPENING, opening, throws);
        message_set(&message, FIELD_STARTER, side_name((int)table->starter));
        if (table->match.crawford == CRAWFORD_NOW) {
            message_set(&message, FIELD_CRAWFORD, "yes");
        }
        if (table->decision.cube.value > 1) {
            message_set_int(&message, FIELD_CUBE, table->decision.cube.value);
        }
        if (!to_seat) {
            record_add(&table->record, &message);
            continue;
        }
        message_set_u64(
            &message, FIELD_SEED,
            game_bot_seed(&table->dice, table->leg, *side_name(to), table->game, table->attempt));
        referee_tell(referee, seated(referee, table, (enum side)to), &message);
    }
}

/* The news of a seat go out before what comes next. */
void tell_news(struct referee *referee, struct table *table, enum side side) {
    struct session *session = seated(referee, table, side);
    struct bytes *news = &table->seat[side].news;
    tell_heard(table, side);
    if (session == NULL || session->state == SESSION_LOST) {
        bytes_drop(news, news->length);
    } else {
        referee_tell_bytes(referee, session, news);
    }
}

void tell_error(struct referee *referee, const struct table *table, enum side side,
                const char *code, const char *why) {
    struct session *session = seated(referee, table, side);
    if (session == NULL) {
        return;
    }
    struct message message;
    assert(code_is_among(code, error_code));
    message_init(&message, MESSAGE_ERROR);
    message_set(&message, FIELD_CODE, code);
    message_set_u64(&message, FIELD_TABLE, table->seat[side].handle);
    message_set_u64(&message, FIELD_SERIAL, table->seat[side].serial);
    message_set(&message, FIELD_REASON, why);
    referee_tell(referee, session, &message);
}

void tell_result(struct referee *referee, struct table *table, const struct game_facts *facts) {
    char points[SCORE_TEXT_MAX];
    score_write(facts->half_points, points);
    for (int to = SIDE_COUNT; to >= SIDE_X; to--) { /* the record first, its head is told */
        bool to_seat = to < SIDE_COUNT;
        struct message message;
        message_init(&message, MESSAGE_RESULT);
        message_set_u64(&message, FIELD_TABLE,
                        to_seat ? table->seat[to].handle : (uint64_t)table->leg);
        message_set_int(&message, FIELD_GAME, facts->game);
        message_set(&message, FIELD_WINNER, side_name(facts->winner));
        message_set(&message, FIELD_KIND, kind_name(&table->rules, facts->kind));
        message_set(&message, FIELD_POINTS, points);
        phrase_score(&message, table->match.score, to_seat ? (enum side)to : SIDE_X);
        message_set(&message, FIELD_REASON, reason_name(facts->reason));
        if (facts->contended) {
            message_set(&message, FIELD_CONTENDED, "yes");
        }
        if (!to_seat) {
            record_add(&table->record, &message);
            continue;
        }
        message_set_u64(&message, FIELD_LINES, table->record.lines);
        set_hash(&message, FIELD_HEAD, &table->record.head);
        tell_news(referee, table, (enum side)to);
        referee_tell(referee, seated(referee, table, (enum side)to), &message);
    }
}

void tell_end(struct referee *referee, struct table *table, int winner, enum reason reason) {
    for (int to = SIDE_X; to <= SIDE_COUNT; to++) {
        bool to_seat = to < SIDE_COUNT;
        struct message message;
        message_init(&message, MESSAGE_END);
        message_set_u64(&message, FIELD_TABLE,
                        to_seat ? table->seat[to].handle : (uint64_t)table->leg);
        message_set(&message, FIELD_WINNER, side_name(winner));
        phrase_score(&message, table->match.score, to_seat ? (enum side)to : SIDE_X);
        message_set(&message, FIELD_REASON, reason_name(reason));
        if (to_seat) {
            referee_tell(referee, seated(referee, table, (enum side)to), &message);
        } else {
            record_add(&table->record, &message);
        }
    }
}

void referee_send_unit(struct referee *referee, uint32_t id, const char *unit,
                       const struct hash *seed, const struct hash *heads, size_t count) {
    if (referee_session(referee, id) == NULL) {
        return;
    }
    struct message message;
    char hex[HASH_HEX], list[SIDE_COUNT * HASH_HEX] = "";
    message_init(&message, MESSAGE_UNIT);
    message_set(&message, FIELD_UNIT, unit);
    hash_hex(seed, hex);
    message_set(&message, FIELD_SEED, hex);
    for (size_t i = 0; i < count && i < SIDE_COUNT; i++) {
        size_t used = strlen(list);
        hash_hex(&heads[i], hex);
        snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? "," : "", hex);
    }
    message_set(&message, FIELD_HEADS, list);
    referee_tell(referee, referee_find_session(referee, id), &message);
}
