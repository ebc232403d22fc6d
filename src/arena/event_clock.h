/* The clock of an event: what an event file or a command says of it, and the rule
 * that comes of it. Each time is one const row: its word is the field of an event
 * file and the option of a command. */
#ifndef HAKEM_ARENA_EVENT_CLOCK_H
#define HAKEM_ARENA_EVENT_CLOCK_H

#include "base/fail.h"
#include "referee/clock.h"

enum clock_time {
    CLOCK_MOVE_TIME,
    CLOCK_RESERVE,
    CLOCK_RESERVE_PER_POINT, /* of the match: the habit of backgammon clubs */
    CLOCK_INCREMENT,
    CLOCK_DELAY,
    CLOCK_MARGIN,
    CLOCK_TIMES
};

/* What was said. */
struct clock_wish {
    int64_t time[CLOCK_TIMES]; /* ms; -1: nothing */
    bool wall;                 /* "wall", not "shared": see struct clock_rule */
    bool remote;               /* bots come over a network: the margin they have unless said */
};

/* Nothing is said yet. */
void clock_wish_init(struct clock_wish *wish);

/* The word of a time ("move_time"). */
const char *clock_time_name(enum clock_time which);

/* The time of that word, or -1. */
int clock_time_find(const char *name);

/* Reads "shared" or "wall"; false on any other word. */
bool clock_read_kind(const char *word, bool *wall);

/* The longest value of a time, ms. */
int64_t clock_time_max(enum clock_time which);

/* The rule that comes of what was said, for matches to `points` (0: a money session);
 * -1 with a sentence when the times do not go together. */
int clock_wish_settle(const struct clock_wish *wish, int points, struct clock_rule *rule,
                      struct fail *fail) __attribute__((warn_unused_result));

#endif
