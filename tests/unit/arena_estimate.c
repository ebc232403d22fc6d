/* Estimates from samples whose truth is known: the intervals hold it as often as they say,
 * the fitted reading is never much worse than the raw one, and the luck is taken off. */
#include "check.h"

#include "arena/estimate.h"

#include <math.h>

enum { EVENTS = 2000, UNITS = 60 };

static uint64_t seed = 88172645463325252u;

/* Even over 0..1. */
static double even(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* About normal: mean 0, variance 1. */
static double normal(void) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += even();
    }
    return sum;
}

/* What a simulated event is made of. */
struct truth {
    double points;  /* a game */
    double luck;    /* deviation of the luck in a game */
    double rest;    /* and of what is left without it */
    int legs;       /* a sample: 1 a single game, 2 a mirrored pair */
    int games_max;  /* games of a match, 1 at least */
    double counted; /* how much of the evaluator's luck is luck */
};

/* A sample: the legs share a part of the luck with changed sides, and matches differ in length. */
static struct estimate_unit make_unit(const struct truth *truth) {
    struct estimate_unit unit = {.games = 0};
    double shared = normal();
    for (int leg = 0; leg < truth->legs; leg++) {
        int games = 1 + (int)(even() * truth->games_max);
        for (int game = 0; game < games; game++) {
            double own = 0.9 * normal() + (leg == 0 ? 0.4 : -0.4) * shared;
            double luck = truth->luck * own;
            unit.points += truth->points + truth->counted * luck + truth->rest * normal();
            unit.luck += luck;
            unit.games++;
        }
        unit.matches++;
        unit.score += even() < 0.5 ? 1 : 0;
    }
    return unit;
}

static void check_coverage(const struct truth *truth, const char *name) {
    int held[ESTIMATE_READINGS] = {0};
    double mean[ESTIMATE_READINGS] = {0}, width[ESTIMATE_READINGS] = {0};
    for (int event = 0; event < EVENTS; event++) {
        struct estimate_units units = {.unit = NULL};
        struct estimate estimate;
        for (int i = 0; i < UNITS; i++) {
            struct estimate_unit unit = make_unit(truth);
            estimate_units_add(&units, &unit);
        }
        estimate_make(&units, &estimate);
        for (int i = 0; i < ESTIMATE_READINGS; i++) {
            double off = estimate.points[i].value - truth->points;
            held[i] += fabs(off) <= estimate.points[i].margin;
            mean[i] += off / EVENTS;
            width[i] += estimate.points[i].margin / EVENTS;
        }
        estimate_units_clear(&units);
    }
    for (int i = 0; i < ESTIMATE_READINGS; i++) {
        double share = 100.0 * held[i] / EVENTS;
        CHECK(share >= 93 && share <= 97, "%s, %s: %.1f %% of the intervals hold the truth", name,
              estimate_reading_name((enum estimate_reading)i), share);
        CHECK(fabs(mean[i]) < 0.1 * width[i], "%s, %s: off by %+.4f on average, of %.4f", name,
              estimate_reading_name((enum estimate_reading)i), mean[i], width[i]);
    }
    CHECK(width[ESTIMATE_FITTED] < 1.1 * width[ESTIMATE_RAW] &&
              width[ESTIMATE_FITTED] < 1.1 * width[ESTIMATE_WHOLE],
          "%s: the fitted interval is about the least (%.3f of %.3f and %.3f)", name,
          width[ESTIMATE_FITTED], width[ESTIMATE_RAW], width[ESTIMATE_WHOLE]);
}

static void check_few(void) {
    struct estimate_units units = {.score_luck = true};
    struct estimate estimate;
    const struct estimate_unit unit = {
        .games = 2, .points = 2, .luck = 1, .matches = 2, .score = 1.5, .luck_of_score = 0.5};
    estimate_make(&units, &estimate);
    CHECK(isnan(estimate.points[ESTIMATE_RAW].value), "of nothing there is no mean");
    for (int i = 0; i < 3; i++) {
        estimate_units_add(&units, &unit);
    }
    estimate_make(&units, &estimate);
    CHECK(estimate.points[ESTIMATE_RAW].value == 1 && isnan(estimate.points[ESTIMATE_RAW].margin),
          "three samples have a mean and no margin");
    CHECK(estimate.points[ESTIMATE_WHOLE].value == 0.5, "the luck is taken off");
    CHECK(estimate.score[ESTIMATE_WHOLE].value == 0.5 && estimate.elo[ESTIMATE_WHOLE].value == 0,
          "of the score too");
    CHECK(isnan(estimate.points[ESTIMATE_FITTED].value), "and nothing is fitted to three");
    estimate_units_clear(&units);
}

int main(void) {
    const struct truth single = {
        .points = 0.05, .luck = 1.3, .rest = 0.36, .legs = 1, .games_max = 1, .counted = 1};
    const struct truth pair = {
        .points = 0.05, .luck = 1.3, .rest = 0.36, .legs = 2, .games_max = 1, .counted = 0.96};
    const struct truth match = {
        .points = -0.1, .luck = 1.3, .rest = 0.5, .legs = 2, .games_max = 9, .counted = 0.9};
    const struct truth blind = {
        .points = 1.9, .luck = 0.9, .rest = 0.25, .legs = 2, .games_max = 1, .counted = 0.05};
    check_coverage(&single, "single games");
    check_coverage(&pair, "mirrored pairs");
    check_coverage(&match, "matches");
    check_coverage(&blind, "luck that hardly counts");
    check_few();
    return check_done();
}
