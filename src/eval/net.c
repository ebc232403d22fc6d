#include "eval/net.h"

#include "base/alloc.h"
#include "base/text.h"
#include "eval/net_inside.h"
#include "rules/result.h"

#include <stdlib.h>
#include <string.h>

/* Scales as powers of two. A hidden unit's sum is kept in 16 bits, in which it may wrap
 * on the way but not at the end (tests/unit/eval_net.c). */
enum {
    SUM_BITS = 8,
    SIGMOID_STEP_BITS = 7,                 /* the table's step, 1/128 */
    SIGMOID_BITS = 12,                     /* its values */
    SIGMOID_MAX = 20 << SIGMOID_STEP_BITS, /* from here on it stands still */
    SIGMOID_ENTRIES = 1 << (16 - (SUM_BITS - SIGMOID_STEP_BITS)),
    LOGIT_BITS = 23, /* SIGMOID_BITS and those of a weight */
    EXP_BITS = 31,
    EXP_ENTRIES = 26 << SIGMOID_STEP_BITS,
    DENSE_SHIFT = 5 /* from a dense feature to 13 bits after the point */
};

/* Wider instructions where the machine has them; the figures are the same. A sanitizer's own
 * calls do not go together with the choice at start. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                        \
    !defined(__SANITIZE_ADDRESS__)
#define NET_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define NET_WIDE
#endif
#define NET_INLINE static inline __attribute__((always_inline))

struct net {
    int16_t row[FEATURES_PLACES][FEATURES_COUNTS][NET_HIDDEN];
    int16_t dense[FEATURES_DENSE][NET_HIDDEN];
    int16_t bias[NET_HIDDEN];
    int16_t out[NET_RESULTS][NET_HIDDEN];
    int16_t small_row[FEATURES_PLACES][FEATURES_COUNTS][NET_SMALL];
    int16_t small_bias[NET_SMALL];
    int16_t small_out[NET_SMALL];
    int32_t small_out_bias;
    int32_t out_bias[NET_RESULTS];
    int16_t sigmoid[SIGMOID_ENTRIES];  /* by the upper bits of a sum, those below 0 behind */
    uint64_t exponential[EXP_ENTRIES]; /* e to the -n/128 */
    struct rules rules;                /* what it was trained with */
    char name[NET_NAME_MAX];
};

/* e to the -1/128 with 31 bits after the point; powers of it make both tables, without
 * floating point. */
static void fill_tables(struct net *net) {
    const uint64_t step = 2130771798u;
    uint64_t power = (uint64_t)1 << EXP_BITS;
    for (int n = 0; n < EXP_ENTRIES; n++) {
        net->exponential[n] = power;
        power = (power * step + ((uint64_t)1 << (EXP_BITS - 1))) >> EXP_BITS;
    }
    for (int n = 0; n < SIGMOID_ENTRIES / 2; n++) {
        int at = n < SIGMOID_MAX ? n : SIGMOID_MAX;
        uint64_t whole = ((uint64_t)1 << EXP_BITS) + net->exponential[at];
        uint64_t part = (((uint64_t)1 << (EXP_BITS + SIGMOID_BITS)) + whole / 2) / whole;
        net->sigmoid[n] = (int16_t)part;
        net->sigmoid[(SIGMOID_ENTRIES - n) % SIGMOID_ENTRIES] =
            (int16_t)(n == 0 ? (int)part : (1 << SIGMOID_BITS) - (int)part);
    }
    net->sigmoid[SIGMOID_ENTRIES / 2] = net->sigmoid[SIGMOID_ENTRIES / 2 + 1];
}

/* A sum of units times weights, 16 bits after the point, rounded to those of SUM_BITS. */
static int16_t round_sum(int32_t sum) {
    return (int16_t)((sum + (1 << (15 - SUM_BITS))) >> (16 - SUM_BITS));
}

/* What `count` checkers on a place add to each of `width` sums. */
static void fill_row(const struct net *net, int place, int count, const int16_t *weights, int width,
                     int16_t *row) {
    int16_t units[FEATURES_UNITS];
    features_units(net->rules.variant->hits, place % POINT_COUNT, count, units);
    for (int h = 0; h < width; h++) {
        int32_t sum = 0;
        for (int u = 0; u < FEATURES_UNITS; u++) {
            sum += units[u] * weights[(place * FEATURES_UNITS + u) * width + h];
        }
        row[h] = round_sum(sum);
    }
}

