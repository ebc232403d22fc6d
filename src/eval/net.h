/* The evaluator: a small net with whole numbers for weights, one for each game.
 *
 * 128 hidden units over features.h, and a chance for each result of the side to throw:
 * wins and losses with 1, 2 or 3 points. Beside it a tiny net of 16 units without the
 * dense features, which only puts plays in order. No floating point anywhere: the same
 * weights give the same figures on every machine. Values are millionths of a point.
 *
 * Weights are text (see net_read), compiled in or read from a file; a net is prepared
 * once, is about 300 KiB, never changes then, and may be shared.
 */
#ifndef HAKEM_EVAL_NET_H
#define HAKEM_EVAL_NET_H

#include "eval/features.h"

#include <stddef.h>

enum {
    NET_VERSION = 1,
    NET_HIDDEN = 128,
    NET_SMALL = 16,
    NET_RESULTS = 6, /* won with 1, 2, 3 points, lost with 1, 2, 3 */
    NET_WEIGHT_ONE = 2048,
    NET_ONE = 1000000, /* one point, or certainty */
    NET_TEXT_MAX = 512 << 10,
    NET_NAME_MAX = 40,
    NET_WHY_MAX = 160
};

/* All weights in the order of the text, in units of 1 / NET_WEIGHT_ONE. */
struct net_weights {
    int16_t units[FEATURES_INPUTS][NET_HIDDEN];
    int16_t dense[FEATURES_DENSE][NET_HIDDEN];
    int16_t bias[NET_HIDDEN];
    int16_t out[NET_RESULTS][NET_HIDDEN];
    int16_t out_bias[NET_RESULTS];
    int16_t small_units[FEATURES_INPUTS][NET_SMALL];
    int16_t small_bias[NET_SMALL];
    int16_t small_out[NET_SMALL];
    int16_t small_out_bias;
};

enum { NET_NUMBERS = sizeof(struct net_weights) / sizeof(int16_t) };

/* What a position is worth to a side, in millionths: points without a cube, and its chance
 * to win the game. */
struct net_value {
    int32_t points;
    int32_t wins;
};

struct net;

/* The net of a variant that is compiled in, prepared; NULL where the variant has none. The
 * caller frees it with net_free. */
struct net *net_new_built_in(const struct variant *variant);

/* Reads a net of that variant from text: lines, each as it is or as a C literal. NULL with a
 * sentence where it is damaged, of another variant or of another version. */
struct net *net_new(const struct variant *variant, const char *text, size_t length,
                    char why[NET_WHY_MAX]);
void net_free(struct net *net);

/* The checksum of a text without its last line, over its lines and their ends. */
uint64_t net_checksum(uint64_t sum, const char *line, size_t length);

/* Its variant, and its name with the hash of its text: "tavla-1#0123456789abcdef". */
const struct variant *net_variant(const struct net *net);
const char *net_name(const struct net *net);

/* Whether the net knows games by these rules: every option that decides about plays and
 * results has the value it was trained with. False with the name of one that has not. */
bool net_knows(const struct net *net, const struct rules *rules, const char **option);

/* What a position is worth to the side that is to throw; a finished game exactly. */
struct net_value net_value(const struct net *net, const struct board *board, enum side to_throw);

/* The side to throw as it last was: plays of the other seldom change it. Zeros at first. */
struct net_rough {
    uint8_t men[POINT_COUNT];
    int16_t sum[NET_SMALL];
};

/* The same in a rough and quick way, points alone; `last` is for one net. */
int32_t net_rough_points(const struct net *net, const struct board *board, enum side to_throw,
                         struct net_rough *last);

#endif
