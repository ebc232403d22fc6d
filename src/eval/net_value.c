#include "eval/net.h"

#include "eval/net_inside.h"
#include "rules/result.h"

#include <string.h>

/* Loops over weights are worth more than the usual care, whatever else is asked for. */
#if defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

/* Wider instructions where the machine has them; the figures are the same. A sanitizer's own
 * calls do not go together with the choice at start. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                        \
    !defined(__SANITIZE_ADDRESS__)
#define NET_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define NET_WIDE
#endif
#define NET_INLINE static inline __attribute__((always_inline))

/* Eight sums at once, in a register where the machine has such. */
enum { LANES = 8, BLOCK = 8 * LANES };
typedef int16_t net_lanes __attribute__((vector_size(LANES * sizeof(int16_t))));

NET_INLINE void add_lanes(net_lanes *sum, const int16_t *from) {
    net_lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    *sum += lanes;
}

NET_INLINE const uint8_t *men_of(const struct board *board, enum side to_throw, int side) {
    return board->men[side == 0 ? to_throw : side_other(to_throw)];
}

NET_INLINE void add_dense(int16_t *restrict sum, const int16_t *restrict weights, int value) {
    const int16_t factor = (int16_t)(value * (1 << DENSE_SHIFT));
    for (int h = 0; h < NET_HIDDEN; h++) {
        sum[h] = (int16_t)(sum[h] + (int16_t)((int32_t)factor * weights[h] >> 16));
    }
}

/* Adds the rows of all places that hold somebody to the bias. */
NET_INLINE void add_places(const struct net *net, const struct board *board, enum side to_throw,
                           int16_t sum[NET_HIDDEN]) {
    const int16_t *row[FEATURES_PLACES + 1];
    int count = 0;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const uint8_t *men = men_of(board, to_throw, side);
        for (int p = 0; p < POINT_COUNT; p++) {
            row[count] = net->row[side * POINT_COUNT + p][men[p]];
            count += men[p] > 0;
        }
    }
    row[count] = net->bias;
    for (int h = 0; h < NET_HIDDEN; h += BLOCK) {
        net_lanes block[BLOCK / LANES] = {{0}};
        for (int i = 0; i <= count; i++) {
            for (int l = 0; l < BLOCK / LANES; l++) {
                add_lanes(&block[l], row[i] + h + l * LANES);
            }
        }
        memcpy(sum + h, block, sizeof block);
    }
}

NET_INLINE void squash(const struct net *net, const int16_t *restrict sum, int16_t *restrict hidden,
                       int width) {
    for (int h = 0; h < width; h++) {
        hidden[h] = net->sigmoid[(uint16_t)sum[h] >> (SUM_BITS - SIGMOID_STEP_BITS)];
    }
}

NET_INLINE int32_t weigh(const int16_t *restrict hidden, const int16_t *restrict weights,
                         int width) {
    int32_t sum = 0;
    for (int h = 0; h < width; h++) {
        sum += (int32_t)hidden[h] * weights[h];
    }
    return sum;
}

/* e to the -x, x with LOGIT_BITS after the point: the table, and two terms for the rest. */
NET_INLINE uint64_t exp_minus(const struct net *net, int64_t x) {
    int64_t at = x >> (LOGIT_BITS - SIGMOID_STEP_BITS);
    if (at >= EXP_ENTRIES) {
        return 0;
    }
    uint64_t rest = (uint64_t)(x & (((int64_t)1 << (LOGIT_BITS - SIGMOID_STEP_BITS)) - 1))
                    << (EXP_BITS - LOGIT_BITS);
    uint64_t factor = ((uint64_t)1 << EXP_BITS) - rest + (rest * rest >> (EXP_BITS + 1));
    return net->exponential[at] * factor >> EXP_BITS;
}

unsigned net_possible(const struct variant *variant, const struct board *board,
                      enum side to_throw) {
    unsigned possible = 1 << 0 | 1 << 3;
    for (int side = 0; side < SIDE_COUNT; side++) {
        /* what the other side may still lose with, so what `side` may win with */
        const uint8_t *loser = board->men[side == 0 ? side_other(to_throw) : to_throw];
        bool behind = true;
        for (int p = 1; p <= 18 && !variant->hits; p++) {
            behind = behind && loser[p] == 0;
        }
        bool triple = variant->school == SCHOOL_WESTERN || (!variant->hits && behind);
        if (loser[POINT_OFF] == 0) {
            possible |= (triple ? 6u : 2u) << (3 * side);
        }
    }
    return possible;
}

