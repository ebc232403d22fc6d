#include "referee/heap.h"

#include "base/alloc.h"

#include <stdlib.h>

static void put(struct heap *heap, size_t place, struct timer *timer) {
    heap->item[place - 1] = timer;
    timer->place = place;
}

static void rise(struct heap *heap, struct timer *timer) {
    size_t place = timer->place;
    while (place > 1 && heap->item[place / 2 - 1]->at > timer->at) {
        put(heap, place, heap->item[place / 2 - 1]);
        place /= 2;
    }
    put(heap, place, timer);
}

static void sink(struct heap *heap, struct timer *timer) {
    size_t place = timer->place;
    for (;;) {
        size_t child = place * 2;
        if (child > heap->count) {
            break;
        }
        if (child < heap->count && heap->item[child]->at < heap->item[child - 1]->at) {
            child++;
        }
        if (heap->item[child - 1]->at >= timer->at) {
            break;
        }
        put(heap, place, heap->item[child - 1]);
        place = child;
    }
    put(heap, place, timer);
}

void heap_clear(struct heap *heap) {
    free(heap->item);
    *heap = (struct heap){0};
}

void heap_set(struct heap *heap, struct timer *timer, int64_t at) {
    timer->at = at;
    if (timer->place == 0) {
        heap->item = alloc_more(heap->item, heap->count, &heap->room, sizeof *heap->item);
        heap->count++;
        put(heap, heap->count, timer);
    }
    rise(heap, timer);
    sink(heap, timer);
}

void heap_unset(struct heap *heap, struct timer *timer) {
    if (timer->place == 0) {
        return;
    }
    struct timer *last = heap->item[heap->count - 1];
    heap->count--;
    if (last != timer) {
        put(heap, timer->place, last);
        rise(heap, last);
        sink(heap, last);
    }
    timer->place = 0;
}

struct timer *heap_first(const struct heap *heap) {
    return heap->count == 0 ? NULL : heap->item[0];
}
