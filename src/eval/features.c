#include "eval/features.h"

#include <string.h>

enum {
    RING = 24,
    ON_BOARD = POINTS_ON_BOARD,
    HOME = 0x7e,          /* the points 1..6 */
    OUTFIELD_PIPS = 6,    /* a checker at home has no farther to go than this */
    THROWS = 36,
    ONE = FEATURES_DENSE_ONE
};

/* One side as the features want it. Masks have bit p for point p of its own numbering;
 * those of the other side are turned into it. */
struct camp {
    const uint8_t *men;
    uint32_t standing; /* where it has checkers, bar included */
    uint32_t made;     /* two or more of them */
    uint32_t taken;    /* where the other side has checkers */
    uint32_t closed;   /* where it may not land */
    int pips;
    int back; /* its rearmost point, 0: all off */
};

/* How many bits are set: many machines have an instruction, not all that we compile for. */
static int bits(uint32_t mask) {
    mask -= mask >> 1 & 0x55555555u;
    mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
    mask = (mask + (mask >> 4)) & 0x0f0f0f0fu;
    return (int)(mask * 0x01010101u >> 24);
}

static int highest(uint32_t mask) {
    return mask == 0 ? 0 : 31 - __builtin_clz(mask);
}

static int lowest(uint32_t mask) {
    return mask == 0 ? 0 : __builtin_ctz(mask);
}

static void set_units(int16_t units[FEATURES_UNITS], int a, int b, int c, int d) {
    units[0] = (int16_t)a;
    units[1] = (int16_t)b;
    units[2] = (int16_t)c;
    units[3] = (int16_t)d;
}

void features_units(bool hits, int point, int count, int16_t units[FEATURES_UNITS]) {
    const int one = FEATURES_UNIT_ONE;
    int more = count > 3 ? count - 3 : 0;
    if (point == POINT_OFF) {
        int late = count > 10 ? count - 10 : 0;
        set_units(units, count > 0 ? one : 0, count * one / 16, late * one / 8,
                  count > 7 ? one : 0);
    } else if (hits) {
        set_units(units, count == 1 ? one : 0, count >= 2 ? one : 0, count >= 3 ? one : 0,
                  more * one / 2);
    } else {
        set_units(units, count >= 1 ? one : 0, count >= 2 ? one : 0, count >= 3 ? one : 0,
                  more * one / 4);
    }
}

static void survey(struct camp *camp, const uint8_t men[POINT_COUNT]) {
    *camp = (struct camp){.men = men,
                          .standing = points_with(men, 1) & ~(uint32_t)1,
                          .made = points_with(men, 2) & ~(uint32_t)1};
    for (int p = 1; p <= POINT_BAR; p++) {
        camp->pips += p * men[p];
    }
    camp->back = highest(camp->standing);
}

/* Pips until every checker is home and one is off, 0 when one is. */
static int pips_to_save(const struct camp *camp) {
    int sum = 0, least = RING;
    if (camp->men[POINT_OFF] > 0) {
        return 0;
    }
    for (int p = HOME_POINTS + 1; p <= POINT_BAR; p++) {
        sum += (p - HOME_POINTS) * camp->men[p];
    }
    least = lowest(camp->standing & HOME);
    return sum + (least == 0 ? HOME_POINTS : least);
}

/* The longest row of neighbours in a mask. */
static int longest(uint32_t mask) {
    int length = 0;
    for (; mask != 0; length++) {
        mask &= mask << 1;
    }
    return length;
}

/* Whether a throw of `die` twice or more reaches a target, over open points. */
static bool double_reaches(const struct camp *camp, uint32_t targets, int die) {
    uint32_t at = camp->standing;
    for (int step = 0; step < 4 && at != 0; step++) {
        at = at >> die & ON_BOARD;
        if (at & targets) {
            return true;
        }
        at &= ~camp->closed;
    }
    return false;
}

/* Throws of 36 that hit a lone checker among `targets` (own numbering). With one on the
 * bar the other die hits once it is in; with more, only what comes in hits. */
static int count_shots(const struct camp *camp, uint32_t targets) {
    bool reach[7] = {false};
    int bar = camp->men[POINT_BAR], direct = 0, shots = 0;
    uint32_t from = bar > 0 ? (uint32_t)1 << POINT_BAR : camp->standing;
    if (targets == 0) {
        return 0;
    }
    for (int die = 1; die <= 6; die++) {
        reach[die] = (from >> die & targets) != 0;
        direct += reach[die];
    }
    shots = THROWS - (6 - direct) * (6 - direct);
    for (int a = 1; a <= 6; a++) {
        if (reach[a]) {
            continue;
        }
        shots += bar < 2 && double_reaches(camp, targets, a);
        for (int b = a + 1; b <= 6 && bar < 2; b++) {
            uint32_t over = (from >> a & ~camp->closed) >> b | (from >> b & ~camp->closed) >> a;
            bool in_a = bar == 1 && (from >> a & ~camp->closed) != 0;
            bool in_b = bar == 1 && (from >> b & ~camp->closed) != 0;
            bool rest = (in_a && (camp->standing >> b & targets)) ||
                        (in_b && (camp->standing >> a & targets));
            shots += !reach[b] && ((over & targets) != 0 || rest) ? 2 : 0;
        }
    }
    return shots;
}

