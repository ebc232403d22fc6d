#include "dice/scheme.h"

#include "dice/roll.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum {
    ROLL_BYTE_LIMIT = 252, /* the largest multiple of six a byte can reach: no face is favoured */
    DECIMAL_ROOM = 12,
    ROLL_STREAM_AT = 21, /* where a roll's message names its stream */
};

static const struct hash_field field_absent = {.data = NULL, .length = 0};

/* Numbers are hashed as decimal text; `out` keeps the digits alive. */
static struct hash_field field_decimal(unsigned number, char out[DECIMAL_ROOM]) {
    int length = snprintf(out, DECIMAL_ROOM, "%u", number);
    return (struct hash_field){.data = out, .length = (size_t)length};
}

/* HMAC(key, LP(fields)) with a key that is used once. */
static struct hash keyed_once(const struct hash *key, const struct hash_field *fields,
                              size_t count) {
    struct hash_key ready = hash_key_of(key);
    struct hash hash = hash_keyed(&ready, fields, count, field_absent);
    sodium_memzero(&ready, sizeof ready);
    return hash;
}

static void put_u32(uint32_t number, uint8_t out[4]) {
    out[0] = (uint8_t)(number >> 24);
    out[1] = (uint8_t)(number >> 16);
    out[2] = (uint8_t)(number >> 8);
    out[3] = (uint8_t)number;
}

/* SHA256(LP("hakem/v1/commit", who, event, unit, value)): every commitment has this form. */
static struct hash commit(const char *who, const char *event, const char *unit,
                          struct hash_field value) {
    const struct hash_field fields[] = {field_text("hakem/v1/commit"), field_text(who),
                                        field_text(event), field_text(unit), value};
    return hash_fields(fields, sizeof fields / sizeof fields[0]);
}

static const char *const source_names[DICE_SOURCES] = {
    [DICE_AUDITABLE] = "auditable",
    [DICE_SEEDED] = "seeded",
    [DICE_RECORDED] = "recorded",
    [DICE_MANUAL] = "manual",
    [DICE_IMPORTED] = "imported",
};

bool dice_are_listed(enum dice_source source) {
    return source == DICE_RECORDED || source == DICE_MANUAL;
}

const char *dice_source_name(enum dice_source source) {
    return source_names[source];
}

int dice_source_find(const char *name) {
    for (int source = 0; source < DICE_SOURCES; source++) {
        if (strcmp(source_names[source], name) == 0) {
            return source;
        }
    }
    return -1;
}

int dice_init(void) {
    return sodium_init() < 0 ? -1 : 0;
}

struct hash dice_fresh_master(void) {
    struct hash master;
    randombytes_buf(master.byte, sizeof master.byte);
    return master;
}

struct hash dice_open_master(const char *seed) {
    const struct hash_field fields[] = {field_text("hakem/v1/open"), field_text(seed)};
    return hash_fields(fields, sizeof fields / sizeof fields[0]);
}

struct hash dice_master_commitment(const struct hash *master, const char *event) {
    return commit("master", event, "", field_hash(master));
}

void unit_dice_from_seed(struct unit_dice *dice, const struct hash *seed, const char *event,
                         const char *unit) {
    assert(strlen(event) < sizeof dice->event && strlen(unit) < sizeof dice->unit);
    *dice = (struct unit_dice){.seed = *seed};
    memcpy(dice->event, event, strlen(event));
    memcpy(dice->unit, unit, strlen(unit));
    dice->commitment = commit("server", event, unit, field_hash(seed));
    unit_dice_mix(dice, NULL, NULL);
}

void unit_dice_init(struct unit_dice *dice, const struct hash *master, const char *event,
                    const char *unit, unsigned attempt) {
    char digits[DECIMAL_ROOM];
    const struct hash_field fields[] = {field_text("hakem/v1/seed"), field_text(event),
                                        field_text(unit), field_decimal(attempt, digits),
                                        field_absent /* beacon */};
    struct hash seed = keyed_once(master, fields, sizeof fields / sizeof fields[0]);
    unit_dice_from_seed(dice, &seed, event, unit);
}

