/* Rows: what an event remembers of each game and match. Values that the
 * tournament, the standings and the store share. Entrants are indexes into the
 * event's list; units count from 1; X and Y are seats. */
#ifndef HAKEM_ARENA_ROW_H
#define HAKEM_ARENA_ROW_H

#include "referee/referee.h"

#include <stdint.h>

struct game_row {
    uint32_t unit;
    int leg;
    int game;
    int attempt;
    int winner;                /* side, -1 none */
    int kind;
    int half_points;
    enum reason reason;
    int offender;              /* side, -1 none */
    int starter;
    int plies;
    int turns[SIDE_COUNT];
    int64_t ms[SIDE_COUNT];
};

struct match_row {
    uint32_t unit;
    int leg;
    int entrant[SIDE_COUNT];   /* who sat on X and Y */
    int winner;                /* side, -1 none */
    int score[SIDE_COUNT];     /* half points */
    int games;
    enum reason reason;
    int offender;
    struct hash head;          /* of the record after its `end` line */
};

#endif
