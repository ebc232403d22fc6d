/* What is left of each pairing of a tournament: its units come once in each round-robin. Those
 * that have matches left are a list in the order of their next ones. */
#ifndef HAKEM_ARENA_PAIRINGS_H
#define HAKEM_ARENA_PAIRINGS_H

#include "rules/board.h"

#include <stdbool.h>
#include <stdint.h>

enum { PAIRINGS_END = -1 }; /* no index: behind the last one of the list */

struct pairing_queue {
    uint64_t next;          /* match number; all before it are done or running */
    int64_t before, after;  /* neighbours in the list, by index; PAIRINGS_END at the ends */
    int player[SIDE_COUNT]; /* the two entrants */
    bool listed;
};

struct pairings {
    uint32_t count;
    struct pairing_queue *pairing; /* [count], owned */
    int64_t head, tail;      /* of the list */
};

/* So many pairings, none of them listed. */
void pairings_init(struct pairings *pairings, uint32_t count);
void pairings_clear(struct pairings *pairings);

/* Puts a pairing in its place in the list. */
void pairings_link(struct pairings *pairings, uint32_t index);

/* Takes a pairing out of the list. */
void pairings_unlink(struct pairings *pairings, uint32_t index);

#endif
