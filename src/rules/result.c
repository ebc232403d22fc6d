#include "rules/result.h"

#include "rules/words.h"

#include <string.h>

enum { KIND_SINGLE = 1, KIND_DOUBLE = 2, KIND_TRIPLE = 3, START_QUARTER = 19, LAST_ROLL_MEN = 4 };

static int men_between(const uint8_t men[POINT_COUNT], int first, int last) {
    int sum = 0;
    for (int point = first; point <= last; point++) {
        sum += men[point];
    }
    return sum;
}

/* Koks (R3.36, B37): the loser's checkers never left his own starting quarter. */
static bool is_koks(const struct rules *rules, const uint8_t loser[POINT_COUNT]) {
    int left = men_between(loser, START_QUARTER, 24);
    return rules->value[OPTION_KOKS] == 3 &&
           (rules->value[OPTION_KOKS_TEST] == KOKS_ANY ? left > 0
                                                       : left == rules->variant->checkers);
}

/* Katmerli mars, backgammon (B20): a checker on the bar or in the winner's home. */
static bool is_katmerli(const struct rules *rules, const uint8_t loser[POINT_COUNT]) {
    return rules->value[OPTION_KATMERLI] == 3 && men_between(loser, START_QUARTER, POINT_BAR) > 0;
}

/* What losing with these checkers costs (R0.32, R2.23-24, R3.34-37). */
static struct outcome outcome_of_loss(const struct rules *rules, enum side winner,
                                      const uint8_t loser[POINT_COUNT]) {
    struct outcome outcome = {true, winner, KIND_SINGLE, 1, false};
    if (loser[POINT_OFF] > 0) {
        return outcome;
    }
    if (is_koks(rules, loser) || is_katmerli(rules, loser)) {
        outcome.kind = KIND_TRIPLE;
        outcome.points = 3;
        return outcome;
    }
    bool all_home = men_between(loser, 1, HOME_POINTS) == rules->variant->checkers;
    outcome.kind = KIND_DOUBLE;
    outcome.points = all_home ? rules->value[OPTION_HOME_MARS] : 2;
    return outcome;
}

struct outcome board_outcome(const struct rules *rules, const struct board *board) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (board->men[side][POINT_OFF] == rules->variant->checkers) {
            enum side winner = (enum side)side;
            return outcome_of_loss(rules, winner, board->men[side_other(winner)]);
        }
    }
    return (struct outcome){.over = false};
}

struct outcome game_outcome(const struct rules *rules, const struct board *board, enum side starter,
                            enum side mover) {
    struct outcome outcome = board_outcome(rules, board);
    int left = rules->variant->checkers - board->men[side_other(starter)][POINT_OFF];
    if (!outcome.over || rules->value[OPTION_DRAW] == DRAW_NONE ||
        board->men[starter][POINT_OFF] < rules->variant->checkers) {
        return outcome;
    }
    if (left == 0) {
        return (struct outcome){.over = true, .drawn = true};
    }
    outcome.over = mover != starter || left > LAST_ROLL_MEN;
    return outcome;
}

int outcome_half_points(const struct rules *rules, const struct outcome *outcome) {
    if (outcome->drawn) {
        return rules->value[OPTION_DRAW_POINTS] == DRAW_POINTS_ONE ? POINT_HALVES : 1;
    }
    return outcome->points * POINT_HALVES;
}

static int highest_point(const uint8_t men[POINT_COUNT]) {
    int point = POINT_BAR;
    while (point > 0 && men[point] == 0) {
        point--;
    }
    return point;
}

/* Whether the sides have still to pass each other, so that a checker may yet be hit. */
static bool has_contact(const struct rules *rules, const struct board *board) {
    return rules->variant->hits &&
           highest_point(board->men[SIDE_X]) + highest_point(board->men[SIDE_Y]) > POINT_BAR;
}

struct outcome board_worst(const struct rules *rules, const struct board *board, enum side side) {
    struct outcome worst = outcome_of_loss(rules, side_other(side), board->men[side]);
    worst.over = false;
    if (worst.kind == KIND_SINGLE) {
        return worst;
    }
    if (rules->value[OPTION_KATMERLI] == 3 && has_contact(rules, board)) {
        worst.kind = KIND_TRIPLE;
        worst.points = 3;
    }
    /* He may still bring every checker home and lose there. */
    if (rules->value[OPTION_HOME_MARS] > worst.points) {
        worst.kind = KIND_DOUBLE;
        worst.points = rules->value[OPTION_HOME_MARS];
    }
    return worst;
}

