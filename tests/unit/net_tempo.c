/* The loop's clock: it stands still with the process, and knows how late the loop listens. */
#include "check.h"

#include "net/tempo.h"

enum { MS = 1000, ROUNDS = 200000 };

static uint64_t chance_state = 7;

static int64_t chance(int64_t below) {
    chance_state = chance_state * 6364136223846793005U + 1442695040888963407U;
    return (int64_t)((chance_state >> 33) % (uint64_t)below);
}

static void test_plain(void) {
    struct tempo tempo;
    tempo_init(&tempo, 5000 * MS);
    CHECK_INT(tempo_read(&tempo, 5001 * MS), 5001, "the clock is the machine's, in ms");
    tempo_write(&tempo, 5001 * MS + 300);
    tempo_wait(&tempo, 5001 * MS + 500, 100);
    struct referee_lag lag = tempo_wake(&tempo, 5020 * MS);
    CHECK(lag.old == 0 && lag.fresh == 0 && lag.held == 0, "what ends a wait was not there before");
    CHECK_INT(tempo_read(&tempo, 5020 * MS), 5020, "and came at that time");
    tempo_write(&tempo, 5032 * MS);
    tempo_wait(&tempo, 5037 * MS, 100);
    lag = tempo_wake(&tempo, 5037 * MS + 50);
    CHECK_INT(lag.old, 17, "what was there already may have come while the loop was busy,");
    CHECK_INT(lag.fresh, 5, "or since it wrote, if it was asked then");
}

static void test_late(void) {
    struct tempo tempo;
    tempo_init(&tempo, 1000 * MS + 900);
    tempo_wait(&tempo, 1000 * MS + 900, 100);
    struct referee_lag lag = tempo_wake(&tempo, 1112 * MS);
    CHECK(lag.old == 12 && lag.fresh == 12 && lag.held == 0, "a wait that ends late is lag");
    CHECK_INT(tempo_read(&tempo, 1112 * MS), 1112, "as long as it is short");
    tempo_wait(&tempo, 1112 * MS, 100);
    lag = tempo_wake(&tempo, 6000 * MS);
    CHECK_INT(lag.held, 6000 - 1212, "a long one is a standstill");
    CHECK_INT(lag.old, 100, "before which everything may have come");
    CHECK_INT(tempo_read(&tempo, 6000 * MS), 1212, "and for which the clock stood");
    CHECK_INT(tempo_read(&tempo, 6010 * MS), 1222, "and from there it goes on");
    CHECK_INT(tempo_read(&tempo, 12000 * MS), 1222, "so it does where the loop works and stands");
    tempo_wait(&tempo, 12005 * MS, 50);
    lag = tempo_wake(&tempo, 12020 * MS);
    CHECK_INT(lag.held, 12000 - 6010, "which the next turn is told");
}

/* An answer that came in time is never charged more than its time, whatever stood still when. */
static void test_never_charged(void) {
    struct tempo tempo;
    int64_t reading = 1000 * MS;
    int64_t asked = -1; /* ms of the clock: when the request was written */
    int64_t written = 0, answered = 0; /* readings: when it was, and when its answer comes */
    bool fresh = false, was_fresh = false;
    long answers = 0, over = 0, far = 0, flagged = 0, back = 0;
    int64_t last = 0;
    tempo_init(&tempo, reading);
    for (int round = 0; round < ROUNDS; round++) {
        /* works, now and then for long, rarely without being there at all */
        reading += chance(20) == 0 ? chance(30 * MS) : chance(300);
        reading += chance(300) == 0 ? chance(8000 * MS) : 0;
        int64_t now = tempo_read(&tempo, reading);
        back += now < last;
        last = now;
        tempo_write(&tempo, reading);
        if (asked < 0) {
            reading += chance(100);
            written = reading;
            asked = tempo_read(&tempo, reading);
            fresh = true;
            answered = written + chance(chance(4) == 0 ? 180 * MS : 3 * MS);
            reading += chance(10) == 0 ? chance(10 * MS) : chance(100); /* writes on */
            reading += chance(300) == 0 ? chance(8000 * MS) : 0;
        }
        was_fresh = fresh;
        fresh = false;
        /* waits, until the answer is there, for 10 ms at most */
        int64_t patience = asked + 200 - tempo_read(&tempo, reading);
        patience = patience < 1 ? 1 : patience > 10 ? 10 : patience;
        tempo_wait(&tempo, reading, patience);
        int64_t until = reading + patience * MS;
        reading = answered <= reading ? reading + chance(30)
                  : answered < until  ? answered + chance(30)
                                      : until + chance(500);
        reading += chance(300) == 0 ? chance(8000 * MS) : 0;
        struct referee_lag lag = tempo_wake(&tempo, reading);
        now = tempo_read(&tempo, reading);
        if (answered > reading) {
            continue; /* not there yet, though the wait may be over by a rounded ms */
        }
        int64_t credit = was_fresh ? lag.fresh : lag.old;
        int64_t charged = now - asked - credit > 0 ? now - asked - credit : 0;
        answers++;
        over += charged * MS > answered - written + 12 * MS; /* a wait is as long as 10 ms */
        flagged += charged > 200;
        far += (charged + 60) * MS < answered - written && lag.held == 0 && tempo.held == 0;
        asked = -1;
    }
    CHECK(answers > ROUNDS / 4, "%ld answers", answers);
    CHECK_INT(back, 0, "the clock never goes back");
    CHECK_INT(over, 0, "none is charged more than it took");
    CHECK_INT(flagged, 0, "none of them is flagged");
    CHECK_INT(far, 0, "nor is thinking credited where nothing stood still");
}

int main(void) {
    test_plain();
    test_late();
    test_never_charged();
    return check_done();
}