/* How many of the `span` points before the rearmost checker are open to it. */
static int open_before(const struct camp *camp, int span) {
    uint32_t row = camp->back == 0 ? 0 : ((uint32_t)1 << camp->back) - 1;
    uint32_t before = camp->back > span ? row & ~(((uint32_t)1 << (camp->back - span)) - 1) : row;
    int off_board = camp->back > span ? 0 : span - camp->back + 1;
    return bits(before & ON_BOARD & ~camp->closed) + off_board;
}

/* Pairs of a checker's point and a die that can be moved, and dice that move nothing. */
static void count_mobility(const struct camp *camp, int *pairs, int *blocked) {
    *pairs = *blocked = 0;
    for (int die = 1; die <= 6; die++) {
        int sources = bits(camp->standing >> die & ON_BOARD & ~camp->closed);
        *pairs += sources;
        *blocked += sources == 0;
    }
}

static int root(int n) {
    int r = 0;
    while ((r + 1) * (r + 1) <= n) {
        r++;
    }
    return r;
}

static void put(int16_t *dense, int value) {
    if (value > FEATURES_DENSE_MAX) {
        value = FEATURES_DENSE_MAX;
    }
    *dense = (int16_t)(value < -FEATURES_DENSE_MAX ? -FEATURES_DENSE_MAX : value);
}

/* The race, in all games: 0..7. */
static void put_race(const struct camp *me, const struct camp *him, int16_t *dense) {
    int difference = him->pips - me->pips;
    int both = root(me->pips + him->pips);
    put(&dense[0], me->pips * ONE / 128);
    put(&dense[1], him->pips * ONE / 128);
    put(&dense[2], difference * ONE / 64);
    put(&dense[3], both == 0 ? 0 : difference * ONE / both);
    put(&dense[4], pips_to_save(me) * ONE / 64);
    put(&dense[5], pips_to_save(him) * ONE / 64);
    put(&dense[6], me->men[POINT_OFF] == 0 ? ONE : 0);
    put(&dense[7], him->men[POINT_OFF] == 0 ? ONE : 0);
}

/* One side where men are hit: every second of 8.. */
static void put_hitting(const struct camp *camp, const struct camp *other, int16_t *dense) {
    uint32_t blots = camp->taken & ~camp->closed;
    int home = bits(camp->made & HOME);
    uint32_t anchors = camp->made & ((uint32_t)0x7f << 18) & ON_BOARD;
    put(&dense[0], count_shots(camp, blots) * ONE / 24);
    put(&dense[2], longest(camp->made & ON_BOARD) * ONE / 4);
    put(&dense[4], home * other->men[POINT_BAR] * ONE / 6);
    put(&dense[6], open_before(camp, 6) * ONE / 6);
    put(&dense[8], home * ONE / 4);
    put(&dense[10], bits(camp->standing & ~camp->made & ON_BOARD) * ONE / 4);
    put(&dense[12], anchors != 0 ? (RING + 1 - lowest(anchors)) * ONE / 6 : 0);
    put(&dense[14], camp->back * ONE / 12);
    put(&dense[16], (camp->men[1] + camp->men[2]) * ONE / 8);
    put(&dense[18], open_before(camp, 12) * ONE / 12);
    put(&dense[20], bits(camp->standing & HOME) * ONE / 6);
}

/* One side where nothing is hit: every second of 8.. */
static void put_passing(const struct camp *camp, int16_t *dense) {
    int pairs, blocked, home = camp->men[POINT_OFF];
    uint32_t ahead = camp->back == 0 ? 0 : camp->taken & (((uint32_t)1 << camp->back) - 1);
    count_mobility(camp, &pairs, &blocked);
    for (int p = 1; p <= HOME_POINTS; p++) {
        home += camp->men[p];
    }
    put(&dense[0], pairs * ONE / 24);
    put(&dense[2], blocked * ONE / 4);
    put(&dense[4], longest(camp->standing & ON_BOARD) * ONE / 6);
    put(&dense[6], open_before(camp, 6) * ONE / 6);
    put(&dense[8], open_before(camp, 12) * ONE / 12);
    put(&dense[10], bits(ahead) * ONE / 8);
    put(&dense[12], camp->men[RING] * ONE / 8);
    put(&dense[14], home * ONE / 8);
    put(&dense[16], bits(camp->standing & ON_BOARD) * ONE / 8);
    put(&dense[18], longest(camp->taken) * ONE / 6);
    put(&dense[20], bits(camp->standing & ((uint32_t)0x3f << 13)) * ONE / 6);
}

void features_dense(const struct variant *variant, const struct board *board, enum side to_throw,
                    int16_t dense[FEATURES_DENSE]) {
    struct camp me, him;
    survey(&me, board->men[to_throw]);
    survey(&him, board->men[side_other(to_throw)]);
    me.taken = points_mirror(variant->path, him.standing);
    him.taken = points_mirror(variant->path, me.standing);
    me.closed = variant->hits ? points_mirror(variant->path, him.made) : me.taken;
    him.closed = variant->hits ? points_mirror(variant->path, me.made) : him.taken;
    put_race(&me, &him, dense);
    if (variant->hits) {
        put_hitting(&me, &him, dense + 8);
        put_hitting(&him, &me, dense + 9);
    } else {
        put_passing(&me, dense + 8);
        put_passing(&him, dense + 9);
    }
    bool parted =
        variant->hits ? me.back + him.back <= RING : me.back <= RING / 2 && him.back <= RING / 2;
    put(&dense[30], parted ? ONE : 0);
    put(&dense[31], parted ? (him.pips - me.pips) * ONE / 16 : 0);
}
