#include "referee/clock.h"

void clock_init(struct clock *clock, const struct clock_rule *rule) {
    clock->rule = *rule;
    clock->left[SIDE_X] = rule->reserve;
    clock->left[SIDE_Y] = rule->reserve;
}

int64_t clock_cost(const struct clock_rule *rule, int64_t ms) {
    return ms > rule->delay ? ms - rule->delay : 0;
}

void clock_resume(struct clock *clock, enum side side, unsigned plies, int64_t paid) {
    int64_t left = clock->rule.reserve + clock->rule.increment * plies - paid;
    clock->left[side] = left < 0 ? 0 : left;
}

bool clock_is_set(const struct clock *clock) {
    return clock->rule.move_time > 0 || clock->rule.reserve > 0;
}

/* What reserve and delay leave. */
static int64_t clock_left(const struct clock *clock, enum side side, int64_t spent) {
    int64_t delay = clock->rule.delay;
    return clock->left[side] + (spent < delay ? delay - spent : 0);
}

bool clock_is_reserve(const struct clock *clock, enum side side, int64_t spent) {
    const struct clock_rule *rule = &clock->rule;
    return rule->reserve > 0 &&
           (rule->move_time == 0 || clock_left(clock, side, spent) <= rule->move_time);
}

int64_t clock_told(const struct clock *clock, enum side side, int64_t spent) {
    return clock_is_reserve(clock, side, spent) ? clock_left(clock, side, spent)
                                                : clock->rule.move_time;
}

int64_t clock_allowance(const struct clock *clock, enum side side, int64_t spent) {
    return clock_told(clock, side, spent) + clock->rule.margin;
}

enum clock_flag clock_charge(struct clock *clock, enum side side, int64_t spent, int64_t ms) {
    const struct clock_rule *rule = &clock->rule;
    int64_t cost = clock_cost(rule, spent + ms) - clock_cost(rule, spent);
    int64_t left = clock->left[side] - cost;
    if (rule->reserve > 0) {
        clock->left[side] = left < 0 ? 0 : left;
    }
    if (rule->reserve > 0 && left + rule->margin < 0) {
        return CLOCK_RESERVE_EMPTY;
    }
    if (rule->move_time > 0 && ms > rule->move_time + rule->margin) {
        return CLOCK_MOVE_OVER;
    }
    return CLOCK_IN_TIME;
}

void clock_reward(struct clock *clock, enum side side) {
    if (clock->rule.reserve > 0) {
        clock->left[side] += clock->rule.increment;
    }
}
