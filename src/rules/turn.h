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
    bool walls_at_end;              /* wall=turn_end: a wall may stand in between */
    bool order_matters;             /* the same steps may be illegal in another order */
    uint32_t walls[TURN_WALLS_MAX]; /* rows of six that must not be filled, in the mover's points */
    int wall_count;
};

/* The mask of one point. */
static inline uint32_t point_bit(int point) {
    return (uint32_t)1 << point;
}

/* The highest point of a mask, which must not be empty. */
static inline int highest_of(uint32_t points) {
    return 31 - __builtin_clz(points);
}

/* Begins the turn of a situation. */
void turn_init(struct turn *turn, const struct rules *rules, const struct situation *start);

/* The points, bar included, from which `die` may be played on `board`, where the
 * mover stands on `standing`. Walls are apart: see turn_goes_on. */
uint32_t turn_sources(const struct turn *turn, const struct board *board, uint32_t standing,
                      int die);

/* Plays `die` from a point of turn_sources and says the step. */
static inline struct step turn_step(const struct turn *turn, struct board *board, int from,
                                    int die) {
    struct step step = {(uint8_t)from, POINT_OFF, false};
    if (from > die && turn->open & point_bit(from - die)) {
        step.to = (uint8_t)(from - die);
        if (turn->blots & point_bit(step.to)) {
            uint8_t *opposing = board->men[turn->other];
            int other = point_mirror(turn->path, step.to);
            step.hit = opposing[other] > 0; /* not a second time */
            opposing[POINT_BAR] = (uint8_t)(opposing[POINT_BAR] + opposing[other]);
            opposing[other] = 0;
        }
    }
    board->men[turn->mover][from]--;
    board->men[turn->mover][step.to]++;
    return step;
}

/* Whether the turn may go on from `board`, reached by a step (wall=step). */
bool turn_goes_on(const struct turn *turn, const struct board *board);

/* Whether the turn may end on `board`, reached by at least one step. */
bool turn_ends(const struct turn *turn, const struct board *board);

/* Whether the mover has borne off everything. */
bool turn_won(const struct turn *turn, const struct board *board);

/* Points, bar included, where the mover stands. */
uint32_t turn_standing(const struct turn *turn, const struct board *board);

/* Home points whose last checker hit in this turn and has to stay (B19). */
uint32_t turn_held(const struct turn *turn, const struct board *board);

/* Whether the head has given all it may in this turn (R3.20). */
bool turn_head_spent(const struct turn *turn, const struct board *board);

#endif
