/* Standings: totals over what was played, kept up to date match by match, so
 * that a table costs no pass over the results.
 *
 * A cluster is what counts as one independent sample: both legs of a mirrored
 * pair together (they share their dice), a single match otherwise. A pair counts
 * when both its legs have ended, or who stops after a won one would gain by it. */
#ifndef HAKEM_ARENA_STANDINGS_H
#define HAKEM_ARENA_STANDINGS_H

#include "arena/row.h"

enum { STANDING_KINDS = 4 }; /* kinds 1..3 by their number; 0 is a win without kind */

/* Totals of one entrant. */
struct standing {
    int64_t matches;                 /* of units that count: won + lost + drawn */
    int64_t won, lost, drawn;
    int64_t aborted;                 /* of units that do not: see tally.h */
    int64_t games;                   /* finished, voids apart */
    int64_t game_won[STANDING_KINDS], game_lost[STANDING_KINDS], game_drawn;
    int64_t faults[REASON_COUNT];    /* by its own fault */
    int64_t voids;                   /* games the referee lost */
    int64_t turns, ms;               /* answers given and the time they took */
    /* Net half points n and games g of each cluster, summed. */
    int64_t clusters, net, net_games, net_squared, net_by_games, games_squared;
};

/* What one entrant did against another. */
struct encounter {
    int64_t matches, won, drawn;
    int64_t net;                     /* half points won less lost */
};

/* Clusters of two entrants, by the score of the lower-numbered one in half matches. */
struct pair_count {
    int64_t single[3];               /* one match: 0, 1/2, 1 */
    int64_t pair[5];                 /* a mirrored pair: 0, 1/2, 1, 1 1/2, 2 */
    int64_t unmirrored[5];           /* a pair with a void game: its dice differ in part */
};

struct standings {
    int count;                       /* entrants */
    struct standing *standing;       /* [count] */
    struct encounter *encounter;     /* [count * count], row against column */
    struct pair_count *pair;         /* [count * (count - 1) / 2], see standings_pair */
};

void standings_init(struct standings *standings, int count);
void standings_clear(struct standings *standings);

/* Room for more entrants, behind those that are there. */
void standings_grow(struct standings *standings, int count);

/* A finished game of these entrants (on X and Y); its fault is counted apart. */
void standings_add_game(struct standings *standings, const int entrant[SIDE_COUNT],
                        const struct game_row *row);

/* A unit whose `legs` matches have all ended; `mirrored` is whether two were played with the
 * same dice. */
void standings_add_unit(struct standings *standings, const struct rules *rules,
                        const struct match_row *const leg[], int legs, bool mirrored);

/* A fault of an entrant. */
void standings_add_fault(struct standings *standings, int entrant, enum reason reason);

/* The clusters of two entrants, a < b. */
struct pair_count *standings_pair(const struct standings *standings, int a, int b);

/* Against whom. */
const struct encounter *standings_encounter(const struct standings *standings, int entrant,
                                            int other);

/* Matches won and half of those drawn, as a share 0..1; NaN without matches. */
double standing_score(const struct standing *standing);

/* Net points a game, and the half width of their 95 % interval; NaN where too
 * little was played to say. */
double standing_points(const struct standing *standing);
double standing_points_margin(const struct standing *standing);

/* Faults of every reason. */
int64_t standing_faults(const struct standing *standing);

/* Games of all bots together, each counted once. */
int64_t standings_games(const struct standings *standings);

#endif
