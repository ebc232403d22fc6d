/* What the two players of a unit add to its dice, before any game of it (dice.md, "Order of
 * messages for a unit"). One table of the unit does it for both legs; the other one waits.
 *
 * Each step asks both players at once and waits for those that owe something; who owes when its
 * time is over, or brings something else, loses every leg of the unit. */
#include "base/log.h"
#include "record/mix.h"
#include "referee/table.h"

#include <string.h>

bool mix_runs(const struct table *table) {
    return table->mix.step > MIX_DUE && table->mix.step < MIX_DONE;
}

/* Whether the player has to bring something in this step. */
static bool owes(const struct mix *mix, int player) {
    const struct contribution *of = &mix->of[player];
    switch (mix->step) {
    case MIX_COMMIT:
        return mix->way[player] == CONTRIBUTE_COMMIT && !of->committed;
    case MIX_OPEN:
        return mix->way[player] == CONTRIBUTE_OPEN && !of->given;
    case MIX_REVEAL:
        return mix->way[player] == CONTRIBUTE_COMMIT && !of->given;
    case MIX_DUE:
    case MIX_DISK:
    case MIX_DONE:
        return false;
    }
    return false;
}

/* 64 hex digits, or `none`. */
static void set_hex(struct message *message, enum field field, bool there, const void *bytes) {
    char hex[HASH_HEX];
    text_hex(bytes, HASH_BYTES, hex);
    message_set(message, field, there ? hex : "none");
}

/* What the step tells: C_S, both commitments, the values that came in the open. */
static void set_step(struct message *message, const struct table *table, int player) {
    const struct contribution *of = table->mix.of;
    const bool open[PLAYERS] = {of[0].given && !of[0].committed, of[1].given && !of[1].committed};
    switch (table->mix.step) {
    case MIX_COMMIT:
        message_init(message, MESSAGE_COMMIT);
        set_hex(message, FIELD_COMMIT, true, table->dice.commitment.byte);
        message_set_int(message, FIELD_PLAYER, player + 1);
        message_set(message, FIELD_EVENT, table->dice.event);
        break;
    case MIX_OPEN:
        message_init(message, MESSAGE_OPEN);
        set_hex(message, FIELD_COMMIT_A, of[0].committed, of[0].commitment.byte);
        set_hex(message, FIELD_COMMIT_B, of[1].committed, of[1].commitment.byte);
        break;
    case MIX_REVEAL:
        message_init(message, MESSAGE_REVEAL);
        set_hex(message, FIELD_A, open[0], of[0].bytes);
        set_hex(message, FIELD_B, open[1], of[1].bytes);
        break;
    case MIX_DUE:
    case MIX_DISK:
    case MIX_DONE:
        mix_write(message, table->dice.unit, of);
        if (table->mix.signed_for) {
            char hex[2 * SIGN_BYTES + 1];
            text_hex(table->mix.receipt, SIGN_BYTES, hex);
            message_set(message, FIELD_RECEIPT, hex);
        }
        return;
    }
    message_set(message, FIELD_UNIT, table->dice.unit);
}

/* Tells a seat the step, unless its session knows it. */
static void tell_step(struct referee *referee, struct table *table, enum side side) {
    struct seat *seat = &table->seat[side];
    int player = mix_player(table->leg, side);
    struct message message;
    if (seat->mix_told == table->mix.step) {
        return;
    }
    seat->mix_told = table->mix.step;
    set_step(&message, table, player);
    if (owes(&table->mix, player)) {
        message_set_int(&message, FIELD_MS, referee->limits.ready);
    }
    referee_tell(referee, referee_find_session(referee, seat->session), &message);
}

static bool is_silent(const struct mix *mix) {
    return mix->way[0] == CONTRIBUTE_NONE && mix->way[1] == CONTRIBUTE_NONE;
}

void mix_tell(struct referee *referee, struct table *table, enum side side) {
    bool done = table->mix.step == MIX_DONE && table->mix.signed_for;
    table->seat[side].mix_told = MIX_DUE;
    if (!is_silent(&table->mix) && (done || (mix_runs(table) && table->mix.step != MIX_DISK))) {
        tell_step(referee, table, side);
    }
}

void record_mix(struct table *table) {
    struct message message;
    mix_write(&message, table->dice.unit, table->mix.of);
    record_add(&table->record, &message);
}

void mix_take_over(struct table *table, const struct contribution of[PLAYERS]) {
    memcpy(table->mix.of, of, sizeof table->mix.of);
    table->mix.step = MIX_DONE;
    contribution_mix(&table->dice, of);
}

bool mix_is_withheld(const struct table *table, enum side side) {
    return table->mix.of[mix_player(table->leg, side)].withheld;
}

