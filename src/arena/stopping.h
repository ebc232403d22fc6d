/* When two bots have played enough: a test that may be looked at after every sample, as often
 * as one likes, and still calls equal bots unequal in at most one event of twenty.
 *
 * Samples come in the schedule's order, whatever is played at once. With the luck of the dice
 * taken off, each by the beta that the samples before it gave: so it has the mean 0 between
 * equal bots, whenever one stops. The sums are held against the boundary of a mixture of
 * normals over self-normalized sums: M M > (V + r) ln((V + r) / (r a a)) with M the sum of the
 * samples, V that of their squares, a the chance to be wrong, r about the V that the test is
 * best at. It holds for samples of any size that are as likely as their negatives. */
#ifndef HAKEM_ARENA_STOPPING_H
#define HAKEM_ARENA_STOPPING_H

#include "arena/fortune.h"

enum { STOPPING_UNITS_MIN = 8 };

struct stopping {
    uint32_t next;  /* unit to be looked at, from 1 */
    uint32_t units; /* samples that were taken */
    bool decided;   /* then nothing more is taken */
    int ahead;      /* of the first two entrants: the better one, if decided */
    double sum, squares;                   /* M, V */
    double n, y, x, xy, xx;                /* for beta: sums of points and luck */
};

void stopping_init(struct stopping *stopping);

/* Takes a sample: points that the first bot won less those it lost, and the luck in them. */
void stopping_add(struct stopping *stopping, double points, double luck);

/* Takes all units that are over, as far as none before them is missing; the luck of each has to
 * be known where the event has luck on (a fortune). Whether it is decided. */
bool stopping_look(struct stopping *stopping, const struct fortune *fortune,
                   const struct event *event, const struct tournament *tournament);

#endif
