#include "sim/make_record.h"

#include "base/alloc.h"
#include "base/text.h"
#include "record/chain.h"
#include "record/writer.h"
#include "rules/cube.h"
#include "rules/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const letter[SIDE_COUNT] = {"X", "Y"};

/* The match while it is made. */
struct maker {
    const struct make_record *spec;
    struct record_writer writer;
    struct unit_dice dice;
    struct hash_key key; /* of the game */
    struct match match;
    unsigned game, attempt;
    enum side starter;
    int ply;
    unsigned turns[SIDE_COUNT];
    struct situation now;
    struct decision place; /* what is decided, and the cube */
    uint64_t chance;
    struct play_room *room;
};

/* splitmix64: chance that is the same everywhere. */
static uint64_t chance(struct maker *maker, uint64_t below) {
    uint64_t z = (maker->chance += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return (z ^ (z >> 31)) % below;
}

static void set_hash(struct message *message, enum field field, const struct hash *hash) {
    char hex[HASH_HEX];
    hash_hex(hash, hex);
    message_set(message, field, hex);
}

static void set_score(struct maker *maker, struct message *message) {
    char x[SCORE_TEXT_MAX];
    char y[SCORE_TEXT_MAX];
    score_write(maker->match.score[SIDE_X], x);
    score_write(maker->match.score[SIDE_Y], y);
    message_set_print(message, FIELD_SCORE, "%s,%s", x, y);
}

static void set_dice(struct message *message, enum field field, const uint8_t dice[2]) {
    message_set_print(message, field, "%d%d", dice[0], dice[1]);
}

static void start_message(struct maker *maker, struct message *message, enum message_kind kind) {
    message_init(message, kind);
    message_set_int(message, FIELD_TABLE, maker->spec->leg);
}

static void write_header(struct maker *maker, const struct hash *master) {
    const struct make_record *spec = maker->spec;
    struct message message;
    start_message(maker, &message, MESSAGE_RECORD);
    message_set_int(&message, FIELD_HAKEM, 1);
    message_set(&message, FIELD_UNIT, maker->dice.unit);
    message_set(&message, FIELD_EVENT, maker->dice.event);
    message_set(&message, FIELD_VARIANT, spec->rules.variant->name);
    message_set(&message, FIELD_SOURCE, "seeded");
    message_set(&message, FIELD_PAIRING, "mirrored");
    set_hash(&message, FIELD_COMMIT, &maker->dice.commitment);
    struct hash commitment = dice_master_commitment(master, maker->dice.event);
    set_hash(&message, FIELD_MASTER, &commitment);
    message_set(&message, FIELD_X, spec->leg == 1 ? "alpha" : "beta-2.1");
    message_set(&message, FIELD_Y, spec->leg == 1 ? "beta-2.1" : "alpha");
    message_set(&message, FIELD_X_VERSION, "1.0 (test build)");
    message_set(&message, FIELD_SERVER, "hakem/0.1.0");
    char key[2 * SIGN_PUBLIC_BYTES + 1];
    text_hex(spec->key.public_key, SIGN_PUBLIC_BYTES, key);
    message_set(&message, FIELD_KEY, key);
    message_set(&message, FIELD_DATE, "2026-11-30T18:49:49Z");
    message_set_int(&message, FIELD_MOVE_TIME, 5000);
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        if (rules_states(&spec->rules, option)) {
            message_set_option(&message, option, spec->rules.value[option]);
        }
    }
    record_add(&maker->writer, &message);
}

static void write_game(struct maker *maker, const char *opening) {
    struct message message;
    start_message(maker, &message, MESSAGE_GAME);
    message_set_int(&message, FIELD_GAME, maker->game);
    message_set_int(&message, FIELD_ATTEMPT, maker->attempt);
    set_score(maker, &message);
    if (opening[0] != '\0') {
        message_set(&message, FIELD_OPENING, opening);
    }
    message_set(&message, FIELD_STARTER, letter[maker->starter]);
    if (maker->match.crawford == CRAWFORD_NOW) {
        message_set(&message, FIELD_CRAWFORD, "yes");
    }
    if (maker->place.cube.value > 1) {
        message_set_int(&message, FIELD_CUBE, maker->place.cube.value);
    }
    record_add(&maker->writer, &message);
}