void mix_end(struct referee *referee, struct table *table) {
    bool x = mix_is_withheld(table, SIDE_X);
    if (x && mix_is_withheld(table, SIDE_Y)) {
        table_end(referee, table, -1, REASON_WITHHELD, -1);
        return;
    }
    struct fault fault = {.side = x ? SIDE_X : SIDE_Y,
                          .reason = REASON_WITHHELD,
                          .why = "what it had declared for the dice was withheld"};
    record_fault(table, &fault);
    table_end(referee, table, (int)side_other(fault.side), REASON_WITHHELD, (int)fault.side);
}

void mix_join(struct table *table, const struct table *mate) {
    if (table->mix.step == MIX_DUE && mate->mix.step >= MIX_DISK) {
        mix_take_over(table, mate->mix.of);
        table->mix.step = mate->mix.step;
        record_mix(table);
    }
}

/* What is known now counts for both legs. The piece of the record goes out with the fact, so that
 * it can be on disk before any throw. */
static void report(struct referee *referee, struct table *table) {
    struct table *mate = referee_find_table(referee, table->mate);
    record_mix(table);
    if (mate != NULL) {
        mix_join(mate, table);
    }
    struct mix_facts facts = {.table = table->id,
                              .attempt = table->attempt,
                              .of = table->mix.of,
                              .digest = contribution_digest(&table->dice, table->mix.of),
                              .record = bytes_text(&table->record.text),
                              .record_length = table->record.text.length};
    referee->hooks.mixed(referee->hooks.owner, &facts);
    gallery_turn_page(referee, table);
    bytes_drop(&table->record.text, table->record.text.length);
}

/* Nothing is owed any more: it waits for the disk. */
static void finish(struct referee *referee, struct table *table) {
    table->mix.step = MIX_DISK;
    table_clear_deadline(table);
    contribution_mix(&table->dice, table->mix.of);
    report(referee, table);
}

/* A step that nobody owes anything to goes over at once. */
static void proceed(struct referee *referee, struct table *table) {
    struct mix *mix = &table->mix;
    while (mix->step < MIX_DISK && !owes(mix, 0) && !owes(mix, 1)) {
        mix->step++;
        if (mix->step == MIX_DISK) {
            finish(referee, table);
            return;
        }
        tell_step(referee, table, SIDE_X);
        tell_step(referee, table, SIDE_Y);
    }
    table_set_deadline(referee, table, table_time(referee, table) + referee->limits.ready);
}

static void begin(struct referee *referee, struct table *table) {
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        const struct session *session =
            referee_find_session(referee, table->seat[side].session);
        table->mix.way[mix_player(table->leg, side)] = session->contribute;
    }
    table->mix.step = MIX_COMMIT;
    if (is_silent(&table->mix)) {
        finish(referee, table);
        return;
    }
    tell_step(referee, table, SIDE_X);
    tell_step(referee, table, SIDE_Y);
    proceed(referee, table);
}

void mix_go_on(struct referee *referee, struct table *table) {
    const struct table *mate = referee_find_table(referee, table->mate);
    table_set_state(table, TABLE_MIX);
    table_clear_deadline(table);
    if (table->holds != 0 || table->mix.step == MIX_DISK || (mate != NULL && mix_runs(mate))) {
        return;
    }
    if (table->mix.step == MIX_DUE) {
        begin(referee, table);
        return;
    }
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        tell_step(referee, table, side);
    }
    proceed(referee, table);
}

/* Players (a: player 1, b: player 2) have not delivered what they had declared. */
static void withhold(struct referee *referee, struct table *table, bool a, bool b) {
    uint32_t mate_id = table->mate;
    struct mix *mix = &table->mix;
    log_line(LOG_LEVEL_INFO, "table %u withheld unit=%s a=%d b=%d", table->id, table->dice.unit, a,
             b);
    mix->of[0].withheld = a;
    mix->of[1].withheld = b;
    for (int player = 0; player < PLAYERS; player++) {
        struct contribution *of = &mix->of[player];
        of->given = of->given && !of->withheld; /* and nothing is put in its place */
    }
    mix->step = MIX_DISK;
    report(referee, table);
    mix->step = MIX_DONE;
    mix_end(referee, table);
    struct table *mate = referee_find_table(referee, mate_id);
    if (mate != NULL && mate->state != TABLE_OVER && mate->mix.step == MIX_DISK) {
        mate->mix.step = MIX_DONE;
        mix_end(referee, mate);
    }
}

/* Whether a player that leaves now would do so for what it has heard. */
static bool is_bound(const struct mix *mix, int player) {
    bool declared = mix->way[player] == CONTRIBUTE_OPEN && mix->step >= MIX_OPEN;
    return !mix->of[player].given && (mix->of[player].committed || declared);
}

