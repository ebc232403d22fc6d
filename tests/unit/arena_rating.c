#include "arena/quantile.h"
#include "arena/rating.h"
#include "arena_kit.h"

#include <time.h>

enum { POOL_MAX = 100 };

static double elo_of(double p) {
    return 400 * log10(p / (1 - p));
}

static double win_chance(double lead) {
    return 1 / (1 + pow(10, -lead / 400));
}

/* Two players: odds of the score, the prior's draws aside. */
static void test_two(void) {
    struct rating out[2];
    struct rating_pair pair = {.a = 0, .b = 1};
    rating_pair_add(&pair, 60000, 1, 1);
    rating_pair_add(&pair, 40000, 1, 0);
    rating_fit(2, &pair, 1, -1, out);
    double lead = out[0].elo - out[1].elo;
    CHECK(fabs(lead - elo_of(0.6)) < 0.01, "60 %% of 100,000: %.3f, by odds %.3f", lead,
          elo_of(0.6));
    CHECK(fabs(out[0].elo + out[1].elo) < 1e-6, "the mean is 0");
    /* The usual error of a share, put on the Elo scale, half of it for each. */
    double error = sqrt(0.6 * 0.4 / 100000) * 400 / log(10) / (0.6 * 0.4) / 2;
    CHECK(fabs(out[0].plus_minus / (1.96 * error) - 1) < 0.001, "+- %.3f, by the book %.3f",
          out[0].plus_minus, 1.96 * error);
    rating_fit(2, &pair, 1, 1, out);
    CHECK(fabs(out[1].elo) < 1e-9 && fabs(out[0].elo - elo_of(0.6)) < 0.01, "an anchor is at 0");
    CHECK(fabs(out[0].plus_minus / (2 * 1.96 * error) - 1) < 0.001 && out[1].plus_minus < 1e-9,
          "and the interval is that of the difference");

    /* The prior alone decides how far 10 of 10 is: the root of 10 (1 - p) = 2 (q - 1/2),
     * where q is the chance against the average. By bisection, not by our code. */
    struct rating_pair all = {.a = 0, .b = 1};
    rating_pair_add(&all, 10, 1, 1);
    rating_fit(2, &all, 1, -1, out);
    double low = 0;
    double high = 2000;
    for (int i = 0; i < 100; i++) {
        double half = (low + high) / 2;
        double slope = 10 * (1 - win_chance(2 * half)) + 0.5 - win_chance(half);
        low = slope > 0 ? half : low;
        high = slope > 0 ? high : half;
    }
    CHECK(fabs(out[0].elo - low) < 0.001, "10 of 10 is finite: %.2f (%.2f)", out[0].elo, low);
    CHECK(out[0].plus_minus > 100, "and far from sure: +- %.0f", out[0].plus_minus);
}

static void test_clusters(void) {
    struct rating out[2];
    struct rating free_legs[2];
    struct rating_pair tied = {.a = 0, .b = 1};
    rating_pair_add(&tied, 50, 2, 1);
    rating_fit(2, &tied, 1, -1, out);
    CHECK(fabs(out[0].elo) < 1e-9 && out[0].plus_minus < 1e-6,
          "legs that always cancel leave no doubt: +- %.2g", out[0].plus_minus);
    struct rating_pair alone = {.a = 0, .b = 1};
    rating_pair_add(&alone, 50, 1, 1);
    rating_pair_add(&alone, 50, 1, 0);
    rating_fit(2, &alone, 1, -1, free_legs);
    CHECK(fabs(free_legs[0].plus_minus - 34.8) < 1, "the same as 100 single matches: +- %.1f",
          free_legs[0].plus_minus);
    struct rating_pair same = {.a = 0, .b = 1};
    rating_pair_add(&same, 25, 2, 2);
    rating_pair_add(&same, 25, 2, 0);
    rating_fit(2, &same, 1, -1, out);
    CHECK(fabs(out[0].plus_minus / free_legs[0].plus_minus - sqrt(2)) < 0.03,
          "legs that always agree are half as many samples: +- %.1f", out[0].plus_minus);
    struct rating_pair few = {.a = 0, .b = 1};
    rating_pair_add(&few, 3, 2, 1);
    rating_fit(2, &few, 1, -1, out);
    CHECK(out[0].rated && isnan(out[0].plus_minus), "three pairs say nothing about the scatter");
}

