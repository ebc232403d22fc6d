/* The referee's clock, and what the loop itself was late by. Pure: every reading of the
 * machine's monotonic clock (µs) is told to it.
 *
 * A turn is: it wakes, works, writes, waits. While it works nobody listens, and an answer
 * that comes then is noticed late; how late at most, the referee is told with every turn
 * (reliability.md 3.4). Time for which the whole process stood still is taken out of the
 * clock: nobody's time runs meanwhile, and no deadline passes. */
#ifndef HAKEM_NET_TEMPO_H
#define HAKEM_NET_TEMPO_H

#include "referee/referee.h"

enum {
    TEMPO_LATE = 20 * 1000,    /* µs that a wait may end late before that is a standstill */
    TEMPO_STILL = 1000 * 1000, /* µs between two readings while it works that are one too */
    TEMPO_BLOCKED = 200        /* µs of waiting after which nothing can have been ready before */
};

struct tempo {
    bool waiting;
    int64_t seen;  /* µs: the last reading, */
    int64_t held;  /* what is taken out of the clock, */
    int64_t still; /* and how much of it in this turn */
    int64_t told;  /* ms: the last time given out; it never goes back */
    int64_t woke;  /* µs of the clock: when it last woke, */
    int64_t wrote; /* began to write, */
    int64_t slept; /* began to wait, */
    int64_t due;   /* and has to wake at the latest */
};

/* A clock that begins to work at this reading. */
void tempo_init(struct tempo *tempo, int64_t reading);

/* The referee's clock at this reading, ms. */
int64_t tempo_read(struct tempo *tempo, int64_t reading);

/* From now on it writes. */
void tempo_write(struct tempo *tempo, int64_t reading);

/* From now on it waits, for `patience` ms at most. */
void tempo_wait(struct tempo *tempo, int64_t reading, int64_t patience);

/* It woke: what is heard in this turn may have been said that much earlier. */
struct referee_lag tempo_wake(struct tempo *tempo, int64_t reading);

#endif
