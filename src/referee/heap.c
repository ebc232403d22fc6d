#include "referee/heap.h"

#include "base/alloc.h"

#include <stdlib.h>

static void put(struct heap *heap, size_t place, struct heap_item item) {
    heap->item[place - 1] = item;
    item.timer->place = place;
}

static void rise(struct heap *heap, size_t place) {
    struct heap_item item = heap->item[place - 1];
    while (place > 1 && heap->item[place / 2 - 1].at > item.at) {
        put(heap, place, heap->item[place / 2 - 1]);
        place /= 2;
    }
    put(heap, place, item);
}

static void sink(struct heap *heap, size_t place) {
    struct heap_item item = heap->item[place - 1];
    for (;;) {
        size_t child = place * 2;
        if (child > heap->count) {
            break;
        }
        if (child < heap->count && heap->item[child].at < heap->item[child - 1].at) {
            child++;
        }
        if (heap->item[child - 1].at >= item.at) {
            break;
        }
        put(heap, place, heap->item[child - 1]);
        place = child;
    }
    put(heap, place, item);
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
        put(heap, heap->count, (struct heap_item){at, timer});
        rise(heap, timer->place);
    } else if (at < heap->item[timer->place - 1].at) {
        heap->item[timer->place - 1].at = at;
        rise(heap, timer->place);
    }
}

void heap_rest(struct timer *timer) {
    timer->at = INT64_MAX;
}

void heap_unset(struct heap *heap, struct timer *timer) {
    if (timer->place == 0) {
        return;
    }
    struct heap_item last = heap->item[heap->count - 1];
    heap->count--;
    if (last.timer != timer) {
        put(heap, timer->place, last);
        rise(heap, last.timer->place);
        sink(heap, last.timer->place);
    }
    timer->place = 0;
}

int64_t heap_next(const struct heap *heap) {
    return heap->count == 0 ? INT64_MAX : heap->item[0].at;
}

struct timer *heap_ring(struct heap *heap, int64_t now) {
    while (heap->count > 0 && heap->item[0].at <= now) {
        struct timer *timer = heap->item[0].timer;
        if (timer->at <= now && timer->at == heap->item[0].at) {
            heap_unset(heap, timer);
            return timer;
        }
        if (timer->at == INT64_MAX) {
            heap_unset(heap, timer);
        } else {
            heap->item[0].at = timer->at;
            sink(heap, 1);
        }
    }
    return NULL;
}
