/* Deadlines: a binary heap of timers that live inside their owners. A timer
 * may be set again at any time; the earliest one is always first. */
#ifndef HAKEM_REFEREE_HEAP_H
#define HAKEM_REFEREE_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Whose deadline it is. */
enum timer_owner {
    TIMER_OF_SESSION, TIMER_OF_TABLE, TIMER_OF_SHARE, TIMER_OF_GALLERY, TIMER_OF_PAIR
};

struct timer {
    int64_t at;   /* ms */
    size_t place; /* 1-based place in the heap, 0: not set */
    enum timer_owner owner;
    uint32_t id; /* the owner's id */
};

struct heap {
    struct timer **item;
    size_t count;
    size_t room;
};

/* Frees the heap's own room; the timers are their owners'. */
void heap_clear(struct heap *heap);

/* Sets or moves a timer. */
void heap_set(struct heap *heap, struct timer *timer, int64_t at);

/* Takes a timer out; nothing happens when it is not set. */
void heap_unset(struct heap *heap, struct timer *timer);

/* The earliest timer, or NULL. */
struct timer *heap_first(const struct heap *heap);

#endif
