/* A shelf: things that are found by an id instead of a pointer. Inside the referee only. */
#ifndef HAKEM_REFEREE_SHELF_H
#define HAKEM_REFEREE_SHELF_H

#include <stddef.h>
#include <stdint.h>

/* An id is the slot in the low 16 bits, above it how
 * often the slot was used, so that the id of something dead finds nothing. */
struct shelf {
    void **thing;         /* by slot, NULL: free */
    uint32_t *id;         /* by slot: the last id it had */
    size_t slots, room;   /* slots ever used, and allocated */
    size_t count;         /* things there */
    uint32_t *free_slots; /* a stack */
    size_t free_count;
};

/* The id that the next thing on this shelf will have; 0 when it holds `most`. */
uint32_t shelf_next_id(const struct shelf *shelf, size_t most);
void shelf_add(struct shelf *shelf, uint32_t id, void *thing);
void *shelf_find(const struct shelf *shelf, uint32_t id);
/* The id of the thing after that one (0: the first), by slot; 0 at the end. */
uint32_t shelf_next(const struct shelf *shelf, uint32_t after);

void shelf_exchange(struct shelf *shelf, uint32_t a, uint32_t b);
void shelf_remove(struct shelf *shelf, uint32_t id);
void shelf_clear(struct shelf *shelf);

#endif
