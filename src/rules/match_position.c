#include "rules/match_position.h"

#include "rules/result.h"
#include "rules/words.h"

#include <string.h>

enum { WHY_MAX = 160 };

void match_position_init(struct match_position *position, const struct rules *rules) {
    memset(position, 0, sizeof *position);
    board_init(&position->board, rules);
    position->mover = SIDE_X;
    position->decider = SIDE_X;
    position->cube_owner = CUBE_CENTRED;
    position->cube_limit = CUBE_LIMIT_USUAL;
    position->phase = GAME_PLAYING;
}

/* Each test below says a sentence when something is wrong, else NULL. */
static const char *dice_fault(const struct match_position *position) {
    int first = position->dice[0], second = position->dice[1];
    if (first > 6 || second > 6 || (first == 0) != (second == 0)) {
        return "dice are two numbers from 1 to 6, or none";
    }
    if (first > 0 && position->pending != PENDING_NONE) {
        return "the dice are thrown and a double waits for its answer: only one can be";
    }
    return NULL;
}

static const char *cube_fault(const struct match_position *position) {
    int owner = position->cube_owner;
    if (position->cube_log > CUBE_LOG_MAX || position->cube_limit > CUBE_LOG_MAX) {
        return "a cube shows 1 to 32768";
    }
    if (owner != CUBE_CENTRED && owner != SIDE_X && owner != SIDE_Y) {
        return "the cube is in the middle or owned by one side";
    }
    if (owner != CUBE_CENTRED && position->cube_log == 0) {
        return "a cube of 1 is in the middle, nobody owns it";
    }
    if (position->crawford && (owner != CUBE_CENTRED || position->pending != PENDING_NONE)) {
        return "in the Crawford game nobody doubles";
    }
    if (position->pending == PENDING_DOUBLE && owner == (int)side_other(position->mover)) {
        return "a side has doubled, but the other one owns the cube";
    }
    if (position->pending > PENDING_DOUBLE && position->length > 0) {
        return "beavers are for money play";
    }
    return NULL;
}

static const char *decider_fault(const struct match_position *position) {
    bool other_decides =
        position->pending == PENDING_DOUBLE || position->pending == PENDING_RACCOON;
    enum side decider = other_decides ? side_other(position->mover) : position->mover;
    if (position->phase != GAME_PLAYING || position->resigning > 0) {
        return NULL;
    }
    if (position->decider != decider) {
        return other_decides ? "who has doubled cannot answer the double"
                             : "nothing is on offer, but the side that is not on roll is to act";
    }
    return NULL;
}

static const char *score_fault(const struct match_position *position) {
    int length = position->length;
    if (length < 0 || length > MATCH_POSITION_LENGTH_MAX) {
        return "a match is to 1 to 32767 points, or 0 for money play";
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        int score = position->score[side];
        if (score < 0 || score > MATCH_POSITION_LENGTH_MAX * POINT_HALVES) {
            return "a score is 0 to 32767 points";
        }
        if (length > 0 && position->phase == GAME_PLAYING && score >= length * POINT_HALVES) {
            return "a score has reached the length of the match, but a game is played";
        }
    }
    return NULL;
}

static const char *match_fault(const struct match_position *position) {
    const char *fault = score_fault(position);
    int before_last = (position->length - 1) * POINT_HALVES;
    int at_last =
        (position->score[SIDE_X] == before_last) + (position->score[SIDE_Y] == before_last);
    if (fault != NULL) {
        return fault;
    }
    if (position->crawford && position->length <= 1) {
        return "there is no Crawford game in money play or in a match to one point";
    }
    if (position->crawford && position->phase == GAME_PLAYING && at_last != 1) {
        return "the Crawford game is the one that begins with one side a point away";
    }
    if (position->length > 0 && (position->jacoby || position->beavers)) {
        return "Jacoby and beavers are for money play";
    }
    return NULL;
}

int match_position_check(const struct match_position *position, const struct rules *rules,
                         char why[160]) {
    struct words words = words_begin(why, WHY_MAX);
    const char *(*const tests[])(const struct match_position *) = {dice_fault, cube_fault,
                                                                   decider_fault, match_fault};
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        const char *fault = tests[i](position);
        if (fault != NULL) {
            words_add(&words, fault);
            return -1;
        }
    }
    if (position->resigning > 3) {
        words_add(&words, "a resignation is worth 1, 2 or 3 times the cube");
        return -1;
    }
    return board_check(&position->board, rules, why);
}