static void write_did(struct maker *maker, const struct play *play) {
    struct message message;
    char text[PLAY_TEXT_MAX];
    start_message(maker, &message, MESSAGE_DID);
    message_set_int(&message, FIELD_PLY, maker->ply);
    message_set(&message, FIELD_SEAT, letter[maker->now.mover]);
    set_dice(&message, FIELD_DEED, maker->now.dice);
    play_write(play, ' ', true, text);
    message_set(&message, FIELD_PLAY, text);
    if (play->count > 0) {
        message_set_int(&message, FIELD_MS, (int64_t)chance(maker, 40));
    }
    record_add(&maker->writer, &message);
}

static void write_result(struct maker *maker, int winner, struct outcome outcome,
                         const char *reason) {
    struct message message;
    int half_points = outcome_half_points(&maker->spec->rules, &outcome);
    char points[SCORE_TEXT_MAX];
    score_write(half_points, points);
    match_add(&maker->match, winner, half_points, maker->starter);
    start_message(maker, &message, MESSAGE_RESULT);
    message_set_int(&message, FIELD_GAME, maker->game);
    message_set(&message, FIELD_WINNER, winner < 0 ? "none" : letter[winner]);
    message_set(&message, FIELD_KIND, kind_name(&maker->spec->rules, outcome.kind));
    message_set(&message, FIELD_POINTS, points);
    set_score(maker, &message);
    message_set(&message, FIELD_REASON, reason);
    record_add(&maker->writer, &message);
}

/* The side asked does something without a play; true when that ends the game. */
static bool do_act(struct maker *maker, enum act act, int kind) {
    const struct rules *rules = &maker->spec->rules;
    struct message message;
    start_message(maker, &message, MESSAGE_DID);
    message_set_int(&message, FIELD_PLY, ++maker->ply);
    message_set(&message, FIELD_SEAT, letter[maker->place.side]);
    message_set(&message, FIELD_DEED, act_name(act));
    if (act == ACT_RESIGN) {
        message_set(&message, FIELD_KIND, kind_name(rules, kind));
        if (decision_thrown(&maker->place)) {
            set_dice(&message, FIELD_THROW, maker->now.dice);
        }
    }
    message_set_int(&message, FIELD_MS, (int64_t)chance(maker, 40));
    record_add(&maker->writer, &message);
    if (act == ACT_DROP || act == ACT_ACCEPT) {
        struct outcome outcome = cube_surrender(rules, &maker->place, act);
        write_result(maker, (int)outcome.winner, outcome, act == ACT_DROP ? "drop" : "resign");
        return true;
    }
    cube_do(&maker->place, act, kind);
    return false;
}

/* What the side asked does at random: an act other than to throw or to play, or 0. */
static unsigned choose_act(struct maker *maker) {
    unsigned may = cube_may(&maker->spec->rules, &maker->match, &maker->place);
    bool throws = maker->place.phase == PHASE_THROW;
    if ((may & ACT_DOUBLE) != 0 && chance(maker, 4) == 0) {
        return ACT_DOUBLE;
    }
    /* before the throw only who may double is asked */
    if ((may & ACT_RESIGN) != 0 && (!throws || (may & ACT_DOUBLE) != 0) && chance(maker, 30) == 0) {
        return ACT_RESIGN;
    }
    if ((may & ACT_BEAVER) != 0 && chance(maker, 2) == 0) {
        return ACT_BEAVER;
    }
    if ((may & ACT_TAKE) != 0) {
        return chance(maker, 4) == 0 ? ACT_DROP : ACT_TAKE;
    }
    if ((may & ACT_ACCEPT) != 0) {
        return chance(maker, 3) == 0 ? ACT_ACCEPT : ACT_REJECT;
    }
    return 0;
}

/* All that happens before the throw, or between the throw and its play; true when the
 * game is over. */
static bool exchange(struct maker *maker, enum phase phase) {
    const int *value = maker->spec->rules.value;
    unsigned act = 0;
    if (!value[OPTION_VIDO] && !value[OPTION_RESIGN]) {
        return false;
    }
    while ((phase == PHASE_THROWN || maker->place.phase != PHASE_THROWN) &&
           (act = choose_act(maker)) != 0) {
        int kind = 1;
        while (act == ACT_RESIGN && (!resign_may(&maker->spec->rules, &maker->place, kind) ||
                                     (kind < 3 && chance(maker, 2) == 0 &&
                                      resign_may(&maker->spec->rules, &maker->place, kind + 1)))) {
            kind++;
        }
        if (do_act(maker, (enum act)act, kind)) {
            return true;
        }
    }
    return false;
}