/* The normal equations of a fit, checked from outside: expected scores plus the prior
 * equal what was scored. */
static void test_likelihood(void) {
    struct kit_chance chance = {99};
    struct rating_pair pairs[45];
    struct rating out[10];
    size_t count = 0;
    for (int b = 1; b < 10; b++) {
        for (int a = 0; a < b; a++) {
            struct rating_pair *pair = &pairs[count++];
            *pair = (struct rating_pair){.a = a, .b = b};
            for (int i = 0; i < 40; i++) {
                rating_pair_add(pair, 1, 1, kit_uniform(&chance) < 0.3 + 0.05 * (b - a) ? 1 : 0);
            }
        }
    }
    int passes = rating_fit(10, pairs, count, -1, out);
    /* The mean was shifted out; the prior's pull sums to 0 where it was. */
    double shift = 0;
    for (int i = 0; i < 50; i++) {
        double pull = 0;
        for (int k = 0; k < 10; k++) {
            pull += 0.5 - win_chance(out[k].elo + shift);
        }
        shift += pull * 50;
    }
    double worst = 0;
    for (int k = 0; k < 10; k++) {
        double rest = 0.5 - win_chance(out[k].elo + shift);
        for (size_t i = 0; i < count; i++) {
            double lead = out[pairs[i].a].elo - out[pairs[i].b].elo;
            double surplus = pairs[i].score - pairs[i].matches * win_chance(lead);
            rest += pairs[i].a == k ? surplus : (pairs[i].b == k ? -surplus : 0);
        }
        worst = fmax(worst, fabs(rest));
    }
    CHECK(worst < 1e-6, "it is the maximum (worst gradient %.2g)", worst);
    CHECK(passes < 12, "found in %d passes", passes);
}

/* Plays a pool with known strengths; shared luck makes the legs of a pair alike, or
 * opposed. Counts intervals that hold the truth. */
static void play_pool(struct kit_chance *chance, const double *truth, int count, int units,
                      struct rating *out) {
    struct rating_pair pairs[POOL_MAX];
    size_t used = 0;
    for (int b = 1; b < count; b++) {
        for (int a = 0; a < b; a++) {
            struct rating_pair *pair = &pairs[used++];
            *pair = (struct rating_pair){.a = a, .b = b};
            double p = win_chance(truth[a] - truth[b]);
            for (int unit = 0; unit < units; unit++) {
                double luck = kit_uniform(chance);
                double other = kit_uniform(chance) < 0.6 ? 1 - luck : kit_uniform(chance);
                rating_pair_add(pair, 1, 2, (luck < p) + (other < p));
            }
        }
    }
    rating_fit(count, pairs, used, -1, out);
}

static void test_coverage(void) {
    struct kit_chance chance = {2024};
    int inside = 0;
    int all = 0;
    double bias = 0;
    for (int pool = 0; pool < 400; pool++) {
        double truth[6];
        double mean = 0;
        struct rating out[6];
        for (int i = 0; i < 6; i++) {
            truth[i] = 120 * kit_normal(&chance);
            mean += truth[i] / 6;
        }
        play_pool(&chance, truth, 6, 40, out);
        for (int i = 0; i < 6; i++) {
            double off = out[i].elo - (truth[i] - mean);
            inside += fabs(off) <= out[i].plus_minus;
            bias += off * (truth[i] > mean ? 1 : -1);
            all++;
        }
    }
    double share = (double)inside / all;
    CHECK(share > 0.93 && share < 0.97, "%.1f %% of 2,400 intervals hold the truth", 100 * share);
    CHECK(fabs(bias / all) < 2, "pulled to the mean by %.2f Elo", -bias / all);
}

