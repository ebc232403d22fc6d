#include "rules/xgid.h"

#include "rules/id_text.h"
#include "rules/position.h"
#include "rules/result.h"

enum {
    FIELD_MEN,
    FIELD_CUBE,
    FIELD_OWNER,
    FIELD_TURN,
    FIELD_DICE,
    FIELD_SCORE_X,
    FIELD_SCORE_Y,
    FIELD_RULE,
    FIELD_LENGTH,
    FIELD_LIMIT,
    FIELD_COUNT,
    FIELDS_LEAST = FIELD_LIMIT, /* old ids say nothing of a limit */
    MONEY_JACOBY = 1,           /* of FIELD_RULE in money play */
    MONEY_BEAVERS = 2
};

static const char notation[] = "an XGID";

static const char *field_name(int at) {
    static const char *const names[FIELD_COUNT] = {
        "the position", "the cube",         "the owner of the cube", "the turn",
        "the dice",     "the bottom score", "the top score",         "the Crawford field",
        "the length",   "the cube limit"};
    return names[at];
}

static int read_men(const struct rules *rules, const struct id_text *id, struct board *board) {
    struct reader field = id->field[FIELD_MEN];
    int8_t counts[POINT_COUNT] = {0};
    if (field.end - field.at != POINT_COUNT) {
        return id_text_refuse(id, FIELD_MEN, "26 letters");
    }
    for (int place = 0; place < POINT_COUNT; place++) {
        char letter = field.at[place];
        if (letter >= 'A' && letter <= 'P') {
            counts[place] = (int8_t)(letter - 'A' + 1);
        } else if (letter >= 'a' && letter <= 'p') {
            counts[place] = (int8_t)('a' - 1 - letter);
        } else if (letter != '-') {
            return id_text_refuse(id, FIELD_MEN, "of - and the letters A to P");
        }
    }
    return position_from_counts(rules, counts, SIDE_X, board, id->why);
}

static int read_turn(const struct id_text *id, struct match_position *position) {
    static const int owners[2] = {-1, 1}, logs[2] = {0, CUBE_LOG_MAX};
    int log, owner, turn;
    if (id_text_number(id, FIELD_CUBE, logs, &log) != 0 ||
        id_text_number(id, FIELD_OWNER, owners, &owner) != 0 ||
        id_text_number(id, FIELD_TURN, owners, &turn) != 0) {
        return -1;
    }
    if (turn == 0) {
        return id_text_refuse(id, FIELD_TURN, "1 or -1");
    }
    position->cube_log = (uint8_t)log;
    position->cube_owner = (int8_t)(owner == 0 ? CUBE_CENTRED : owner > 0 ? SIDE_X : SIDE_Y);
    position->mover = turn > 0 ? SIDE_X : SIDE_Y;
    return 0;
}

/* Reads the dice, or the letter of a double that is pending. */
static int read_dice(const struct id_text *id, struct match_position *position) {
    static const char letters[] = {[PENDING_NONE] = '0',
                                   [PENDING_DOUBLE] = 'D',
                                   [PENDING_BEAVER] = 'B',
                                   [PENDING_RACCOON] = 'R'};
    struct reader field = id->field[FIELD_DICE];
    long length = field.end - field.at;
    position->decider = position->mover;
    for (int pending = PENDING_NONE; pending <= PENDING_RACCOON; pending++) {
        bool all = length == 2 || (length == 1 && pending != PENDING_NONE);
        for (const char *at = field.at; at < field.end; at++) {
            all = all && *at == letters[pending];
        }
        if (all) {
            position->pending = (enum pending_double)pending;
            position->decider = pending == PENDING_DOUBLE || pending == PENDING_RACCOON
                                    ? side_other(position->mover)
                                    : position->mover;
            return 0;
        }
    }
    for (int die = 0; die < 2; die++) {
        if (length != 2 || field.at[die] < '1' || field.at[die] > '6') {
            return id_text_refuse(id, FIELD_DICE, "two dice such as 31, 00, D, B or R");
        }
        position->dice[die] = (uint8_t)(field.at[die] - '0');
    }
    return 0;
}

