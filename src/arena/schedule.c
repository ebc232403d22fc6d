#include "arena/schedule.h"

#include <assert.h>
#include <stdio.h>

/* Pairings of one round-robin. */
static uint32_t pairings(const struct event *event) {
    uint32_t entrants = (uint32_t)event->entrant_count;
    return entrants * (entrants - 1) / 2;
}

static uint32_t legs(const struct event *event) {
    return event->pairing != PAIRING_INDEPENDENT ? 2 : 1;
}

uint32_t schedule_units(const struct event *event) {
    return event->format == FORMAT_ROOM ? event->drawn_count
                                        : pairings(event) * (uint32_t)event->pairs;
}

/* The circle: entrant `size` stands still (with an odd count nobody is there, who
 * would meet him has a bye), the others turn about him. Of two that turn, the one
 * ahead sits on X: everyone is ahead as often as behind. */
static void seat_pairing(int entrants, uint32_t index, int player[SIDE_COUNT]) {
    int size = entrants % 2 == 0 ? entrants - 1 : entrants;
    uint32_t per_round = (uint32_t)entrants / 2;
    int round = (int)(index / per_round);
    int place = (int)(index % per_round) + entrants % 2;
    if (place == 0) {
        bool still_first = round % 2 == 1;
        player[SIDE_X] = still_first ? size : round;
        player[SIDE_Y] = still_first ? round : size;
    } else {
        player[SIDE_X] = (round + place) % size;
        player[SIDE_Y] = (round - place + size) % size;
    }
}

struct unit schedule_unit(const struct event *event, uint32_t number) {
    assert(number >= 1 && number <= schedule_units(event));
    struct unit unit = {.number = number, .legs = (int)legs(event)};
    snprintf(unit.name, sizeof unit.name, "U%06u", (unsigned)number);
    if (event->format == FORMAT_ROOM) {
        unit.player[0] = event->drawn[number - 1].player[SIDE_X];
        unit.player[1] = event->drawn[number - 1].player[SIDE_Y];
        return unit;
    }
    uint32_t cycle = (number - 1) / pairings(event);
    int player[SIDE_COUNT];
    seat_pairing(event->entrant_count, (number - 1) % pairings(event), player);
    /* Each second round-robin changes seats, which matters where there is no second leg. */
    unit.player[0] = player[cycle % 2 == 0 ? SIDE_X : SIDE_Y];
    unit.player[1] = player[cycle % 2 == 0 ? SIDE_Y : SIDE_X];
    return unit;
}

int schedule_entrant(const struct unit *unit, int leg, enum side side) {
    bool first = (side == SIDE_X) == (leg == 1);
    return unit->player[first ? 0 : 1];
}

uint64_t schedule_match_number(const struct event *event, uint32_t unit, int leg) {
    return (uint64_t)(unit - 1) * legs(event) + (uint64_t)leg;
}

void schedule_match_at(const struct event *event, uint64_t match, uint32_t *unit, int *leg) {
    *unit = (uint32_t)((match - 1) / legs(event)) + 1;
    *leg = (int)((match - 1) % legs(event)) + 1;
}
