#include "dice/scheme.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "check.h"
#include "dice/roll.h"

#include <stdlib.h>

/* tests/cases/dice.json, the vectors an auditor has as well. */
static struct cJSON *vectors;

static const char *vector(const char *key) {
    const char *text = json_text(json_member(vectors, key));
    return text != NULL ? text : "(no such vector)";
}

static struct hash vector_hash(const char *key) {
    struct hash hash = {{0}};
    const char *text = vector(key);
    CHECK(text_unhex(text, strlen(text), hash.byte, HASH_BYTES), "%s is 32 bytes", key);
    return hash;
}

static void check_hash(struct hash got, const char *key) {
    char hex[HASH_HEX];
    hash_hex(&got, hex);
    CHECK_TEXT(hex, vector(key), key);
}

static void check_rolls(const struct hash_key *game, enum dice_stream stream, size_t block_bytes,
                        const char *key) {
    const struct cJSON *rolls = json_member(vectors, key);
    uint32_t n = 0;
    bool good = true;
    for (const struct cJSON *want = json_first(rolls); want != NULL; want = json_next(want)) {
        struct roll roll = roll_walk(game, stream, n, block_bytes);
        struct roll plain = game_roll(game, stream, n);
        char text[3] = {(char)('0' + roll.die[0]), (char)('0' + roll.die[1]), '\0'};
        good = good && strcmp(text, json_text(want)) == 0;
        good = good && (block_bytes < HASH_BYTES || memcmp(&roll, &plain, sizeof roll) == 0);
        n++;
    }
    CHECK(good && n > 0, "%s: %u throws", key, (unsigned)n);
}

/* Unit, key and game vectors with both contributions. */
static struct unit_dice test_unit(void) {
    struct hash master = vector_hash("master");
    struct hash a = vector_hash("player-1");
    struct hash b = vector_hash("player-2");
    const char *event = vector("event");
    const char *unit = vector("unit");
    struct unit_dice dice;
    check_hash(dice_master_commitment(&master, event), "master commitment");
    unit_dice_init(&dice, &master, event, unit, 1);
    check_hash(dice.seed, "unit seed, attempt 1");
    unit_dice_init(&dice, &master, event, unit, 0);
    check_hash(dice.seed, "unit seed");
    check_hash(dice.commitment, "server commitment");
    check_hash(dice.key, "unit key without contributions");
    struct hash key = game_key(&dice, 1, 0);
    struct hash_key game = hash_key_of(&key);
    check_rolls(&game, STREAM_X, HASH_BYTES, "without contributions, game 1 stream X");
    check_hash(unit_dice_contribution(&dice, 1, a.byte), "player-1 commitment");
    check_hash(unit_dice_contribution(&dice, 2, b.byte), "player-2 commitment");
    unit_dice_mix(&dice, a.byte, b.byte);
    check_hash(dice.key, "unit key");

    struct unit_dice again;
    struct hash seed = vector_hash("unit seed");
    unit_dice_from_seed(&again, &seed, event, unit);
    check_hash(again.commitment, "server commitment");
    check_hash(again.key, "unit key without contributions");
    unit_dice_mix(&again, a.byte, NULL);
    CHECK(memcmp(&again.key, &dice.key, sizeof dice.key) != 0, "an absent contribution shows");
    unit_dice_mix(&again, a.byte, b.byte);
    CHECK(memcmp(&again.key, &dice.key, sizeof dice.key) == 0, "a verifier gets the same key");
    return dice;
}

static void test_games(const struct unit_dice *dice) {
    struct hash key = game_key(dice, 1, 0);
    struct hash_key game = hash_key_of(&key);
    check_hash(key, "game 1 key");
    check_hash(game_key(dice, 1, 1), "game 1 key, attempt 1");
    key = game_key(dice, 2, 0);
    struct hash_key second = hash_key_of(&key);
    check_hash(key, "game 2 key");
    check_rolls(&game, STREAM_OPENING, HASH_BYTES, "game 1 stream O");
    check_rolls(&game, STREAM_X, HASH_BYTES, "game 1 stream X");
    check_rolls(&game, STREAM_Y, HASH_BYTES, "game 1 stream Y");
    check_rolls(&second, STREAM_X, HASH_BYTES, "game 2 stream X");
    check_rolls(&game, STREAM_X, 1, "game 1 stream X, blocks cut to 1 byte (forces second blocks)");
    check_hash(roll_block(&game, STREAM_X, 0, 0), "block X 0 0");
}

/* The throws of game 1 whose first three bytes hold one that is dropped are exactly
 * those listed, and each of them skips it. */
