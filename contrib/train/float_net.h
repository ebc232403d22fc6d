/* The net while it learns: the same shape as eval/net.h in floating point.
 *
 * Only sums, products and quotients in a written order are used, no library function, so
 * that the weights come out the same to the last bit wherever floats are IEEE 754 and the
 * compiler may neither reorder nor fuse (-ffp-contract=off, no -ffast-math).
 */
#ifndef HAKEM_TRAIN_FLOAT_NET_H
#define HAKEM_TRAIN_FLOAT_NET_H

#include "eval/net_inside.h"

struct float_net {
    float units[FEATURES_INPUTS][NET_HIDDEN];
    float dense[FEATURES_DENSE][NET_HIDDEN];
    float bias[NET_HIDDEN];
    float out[NET_RESULTS][NET_HIDDEN];
    float out_bias[NET_RESULTS];
    float small_units[FEATURES_INPUTS][NET_SMALL];
    float small_bias[NET_SMALL];
    float small_out[NET_SMALL];
    float small_out_bias;
};

/* Sums of the first layer for every count on every place; rebuilt now and then. */
struct float_rows {
    float row[FEATURES_PLACES][FEATURES_COUNTS][NET_HIDDEN];
};

/* A position as the net sees it, and what the net made of it. */
struct float_view {
    int count;
    int16_t at[FEATURES_PLACES * 2]; /* units that are not 0 */
    float value[FEATURES_PLACES * 2];
    float dense[FEATURES_DENSE];
    float hidden[NET_HIDDEN];
    float small_hidden[NET_SMALL];
    float chance[NET_RESULTS];
    float small_points;
};

/* Numbers of a seed: xorshift, one stream. */
uint64_t train_random(uint64_t *state);

void float_net_init(struct float_net *net, uint64_t *random);
void float_rows_fill(const struct float_net *net, bool hits, struct float_rows *rows);

/* Points of a net's chances. */
float float_points(const float chance[NET_RESULTS]);

/* Reads a position. */
void float_view_read(const struct variant *variant, const struct board *board, enum side to_throw,
                     struct float_view *view);

/* What the net makes of it; `possible` see net_possible. */
void float_net_forward(const struct float_net *net, unsigned possible, struct float_view *view);

/* One step towards a target, from where forward left the view. */
void float_net_learn(struct float_net *net, const struct float_view *view, unsigned possible,
                     const float target[NET_RESULTS], float step);

/* Sums of the first layer without the dense features, by rows. */
void float_rows_base(const struct float_net *net, const struct float_rows *rows,
                     const struct board *board, enum side to_throw, float sum[NET_HIDDEN]);

/* Points of a position that differs from the base in some counts. */
float float_rows_points(const struct float_net *net, const struct float_rows *rows,
                        const struct variant *variant, const struct board *base,
                        const float base_sum[NET_HIDDEN], const struct board *board,
                        enum side to_throw);

/* Rounds to whole weights; gives the number that had to be cut off at the end of the range. */
int float_net_round(const struct float_net *net, struct net_weights *out);

#endif