bool mix_forfeit(struct referee *referee, struct table *table, bool x, bool y) {
    struct table *mate = referee_find_table(referee, table->mate);
    struct table *doer = mate != NULL && mix_runs(mate) ? mate : table;
    bool leaves[PLAYERS];
    leaves[mix_player(table->leg, SIDE_X)] = x;
    leaves[mix_player(table->leg, SIDE_Y)] = y;
    bool a = leaves[0] && is_bound(&doer->mix, 0);
    bool b = leaves[1] && is_bound(&doer->mix, 1);
    if (!mix_runs(doer) || doer->mix.step == MIX_DISK || (!a && !b)) {
        return false;
    }
    withhold(referee, doer, a, b);
    return true;
}

void mix_expire(struct referee *referee, struct table *table) {
    withhold(referee, table, owes(&table->mix, 0), owes(&table->mix, 1));
}

/* The table at which this session does it for the unit. */
static struct table *find_table(struct referee *referee, const struct session *session,
                                const char *unit, enum side *side) {
    for (int place = 0; session->seats != NULL && place < session->facts.tables; place++) {
        struct held_seat held = session->seats[place];
        struct table *table = held.table == 0 ? NULL : referee_find_table(referee, held.table);
        if (table != NULL && mix_runs(table) && strcmp(table->dice.unit, unit) == 0 &&
            table->mix.step != MIX_DISK) {
            *side = held.side;
            return table;
        }
    }
    return NULL;
}

/* What a message of that kind has to bring, and in which step it is due. */
static bool takes(struct mix *mix, int player, const struct message *message, enum mix_step *due,
                  enum field *field) {
    bool commits = mix->way[player] == CONTRIBUTE_COMMIT;
    bool opens = mix->way[player] == CONTRIBUTE_OPEN;
    *due = message->kind == MESSAGE_COMMIT ? MIX_COMMIT
           : message->kind == MESSAGE_OPEN ? MIX_OPEN
                                           : MIX_REVEAL;
    *field = message->kind == MESSAGE_COMMIT ? FIELD_COMMIT : FIELD_BYTES;
    return mix->step >= *due && (message->kind == MESSAGE_OPEN ? opens : commits);
}

/* Takes what has come; false when it is not what is due, or not what came before. */
static bool take(struct table *table, int player, enum mix_step due, const struct hash *got) {
    struct contribution *of = &table->mix.of[player];
    bool again = due == MIX_COMMIT ? of->committed : of->given;
    if (again) {
        return memcmp(due == MIX_COMMIT ? of->commitment.byte : of->bytes, got->byte,
                      HASH_BYTES) == 0;
    }
    if (due == MIX_COMMIT) {
        of->committed = true;
        of->commitment = *got;
        return true;
    }
    if (due == MIX_REVEAL &&
        !contribution_opens(&table->dice, player, &of->commitment, got->byte)) {
        return false;
    }
    of->given = true;
    memcpy(of->bytes, got->byte, sizeof of->bytes);
    return true;
}

const char *mix_hear(struct referee *referee, struct session *session,
                     const struct message *message) {
    enum side side;
    struct table *table =
        find_table(referee, session, message_text(message, FIELD_UNIT), &side);
    enum mix_step due;
    enum field field;
    int player = table != NULL ? mix_player(table->leg, side) : 0;
    if (table == NULL || !takes(&table->mix, player, message, &due, &field)) {
        return "nothing of the kind is awaited for this unit";
    }
    const char *text = message_text(message, field);
    struct hash got;
    bool good = text_unhex(text, strlen(text), got.byte, HASH_BYTES) &&
                take(table, player, due, &got);
    if (!good) {
        withhold(referee, table, player == 0, player == 1);
    } else if (table->state == TABLE_MIX && table->holds == 0 && !owes(&table->mix, 0) &&
               !owes(&table->mix, 1)) {
        proceed(referee, table);
    }
    return NULL;
}

void referee_mixed(struct referee *referee, uint32_t id, const uint8_t receipt[SIGN_BYTES],
                   int64_t now) {
    struct table *table = referee_find_table(referee, id);
    referee->now = now;
    if (table == NULL || table->state == TABLE_OVER || table->mix.step != MIX_DISK) {
        return;
    }
    table->mix.step = MIX_DONE;
    if (!is_silent(&table->mix)) { /* else nothing was said, and nothing needs a receipt */
        table->mix.signed_for = true;
        memcpy(table->mix.receipt, receipt, SIGN_BYTES);
        tell_step(referee, table, SIDE_X);
        tell_step(referee, table, SIDE_Y);
    }
    table_go_on(referee, table);
}
