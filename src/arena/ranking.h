/* Ranking: standings with their ratings, in order. */
#ifndef HAKEM_ARENA_RANKING_H
#define HAKEM_ARENA_RANKING_H

#include "arena/rating.h"

/* Entrants by rank: the rating, then the points; who has not played comes last. */
struct ranking {
    int count;
    int *order;                  /* [rank] entrant */
    struct rating *rating;       /* [entrant] */
};

void ranking_init(struct ranking *ranking, const struct standings *standings);
void ranking_clear(struct ranking *ranking);

#endif
