#include "referee/shelf.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>

enum { SLOT_BITS = 16, SLOT_MASK = (1 << SLOT_BITS) - 1, SHELF_START = 16 };

uint32_t shelf_next_id(const struct shelf *shelf, size_t most) {
    if (shelf->count >= most) {
        return 0;
    }
    bool used = shelf->free_count > 0;
    uint32_t slot = used ? shelf->free_slots[shelf->free_count - 1] : (uint32_t)shelf->slots;
    uint32_t uses = used ? (shelf->id[slot] >> SLOT_BITS) + 1 : 1;
    return (uses > SLOT_MASK ? 1U : uses) << SLOT_BITS | slot;
}

static void grow(struct shelf *shelf) {
    if (shelf->slots == shelf->room) {
        shelf->room = shelf->room == 0 ? SHELF_START : shelf->room * 2;
        shelf->thing = alloc_resize(shelf->thing, shelf->room, sizeof *shelf->thing);
        shelf->id = alloc_resize(shelf->id, shelf->room, sizeof *shelf->id);
        shelf->free_slots = alloc_resize(shelf->free_slots, shelf->room, sizeof *shelf->free_slots);
    }
    shelf->slots++;
}

void shelf_add(struct shelf *shelf, uint32_t id, void *thing) {
    size_t slot = id & SLOT_MASK;
    if (slot == shelf->slots) {
        grow(shelf);
    } else {
        shelf->free_count--;
    }
    shelf->id[slot] = id;
    shelf->thing[slot] = thing;
    shelf->count++;
}

void *shelf_find(const struct shelf *shelf, uint32_t id) {
    size_t slot = id & SLOT_MASK;
    return slot < shelf->slots && shelf->id[slot] == id ? shelf->thing[slot] : NULL;
}

uint32_t shelf_next(const struct shelf *shelf, uint32_t after) {
    size_t slot = after == 0 ? 0 : (after & SLOT_MASK) + 1;
    while (slot < shelf->slots && shelf->thing[slot] == NULL) {
        slot++;
    }
    return slot < shelf->slots ? shelf->id[slot] : 0;
}

void shelf_exchange(struct shelf *shelf, uint32_t a, uint32_t b) {
    void *thing = shelf->thing[a & SLOT_MASK];
    shelf->thing[a & SLOT_MASK] = shelf->thing[b & SLOT_MASK];
    shelf->thing[b & SLOT_MASK] = thing;
}

void shelf_remove(struct shelf *shelf, uint32_t id) {
    size_t slot = id & SLOT_MASK;
    shelf->thing[slot] = NULL;
    shelf->free_slots[shelf->free_count++] = (uint32_t)slot;
    shelf->count--;
}

void shelf_clear(struct shelf *shelf) {
    free(shelf->thing);
    free(shelf->id);
    free(shelf->free_slots);
    *shelf = (struct shelf){0};
}
