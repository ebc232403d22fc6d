#include "rules/plain.h"

#include <string.h>

/* Takes a number of one or two digits, or the word that stands for `named`; NULL for anything
 * else. `end` is behind the text. */
static const char *take_point(const char *at, const char *end, const char word[3], int named,
                              int *point) {
    int digit = at < end ? *at - '0' : -1;
    if (digit >= 1 && digit <= 9) {
        *point = digit;
        int second = at + 1 < end ? at[1] - '0' : -1;
        if (second < 0 || second > 9) {
            return at + 1;
        }
        *point = 10 * digit + second;
        return *point < POINT_BAR ? at + 2 : NULL;
    }
    if (end - at < 3 || memcmp(at, word, 3) != 0) {
        return NULL;
    }
    *point = named;
    return at + 3;
}

/* Takes `from/to`, its star, and the blank behind it; NULL for anything else. */
static const char *take_leg(const char *at, const char *end, int *from, int *to) {
    at = take_point(at, end, "bar", POINT_BAR, from);
    if (at == NULL || at == end || *at != '/') {
        return NULL;
    }
    at = take_point(at + 1, end, "off", POINT_OFF, to);
    if (at != NULL && at < end && *at == '*') {
        at++;
    }
    if (at == NULL || at == end) {
        return at;
    }
    return *at == ' ' && at + 1 < end ? at + 1 : NULL;
}

/* The dice that are left: two, or four equal ones. */
struct dice_left {
    uint8_t die[PLAY_STEPS_MAX];
    int count;
};

/* Moves a checker by one of the dice left, and takes that; false when none takes it there. */
static bool take_step(const struct turn *turn, struct dice_left *left, int from, int to,
                      struct board *board, struct step *step) {
    uint32_t standing = turn_standing(turn, board);
    for (int i = 0; i < left->count; i++) {
        int die = left->die[i];
        if (from - die != to && (to != POINT_OFF || from > die)) {
            continue;
        }
        struct board before = *board;
        if (turn_sources(turn, board, standing, die) & point_bit(from)) {
            *step = turn_step(turn, &before, from, die, board);
            left->die[i] = left->die[--left->count];
            return step->to == to && turn_goes_on(turn, board);
        }
    }
    return false;
}

bool plain_judge(const struct turn *turn, const char *claim, size_t length, struct play *play,
                 struct board *final) {
    const char *at = claim, *end = claim + length;
    struct dice_left left = {.count = turn->dice_count};
    memcpy(left.die, turn->dice, sizeof left.die);
    *final = turn->start->board;
    play->count = 0;
    while (left.count > 0) {
        int from, to;
        at = take_leg(at, end, &from, &to);
        if (at == NULL || !take_step(turn, &left, from, to, final, &play->step[play->count])) {
            return false;
        }
        play->count++;
    }
    return at == end && turn_ends(turn, final);
}
