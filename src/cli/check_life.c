/* The items of the end: bye, the end of the input, a signal, a refusal; and those
 * that watch all the time. */
#include "cli/check.h"

#include "base/lang.h"
#include "net/loop.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

enum {
    LIFE_EXIT = 2000000,   /* us that it has to go by itself */
    LIFE_TERM = 500000,    /* us after SIGTERM */
    LIFE_GAME = 5,
    LIFE_ERRORS = 4 << 20, /* bytes of error output that are no flood */
    LIFE_STRAYS = 500,     /* ms that what it started may take to end */
};

/* A game is on and the bot has a turn to answer. */
static bool open_turn(struct check *check, const struct rules *rules, struct seat *seat) {
    seat_init(seat, &check->talk, rules, SIDE_X);
    if (!check_sit(check, seat)) {
        return false;
    }
    seat_begin(seat, LIFE_GAME);
    seat_skip(seat, seat->side == seat->at.starter ? 1 : 2);
    return true;
}

/* It has to exit now; what its status says is looked at where `clean`. */
static void hear_exit(struct check *check, int64_t limit, bool clean) {
    struct talk *talk = &check->talk;
    int status;
    if (!peer_exits(talk->peer, loop_micros() + limit, &status)) {
        talk_fault(talk, BLAME_ITEM, N_("it still runs after %lld ms"), (long long)limit / 1000);
    } else if (clean && WIFSIGNALED(status)) {
        talk_fault(talk, BLAME_ITEM, N_("it was killed by signal %d"), WTERMSIG(status));
    } else if (clean && WEXITSTATUS(status) != 0) {
        char words[SPAWN_WORDS_MAX];
        peer_last_words(talk->peer, words);
        talk_fault(talk, BLAME_ITEM, N_("it ended with status %d, not 0%s%.200s"),
                   WEXITSTATUS(status), words[0] != '\0' ? ": " : "", words);
    }
}

/* Tells the last words and closes its input. */
static void part(struct check *check, const char *bye) {
    struct talk *talk = &check->talk;
    if (bye != NULL) {
        talk_tell(talk, "bye reason=%s", bye);
    }
    talk_quiet(talk, 0);
    while (peer_unsent(talk->peer) > 0 && peer_wait(talk->peer, loop_micros() + LIFE_TERM)) {
    }
    talk->fault.there = false; /* that it has gone already is what is wanted */
    peer_hang_up(talk->peer);
}

enum { END_BYE = 1, END_IN_GAME = 2 };

static void run_end(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    if ((detail & END_IN_GAME) != 0) {
        if (!open_turn(check, rules, &seat)) {
            return;
        }
        seat_turn(&seat);
        if (!talk_hear(&check->talk)) {
            return;
        }
    }
    part(check, (detail & END_BYE) != 0 ? "the%20event%20is%20over" : NULL);
    hear_exit(check, LIFE_EXIT, true);
}

static void run_refused(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    (void)rules, (void)detail;
    talk_tell(talk, "refused version reason=too%%20old have=2");
    part(check, NULL);
    hear_exit(check, LIFE_EXIT, false);
}

static void run_term(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    (void)detail;
    if (open_turn(check, rules, &seat)) {
        seat_turn(&seat);
        if (talk_hear(&check->talk)) {
            peer_signal(check->talk.peer, SIGTERM);
            hear_exit(check, LIFE_TERM, false);
        }
    }
}

/* What it started itself ends with it. */
static void run_strays(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    struct seat seat;
    int status;
    (void)detail;
    if (!open_turn(check, rules, &seat)) {
        return;
    }
    const struct ask *ask = seat_turn(&seat);
    if (!talk_hear(talk)) {
        return;
    }
    if (seat_go(&seat, ask->play)) {
        seat_leave(&seat);
    }
    part(check, "the%20event%20is%20over");
    if (!peer_exits(talk->peer, loop_micros() + LIFE_EXIT, &status)) {
        check_skip(check, N_("it does not end by itself: see `bye`"));
        return;
    }
    int left = stray_await(&check->innate, LIFE_STRAYS);
    if (left > 0) {
        talk_fault(talk, BLAME_ITEM, N_("it left %d processes behind"), left);
        stray_kill_all(&check->innate);
    }
}

enum { LIVES = NEEDS_CHILD | LEAVES };

const struct check_item check_items_life[] = {
    {"bye", N_("`bye`: it ends by itself, with status 0"), LIVES, 0, run_end, END_BYE},
    {"eof", N_("its input ends: so does it, with status 0"), LIVES, 0, run_end, 0},
    {"eof-in-game", N_("its input ends in the middle of a game"), LIVES, 0, run_end,
     END_IN_GAME},
    {"refused", N_("`refused` in place of `welcome`: it ends"), NEEDS_OWN | LIVES, 0,
     run_refused, 0},
    {"sigterm", N_("SIGTERM: it ends"), LIVES, 0, run_term, 0},
    {"strays", N_("it leaves no process behind"), LIVES, 0, run_strays, 0},
    {0},
};

/* ---- looking back */

static void run_blamed(struct check *check, const struct rules *rules, int detail) {
    (void)rules;
    const struct fault *fault = &check->watched[detail];
    if (fault->there) {
        check->talk.fault = *fault;
    }
}

static int compare_samples(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void run_time(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    run_blamed(check, rules, detail);
    if (talk->fault.there || talk->samples == 0) {
        return;
    }
    qsort(talk->sample, talk->samples, sizeof *talk->sample, compare_samples);
    check_fact(check, N_("%zu answers: half of them within %.1f ms, 99 %% within %.1f, the longest "
                         "took %.1f of %lld ms"),
               talk->samples, talk->sample[talk->samples / 2] / 1e3,
               talk->sample[talk->samples * 99 / 100] / 1e3,
               talk->sample[talk->samples - 1] / 1e3, (long long)talk->patience / 1000);
}

static void run_stderr(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    uint64_t bytes = check->errors + (talk->peer != NULL ? peer_errors(talk->peer) : 0);
    (void)rules, (void)detail;
    if (bytes > LIFE_ERRORS) {
        talk->said.count = 0;
        talk_fault(talk, BLAME_ITEM, N_("%llu KiB on its error output: only the end of it is kept"),
                   (unsigned long long)bytes / 1024);
    } else if (bytes > 0) {
        check_fact(check, N_("%llu bytes"), (unsigned long long)bytes);
    }
}

enum { BACK = NEEDS_NOBODY | LOOKS_BACK | ANY_GAME };

const struct check_item check_items_watch[] = {
    {"stdout", N_("nothing but messages on its output"), BACK, 0, run_blamed, BLAME_STDOUT},
    {"spelling", N_("all its lines in the spelling of its hello"), BACK, 0, run_blamed,
     BLAME_SPELLING},
    {"address", N_("each answer with the T and S of what was asked"), BACK, 0, run_blamed,
     BLAME_ADDRESS},
    {"silence", N_("it says nothing unasked, and answers once"), BACK, 0, run_blamed,
     BLAME_SILENCE},
    {"time", N_("each answer in time"), BACK, 0, run_time, BLAME_TIME},
    {"stderr", N_("no flood on its error output"), BACK | NEEDS_CHILD, 0, run_stderr, 0},
    {0},
};

const char *check_watch_id(enum blame blame) {
    for (const struct check_item *item = check_items_watch; item->id != NULL; item++) {
        if (item->detail == (int)blame && blame != BLAME_ITEM) {
            return item->id;
        }
    }
    return "";
}
