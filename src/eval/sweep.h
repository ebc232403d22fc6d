/* The sweep: what each of the 21 throws is worth to the side that is to throw, if it is
 * played best by the evaluator's own view; and so how lucky a throw was. Any function of
 * position and throw alone has this property: the luck of the throws of a position, each as
 * often as it comes, sums up to nothing, exactly. Plays are put in order by the rough net
 * and the first few of them looked at (luck.md 6). */
#ifndef HAKEM_EVAL_SWEEP_H
#define HAKEM_EVAL_SWEEP_H

#include "eval/net.h"
#include "rules/play.h"

enum {
    SWEEP_THROWS = 21,
    SWEEP_WEIGHT = 36,  /* sum of the weights: a double comes once, another throw twice */
    SWEEP_LOOKED_AT = 4 /* plays of a throw that the large net sees */
};

/* Values to the side that throws. */
struct sweep {
    struct net_value best[SWEEP_THROWS]; /* of a throw, see sweep_index */
    int64_t points, wins;                /* SWEEP_WEIGHT times the mean */
};

/* Which of the 21 throws this is, and how often of 36 it comes. */
int sweep_index(const uint8_t dice[2]);
int sweep_weight(int index);

/* The best play of a list, its place and what it is worth to the mover. */
struct net_value sweep_pick(const struct net *net, const struct situation *situation,
                            const struct option_play *list, size_t count, size_t *place);

/* What the throw of a situation is worth to the mover. */
struct net_value sweep_throw(const struct net *net, const struct rules *rules,
                             const struct situation *situation, struct play_room *room);

/* All 21 throws; the dice of the situation are not looked at. */
void sweep_all(const struct net *net, const struct rules *rules, const struct situation *situation,
               struct play_room *room, struct sweep *out);

#endif
