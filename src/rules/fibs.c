#include "rules/fibs.h"

#include "rules/id_text.h"
#include "rules/position.h"
#include "rules/result.h"

enum {
    FIELD_LENGTH = 3,
    FIELD_SCORES = 4,
    FIELD_PLACES = 6,
    FIELD_TURN = FIELD_PLACES + POINT_COUNT,
    FIELD_DICE,
    FIELD_DICE_OTHER = FIELD_DICE + 2,
    FIELD_CUBE = FIELD_DICE_OTHER + 2,
    FIELD_MAY_DOUBLE,
    FIELD_DOUBLED = FIELD_MAY_DOUBLE + 2,
    FIELD_COLOUR,
    FIELD_DIRECTION,
    FIELD_AFTER_CRAWFORD = 51,
    FIELD_NO_CRAWFORD,
    FIELD_COUNT,
    FIELDS_LEAST = FIELD_DIRECTION + 1,
    LENGTH_MONEY = 9999
};

static const char notation[] = "a FIBS board string";

static const int signs[2] = {-1, 1}, flags[2] = {0, 1}, points[2] = {0, MATCH_POSITION_LENGTH_MAX};

static const char *field_name(int at) {
    static const char *const names[] = {
        [FIELD_TURN - FIELD_TURN] = "the turn",
        [FIELD_DICE - FIELD_TURN] = "the first die",
        [FIELD_DICE + 1 - FIELD_TURN] = "the second die",
        [FIELD_DICE_OTHER - FIELD_TURN] = "the first die of the second name",
        [FIELD_DICE_OTHER + 1 - FIELD_TURN] = "the second die of the second name",
        [FIELD_CUBE - FIELD_TURN] = "the cube",
        [FIELD_MAY_DOUBLE - FIELD_TURN] = "whether the first name may double",
        [FIELD_MAY_DOUBLE + 1 - FIELD_TURN] = "whether the second name may double",
        [FIELD_DOUBLED - FIELD_TURN] = "whether there was a double",
        [FIELD_COLOUR - FIELD_TURN] = "the colour",
        [FIELD_DIRECTION - FIELD_TURN] = "the direction",
    };
    if (at < FIELD_PLACES) {
        return at == FIELD_LENGTH ? "the length" : "a score";
    }
    if (at >= FIELD_AFTER_CRAWFORD) {
        return at == FIELD_AFTER_CRAWFORD ? "whether the Crawford game is over" : "the last field";
    }
    return at < FIELD_TURN ? "a place" : names[at - FIELD_TURN];
}

/* Reads a field that is 1 or -1. */
static int read_sign(const struct id_text *id, int at, int *out) {
    if (id_text_number(id, at, signs, out) != 0) {
        return -1;
    }
    return *out != 0 ? 0 : id_text_refuse(id, at, "1 or -1");
}

/* Reads the 26 places as the first name counts them; what is on place 0 or 25 is on
 * the bar of the side whose sign it has. */
static int read_men(const struct rules *rules, const struct id_text *id, int colour,
                    struct board *board) {
    static const int men[2] = {-CHECKERS_MAX, CHECKERS_MAX};
    int8_t counts[POINT_COUNT] = {0};
    int direction;
    if (read_sign(id, FIELD_DIRECTION, &direction) != 0) {
        return -1;
    }
    for (int place = 0; place < POINT_COUNT; place++) {
        int count, own = direction < 0 ? place : POINT_BAR - place;
        if (id_text_number(id, FIELD_PLACES + place, men, &count) != 0) {
            return -1;
        }
        count *= colour;
        if (own == POINT_OFF || own == POINT_BAR) {
            own = count > 0 ? POINT_BAR : POINT_OFF;
            count += counts[own];
        }
        counts[own] = (int8_t)count;
    }
    return position_from_counts(rules, counts, SIDE_X, board, id->why);
}

/* Reads the dice: those of the first name, else those of the second. */
static int read_dice(const struct id_text *id, uint8_t dice[2]) {
    static const int die[2] = {0, 6};
    for (int at = FIELD_DICE; at < FIELD_CUBE; at += 2) {
        int first, second;
        if (id_text_number(id, at, die, &first) != 0 ||
            id_text_number(id, at + 1, die, &second) != 0) {
            return -1;
        }
        if (dice[0] == 0 && dice[1] == 0) {
            dice[0] = (uint8_t)first;
            dice[1] = (uint8_t)second;
        }
    }
    return 0;
}

static int read_cube(const struct id_text *id, struct match_position *position) {
    static const int values[2] = {1, 1 << CUBE_LOG_MAX};
    int value, first, second, doubled;
    if (id_text_number(id, FIELD_CUBE, values, &value) != 0 ||
        id_text_number(id, FIELD_MAY_DOUBLE, flags, &first) != 0 ||
        id_text_number(id, FIELD_MAY_DOUBLE + 1, flags, &second) != 0 ||
        id_text_number(id, FIELD_DOUBLED, signs, &doubled) != 0) {
        return -1;
    }
    if ((value & (value - 1)) != 0) {
        return id_text_refuse(id, FIELD_CUBE, "a power of two");
    }
    while (1 << position->cube_log < value) {
        position->cube_log++;
    }
    if (first != second && value > 1) {
        position->cube_owner = first != 0 ? SIDE_X : SIDE_Y;
    }
    if (doubled != 0) {
        position->pending = PENDING_DOUBLE;
        position->decider = side_other(position->mover);
    }
    return 0;
}