/* Loses the game for the seat on turn, or for the other one by `disconnect`. */
static void forfeit(struct maker *maker) {
    static const struct {
        const char *code, *got;
    } faults[] = {{"illegal", "24/1"},     {"malformed", "hello, world"},
                  {"malformed", "#20000"}, {"timeout", NULL},
                  {"stall", NULL},         {"disconnect", NULL}};
    uint64_t which = chance(maker, sizeof faults / sizeof faults[0]);
    enum side side = maker->now.mover;
    if (strcmp(faults[which].code, "disconnect") == 0) {
        side = side_other(side);
    }
    struct message message;
    start_message(maker, &message, MESSAGE_FAULT);
    message_set_int(&message, FIELD_PLY, maker->ply + 1);
    message_set(&message, FIELD_SEAT, letter[side]);
    message_set(&message, FIELD_CODE, faults[which].code);
    set_dice(&message, FIELD_DICE, maker->now.dice);
    if (faults[which].got != NULL) {
        message_set(&message, FIELD_GOT, faults[which].got);
    }
    message_set(&message, FIELD_REASON, "made for a test");
    message_set_int(&message, FIELD_MS, 7);
    record_add(&maker->writer, &message);
    const struct rules *rules = &maker->spec->rules;
    struct outcome outcome = cube_forfeit(rules, &maker->place, &maker->now.board, side);
    write_result(maker, (int)side_other(side), outcome, faults[which].code);
}

/* Plays the running game; false when it became void. */
static bool play_game(struct maker *maker, bool thrown) {
    const struct rules *rules = &maker->spec->rules;
    uint64_t stop = chance(maker, 3) == 0 ? chance(maker, 40) : 100000;
    for (;; thrown = false) {
        enum side side = maker->now.mover;
        maker->now.first_turn = maker->turns[side] == 0;
        if (!thrown && exchange(maker, PHASE_THROW)) {
            return true;
        }
        cube_do(&maker->place, ACT_ROLL, 0);
        if (!thrown) {
            struct roll roll =
                game_roll(&maker->key, side == SIDE_X ? STREAM_X : STREAM_Y, maker->turns[side]);
            memcpy(maker->now.dice, roll.die, sizeof maker->now.dice);
        }
        maker->turns[side]++;
        size_t count = plays_list(rules, &maker->now, maker->room->list, PLAYS_MAX);
        const struct option_play *chosen = &maker->room->list[chance(maker, count)];
        if (maker->spec->voids && maker->attempt == 0 && (uint64_t)maker->ply == stop) {
            return false;
        }
        if (maker->spec->faults && (uint64_t)maker->ply >= stop && chosen->play.count > 0) {
            forfeit(maker);
            return true;
        }
        if (chosen->play.count > 0 && exchange(maker, PHASE_THROWN)) {
            return true;
        }
        maker->ply++;
        write_did(maker, &chosen->play);
        cube_do(&maker->place, ACT_PLAY, 0);
        maker->now.board = chosen->final;
        struct outcome outcome =
            cube_outcome(rules, &maker->place,
                         game_outcome(rules, &maker->now.board, maker->starter, side));
        if (outcome.over) {
            write_result(maker, outcome.drawn ? -1 : (int)outcome.winner, outcome, "normal");
            return true;
        }
        maker->now.mover = side_other(side);
    }
}