/* A dense feature's product is cut, not rounded: half a step each is put right here. */
static int16_t prepare_bias(int16_t bias, int cuts) {
    return (int16_t)((bias + 4) / 8 + cuts / 2);
}

void net_prepare(struct net *net, const struct net_weights *weights) {
    for (int place = 0; place < FEATURES_PLACES; place++) {
        for (int count = 0; count < FEATURES_COUNTS; count++) {
            fill_row(net, place, count, weights->units[0], NET_HIDDEN, net->row[place][count]);
            fill_row(net, place, count, weights->small_units[0], NET_SMALL,
                     net->small_row[place][count]);
        }
    }
    memcpy(net->dense, weights->dense, sizeof net->dense);
    memcpy(net->out, weights->out, sizeof net->out);
    memcpy(net->small_out, weights->small_out, sizeof net->small_out);
    for (int h = 0; h < NET_HIDDEN; h++) {
        net->bias[h] = prepare_bias(weights->bias[h], FEATURES_DENSE);
    }
    for (int h = 0; h < NET_SMALL; h++) {
        net->small_bias[h] = prepare_bias(weights->small_bias[h], 0);
    }
    for (int k = 0; k < NET_RESULTS; k++) {
        net->out_bias[k] = weights->out_bias[k] * (1 << SIGMOID_BITS);
    }
    net->small_out_bias = weights->small_out_bias * (1 << SIGMOID_BITS);
    fill_tables(net);
}

struct net *net_begin(const struct variant *variant, const char *name) {
    struct net *net = alloc_zeroed(1, sizeof *net);
    rules_init(&net->rules, variant);
    text_copy(net->name, sizeof net->name, name, strlen(name));
    return net;
}

void net_free(struct net *net) {
    free(net);
}

const struct variant *net_variant(const struct net *net) {
    return net->rules.variant;
}

const char *net_name(const struct net *net) {
    return net->name;
}

bool net_knows(const struct net *net, const struct rules *rules, const char **option) {
    static const enum option decisive[] = {
        OPTION_MUST_MAX,       OPTION_LARGER_DIE,         OPTION_WIN_ENDS_TURN,
        OPTION_BEAROFF,        OPTION_HIT_AND_RUN,        OPTION_KATMERLI,
        OPTION_WALL,           OPTION_WALL_PATH,          OPTION_WALL_FRONT,
        OPTION_HEAD_EXCEPTION, OPTION_HEAD_EXCEPTION_WHO, OPTION_KOKS,
        OPTION_KOKS_TEST,      OPTION_HOME_MARS,          OPTION_DRAW};
    *option = "variant";
    if (rules->variant != net->rules.variant) {
        return false;
    }
    for (size_t i = 0; i < sizeof decisive / sizeof decisive[0]; i++) {
        *option = option_row(decisive[i])->name;
        if (rules->value[decisive[i]] != net->rules.value[decisive[i]]) {
            return false;
        }
    }
    return true;
}

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

NET_INLINE void add_small(net_lanes sum[NET_SMALL / LANES], const int16_t *from) {
    add_lanes(&sum[0], from);
    add_lanes(&sum[1], from + LANES);
}

NET_WIDE int32_t net_rough_points(const struct net *net, const struct board *board,
                                  enum side to_throw) {
    int16_t sum[NET_SMALL], hidden[NET_SMALL];
    struct net_value value;
    if (is_over(net, board, to_throw, &value)) {
        return value.points;
    }
    net_lanes lanes[NET_SMALL / LANES] = {{0}};
    add_small(lanes, net->small_bias);
    for (int side = 0; side < SIDE_COUNT; side++) {
        const uint8_t *men = men_of(board, to_throw, side);
        for (int p = 0; p < POINT_COUNT; p++) { /* nobody adds nothing: no branch */
            add_small(lanes, net->small_row[side * POINT_COUNT + p][men[p]]);
        }
    }
    memcpy(sum, lanes, sizeof sum);
    squash(net, sum, hidden, NET_SMALL);
    int64_t points = (int64_t)net->small_out_bias + weigh(hidden, net->small_out, NET_SMALL);
    return (int32_t)(points * NET_ONE / ((int64_t)1 << LOGIT_BITS));
}
