/* Board: where the thirty checkers stand, two counts per point.
 *
 * Each side counts its own points: 24 is farthest from home, 6..1 are home,
 * POINT_BAR (25) is the bar, POINT_OFF (0) the borne-off checkers (rules.md,
 * head of the page). The same physical point has another number for the other
 * side; which one depends on the variant's path: `25 - p` where the sides meet
 * head on (tavla, western), `p + 12` or `p - 12` where both run the same way
 * (uzun). A board is a value: copy it with `=`.
 */
#ifndef HAKEM_RULES_BOARD_H
#define HAKEM_RULES_BOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum side { SIDE_X = 0, SIDE_Y = 1 }; /* X is White, the left column of a .mat */

enum {
    SIDE_COUNT = 2,
    POINT_OFF = 0,
    POINT_BAR = 25,
    POINT_COUNT = 26,
    HOME_POINTS = 6,
    CHECKERS_MAX = 15
};

/* How the two paths lie on one board. */
enum path {
    PATH_OPPOSED,  /* my p is the other side's 25 - p */
    PATH_PARALLEL, /* my p is the other side's p + 12 or p - 12 */
};

struct board {
    uint8_t men[SIDE_COUNT][POINT_COUNT]; /* checkers, 0..15, own numbering */
};

/* The side that is not `side`. */
static inline enum side side_other(enum side side) {
    return side == SIDE_X ? SIDE_Y : SIDE_X;
}

/* The same point in the other side's numbering; `point` is 1..24. */
static inline int point_mirror(enum path path, int point) {
    if (path == PATH_OPPOSED) {
        return 25 - point;
    }
    return point <= 12 ? point + 12 : point - 12;
}

/* A set of points as a mask, bit p for point p: those of the board, 1..24. */
enum { POINTS_ON_BOARD = 0x1fffffe };

/* The points of a mask in the other side's numbering; bar and off are left out. */
static inline uint32_t points_mirror(enum path path, uint32_t points) {
    points &= POINTS_ON_BOARD;
    if (path == PATH_PARALLEL) {
        return (points >> 12 | points << 12) & POINTS_ON_BOARD;
    }
    points = (points & 0x55555555u) << 1 | (points >> 1 & 0x55555555u);
    points = (points & 0x33333333u) << 2 | (points >> 2 & 0x33333333u);
    points = (points & 0x0f0f0f0fu) << 4 | (points >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(points) >> (31 - POINT_BAR);
}

/* Which of eight counts, 0..15 each, are `least` or more (1 or 2): bit n for the nth.
 * Adding carries into the top bit of each byte, and no farther. */
static inline uint32_t eight_with(const uint8_t *counts, int least) {
    const uint64_t ones = 0x0101010101010101u;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const uint64_t gather = 0x8040201008040201u;
#else
    const uint64_t gather = 0x0102040810204080u;
#endif
    uint64_t eight;
    memcpy(&eight, counts, sizeof eight);
    eight = (eight + ones * (uint64_t)(0x80 - least)) >> 7 & ones;
    return (uint32_t)(eight * gather >> 56);
}

/* Points, bar and off included, with `least` checkers or more. */
static inline uint32_t points_with(const uint8_t men[POINT_COUNT], int least) {
    return eight_with(men, least) | eight_with(men + 8, least) << 8 |
           eight_with(men + 16, least) << 16 | eight_with(men + 18, least) << 18;
}

/* The letter of a side, "X" or "Y"; "none" below 0. */
const char *side_name(int side);

/* Whether both boards hold the same checkers on the same points. */
bool board_equal(const struct board *a, const struct board *b);

/* Pips that `side` still needs to bear off everything: 0..375. */
int board_pips(const struct board *board, enum side side);

#endif