static void start_game(struct maker *maker) {
    const struct rules *rules = &maker->spec->rules;
    char opening[128] = "";
    struct roll roll = {{0, 0}};
    int starter = match_starter(&maker->match, rules);
    struct hash key = game_key(&maker->dice, maker->game, maker->attempt);
    maker->key = hash_key_of(&key);
    bool thrown = starter < 0;
    int throws = 0;
    for (uint32_t n = 0; thrown && roll.die[0] == roll.die[1]; n++, throws++) {
        roll = game_roll(&maker->key, STREAM_OPENING, n);
        size_t used = strlen(opening);
        snprintf(opening + used, sizeof opening - used, "%s%d%d", n > 0 ? "," : "", roll.die[0],
                 roll.die[1]);
    }
    if (thrown) {
        starter = roll.die[0] > roll.die[1] ? SIDE_X : SIDE_Y;
    }
    maker->starter = (enum side)starter;
    maker->ply = 0;
    maker->turns[SIDE_X] = 0;
    maker->turns[SIDE_Y] = 0;
    maker->now = (struct situation){.mover = maker->starter, .dice = {roll.die[0], roll.die[1]}};
    board_init(&maker->now.board, rules);
    decision_init(&maker->place, rules, maker->starter, throws > 0 ? throws - 1 : 0);
    write_game(maker, opening);
    bool deciding = thrown && rules->value[OPTION_OPENING] == OPENING_DECIDING;
    if (play_game(maker, deciding)) {
        maker->game++;
        maker->attempt = 0;
        return;
    }
    struct message message;
    start_message(maker, &message, MESSAGE_VOID);
    message_set_int(&message, FIELD_GAME, maker->game);
    message_set_int(&message, FIELD_ATTEMPT, maker->attempt);
    message_set(&message, FIELD_REASON, "void");
    record_add(&maker->writer, &message);
    maker->attempt++;
}

/* A side gives up between two games. */
static void write_leave(struct maker *maker, enum side side) {
    struct message message;
    start_message(maker, &message, MESSAGE_FAULT);
    message_set_int(&message, FIELD_PLY, 0);
    message_set(&message, FIELD_SEAT, letter[side]);
    message_set(&message, FIELD_CODE, "disconnect");
    message_set(&message, FIELD_REASON, "between games");
    record_add(&maker->writer, &message);
}

static void write_end(struct maker *maker, int winner, const char *reason) {
    struct message message;
    start_message(maker, &message, MESSAGE_END);
    message_set(&message, FIELD_WINNER, winner < 0 ? "none" : letter[winner]);
    set_score(maker, &message);
    message_set(&message, FIELD_REASON, reason);
    record_add(&maker->writer, &message);
    message_init(&message, MESSAGE_REVEAL);
    message_set(&message, FIELD_UNIT, maker->dice.unit);
    set_hash(&message, FIELD_SEED, &maker->dice.seed);
    record_add(&maker->writer, &message);
    record_sign(&maker->writer, &maker->spec->key);
}

static void play_match(struct maker *maker) {
    const struct make_record *spec = maker->spec;
    int winner = -1;
    while (!match_over(&maker->match, &winner)) {
        if (spec->left > 0 && maker->match.games == spec->left) {
            write_leave(maker, SIDE_X);
            write_end(maker, SIDE_Y, "disconnect");
            return;
        }
        if (spec->opens && maker->match.games > 0) {
            return;
        }
        start_game(maker);
    }
    if (!spec->opens) {
        write_end(maker, winner, "normal");
    }
}

void make_record(const struct make_record *spec, struct bytes *out) {
    struct maker maker = {.spec = spec, .game = 1};
    maker.room = alloc_zeroed(1, sizeof *maker.room);
    struct hash master = dice_open_master(spec->seed);
    unit_dice_init(&maker.dice, &master, "test#0123456789abcdef", "U000001", 0);
    maker.chance = game_bot_seed(&maker.dice, spec->leg, 'X', 1, 0);
    record_init(&maker.writer);
    match_init(&maker.match, &spec->rules);
    write_header(&maker, &master);
    play_match(&maker);
    bytes_add(out, maker.writer.text.data, maker.writer.text.length);
    record_clear(&maker.writer);
    free(maker.room);
}

void make_record_chain(const char *text, size_t length, struct bytes *out) {
    struct hash head = {{0}};
    bool first = true;
    for (size_t at = 0; at < length;) {
        const char *line = text + at;
        size_t size = (size_t)((const char *)memchr(line, '\n', length - at) - line);
        size_t bare = size - CHAIN_DIGITS - 1;
        char digits[CHAIN_DIGITS + 1];
        head = chain_link(first ? NULL : &head, line, bare);
        chain_digits(&head, digits);
        bytes_add(out, line, bare);
        bytes_print(out, " %s\n", digits);
        first = false;
        at += size + 1;
    }
}