static int read_score(const struct id_text *id, struct match_position *position) {
    static const int points[2] = {0, MATCH_POSITION_LENGTH_MAX}, logs[2] = {0, CUBE_LOG_MAX};
    int length, rule, limit = CUBE_LIMIT_USUAL, score[SIDE_COUNT];
    if (id_text_number(id, FIELD_SCORE_X, points, &score[SIDE_X]) != 0 ||
        id_text_number(id, FIELD_SCORE_Y, points, &score[SIDE_Y]) != 0 ||
        id_text_number(id, FIELD_LENGTH, points, &length) != 0) {
        return -1;
    }
    const int rules[2] = {0, length > 0 ? 1 : MONEY_JACOBY + MONEY_BEAVERS};
    if (id_text_number(id, FIELD_RULE, rules, &rule) != 0 ||
        (id->count > FIELD_LIMIT && id_text_number(id, FIELD_LIMIT, logs, &limit) != 0)) {
        return -1;
    }
    position->length = length;
    position->score[SIDE_X] = score[SIDE_X] * POINT_HALVES;
    position->score[SIDE_Y] = score[SIDE_Y] * POINT_HALVES;
    position->crawford = length > 1 && rule == 1; /* some say so of a match to one point */
    position->jacoby = length == 0 && (rule & MONEY_JACOBY) != 0;
    position->beavers = length == 0 && (rule & MONEY_BEAVERS) != 0;
    position->cube_limit = (uint8_t)limit;
    return 0;
}

int xgid_read(const struct rules *rules, const char *text, size_t length,
              struct match_position *position, char why[160]) {
    struct id_text id = {.name = notation, .field_name = field_name, .why = why};
    if (id_text_needs_opposed(rules, notation, why) != 0) {
        return -1;
    }
    match_position_init(position, rules);
    id_text_cut(&id, text, length, "xgid=");
    if (id.count != FIELD_COUNT && id.count != FIELDS_LEAST) {
        struct words words = words_begin(why, 160);
        words_add(&words, "an XGID has ten fields between colons, not ");
        words_add_number(&words, id.count);
        return -1;
    }
    if (read_men(rules, &id, &position->board) != 0 || read_turn(&id, position) != 0 ||
        read_dice(&id, position) != 0 || read_score(&id, position) != 0) {
        return -1;
    }
    return match_position_check(position, rules, why);
}

static void write_men(struct words *words, const struct rules *rules, const struct board *board) {
    int8_t counts[POINT_COUNT];
    position_counts(rules, board, SIDE_X, counts);
    for (int place = 0; place < POINT_COUNT; place++) {
        int count = counts[place];
        words_add_char(words, count == 0  ? '-'
                              : count > 0 ? (char)('A' - 1 + count)
                                          : (char)('a' - 1 - count));
    }
}

static void write_dice(struct words *words, const struct match_position *position) {
    static const char *const letters[] = {[PENDING_NONE] = "",
                                          [PENDING_DOUBLE] = "D",
                                          [PENDING_BEAVER] = "B",
                                          [PENDING_RACCOON] = "R"};
    words_add_char(words, ':');
    if (position->pending != PENDING_NONE) {
        words_add(words, letters[position->pending]);
        return;
    }
    words_add_number(words, position->dice[0]);
    words_add_number(words, position->dice[1]);
}

/* Adds 1 for the bottom player, -1 for the top one. */
static void write_side(struct words *words, int side) {
    id_text_add_field(words, side == CUBE_CENTRED ? 0 : side == SIDE_X ? 1 : -1);
}

int xgid_write(const struct rules *rules, const struct match_position *position,
               char out[XGID_TEXT_MAX], char why[160]) {
    struct words words = words_begin(out, XGID_TEXT_MAX);
    int rule = position->length > 0
                   ? position->crawford
                   : position->jacoby * MONEY_JACOBY + position->beavers * MONEY_BEAVERS;
    if (match_position_check(position, rules, why) != 0 ||
        id_text_needs_opposed(rules, notation, why) != 0 ||
        id_text_needs_plain(position, notation, why) != 0) {
        return -1;
    }
    words_add(&words, "XGID=");
    write_men(&words, rules, &position->board);
    id_text_add_field(&words, position->cube_log);
    write_side(&words, position->cube_owner);
    write_side(&words, (int)position->mover);
    write_dice(&words, position);
    id_text_add_field(&words, id_text_points(position, SIDE_X));
    id_text_add_field(&words, id_text_points(position, SIDE_Y));
    id_text_add_field(&words, rule);
    id_text_add_field(&words, position->length);
    id_text_add_field(&words, position->cube_limit);
    return 0;
}
