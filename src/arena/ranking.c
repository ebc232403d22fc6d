#include "arena/ranking.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

/* An entrant with what it is sorted by. */
struct ranked {
    int entrant;
    bool rated;
    double elo;
    double points;
};

static int ranked_compare(const void *left, const void *right) {
    const struct ranked *a = left;
    const struct ranked *b = right;
    if (a->rated != b->rated) {
        return a->rated ? -1 : 1;
    }
    if (a->elo > b->elo || a->elo < b->elo) {
        return a->elo > b->elo ? -1 : 1;
    }
    if (a->points > b->points || a->points < b->points) {
        return a->points > b->points ? -1 : 1;
    }
    return a->entrant - b->entrant;
}

void ranking_init(struct ranking *ranking, const struct standings *standings) {
    size_t count = (size_t)standings->count;
    ranking->count = standings->count;
    ranking->order = alloc_zeroed(count, sizeof *ranking->order);
    ranking->rating = alloc_zeroed(count, sizeof *ranking->rating);
    rating_of_standings(standings, -1, ranking->rating);
    struct ranked *ranked = alloc_zeroed(count, sizeof *ranked);
    for (size_t i = 0; i < count; i++) {
        double points = standing_points(&standings->standing[i]);
        ranked[i] = (struct ranked){.entrant = (int)i,
                                    .rated = ranking->rating[i].rated,
                                    .elo = ranking->rating[i].elo,
                                    .points = isnan(points) ? 0 : points};
    }
    qsort(ranked, count, sizeof *ranked, ranked_compare);
    for (size_t i = 0; i < count; i++) {
        ranking->order[i] = ranked[i].entrant;
    }
    free(ranked);
}

void ranking_clear(struct ranking *ranking) {
    free(ranking->order);
    free(ranking->rating);
    ranking->order = NULL;
    ranking->rating = NULL;
    ranking->count = 0;
}
