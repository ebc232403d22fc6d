#include "arena/event_clock.h"

#include "base/lang.h"

#include <string.h>

enum {
    DAY = 24 * 60 * 60 * 1000,
    MINUTE = 60 * 1000,
    MOVE_TIME_PRESET = 10000, /* where nothing else limits an answer */
    MARGIN_LOCAL = 50,
    MARGIN_REMOTE = 250
};

static const struct {
    const char *name;
    int64_t max; /* ms */
} rows[CLOCK_TIMES] = {
    [CLOCK_MOVE_TIME] = {"move_time", DAY},
    [CLOCK_RESERVE] = {"reserve", DAY},
    [CLOCK_RESERVE_PER_POINT] = {"reserve_per_point", DAY},
    [CLOCK_INCREMENT] = {"increment", DAY},
    [CLOCK_DELAY] = {"delay", DAY},
    /* no more than a verifier grants an answer beyond its time (protocol/record.md) */
    [CLOCK_MARGIN] = {"margin", MINUTE},
};

void clock_wish_init(struct clock_wish *wish) {
    *wish = (struct clock_wish){.wall = false};
    for (int which = 0; which < CLOCK_TIMES; which++) {
        wish->time[which] = -1;
    }
}

bool clock_read_kind(const char *word, bool *wall) {
    *wall = strcmp(word, "wall") == 0;
    return *wall || strcmp(word, "shared") == 0;
}

const char *clock_time_name(enum clock_time which) {
    return rows[which].name;
}

int clock_time_find(const char *name) {
    for (int which = 0; which < CLOCK_TIMES; which++) {
        if (strcmp(rows[which].name, name) == 0) {
            return which;
        }
    }
    return -1;
}

int64_t clock_time_max(enum clock_time which) {
    return rows[which].max;
}

/* What was said, or the preset. */
static int64_t said(const struct clock_wish *wish, enum clock_time which, int64_t preset) {
    return wish->time[which] >= 0 ? wish->time[which] : preset;
}

static int check_together(const struct clock_rule *rule, struct fail *fail) {
    if (rule->reserve == 0 && rule->increment > 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("an increment is added to a reserve: give reserve too"));
    }
    if (rule->reserve == 0 && rule->delay > 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("a delay is time that a reserve need not pay: give reserve or "
                          "reserve_per_point too"));
    }
    if (rule->increment > 0 && rule->delay > 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("increment and delay are two habits of one clock: give one of them"));
    }
    if (rule->move_time > 0 && rule->delay >= rule->move_time) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("with a delay as long as move_time the reserve would never be used: "
                          "make delay shorter, or move_time longer or 0"));
    }
    return 0;
}

int clock_wish_settle(const struct clock_wish *wish, int points, struct clock_rule *rule,
                      struct fail *fail) {
    int64_t per_point = said(wish, CLOCK_RESERVE_PER_POINT, 0);
    int64_t reserve = said(wish, CLOCK_RESERVE, 0);
    if (per_point > 0 && reserve > 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("reserve and reserve_per_point say the same twice: give one of them"));
    }
    if (per_point > 0 && points == 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("reserve_per_point needs a match to a number of points; a money session "
                          "takes reserve"));
    }
    *rule = (struct clock_rule){
        .reserve = per_point > 0 ? per_point * points : reserve,
        .increment = said(wish, CLOCK_INCREMENT, 0),
        .delay = said(wish, CLOCK_DELAY, 0),
        .margin = said(wish, CLOCK_MARGIN, wish->remote ? MARGIN_REMOTE : MARGIN_LOCAL),
        .wall = wish->wall,
    };
    rule->move_time = said(wish, CLOCK_MOVE_TIME, rule->reserve > 0 ? 0 : MOVE_TIME_PRESET);
    return check_together(rule, fail);
}
