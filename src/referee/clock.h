/* Clocks of a table: so much per move, or a reserve with an increment or a delay
 * per move. Times are milliseconds; 0 is "none". A move overrun loses the game, an
 * empty reserve the match (protocol.md, "Clock"). Charged time runs from the moment
 * the kernel took the request to the arrival of the answer's last byte.
 *
 * A ply may take two answers, `roll` and the play: `spent` is what the first one
 * took, so that the delay is free once a ply. */
#ifndef HAKEM_REFEREE_CLOCK_H
#define HAKEM_REFEREE_CLOCK_H

#include "rules/board.h"

#include <stdbool.h>
#include <stdint.h>

struct clock_rule {
    int64_t move_time; /* ms for each answer */
    int64_t reserve;   /* ms for the whole match, 0: no reserve */
    int64_t increment; /* ms added to the reserve after each ply in time */
    int64_t delay;     /* ms of each ply that the reserve does not pay */
    int64_t margin;    /* ms granted beyond a limit before it counts */
    bool wall;         /* each request is charged the time that passes, however many requests
                          its session has open; else they share it */
};

struct clock {
    struct clock_rule rule;
    int64_t left[SIDE_COUNT]; /* reserve left, ms */
};

enum clock_flag { CLOCK_IN_TIME, CLOCK_MOVE_OVER, CLOCK_RESERVE_EMPTY };

/* A clock at the start of a match. */
void clock_init(struct clock *clock, const struct clock_rule *rule);

/* What of a ply's time the reserve pays. */
int64_t clock_cost(const struct clock_rule *rule, int64_t ms);

/* Takes over a match that goes on: so many plies earned the increment, and the reserve
 * has paid so much (clock_cost). */
void clock_resume(struct clock *clock, enum side side, unsigned plies, int64_t paid);

/* Whether the rule sets any limit at all. */
bool clock_is_set(const struct clock *clock);

/* How long `side` may take for its next answer, margin included; the smaller of
 * the limits. Only for a clock that is set. */
int64_t clock_allowance(const struct clock *clock, enum side side, int64_t spent);

/* Whether it is the reserve that runs out first, not the time of the move. */
bool clock_is_reserve(const struct clock *clock, enum side side, int64_t spent);

/* What the bot is told: the same without the margin. */
int64_t clock_told(const struct clock *clock, enum side side, int64_t spent);

/* Charges an answer that took `ms`. */
enum clock_flag clock_charge(struct clock *clock, enum side side, int64_t spent, int64_t ms);

/* Adds the increment: for each ply of a side's that has its time in the record. */
void clock_reward(struct clock *clock, enum side side);

#endif