static void test_rejection(const struct unit_dice *dice) {
    struct hash key = game_key(dice, 1, 0);
    struct hash_key game = hash_key_of(&key);
    const struct cJSON *listed =
        json_member(vectors, "X rolls below 200 whose first three bytes hold a rejected byte");
    const struct cJSON *next = json_first(listed);
    bool same = true;
    bool skipped = true;
    for (uint32_t n = 0; n < 200; n++) {
        struct hash block = roll_block(&game, STREAM_X, n, 0);
        bool rejected = block.byte[0] >= 252 || block.byte[1] >= 252 || block.byte[2] >= 252;
        int64_t want = -1;
        if (next != NULL && json_integer(next, n, n, &want)) {
            next = json_next(next);
        }
        same = same && rejected == (want == n);
        uint8_t kept[2] = {0, 0};
        for (int i = 0, count = 0; i < HASH_BYTES && count < 2; i++) {
            if (block.byte[i] < 252) {
                kept[count++] = block.byte[i];
            }
        }
        struct roll roll = game_roll(&game, STREAM_X, n);
        skipped = skipped && roll.die[0] == kept[0] % 6 + 1 && roll.die[1] == kept[1] % 6 + 1;
    }
    CHECK(same && next == NULL, "bytes of 252 and above stand where the vectors say");
    CHECK(skipped, "and are dropped");
}

static void check_seed(uint64_t got, const char *key) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, got);
    CHECK_TEXT(text, vector(key), key);
}

/* Chi-square of faces and of ordered pairs; the bounds are the 1e-9 tails. */
static void test_faces(void) {
    enum { THROWS = 1000000 };
    static const enum dice_stream streams[] = {STREAM_OPENING, STREAM_X, STREAM_Y};
    struct hash master = dice_open_master("faces");
    struct unit_dice dice;
    unit_dice_init(&dice, &master, "faces", "U000001", 0);
    int faces[6] = {0};
    int pairs[36] = {0};
    struct hash_key game = {{0}, {0}};
    for (uint32_t i = 0; i < THROWS; i++) {
        if (i % 1000 == 0) {
            struct hash key = game_key(&dice, i / 1000 + 1, 0);
            game = hash_key_of(&key);
        }
        struct roll roll = game_roll(&game, streams[i % 3], i % 1000 / 3);
        faces[roll.die[0] - 1]++;
        faces[roll.die[1] - 1]++;
        pairs[(roll.die[0] - 1) * 6 + roll.die[1] - 1]++;
    }
    double face_square = 0;
    double pair_square = 0;
    for (int i = 0; i < 6; i++) {
        double off = faces[i] - 2.0 * THROWS / 6;
        face_square += off * off / (2.0 * THROWS / 6);
    }
    for (int i = 0; i < 36; i++) {
        double off = pairs[i] - THROWS / 36.0;
        pair_square += off * off / (THROWS / 36.0);
    }
    CHECK(face_square < 52.6, "chi-square of faces over 1e6 throws: %.2f", face_square);
    CHECK(pair_square < 112.0, "chi-square of pairs over 1e6 throws: %.2f", pair_square);
}

static void test_masters(void) {
    struct hash a = dice_fresh_master();
    struct hash b = dice_fresh_master();
    CHECK(memcmp(&a, &b, sizeof a) != 0, "fresh masters differ");
    check_hash(dice_open_master(vector("open seed")), "open master");
}

int main(void) {
    char path[4096];
    const char *source = getenv("HAKEM_SOURCE");
    snprintf(path, sizeof path, "%s/tests/cases/dice.json", source != NULL ? source : ".");
    struct bytes bytes;
    struct fail fail = {0};
    bytes_init(&bytes, 1 << 16);
    if (file_read(path, &bytes, &fail) == 0) {
        vectors = json_parse(bytes.data, bytes.length, &json_limits_file, &fail);
    }
    bytes_clear(&bytes);
    if (!CHECK(vectors != NULL, "the vectors are read %s", fail.text)) {
        return check_done();
    }
    CHECK_INT(dice_init(), 0, "the library is ready");
    struct unit_dice dice = test_unit();
    test_games(&dice);
    test_rejection(&dice);
    check_seed(game_bot_seed(&dice, 1, 'X', 1, 0), "bot seed, leg 1 seat X game 1 attempt 0");
    check_seed(game_bot_seed(&dice, 2, 'Y', 3, 1), "bot seed, leg 2 seat Y game 3 attempt 1");
    struct hash key = vector_hash("game 1 key");
    struct hash_key game = hash_key_of(&key);
    check_seed(game_pick(&game, 1), "game 1 pick 1");
    check_seed(game_pick(&game, 258), "game 1 pick 258");
    test_masters();
    test_faces();
    json_free(vectors);
    return check_done();
}
