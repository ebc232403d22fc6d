/* Turn: what one die may do on a board while a throw is being played. Inside
 * rules/ only; plays.c lists with it and judge.c judges with it, so that a rule
 * is written once.
 *
 * What a turn remembers (checkers taken from the head, points where it hit) is
 * read off the difference between the board it began with and the board now;
 * sets of points are masks, bit p for point p. A turn points to its rules and
 * situation, which must outlive it.
 */
#ifndef HAKEM_RULES_TURN_H
#define HAKEM_RULES_TURN_H

#include "rules/play.h"

enum { TURN_WALLS_MAX = 24 };

struct turn {
    const struct rules *rules;
    const struct situation *start;
    enum side mover, other;
    enum path path;
    uint8_t dice[PLAY_STEPS_MAX]; /* the dice to play: two, or four equal ones */
    int dice_count;
    uint32_t standing;              /* points, bar included, where the mover began */
    uint32_t open;                  /* points where the mover may land */
    uint32_t blots;                 /* those of them where he would hit */
    uint32_t head;                  /* the head point, or no bit */
    int head_limit;                 /* checkers that may leave it in this turn */
    bool hitter_stays;              /* hit_and_run=home_forbidden */
    bool shakes_down;               /* bearoff=literal000 */
    bool order_matters;             /* the same steps may be illegal in another order */
    uint32_t runner;                /* fevga: no checker is on these points past the opponent's
                                       start yet, so only the foremost may move (F4); or no bit */
    uint32_t walls[TURN_WALLS_MAX]; /* rows of six that must not be filled, in the mover's points */
    int wall_count;                 /* none may stand when the turn ends, */
    int step_walls;                 /* and the first so many after no step either */
};

/* The mask of one point. */
static inline uint32_t point_bit(int point) {
    return (uint32_t)1 << point;
}

/* The highest point of a mask, which must not be empty. */
static inline int highest_of(uint32_t points) {
    return 31 ^ __builtin_clz(points);
}

/* Begins the turn of a situation. */
void turn_init(struct turn *turn, const struct rules *rules, const struct situation *start);

/* The points, bar included, from which `die` may be played on `board`, where the
 * mover stands on `standing`. Walls are apart: see turn_goes_on. */
uint32_t turn_sources(const struct turn *turn, const struct board *board, uint32_t standing,
                      int die);

/* Plays `die` from a point of turn_sources, `before` into `after`, and says the
 * step. Nothing branches on a hit: too many plays hit, and too many do not. */
static inline struct step turn_step(const struct turn *restrict turn,
                                    const struct board *restrict before, int from, int die,
                                    struct board *restrict after) {
    const uint8_t *own = before->men[turn->mover], *opposing = before->men[turn->other];
    int to = turn->open << die & point_bit(from) ? from - die : POINT_OFF;
    int other = point_mirror(turn->path, to);
    bool hit = opposing[other] & turn->blots >> to & 1; /* not a second time */
    *after = *before;
    after->men[turn->mover][from] = (uint8_t)(own[from] - 1);
    after->men[turn->mover][to] = (uint8_t)(own[to] + 1);
    after->men[turn->other][other] = (uint8_t)(opposing[other] - hit);
    after->men[turn->other][POINT_BAR] = (uint8_t)(opposing[POINT_BAR] + hit);
    return (struct step){(uint8_t)from, (uint8_t)to, hit};
}

/* Whether one of the first `count` rows that must not be filled is filled. */
bool turn_walled(const struct turn *turn, const struct board *board, int count);

/* Whether the turn may go on from `board`, reached by a step (wall=step). */
static inline bool turn_goes_on(const struct turn *turn, const struct board *board) {
    return turn->step_walls == 0 || !turn_walled(turn, board, turn->step_walls);
}

/* Whether the turn may end on `board`, reached by at least one step. */
static inline bool turn_ends(const struct turn *turn, const struct board *board) {
    return turn->wall_count == 0 || !turn_walled(turn, board, turn->wall_count);
}

/* Whether the mover has borne off everything. */
bool turn_won(const struct turn *turn, const struct board *board);

/* Points, bar included, where the mover stands. */
uint32_t turn_standing(const struct turn *turn, const struct board *board);

/* Home points whose last checker hit in this turn and has to stay (B19). */
uint32_t turn_held(const struct turn *turn, const struct board *board);

/* Whether the head has given all it may in this turn (R3.20). */
bool turn_head_spent(const struct turn *turn, const struct board *board);

#endif