/* Whether one side is a point away, so that it matters which game this is. */
static bool is_point_away(const struct match_position *position) {
    int before_last = (position->length - 1) * POINT_HALVES;
    return position->length > 0 &&
           (position->score[SIDE_X] == before_last) + (position->score[SIDE_Y] == before_last) == 1;
}

static int read_score(const struct id_text *id, struct match_position *position) {
    int length, first, second, after = 0, not_this = 0;
    if (id_text_number(id, FIELD_LENGTH, points, &length) != 0 ||
        id_text_number(id, FIELD_SCORES, points, &first) != 0 ||
        id_text_number(id, FIELD_SCORES + 1, points, &second) != 0 ||
        (id->count > FIELD_AFTER_CRAWFORD &&
         id_text_number(id, FIELD_AFTER_CRAWFORD, flags, &after) != 0) ||
        (id->count > FIELD_NO_CRAWFORD &&
         id_text_number(id, FIELD_NO_CRAWFORD, points, &not_this) != 0)) {
        return -1;
    }
    position->length = length == LENGTH_MONEY ? 0 : length;
    position->score[SIDE_X] = first * POINT_HALVES;
    position->score[SIDE_Y] = second * POINT_HALVES;
    position->crawford = after == 0 && not_this == 0 && is_point_away(position);
    return 0;
}

int fibs_read(const struct rules *rules, const char *text, size_t length,
              struct match_position *position, char why[160]) {
    struct id_text id = {.name = notation, .field_name = field_name, .why = why};
    int colour, turn;
    if (id_text_needs_opposed(rules, notation, why) != 0) {
        return -1;
    }
    match_position_init(position, rules);
    id_text_cut(&id, text, length, "");
    if (!reader_take(&id.field[0], "board") || id.field[0].at < id.field[0].end ||
        id.count < FIELDS_LEAST || id.count > FIELD_COUNT) {
        struct words words = words_begin(why, 160);
        words_add(&words, "a FIBS board string begins with \"board:\" and has 42 to 52 fields "
                          "behind it, not ");
        words_add_number(&words, id.count - 1);
        return -1;
    }
    if (read_sign(&id, FIELD_COLOUR, &colour) != 0 || read_sign(&id, FIELD_TURN, &turn) != 0) {
        return -1;
    }
    position->mover = turn == colour ? SIDE_X : SIDE_Y;
    position->decider = position->mover;
    if (read_men(rules, &id, colour, &position->board) != 0 ||
        read_dice(&id, position->dice) != 0 || read_cube(&id, position) != 0 ||
        read_score(&id, position) != 0) {
        return -1;
    }
    return match_position_check(position, rules, why);
}

static void write_name(struct words *words, const char *name) {
    words_add_char(words, ':');
    for (int i = 0; i < FIBS_NAME_MAX && name[i] != '\0'; i++) {
        words_add_char(words, name[i] == ':' ? '_' : name[i]);
    }
}

static void write_turn(struct words *words, const struct match_position *position,
                       enum side first) {
    bool mine = position->mover == first;
    id_text_add_field(words, mine ? 1 : -1);
    for (int i = 0; i < 2; i++) {
        for (int die = 0; die < 2; die++) {
            id_text_add_field(words, (i == 0) == mine ? position->dice[die] : 0);
        }
    }
    id_text_add_field(words, 1 << position->cube_log);
    id_text_add_field(words, position->cube_owner != (int)side_other(first));
    id_text_add_field(words, position->cube_owner != (int)first);
    id_text_add_field(words, position->pending == PENDING_DOUBLE);
}

/* Adds colour, direction, home, bar, checkers off and on the bar, and what tells the
 * Crawford game. */
static void write_rest(struct words *words, const struct match_position *position,
                       enum side first) {
    const uint8_t *own = position->board.men[first];
    const uint8_t *other = position->board.men[side_other(first)];
    words_add(words, ":1:-1:0:25");
    id_text_add_field(words, own[POINT_OFF]);
    id_text_add_field(words, other[POINT_OFF]);
    id_text_add_field(words, own[POINT_BAR]);
    id_text_add_field(words, other[POINT_BAR]);
    words_add(words, ":0:0");
    id_text_add_field(words, is_point_away(position) && !position->crawford);
    id_text_add_field(words, !position->crawford);
}

int fibs_write(const struct rules *rules, const struct match_position *position,
               const struct fibs_view *view, char out[FIBS_TEXT_MAX], char why[160]) {
    struct words words = words_begin(out, FIBS_TEXT_MAX);
    enum side first = view->first;
    int8_t counts[POINT_COUNT];
    if (match_position_check(position, rules, why) != 0 ||
        id_text_needs_opposed(rules, notation, why) != 0 ||
        id_text_needs_plain(position, notation, why) != 0) {
        return -1;
    }
    if (position->pending > PENDING_DOUBLE) {
        return id_text_no_room(notation, "a beaver that waits for its answer", why);
    }
    if (position->length == LENGTH_MONEY) {
        return id_text_no_room(notation, "a match to 9999 points", why);
    }
    words_add(&words, "board");
    write_name(&words, view->name[first]);
    write_name(&words, view->name[side_other(first)]);
    id_text_add_field(&words, position->length == 0 ? LENGTH_MONEY : position->length);
    id_text_add_field(&words, id_text_points(position, first));
    id_text_add_field(&words, id_text_points(position, side_other(first)));
    position_counts(rules, &position->board, first, counts);
    for (int place = 0; place < POINT_COUNT; place++) {
        id_text_add_field(&words, counts[place]);
    }
    write_turn(&words, position, first);
    write_rest(&words, position, first);
    return 0;
}
