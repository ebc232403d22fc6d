/* The rule that ends an event early: how often it calls equal bots unequal, looked at after
 * every sample, and how soon it tells unequal ones apart, with the luck taken off and without. */
#include "arena/stopping.h"
#include "arena_kit.h"

enum { EVENTS = 2000, UNITS = 400 };

struct truth {
    double lead;    /* points a sample */
    double luck;    /* deviation of the luck in it */
    double rest;    /* and of what is left without it */
    double counted; /* how much of the luck is luck */
    double coarse;  /* points come in steps of so much, 0: in none */
};

/* Events that were decided, for either side, and the samples it took. */
struct score {
    int ahead, behind;
    double samples;
};

static struct score play(const struct truth *truth, bool without, uint64_t seed) {
    struct kit_chance chance = {seed};
    struct score score = {.ahead = 0};
    for (int event = 0; event < EVENTS; event++) {
        struct stopping stopping;
        stopping_init(&stopping);
        for (int unit = 0; unit < UNITS && !stopping.decided; unit++) {
            double luck = truth->luck * kit_normal(&chance);
            double points =
                truth->lead + truth->counted * luck + truth->rest * kit_normal(&chance);
            points = truth->coarse > 0 ? truth->coarse * floor(points / truth->coarse + 0.5)
                                       : points;
            stopping_add(&stopping, points, without ? luck : 0);
        }
        score.ahead += stopping.decided && stopping.ahead == 0;
        score.behind += stopping.decided && stopping.ahead == 1;
        score.samples += (double)stopping.units / EVENTS;
    }
    return score;
}

static void check_equal(const char *name, const struct truth *truth) {
    for (int without = 0; without < 2; without++) {
        struct score score = play(truth, without != 0, 11);
        double share = 100.0 * (score.ahead + score.behind) / EVENTS;
        CHECK(share <= 5.5, "%s, %s: %.1f %% of equal bots are called unequal", name,
              without ? "fitted" : "raw", share);
        CHECK(abs(score.ahead - score.behind) < 60, "and either side as often: %d, %d",
              score.ahead, score.behind);
    }
}

static void check_unequal(const char *name, const struct truth *truth) {
    struct score raw = play(truth, false, 12), fitted = play(truth, true, 13);
    CHECK(fitted.ahead > EVENTS * 99 / 100 && fitted.behind <= EVENTS / 200,
          "%s, fitted: %.1f %% of unequal bots are told apart", name,
          100.0 * fitted.ahead / EVENTS);
    CHECK(fitted.samples < raw.samples / 2, "%s: after %.0f samples on average, raw %.0f", name,
          fitted.samples, raw.samples);
}

int main(void) {
    const struct truth pair = {.luck = 1.8, .rest = 0.5, .counted = 0.96, .coarse = 1};
    const struct truth match = {.luck = 6, .rest = 2.5, .counted = 0.9, .coarse = 1};
    const struct truth blind = {.luck = 1, .rest = 0.3, .counted = 0.05};
    const struct truth ahead = {
        .lead = 0.3, .luck = 1.8, .rest = 0.5, .counted = 0.96, .coarse = 1};
    const struct truth longer = {.lead = 1.5, .luck = 6, .rest = 2, .counted = 0.95, .coarse = 1};
    check_equal("pairs of games", &pair);
    check_equal("pairs of matches", &match);
    check_equal("luck that hardly counts", &blind);
    check_unequal("pairs of games", &ahead);
    check_unequal("pairs of matches", &longer);
    return check_done();
}
