#include "net/tempo.h"

enum { MS = 1000 /* µs */ };

void tempo_init(struct tempo *tempo, int64_t reading) {
    *tempo = (struct tempo){.seen = reading, .told = reading / MS};
    tempo->woke = tempo->wrote = tempo->slept = tempo->due = reading;
}

/* The clock at a reading, µs; a standstill since the last one is taken out of it. */
static int64_t clock_at(struct tempo *tempo, int64_t reading) {
    int64_t gap = reading - (tempo->waiting ? tempo->due + tempo->held : tempo->seen);
    if (gap > (tempo->waiting ? TEMPO_LATE : TEMPO_STILL)) {
        tempo->held += gap;
        tempo->still += gap;
    }
    tempo->seen = reading;
    return reading - tempo->held;
}

int64_t tempo_read(struct tempo *tempo, int64_t reading) {
    int64_t now = clock_at(tempo, reading) / MS;
    tempo->told = now > tempo->told ? now : tempo->told;
    return tempo->told;
}

void tempo_write(struct tempo *tempo, int64_t reading) {
    tempo->wrote = clock_at(tempo, reading);
}

void tempo_wait(struct tempo *tempo, int64_t reading, int64_t patience) {
    tempo->slept = clock_at(tempo, reading);
    tempo->due = tempo->slept + patience * MS;
    tempo->waiting = true;
}

struct referee_lag tempo_wake(struct tempo *tempo, int64_t reading) {
    int64_t now = clock_at(tempo, reading);
    /* Whole ms of the clock, as deadlines are: what came by a deadline has not passed it. */
    int64_t late = now > tempo->due ? now / MS - tempo->due / MS : 0;
    /* What ends a wait was not there before; only after a standstill nobody knows. */
    bool blocked = now - tempo->slept > TEMPO_BLOCKED;
    int64_t since = tempo->still > 0 ? now : blocked ? tempo->woke : tempo->slept;
    struct referee_lag lag = {
        .old = late + (since > tempo->woke ? (since - tempo->woke) / MS : 0),
        .fresh = late + (since > tempo->wrote ? (since - tempo->wrote) / MS : 0),
        .held = tempo->still / MS,
    };
    tempo->woke = now;
    tempo->wrote = now;
    tempo->still = 0;
    tempo->waiting = false;
    return lag;
}
