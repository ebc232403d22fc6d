/* Inside of a net: for those who read one, and those who train one. */
#ifndef HAKEM_EVAL_NET_INSIDE_H
#define HAKEM_EVAL_NET_INSIDE_H

#include "eval/net.h"

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
