#include "rules/ogid.h"

#include "rules/id_text.h"
#include "rules/result.h"

enum {
    FIELD_WHITE,
    FIELD_BLACK,
    FIELD_CUBE,
    FIELD_DICE,
    FIELD_ACTED,
    FIELD_STATE,
    FIELD_SCORE_WHITE,
    FIELD_SCORE_BLACK,
    FIELD_LENGTH,
    FIELD_MOVE,
    FIELD_CHECKERS,
    FIELD_COUNT,
    FIELDS_LEAST = FIELD_ACTED + 1,
    CHECKERS_USUAL = 15,
    CUBE_DIGIT_MAX = 9
};

static const char notation[] = "an OGID";

static const char *field_name(int at) {
    static const char *const names[FIELD_COUNT] = {
        "White's checkers",   "Black's checkers",      "the cube",
        "the dice",           "the side that acted",   "the state",
        "the score of White", "the score of Black",    "the length",
        "the move's number",  "the number of checkers"};
    return names[at];
}

/* The states of a game; one that is unknown is refused. */
static const struct state {
    const char *word; /* lower case, as a reader takes it */
    enum game_phase phase;
} states[] = {
    {"iw", GAME_PLAYING},  {"ib", GAME_PLAYING},  {"pr", GAME_PLAYING}, {"rg", GAME_RESIGNED},
    {"rm", GAME_RESIGNED}, {"ff", GAME_RESIGNED}, {"r", GAME_PLAYING},  {"c", GAME_PLAYING},
    {"a", GAME_PLAYING},   {"d", GAME_PLAYING},   {"p", GAME_DROPPED},  {"g", GAME_OVER},
    {"m", GAME_OVER},      {"f", GAME_OVER},      {"", GAME_PLAYING},
};

/* Whether a field is just this word, in any case. */
static bool field_is(struct reader field, const char *word) {
    return reader_take(&field, word) && field.at == field.end;
}

static bool has(const struct id_text *id, int at) {
    return id->count > at && id->field[at].at < id->field[at].end;
}

static int read_men(const struct id_text *id, int at, enum side side, struct board *board) {
    for (struct reader field = id->field[at]; field.at < field.end; field.at++) {
        char letter = *field.at;
        int point = letter >= '0' && letter <= '9'   ? letter - '0'
                    : letter >= 'a' && letter <= 'p' ? letter - 'a' + 10
                                                     : -1;
        int own = side == SIDE_X ? POINT_BAR - point : point;
        if (point < 0 || own == POINT_OFF) {
            return id_text_refuse(id, at,
                                  side == SIDE_X ? "of 0-9 and a-o, one letter for each checker"
                                                 : "of 1-9 and a-p, one letter for each checker");
        }
        if (board->men[side][own] < UINT8_MAX) { /* too many are told by board_check */
            board->men[side][own]++;
        }
    }
    return 0;
}

static int read_cube(const struct id_text *id, struct match_position *position) {
    struct reader field = id->field[FIELD_CUBE];
    bool white = reader_take(&field, "w"), black = !white && reader_take(&field, "b");
    bool nobody =
        !white && !black &&
        (reader_take(&field, "n") || reader_take(&field, "d") || reader_take(&field, "?"));
    int log = reader_take_number(&field, CUBE_LOG_MAX);
    bool offered = reader_take(&field, "o");
    bool action =
        offered || reader_take(&field, "n") || reader_take(&field, "t") || reader_take(&field, "p");
    if (!(white || black || nobody) || log < 0 || !action || field.at < field.end) {
        return id_text_refuse(id, FIELD_CUBE, "an owner, a digit and an action such as N0N");
    }
    position->cube_log = (uint8_t)log;
    position->cube_owner = (int8_t)(white ? SIDE_X : black ? SIDE_Y : CUBE_CENTRED);
    position->pending = offered ? PENDING_DOUBLE : PENDING_NONE;
    return 0;
}

static int read_dice(const struct id_text *id, struct match_position *position) {
    struct reader field = id->field[FIELD_DICE];
    for (int die = 0; die < 2 && has(id, FIELD_DICE); die++) {
        if (field.end - field.at != 2 || field.at[die] < '1' || field.at[die] > '6') {
            return id_text_refuse(id, FIELD_DICE, "two dice such as 31, or nothing");
        }
        position->dice[die] = (uint8_t)(field.at[die] - '0');
    }
    return 0;
}

/* Reads who acted and in what state: together they say who is on roll. */
static int read_turn(const struct id_text *id, struct match_position *position) {
    struct reader acted = id->field[FIELD_ACTED];
    static const char beginning[] = "iw"; /* what a missing state means */
    struct reader state = id->count > FIELD_STATE ? id->field[FIELD_STATE]
                                                  : (struct reader){beginning, beginning + 2};
    size_t at = 0, count = sizeof states / sizeof states[0];
    if (!field_is(acted, "w") && !field_is(acted, "b")) {
        return id_text_refuse(id, FIELD_ACTED, "W or B");
    }
    while (at < count && !field_is(state, states[at].word)) {
        at++;
    }
    if (at == count) {
        return id_text_refuse(id, FIELD_STATE, "one such as R, C, D or IW");
    }
    enum side side = field_is(acted, "w") ? SIDE_X : SIDE_Y;
    position->phase = states[at].phase;
    if (field_is(state, "d")) {
        position->pending = PENDING_DOUBLE;
    }
    position->decider = side_other(side);
    if (field_is(state, "iw") && position->dice[0] == 0) {
        position->decider = SIDE_X;
    }
    position->mover =
        position->pending == PENDING_DOUBLE ? side_other(position->decider) : position->decider;
    return 0;
}

