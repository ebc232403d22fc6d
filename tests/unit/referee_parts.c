/* The referee's parts alone: deadlines, clocks, ids. */
#include "check.h"

#include "base/alloc.h"
#include "referee/inside.h"

#include <stdlib.h>

enum { TIMERS = 500 };

static uint32_t step(uint32_t *state) { /* a small LCG: the order is all that matters */
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

static void test_heap(void) {
    struct heap heap = {0};
    struct timer *timer = alloc_zeroed(TIMERS, sizeof *timer);
    uint32_t state = 1;
    for (int round = 0; round < 5000; round++) {
        struct timer *one = &timer[step(&state) % TIMERS];
        switch (step(&state) % 8) {
        case 0:
            heap_unset(&heap, one);
            heap_rest(one);
            break;
        case 1:
            heap_rest(one);
            break;
        default:
            heap_set(&heap, one, step(&state) % 1000);
        }
    }
    size_t set = 0;
    int64_t first = INT64_MAX;
    for (int i = 0; i < TIMERS; i++) {
        set += timer[i].place != 0 && timer[i].at != INT64_MAX;
        first = timer[i].place != 0 && timer[i].at < first ? timer[i].at : first;
    }
    CHECK(heap_next(&heap) <= first, "nothing rings before heap_next");
    CHECK(heap_ring(&heap, first - 1) == NULL, "and nothing before the first of them");
    int64_t last = -1;
    bool ordered = true;
    size_t rung = 0;
    for (struct timer *now; (now = heap_ring(&heap, INT64_MAX - 1)) != NULL; rung++) {
        ordered = ordered && now->at >= last;
        last = now->at;
    }
    CHECK(ordered, "timers ring in order");
    CHECK_INT(rung, set, "all that are set, and none that rests");
    CHECK_INT(heap.count, 0, "and the heap is empty then");
    heap_clear(&heap);
    free(timer);
}

static void test_clock_per_move(void) {
    struct clock clock;
    clock_init(&clock, &(struct clock_rule){.move_time = 1000, .margin = 50});
    CHECK(clock_is_set(&clock), "a move time is a clock");
    CHECK_INT(clock_told(&clock, SIDE_X, 0), 1000, "the bot is told the move time");
    CHECK_INT(clock_allowance(&clock, SIDE_X, 0), 1050, "the margin is granted on top");
    CHECK_INT(clock_charge(&clock, SIDE_X, 0, 1050), CLOCK_IN_TIME, "up to the margin is in time");
    CHECK_INT(clock_charge(&clock, SIDE_X, 0, 1051), CLOCK_MOVE_OVER, "one more is too late");
}

static void test_clock_reserve(void) {
    struct clock clock;
    clock_init(&clock, &(struct clock_rule){.reserve = 3000, .increment = 100, .margin = 10});
    CHECK_INT(clock_charge(&clock, SIDE_Y, 0, 1000), CLOCK_IN_TIME, "a reserve pays for an answer");
    CHECK_INT(clock.left[SIDE_Y], 2000, "what it took");
    clock_reward(&clock, SIDE_Y);
    CHECK_INT(clock.left[SIDE_Y], 2100, "and gets its increment afterwards");
    CHECK_INT(clock.left[SIDE_X], 3000, "the other side's reserve is untouched");
    CHECK_INT(clock_charge(&clock, SIDE_Y, 0, 2111), CLOCK_RESERVE_EMPTY,
              "an empty reserve is flagged");
    clock_init(&clock, &(struct clock_rule){.reserve = 3000, .increment = 100, .move_time = 500});
    CHECK_INT(clock_told(&clock, SIDE_X, 0), 500, "of two limits the smaller one is told");
    clock_resume(&clock, SIDE_X, 7, 1300);
    CHECK_INT(clock.left[SIDE_X], 2400, "a match that goes on has its reserve back");
    clock_init(&clock, &(struct clock_rule){0});
    CHECK(!clock_is_set(&clock), "no limit is no clock");
}

/* Bronstein: of each ply's time the first `delay` ms are free, however many answers it takes. */
static void test_clock_delay(void) {
    struct clock clock;
    struct clock_rule rule = {.reserve = 1000, .delay = 300, .margin = 50};
    clock_init(&clock, &rule);
    CHECK_INT(clock_told(&clock, SIDE_X, 0), 1300, "the delay comes on top of the reserve");
    CHECK_INT(clock_told(&clock, SIDE_X, 200), 1100, "less what the `roll` before has used of it");
    CHECK_INT(clock_charge(&clock, SIDE_X, 0, 300), CLOCK_IN_TIME, "a ply within the delay");
    CHECK_INT(clock.left[SIDE_X], 1000, "costs nothing");
    clock_charge(&clock, SIDE_X, 0, 301);
    CHECK_INT(clock.left[SIDE_X], 999, "and what is beyond it does");
    clock_charge(&clock, SIDE_X, 0, 200);
    clock_charge(&clock, SIDE_X, 200, 200);
    CHECK_INT(clock.left[SIDE_X], 899, "a `roll` and its play have one delay together");
    CHECK_INT(clock_charge(&clock, SIDE_X, 0, 899 + 300 + 50), CLOCK_IN_TIME, "to the last ms");
    CHECK_INT(clock.left[SIDE_X], 0, "of the reserve and the margin");
    CHECK_INT(clock_charge(&clock, SIDE_X, 0, 350), CLOCK_IN_TIME, "who has none left has the delay");
    CHECK_INT(clock_charge(&clock, SIDE_X, 0, 351), CLOCK_RESERVE_EMPTY, "and no more");
    clock_resume(&clock, SIDE_Y, 3, 700);
    CHECK_INT(clock.left[SIDE_Y], 300, "a match that goes on has what its plies have not cost");
    rule.move_time = 500;
    clock_init(&clock, &rule);
    CHECK_INT(clock_charge(&clock, SIDE_Y, 0, 600), CLOCK_MOVE_OVER, "a move that is over");
    CHECK_INT(clock.left[SIDE_Y], 700, "is charged all the same, as its record will say");
}

static void test_shelf(void) {
    struct shelf shelf = {0};
    int things[3];
    uint32_t first = shelf_next_id(&shelf, 2);
    shelf_add(&shelf, first, &things[0]);
    uint32_t second = shelf_next_id(&shelf, 2);
    shelf_add(&shelf, second, &things[1]);
    CHECK(first != 0 && second != 0 && first != second, "ids differ and are not 0");
    CHECK_INT(shelf_next_id(&shelf, 2), 0, "a full shelf gives no id");
    shelf_remove(&shelf, first);
    uint32_t third = shelf_next_id(&shelf, 2);
    shelf_add(&shelf, third, &things[2]);
    CHECK(shelf_find(&shelf, first) == NULL, "the id of something dead finds nothing");
    CHECK(shelf_find(&shelf, third) == &things[2], "though its slot is used again");
    CHECK(shelf_find(&shelf, 0) == NULL && shelf_find(&shelf, 0xFFFFFFFF) == NULL,
          "ids that never were find nothing");
    bool fresh = true;
    for (uint32_t i = 0, last = third; i < 70000; i++) {
        shelf_remove(&shelf, last);
        uint32_t next = shelf_next_id(&shelf, 2);
        shelf_add(&shelf, next, &things[0]);
        fresh = fresh && next != last && next != 0;
        last = next;
    }
    CHECK(fresh, "a slot may be used more often than its counter can count");
    shelf_clear(&shelf);
}

int main(void) {
    test_heap();
    test_clock_per_move();
    test_clock_reserve();
    test_clock_delay();
    test_shelf();
    return check_done();
}