static void test_strangers(void) {
    struct rating out[4];
    struct rating_pair pair = {.a = 1, .b = 3};
    rating_pair_add(&pair, 20, 2, 1.5);
    rating_fit(4, &pair, 1, -1, out);
    CHECK(!out[0].rated && !out[2].rated && isnan(out[0].plus_minus),
          "who has not played has no rating");
    CHECK(out[1].rated && fabs(out[1].elo + out[3].elo) < 1e-6, "and does not move the mean");
    rating_fit(4, NULL, 0, -1, out);
    CHECK(!out[1].rated, "nothing played, nobody rated");
    struct rating_pair twice[2] = {{.a = 0, .b = 1}, {.a = 2, .b = 3}};
    rating_pair_add(&twice[0], 20, 1, 1);
    rating_pair_add(&twice[1], 20, 1, 0);
    rating_fit(4, twice, 2, -1, out);
    CHECK(fabs(out[0].elo - out[3].elo) < 1e-6 && isfinite(out[0].plus_minus),
          "groups that never met are held together by the prior");
}

static void test_standings(void) {
    struct standings standings;
    struct rating out[2];
    struct rating by_hand[2];
    struct rating_pair pair = {.a = 0, .b = 1};
    struct rules rules;
    rules_init(&rules, variant_find("tavla", 5));
    standings_init(&standings, 2);
    for (uint32_t unit = 1; unit <= 30; unit++) {
        struct match_row leg1 = kit_match(unit, 1, 1, 0, unit % 3 == 0 ? SIDE_X : SIDE_Y, 1);
        struct match_row leg2 = kit_match(unit, 2, 0, 1, unit % 2 == 0 ? SIDE_X : SIDE_Y, 1);
        const struct match_row *const legs[] = {&leg1, &leg2};
        standings_add_unit(&standings, &rules, legs, 2, unit % 5 != 0);
        rating_pair_add(&pair, 1, 2, (unit % 3 != 0) + (unit % 2 == 0));
    }
    rating_of_standings(&standings, -1, out);
    rating_fit(2, &pair, 1, -1, by_hand);
    CHECK(fabs(out[0].elo - by_hand[0].elo) < 1e-9 &&
              fabs(out[0].plus_minus - by_hand[0].plus_minus) < 1e-9,
          "standings give the same clusters: %.1f +- %.1f", out[0].elo, out[0].plus_minus);
    CHECK(out[0].elo > 0, "and the right sign");
    standings_clear(&standings);
}

static void test_speed(void) {
    struct kit_chance chance = {5};
    static struct rating_pair pairs[POOL_MAX * POOL_MAX / 2];
    struct rating out[POOL_MAX];
    double truth[POOL_MAX];
    size_t used = 0;
    for (int i = 0; i < POOL_MAX; i++) {
        truth[i] = 200 * kit_normal(&chance);
    }
    for (int b = 1; b < POOL_MAX; b++) {
        for (int a = 0; a < b; a++) {
            struct rating_pair *pair = &pairs[used++];
            *pair = (struct rating_pair){.a = a, .b = b};
            for (int game = 0; game < 20; game++) {
                double p = win_chance(truth[a] - truth[b]);
                rating_pair_add(pair, 1, 1, kit_uniform(&chance) < p ? 1 : 0);
            }
        }
    }
    struct timespec start;
    struct timespec end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    int passes = rating_fit(POOL_MAX, pairs, used, -1, out);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double ms =
        (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6;
    CHECK(ms < 1000, "100 players, 99,000 games: %.1f ms, %d passes", ms, passes);
    int inside = 0;
    double mean = 0;
    for (int i = 0; i < POOL_MAX; i++) {
        mean += truth[i] / POOL_MAX;
    }
    for (int i = 0; i < POOL_MAX; i++) {
        inside += fabs(out[i].elo - truth[i] + mean) <= out[i].plus_minus;
    }
    CHECK(inside >= 87, "%d of 100 intervals hold the truth", inside);
}

int main(void) {
    test_two();
    test_clusters();
    test_likelihood();
    test_coverage();
    test_strangers();
    test_standings();
    test_speed();
    return check_done();
}