/* Reads the length, which may have a letter behind it. */
static int read_length(const struct id_text *id, struct match_position *position) {
    static const int points[2] = {0, MATCH_POSITION_LENGTH_MAX};
    struct id_text number = *id;
    struct reader *field = &number.field[FIELD_LENGTH];
    if (!has(id, FIELD_LENGTH)) {
        return 0;
    }
    char last = field->end[-1];
    if (last == 'C' || last == 'L') {
        position->crawford = last == 'C';
        field->end--;
    }
    if (id_text_number(&number, FIELD_LENGTH, points, &position->length) != 0) {
        return -1;
    }
    position->crawford =
        position->crawford && position->length != 1; /* some say so of a 1-pointer */
    return 0;
}

static int read_score(const struct rules *rules, const struct id_text *id,
                      struct match_position *position) {
    static const int points[2] = {0, MATCH_POSITION_LENGTH_MAX};
    const int checkers[2] = {rules->variant->checkers, rules->variant->checkers};
    int white = 0, black = 0, surplus;
    if ((has(id, FIELD_SCORE_WHITE) &&
         id_text_number(id, FIELD_SCORE_WHITE, points, &white) != 0) ||
        (has(id, FIELD_SCORE_BLACK) &&
         id_text_number(id, FIELD_SCORE_BLACK, points, &black) != 0) ||
        read_length(id, position) != 0 ||
        (has(id, FIELD_MOVE) && id_text_number(id, FIELD_MOVE, points, &surplus) != 0) ||
        (has(id, FIELD_CHECKERS) && id_text_number(id, FIELD_CHECKERS, checkers, &surplus) != 0)) {
        return -1;
    }
    position->score[SIDE_X] = white * POINT_HALVES;
    position->score[SIDE_Y] = black * POINT_HALVES;
    return 0;
}

int ogid_read(const struct rules *rules, const char *text, size_t length,
              struct match_position *position, char why[160]) {
    struct id_text id = {.name = notation, .field_name = field_name, .why = why};
    struct board board = {0};
    if (id_text_needs_opposed(rules, notation, why) != 0) {
        return -1;
    }
    match_position_init(position, rules);
    id_text_cut(&id, text, length, "ogid=");
    if (id.count < FIELDS_LEAST || id.count > FIELD_COUNT) {
        struct words words = words_begin(why, 160);
        words_add(&words, "an OGID has five to eleven fields between colons, not ");
        words_add_number(&words, id.count);
        return -1;
    }
    if (read_men(&id, FIELD_WHITE, SIDE_X, &board) != 0 ||
        read_men(&id, FIELD_BLACK, SIDE_Y, &board) != 0 || read_cube(&id, position) != 0 ||
        read_dice(&id, position) != 0 || read_turn(&id, position) != 0 ||
        read_score(rules, &id, position) != 0) {
        return -1;
    }
    id_text_rest_off(board.men[SIDE_X], rules->variant->checkers);
    id_text_rest_off(board.men[SIDE_Y], rules->variant->checkers);
    position->board = board;
    return match_position_check(position, rules, why);
}

static void write_men(struct words *words, const struct board *board, enum side side) {
    for (int point = 0; point <= POINT_BAR; point++) {
        int own = side == SIDE_X ? POINT_BAR - point : point;
        for (int i = 0; own != POINT_OFF && i < board->men[side][own]; i++) {
            words_add_char(words, (char)(point < 10 ? '0' + point : 'a' + point - 10));
        }
    }
}

static char side_letter(int side) {
    return side == CUBE_CENTRED ? 'N' : side == SIDE_X ? 'W' : 'B';
}

/* Adds cube, dice, who acted and the state. */
static void write_turn(struct words *words, const struct match_position *position) {
    bool doubled = position->pending == PENDING_DOUBLE;
    bool thrown = position->dice[0] > 0;
    words_add_char(words, ':');
    words_add_char(words, side_letter(position->cube_owner));
    words_add_number(words, position->cube_log);
    words_add_char(words, doubled ? 'O' : 'N');
    words_add_char(words, ':');
    for (int die = 0; die < 2 && thrown; die++) {
        words_add_number(words, position->dice[die]);
    }
    words_add_char(words, ':');
    words_add_char(words, side_letter((int)side_other(position->decider)));
    words_add(words, doubled ? ":D" : thrown ? ":R" : ":C");
}

int ogid_write(const struct rules *rules, const struct match_position *position,
               char out[OGID_TEXT_MAX], char why[160]) {
    struct words words = words_begin(out, OGID_TEXT_MAX);
    if (match_position_check(position, rules, why) != 0 ||
        id_text_needs_opposed(rules, notation, why) != 0 ||
        id_text_needs_plain(position, notation, why) != 0) {
        return -1;
    }
    if (position->pending > PENDING_DOUBLE) {
        return id_text_no_room(notation, "a beaver that waits for its answer", why);
    }
    if (position->cube_log > CUBE_DIGIT_MAX) {
        return id_text_no_room(notation, "a cube above 512", why);
    }
    write_men(&words, &position->board, SIDE_X);
    words_add_char(&words, ':');
    write_men(&words, &position->board, SIDE_Y);
    write_turn(&words, position);
    id_text_add_field(&words, id_text_points(position, SIDE_X));
    id_text_add_field(&words, id_text_points(position, SIDE_Y));
    id_text_add_field(&words, position->length);
    words_add(&words, position->crawford ? "C:0" : ":0");
    if (rules->variant->checkers != CHECKERS_USUAL) {
        id_text_add_field(&words, rules->variant->checkers);
    }
    return 0;
}
