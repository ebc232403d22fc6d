#include "referee/clock.h"

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

void clock_init(struct clock *clock, const struct clock_rule *rule) {
    clock->rule = *rule;
    clock->left[SIDE_X] = rule->reserve;
    clock->left[SIDE_Y] = rule->reserve;
}

void clock_resume(struct clock *clock, enum side side, unsigned answers, int64_t ms) {
    int64_t left = clock->rule.reserve + clock->rule.increment * answers - ms;
    clock->left[side] = left < 0 ? 0 : left;
}

bool clock_is_set(const struct clock *clock) {
    return clock->rule.move_time > 0 || clock->rule.reserve > 0;
}

int64_t clock_told(const struct clock *clock, enum side side) {
    if (clock->rule.reserve == 0) {
        return clock->rule.move_time;
    }
    if (clock->rule.move_time == 0) {
        return clock->left[side];
    }
    return smaller(clock->rule.move_time, clock->left[side]);
}

int64_t clock_allowance(const struct clock *clock, enum side side) {
    return clock_told(clock, side) + clock->rule.margin;
}

enum clock_flag clock_charge(struct clock *clock, enum side side, int64_t ms) {
    const struct clock_rule *rule = &clock->rule;
    if (rule->reserve > 0 && ms > clock->left[side] + rule->margin) {
        clock->left[side] = 0;
        return CLOCK_RESERVE_EMPTY;
    }
    if (rule->move_time > 0 && ms > rule->move_time + rule->margin) {
        return CLOCK_MOVE_OVER;
    }
    if (rule->reserve > 0) {
        int64_t left = clock->left[side] - ms;
        clock->left[side] = left < 0 ? 0 : left;
    }
    return CLOCK_IN_TIME;
}

void clock_reward(struct clock *clock, enum side side) {
    if (clock->rule.reserve > 0) {
        clock->left[side] += clock->rule.increment;
    }
}
