/* The schedule: a pure function of the event. A unit is a pair of matches with
 * changed seats and the same dice (mirrored), or one match (independent). Units
 * come in circle order, one round-robin after the other, so that all entrants
 * advance together and the legs of a pair stand side by side; a room's as they were
 * drawn. */
#ifndef HAKEM_ARENA_SCHEDULE_H
#define HAKEM_ARENA_SCHEDULE_H

#include "arena/event.h"

struct unit {
    uint32_t number;           /* from 1 */
    char name[UNIT_NAME_MAX];  /* "U000001" */
    int player[SIDE_COUNT];    /* entrants: player 1 and player 2 of the unit */
    int legs;                  /* 2 mirrored, 1 independent */
};

/* Units of the event. */
uint32_t schedule_units(const struct event *event);

/* The unit of that number. */
struct unit schedule_unit(const struct event *event, uint32_t number);

/* The entrant on `side` in that leg: leg 1 seats player 1 on X, leg 2 on Y. */
int schedule_entrant(const struct unit *unit, int leg, enum side side);

/* Match number (from 1) in schedule order <-> unit and leg. */
uint64_t schedule_match_number(const struct event *event, uint32_t unit, int leg);
void schedule_match_at(const struct event *event, uint64_t match, uint32_t *unit, int *leg);

#endif
