/* Inside of a net: for those who read one, and those who train one. */
#ifndef HAKEM_EVAL_NET_INSIDE_H
#define HAKEM_EVAL_NET_INSIDE_H

#include "eval/net.h"

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

/* A net of that name without weights. */
struct net *net_begin(const struct variant *variant, const char *name);

/* Gives it its weights. */
void net_prepare(struct net *net, const struct net_weights *weights);

/* Reads the weights of a net's text; 0, or -1 with a sentence as net_new. */
int net_read_weights(const struct variant *variant, const char *text, size_t length,
                     struct net_weights *out, char why[NET_WHY_MAX]);

/* Bit k: result k (see NET_RESULTS) can still happen to the side that is to throw. */
unsigned net_possible(const struct variant *variant, const struct board *board, enum side to_throw);

#endif