/* The chances of the results as weights that sum up to something else than one. */
NET_INLINE void weigh_results(const struct net *net, const int16_t *hidden, unsigned possible,
                              uint64_t chance[NET_RESULTS]) {
    int64_t logit[NET_RESULTS], top = INT64_MIN;
    for (int k = 0; k < NET_RESULTS; k++) {
        logit[k] = (int64_t)net->out_bias[k] + weigh(hidden, net->out[k], NET_HIDDEN);
        if ((possible >> k & 1) && logit[k] > top) {
            top = logit[k];
        }
    }
    for (int k = 0; k < NET_RESULTS; k++) {
        chance[k] = possible >> k & 1 ? exp_minus(net, top - logit[k]) : 0;
    }
}

/* A finished game, seen by the side that would be to throw. */
static bool is_over(const struct net *net, const struct board *board, enum side to_throw,
                    struct net_value *value) {
    uint8_t checkers = net->rules.variant->checkers;
    if (board->men[SIDE_X][POINT_OFF] != checkers && board->men[SIDE_Y][POINT_OFF] != checkers) {
        return false;
    }
    struct outcome outcome = board_outcome(&net->rules, board);
    bool won = outcome.winner == to_throw;
    value->points = (won ? 1 : -1) * outcome.points * NET_ONE;
    value->wins = won ? NET_ONE : 0;
    return true;
}

NET_WIDE struct net_value net_value(const struct net *net, const struct board *board,
                                    enum side to_throw) {
    int16_t sum[NET_HIDDEN], hidden[NET_HIDDEN], dense[FEATURES_DENSE];
    uint64_t chance[NET_RESULTS], whole = 0, won = 0;
    int64_t points = 0;
    struct net_value value;
    if (is_over(net, board, to_throw, &value)) {
        return value;
    }
    add_places(net, board, to_throw, sum);
    features_dense(net->rules.variant, board, to_throw, dense);
    for (int f = 0; f < FEATURES_DENSE; f++) {
        add_dense(sum, net->dense[f], dense[f]);
    }
    squash(net, sum, hidden, NET_HIDDEN);
    weigh_results(net, hidden, net_possible(net->rules.variant, board, to_throw), chance);
    for (int k = 0; k < NET_RESULTS; k++) {
        int worth = k < 3 ? k + 1 : 2 - k;
        whole += chance[k];
        won += k < 3 ? chance[k] : 0;
        points += (int64_t)chance[k] * worth;
    }
    value.points = (int32_t)(points * NET_ONE / (int64_t)whole);
    value.wins = (int32_t)((int64_t)won * NET_ONE / (int64_t)whole);
    return value;
}

/* What a side's checkers add to the sums of the small net: nobody adds nothing, so without a
 * branch. */
NET_INLINE void add_small(const struct net *net, const uint8_t men[POINT_COUNT], int side,
                          net_lanes sum[NET_SMALL / LANES]) {
    for (int p = 0; p < POINT_COUNT; p++) {
        const int16_t *row = net->small_row[side * POINT_COUNT + p][men[p]];
        add_lanes(&sum[0], row);
        add_lanes(&sum[1], row + LANES);
    }
}

NET_WIDE int32_t net_rough_points(const struct net *net, const struct board *board,
                                  enum side to_throw, struct net_rough *last) {
    const uint8_t *waiting = men_of(board, to_throw, 0);
    int16_t sum[NET_SMALL], hidden[NET_SMALL];
    net_lanes lanes[NET_SMALL / LANES];
    struct net_value value;
    if (is_over(net, board, to_throw, &value)) {
        return value.points;
    }
    if (memcmp(last->men, waiting, sizeof last->men) != 0) {
        memcpy(lanes, net->small_bias, sizeof lanes);
        add_small(net, waiting, 0, lanes);
        memcpy(last->men, waiting, sizeof last->men);
        memcpy(last->sum, lanes, sizeof last->sum);
    }
    memcpy(lanes, last->sum, sizeof lanes);
    add_small(net, men_of(board, to_throw, 1), 1, lanes);
    memcpy(sum, lanes, sizeof sum);
    squash(net, sum, hidden, NET_SMALL);
    int64_t points = (int64_t)net->small_out_bias + weigh(hidden, net->small_out, NET_SMALL);
    return (int32_t)(points * NET_ONE / ((int64_t)1 << LOGIT_BITS));
}