/* A contribution is 32 bytes or absent. */
static struct hash_field field_contribution(const uint8_t *bytes) {
    return bytes != NULL ? (struct hash_field){.data = bytes, .length = DICE_CONTRIBUTION}
                         : field_absent;
}

void unit_dice_mix(struct unit_dice *dice, const uint8_t *a, const uint8_t *b) {
    const struct hash_field fields[] = {field_text("hakem/v1/key"), field_text(dice->event),
                                        field_text(dice->unit),     field_hash(&dice->commitment),
                                        field_contribution(a),      field_contribution(b)};
    dice->key = keyed_once(&dice->seed, fields, sizeof fields / sizeof fields[0]);
}

struct hash unit_dice_contribution(const struct unit_dice *dice, int player,
                                   const uint8_t bytes[DICE_CONTRIBUTION]) {
    assert(player == 1 || player == 2);
    return commit(player == 1 ? "player-1" : "player-2", dice->event, dice->unit,
                  field_contribution(bytes));
}

struct hash game_key(const struct unit_dice *dice, unsigned game, unsigned attempt) {
    assert(game >= 1);
    char game_digits[DECIMAL_ROOM];
    char attempt_digits[DECIMAL_ROOM];
    const struct hash_field fields[] = {field_text("hakem/v1/game"),
                                        field_decimal(game, game_digits),
                                        field_decimal(attempt, attempt_digits)};
    return keyed_once(&dice->key, fields, sizeof fields / sizeof fields[0]);
}

struct hash roll_block(const struct hash_key *game, enum dice_stream stream, uint32_t n,
                       uint32_t j) {
    /* LP("hakem/v1/roll", stream) || n || j as it stands, for this is asked with every throw. */
    uint8_t message[] = "\0\0\0\x0dhakem/v1/roll\0\0\0\1?nnnnjjj";
    message[ROLL_STREAM_AT] = (uint8_t)stream;
    put_u32(n, message + ROLL_STREAM_AT + 1);
    put_u32(j, message + ROLL_STREAM_AT + 5);
    return hash_keyed(game, NULL, 0, (struct hash_field){message, sizeof message});
}

struct roll roll_walk(const struct hash_key *game, enum dice_stream stream, uint32_t n,
                      size_t block_bytes) {
    struct roll roll = {{0, 0}};
    int kept = 0;
    for (uint32_t j = 0; kept < 2; j++) {
        struct hash block = roll_block(game, stream, n, j);
        for (size_t i = 0; i < block_bytes && kept < 2; i++) {
            if (block.byte[i] < ROLL_BYTE_LIMIT) {
                roll.die[kept++] = (uint8_t)(block.byte[i] % 6 + 1);
            }
        }
    }
    return roll;
}

struct roll game_roll(const struct hash_key *game, enum dice_stream stream, uint32_t n) {
    return roll_walk(game, stream, n, HASH_BYTES);
}

/* The first eight bytes as a number. */
static uint64_t number_of(const struct hash *hash) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) {
        number = number << 8 | hash->byte[i];
    }
    return number;
}

uint64_t game_pick(const struct hash_key *game, uint32_t n) {
    const struct hash_field fields[] = {field_text("hakem/v1/pick")};
    uint8_t tail[4];
    put_u32(n, tail);
    struct hash hash = hash_keyed(game, fields, sizeof fields / sizeof fields[0],
                                  (struct hash_field){.data = tail, .length = sizeof tail});
    return number_of(&hash);
}

uint64_t game_bot_seed(const struct unit_dice *dice, int leg, char seat, unsigned game,
                       unsigned attempt) {
    assert((leg == 1 || leg == 2) && (seat == 'X' || seat == 'Y'));
    char game_digits[DECIMAL_ROOM];
    char attempt_digits[DECIMAL_ROOM];
    const struct hash_field fields[] = {
        field_text("hakem/v1/bot"),
        field_text(leg == 1 ? "1" : "2"),
        {.data = &seat, .length = 1},
        field_decimal(game, game_digits),
        field_decimal(attempt, attempt_digits),
    };
    struct hash hash =
        keyed_once(&dice->seed, fields, sizeof fields / sizeof fields[0]);
    return number_of(&hash);
}
