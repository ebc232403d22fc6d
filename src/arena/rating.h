/* Ratings: the strengths of a whole pool that make its results most likely
 * (Bradley-Terry), on the Elo scale: 400 points are odds of 10 to 1.
 *
 * Prior: each entrant has one virtual draw against the average, so that an
 * entrant who won everything has a finite rating. Intervals hold for a rating
 * less the mean of the pool (or less the anchor's); they come from the scatter
 * of clusters (standings.h), not from the model, so that two legs with the same
 * dice count as the one sample they are. */
#ifndef HAKEM_ARENA_RATING_H
#define HAKEM_ARENA_RATING_H

#include "arena/standings.h"

/* The clusters of two entrants: n of them, with m matches and score s each. */
struct rating_pair {
    int a, b;
    double clusters;                           /* sum of 1 */
    double matches, score;                     /* sums of m, and of s of `a` in matches */
    double matches_squared, score_by_matches, score_squared; /* sums of m m, s m, s s */
};

struct rating {
    bool rated;        /* played at least one match */
    double elo;        /* mean of the pool 0, or the anchor's 0 */
    double plus_minus; /* half width of the 95 % interval; NaN: too little played */
};

/* Adds a number of clusters of `matches` matches in which `a` scored `score`. */
void rating_pair_add(struct rating_pair *pair, double clusters, double matches, double score);

/* Fits `count` entrants to their pairs; `anchor` is the entrant at 0, or -1 for
 * the mean. Returns the passes it took. */
int rating_fit(int count, const struct rating_pair *pairs, size_t pair_count, int anchor,
               struct rating *out);

/* The ratings of a table of standings; `out` has room for every entrant. */
void rating_of_standings(const struct standings *standings, int anchor, struct rating *out);

#endif
