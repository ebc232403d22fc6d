#include "arena/pairings.h"

#include "base/alloc.h"

#include <stdlib.h>

void pairings_init(struct pairings *pairings, uint32_t count) {
    *pairings = (struct pairings){.count = count, .head = PAIRINGS_END, .tail = PAIRINGS_END};
    pairings->pairing = alloc_zeroed(count, sizeof *pairings->pairing);
}

void pairings_clear(struct pairings *pairings) {
    free(pairings->pairing);
    pairings->pairing = NULL;
}

/* Looks from the end: a pairing that has just had a turn is nearly always among the last. */
void pairings_link(struct pairings *pairings, uint32_t index) {
    struct pairing_queue *pairing = &pairings->pairing[index];
    int64_t before = pairings->tail;
    while (before != PAIRINGS_END && pairings->pairing[before].next > pairing->next) {
        before = pairings->pairing[before].before;
    }
    pairing->before = before;
    pairing->after =
        before == PAIRINGS_END ? pairings->head : pairings->pairing[before].after;
    if (before == PAIRINGS_END) {
        pairings->head = index;
    } else {
        pairings->pairing[before].after = index;
    }
    if (pairing->after == PAIRINGS_END) {
        pairings->tail = index;
    } else {
        pairings->pairing[pairing->after].before = index;
    }
    pairing->listed = true;
}

void pairings_unlink(struct pairings *pairings, uint32_t index) {
    struct pairing_queue *pairing = &pairings->pairing[index];
    if (pairing->before == PAIRINGS_END) {
        pairings->head = pairing->after;
    } else {
        pairings->pairing[pairing->before].after = pairing->after;
    }
    if (pairing->after == PAIRINGS_END) {
        pairings->tail = pairing->before;
    } else {
        pairings->pairing[pairing->after].before = pairing->before;
    }
    pairing->listed = false;
}
