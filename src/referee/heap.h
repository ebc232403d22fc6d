/* Deadlines: a binary heap of timers that live inside their owners. A timer may be set again at
 * any time. Most are set later and later, one answer after the other, and never ring: such a
 * timer stays where it is in the heap until its old time comes, and only then is put right. */
#ifndef HAKEM_REFEREE_HEAP_H
#define HAKEM_REFEREE_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Whose deadline it is. */
enum timer_owner {
    TIMER_OF_SESSION, TIMER_OF_TABLE, TIMER_OF_SHARE, TIMER_OF_GALLERY, TIMER_OF_PAIR
};

struct timer {
    int64_t at;   /* ms; INT64_MAX: it rests */
    size_t place; /* 1-based place in the heap, 0: not there */
    enum timer_owner owner;
    uint32_t id; /* the owner's id */
};

/* A timer's place: `at` is its own, or earlier. */
struct heap_item {
    int64_t at;
    struct timer *timer;
};

struct heap {
    struct heap_item *item;
    size_t count;
    size_t room;
};

/* Frees the heap's own room; the timers are their owners'. */
void heap_clear(struct heap *heap);

/* Sets or moves a timer. */
void heap_set(struct heap *heap, struct timer *timer, int64_t at);

/* The timer does not ring; it may be in the heap as long as its owner lives. */
void heap_rest(struct timer *timer);

/* Takes a timer out, as before its owner ends; nothing happens when it is not there. */
void heap_unset(struct heap *heap, struct timer *timer);

/* Nothing rings before this; INT64_MAX when nothing is set. */
int64_t heap_next(const struct heap *heap);

/* Takes out the earliest timer that rings by now; NULL when there is none. */
struct timer *heap_ring(struct heap *heap, int64_t now);

#endif