int board_forfeit_points(const struct rules *rules, const struct board *board, enum side side) {
    int least = rules->value[OPTION_FORFEIT_POINTS];
    int worst = board_worst(rules, board, side).points;
    return worst > least ? worst : least;
}

const char *kind_name(const struct rules *rules, int kind) {
    const char *name =
        kind >= KIND_SINGLE && kind <= KIND_TRIPLE ? rules->variant->kind[kind - 1] : NULL;
    return name != NULL ? name : "none";
}

int match_away(const struct match *match, enum side side) {
    int away = match->length * POINT_HALVES - match->score[side];
    return match->length == 0 ? -1 : away > 0 ? away : 0;
}

/* Between two games: is the next one the Crawford game? */
static void note_crawford(struct match *match) {
    if (match->crawford == CRAWFORD_NOW) {
        match->crawford = CRAWFORD_PAST;
    } else if (match->crawford == CRAWFORD_AHEAD && (match_away(match, SIDE_X) <= POINT_HALVES ||
                                                     match_away(match, SIDE_Y) <= POINT_HALVES)) {
        match->crawford = CRAWFORD_NOW;
    }
}

int kind_find(const struct rules *rules, const char *word) {
    for (int kind = KIND_SINGLE; kind <= KIND_TRIPLE; kind++) {
        const char *name = rules->variant->kind[kind - 1];
        if (name != NULL && strcmp(name, word) == 0) {
            return kind;
        }
    }
    return 0;
}

void match_init(struct match *match, const struct rules *rules) {
    const int *value = rules->value;
    bool crawford = value[OPTION_VIDO] && value[OPTION_CRAWFORD] && value[OPTION_MATCH] > 1;
    *match = (struct match){.length = rules->value[OPTION_MATCH],
                            .games_max = rules->value[OPTION_GAMES],
                            .crawford = crawford ? CRAWFORD_AHEAD : CRAWFORD_NEVER,
                            .last_winner = -1,
                            .last_starter = -1};
    note_crawford(match);
}

void match_add(struct match *match, int winner, int half_points, enum side starter) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (winner == side || winner == -1) {
            match->score[side] += half_points;
        }
    }
    match->games++;
    match->last_winner = winner;
    match->last_starter = (int)starter;
    note_crawford(match);
}

bool match_over(const struct match *match, int *winner) {
    if (match->length == 0) {
        int lead = match->score[SIDE_X] - match->score[SIDE_Y];
        *winner = lead == 0 ? -1 : lead > 0 ? SIDE_X : SIDE_Y;
        return match->games >= match->games_max;
    }
    bool x = match_away(match, SIDE_X) == 0;
    bool y = match_away(match, SIDE_Y) == 0;
    *winner = x == y ? -1 : x ? SIDE_X : SIDE_Y;
    return x || y;
}

void match_give_up(struct match *match, const struct rules *rules, enum side side) {
    struct board board;
    int winner;
    board_init(&board, rules);
    int cost = board_forfeit_points(rules, &board, side) * POINT_HALVES;
    while (!match_over(match, &winner)) {
        match_add(match, (int)side_other(side), cost, side);
    }
}

int match_starter(const struct match *match, const struct rules *rules) {
    switch ((enum next_starter)rules->value[OPTION_NEXT_STARTER]) {
    case STARTER_ROLL:
        return -1;
    case STARTER_WINNER:
        return match->last_winner;
    case STARTER_LOSER:
        return match->last_winner < 0 ? -1 : (int)side_other((enum side)match->last_winner);
    case STARTER_ALTERNATE:
        return match->last_starter < 0 ? -1 : (int)side_other((enum side)match->last_starter);
    }
    return -1;
}

void score_write(int half_points, char out[SCORE_TEXT_MAX]) {
    struct words words = words_begin(out, SCORE_TEXT_MAX);
    words_add_number(&words, half_points / POINT_HALVES);
    words_add(&words, half_points % POINT_HALVES == 0 ? "" : ".5");
}
