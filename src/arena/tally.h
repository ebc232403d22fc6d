/* The tally: what a match that has ended counts for, whoever counts it. What a player does not
 * finish it loses: leaving, declining, failing never costs less than playing on. */
#ifndef HAKEM_ARENA_TALLY_H
#define HAKEM_ARENA_TALLY_H

#include "arena/row.h"

struct tally {
    bool counts;            /* false: no player has brought this end about, it is no result */
    int halves[SIDE_COUNT]; /* half matches won: 0, 1, 2 */
    int net;                /* half points that X won, less those it lost */
    int games;              /* in which it won them */
};

/* Whoever has given the match up has lost each game that was left by the most that a game
 * without doubles can cost. */
struct tally tally_match(const struct rules *rules, const struct match_row *row);

#endif
