#include "arena/standings.h"

#include "arena/quantile.h"
#include "arena/tally.h"
#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void standings_init(struct standings *standings, int count) {
    size_t size = (size_t)count;
    standings->count = count;
    standings->standing = alloc_zeroed(size, sizeof *standings->standing);
    standings->encounter = alloc_zeroed(size * size, sizeof *standings->encounter);
    size_t pairs = size == 0 ? 0 : size * (size - 1) / 2;
    standings->pair = alloc_zeroed(pairs + 1, sizeof *standings->pair);
}

void standings_grow(struct standings *standings, int count) {
    struct standings grown;
    standings_init(&grown, count);
    size_t was = (size_t)standings->count;
    for (size_t i = 0; i < was; i++) {
        grown.standing[i] = standings->standing[i];
        for (size_t other = 0; other < was; other++) {
            grown.encounter[i * (size_t)count + other] = standings->encounter[i * was + other];
        }
    }
    for (size_t i = 0; was > 0 && i < was * (was - 1) / 2; i++) {
        grown.pair[i] = standings->pair[i]; /* numbered by the later of the two */
    }
    standings_clear(standings);
    *standings = grown;
}

void standings_clear(struct standings *standings) {
    free(standings->standing);
    free(standings->encounter);
    free(standings->pair);
    standings->count = 0;
    standings->standing = NULL;
    standings->encounter = NULL;
    standings->pair = NULL;
}

struct pair_count *standings_pair(const struct standings *standings, int a, int b) {
    assert(a >= 0 && a < b && b < standings->count);
    return &standings->pair[(size_t)b * (size_t)(b - 1) / 2 + (size_t)a];
}

const struct encounter *standings_encounter(const struct standings *standings, int entrant,
                                            int other) {
    return &standings->encounter[(size_t)entrant * (size_t)standings->count + (size_t)other];
}

void standings_add_game(struct standings *standings, const int entrant[SIDE_COUNT],
                        const struct game_row *row) {
    int kind = row->kind >= 0 && row->kind < STANDING_KINDS ? row->kind : 0;
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct standing *standing = &standings->standing[entrant[side]];
        standing->turns += row->turns[side];
        standing->ms += row->ms[side];
        if (row->reason == REASON_VOID) {
            standing->voids++;
            continue;
        }
        standing->games++;
        if (row->winner < 0) {
            standing->game_drawn++;
        } else if (row->winner == side) {
            standing->game_won[kind]++;
        } else {
            standing->game_lost[kind]++;
        }
    }
}

void standings_add_fault(struct standings *standings, int entrant, enum reason reason) {
    standings->standing[entrant].faults[reason]++;
}

/* One match, seen by the entrant on that side. */
static void add_match(struct standings *standings, const struct match_row *row,
                      const struct tally *tally, int side) {
    int entrant = row->entrant[side];
    int other = row->entrant[1 - side];
    struct standing *standing = &standings->standing[entrant];
    size_t cell = (size_t)entrant * (size_t)standings->count + (size_t)other;
    struct encounter *encounter = &standings->encounter[cell];
    int halves = tally->halves[side];
    standing->matches++;
    standing->won += halves == 2;
    standing->lost += halves == 0;
    standing->drawn += halves == 1;
    encounter->matches++;
    encounter->won += halves == 2;
    encounter->drawn += halves == 1;
    encounter->net += side == SIDE_X ? tally->net : -tally->net;
}

/* One sample of an entrant. */
static void add_cluster(struct standing *standing, int64_t net, int64_t games) {
    standing->clusters++;
    standing->net += net;
    standing->net_games += games;
    standing->net_squared += net * net;
    standing->net_by_games += net * games;
    standing->games_squared += games * games;
}

/* The unit as the one sample that it is: `halves` and `net` are those of `low`, the
 * lower-numbered one of its two entrants. */
static void add_sample(struct standings *standings, const int entrant[SIDE_COUNT],
                       const struct tally *low, int legs, bool mirrored) {
    int a = entrant[0] < entrant[1] ? entrant[0] : entrant[1];
    int b = entrant[0] + entrant[1] - a;
    struct pair_count *pair = standings_pair(standings, a, b);
    int64_t *count = legs == 1 ? pair->single : mirrored ? pair->pair : pair->unmirrored;
    count[low->halves[0]]++;
    add_cluster(&standings->standing[a], low->net, low->games);
    add_cluster(&standings->standing[b], -low->net, low->games);
}

void standings_add_unit(struct standings *standings, const struct rules *rules,
                        const struct match_row *const leg[], int legs, bool mirrored) {
    struct tally tally[SIDE_COUNT];
    struct tally sum = {.counts = true};
    int low = leg[0]->entrant[SIDE_X] < leg[0]->entrant[SIDE_Y] ? leg[0]->entrant[SIDE_X]
                                                                : leg[0]->entrant[SIDE_Y];
    for (int i = 0; i < legs; i++) {
        tally[i] = tally_match(rules, leg[i]);
        int side = leg[i]->entrant[SIDE_X] == low ? SIDE_X : SIDE_Y;
        sum.counts = sum.counts && tally[i].counts;
        sum.halves[0] += tally[i].halves[side];
        sum.net += side == SIDE_X ? tally[i].net : -tally[i].net;
        sum.games += tally[i].games;
    }
    for (int i = 0; i < legs; i++) {
        for (int side = 0; side < SIDE_COUNT; side++) {
            if (sum.counts) {
                add_match(standings, leg[i], &tally[i], side);
            } else {
                standings->standing[leg[i]->entrant[side]].aborted++;
            }
        }
    }
    if (sum.counts) {
        add_sample(standings, leg[0]->entrant, &sum, legs, mirrored);
    }
}

double standing_score(const struct standing *standing) {
    if (standing->matches == 0) {
        return NAN;
    }
    return ((double)standing->won + 0.5 * (double)standing->drawn) / (double)standing->matches;
}

double standing_points(const struct standing *standing) {
    if (standing->net_games == 0) {
        return NAN;
    }
    return (double)standing->net / (double)standing->net_games / POINT_HALVES;
}

/* The mean is a ratio (points over games); its error is that of the clusters'
 * residuals n - mean * g. */
double standing_points_margin(const struct standing *standing) {
    if (standing->clusters < QUANTILE_CLUSTERS_MIN || standing->net_games == 0) {
        return NAN;
    }
    double mean = (double)standing->net / (double)standing->net_games;
    double squares = (double)standing->net_squared - 2 * mean * (double)standing->net_by_games +
                     mean * mean * (double)standing->games_squared;
    double clusters = (double)standing->clusters;
    double variance = fmax(squares, 0) * clusters / (clusters - 1);
    double error = sqrt(variance) / (double)standing->net_games / POINT_HALVES;
    return quantile_95(standing->clusters - 1) * error;
}

int64_t standing_faults(const struct standing *standing) {
    int64_t sum = 0;
    for (int reason = 0; reason < REASON_COUNT; reason++) {
        sum += standing->faults[reason];
    }
    return sum;
}

int64_t standings_games(const struct standings *standings) {
    int64_t seats = 0;
    for (int i = 0; i < standings->count; i++) {
        seats += standings->standing[i].games;
    }
    return seats / SIDE_COUNT;
}
