#include "arena/quantile.h"
#include "arena/standings.h"
#include "arena/tally.h"
#include "arena_kit.h"

static bool near(double a, double b) {
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

/* Both legs of a unit have ended. */
static void add_pair(struct standings *standings, const struct rules *rules,
                     const struct match_row *leg1, const struct match_row *leg2, bool mirrored) {
    const struct match_row *const legs[] = {leg1, leg2};
    standings_add_unit(standings, rules, legs, 2, mirrored);
}

static void test_pairs(void) {
    struct standings standings;
    struct rules rules;
    rules_init(&rules, variant_find("tavla", 5));
    standings_init(&standings, 3);
    struct match_row leg1 = kit_match(1, 1, 0, 2, SIDE_X, 2);
    struct match_row leg2 = kit_match(1, 2, 2, 0, SIDE_X, 1);
    add_pair(&standings, &rules, &leg1, &leg2, true);
    const struct pair_count *pair = standings_pair(&standings, 0, 2);
    CHECK(pair->single[2] == 0 && pair->single[0] == 0 && pair->pair[2] == 1, "a pair, 1-1");
    const struct standing *first = &standings.standing[0];
    CHECK(first->clusters == 1 && first->net == 2 && first->net_squared == 4 &&
              first->net_games == 2 && first->games_squared == 4 && first->net_by_games == 4,
          "the pair is one sample of two games and net one point");
    CHECK(first->matches == 2 && first->won == 1 && first->lost == 1, "but two matches");
    const struct encounter *met = standings_encounter(&standings, 2, 0);
    CHECK(met->matches == 2 && met->won == 1 && met->drawn == 0 && met->net == -2,
          "the crosstable has both, seen from the other side");
    CHECK(standings_encounter(&standings, 0, 1)->matches == 0, "and nothing elsewhere");
    CHECK(near(standing_points(first), 0.5), "net points a game");
    CHECK(isnan(standing_points_margin(first)), "one sample has no margin");
    CHECK(isnan(standing_score(&standings.standing[1])), "who has not played has no score");

    struct match_row draw = kit_match(2, 1, 2, 0, -1, 0);
    struct match_row lost = kit_match(2, 2, 0, 2, SIDE_Y, 3);
    add_pair(&standings, &rules, &draw, &lost, false);
    CHECK(pair->unmirrored[1] == 1 && pair->pair[1] == 0, "an unmirrored pair is counted apart");
    CHECK_INT(first->drawn, 1, "a draw");
    const struct match_row *const single[] = {&leg1};
    standings_add_unit(&standings, &rules, single, 1, true);
    CHECK(pair->single[2] == 1 && first->matches == 5, "a unit of one match");
    standings_clear(&standings);
}

/* What is not played to its end: one row a reason, and what it means for both legs. */
static void test_unfinished(void) {
    static const struct {
        enum reason reason;
        int winner, offender; /* of the second leg; the first one is won by entrant 0 */
        int counted;          /* matches of entrant 0, */
        int won, drawn;
    } rows[] = {
        {REASON_ABORTED, SIDE_X, SIDE_Y, 2, 1, 0},   {REASON_DISCONNECT, SIDE_X, SIDE_Y, 2, 1, 0},
        {REASON_TIMEOUT, SIDE_X, SIDE_Y, 2, 1, 0},   {REASON_STALL, SIDE_X, SIDE_Y, 2, 1, 0},
        {REASON_WITHHELD, SIDE_X, SIDE_Y, 2, 1, 0},  {REASON_ABORTED, SIDE_Y, SIDE_X, 2, 2, 0},
        {REASON_DISCONNECT, -1, -1, 2, 1, 1},        {REASON_TIMEOUT, -1, -1, 2, 1, 1},
        {REASON_WITHHELD, -1, -1, 2, 1, 1},          {REASON_CAP, -1, -1, 2, 1, 1},
        {REASON_ABORTED, -1, -1, 0, 0, 0},           {REASON_VOID, -1, -1, 0, 0, 0},
    };
    struct rules rules;
    rules_init(&rules, variant_find("tavla", 5));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct standings standings;
        standings_init(&standings, 2);
        struct match_row leg1 = kit_match(1, 1, 0, 1, SIDE_X, 5);
        struct match_row leg2 = kit_match(1, 2, 1, 0, rows[i].winner, 0); /* 0 sits on Y */
        leg2.reason = rows[i].reason;
        leg2.offender = rows[i].offender;
        leg2.games = 0;
        add_pair(&standings, &rules, &leg1, &leg2, true);
        const struct standing *first = &standings.standing[0];
        CHECK(first->matches == rows[i].counted && first->won == rows[i].won &&
                  first->drawn == rows[i].drawn && first->aborted == 2 - rows[i].counted &&
                  first->clusters == (rows[i].counted > 0),
              "a leg that ended by %s, won by %s: %lld matches count", reason_name(rows[i].reason),
              side_name(rows[i].winner), (long long)first->matches);
        standings_clear(&standings);
    }
}

/* Who gives a match up has lost what was left of it, and keeps nothing by leaving early. */
static void test_given_up(void) {
    struct rules rules;
    char why[160];
    rules_init(&rules, variant_find("western", 7));
    struct match_row row = kit_match(1, 1, 0, 1, SIDE_Y, 0);
    row.reason = REASON_ABORTED;
    row.offender = SIDE_X;
    row.games = 2;
    row.score[SIDE_X] = 4 * POINT_HALVES;
    CHECK(rules_set(&rules, "match", "5", why) == 0, "a match to 5");
    struct tally tally = tally_match(&rules, &row);
    CHECK(tally.net == -2 * POINT_HALVES && tally.games == 4,
          "left at 4-0, two games of three points are lost: net %d in %d games", tally.net,
          tally.games);
    CHECK(rules_set(&rules, "match", "0", why) == 0 && rules_set(&rules, "games", "5", why) == 0,
          "five games for money");
    tally = tally_match(&rules, &row);
    CHECK(tally.net == -5 * POINT_HALVES && tally.games == 5,
          "left after two of them, three are lost: net %d in %d games", tally.net, tally.games);
}

/* The margin against a plain computation over the list of clusters. */
static void test_margin(void) {
    struct standings standings;
    struct kit_chance chance = {11};
    struct rules rules;
    rules_init(&rules, variant_find("tavla", 5));
    standings_init(&standings, 2);
    double net[200] = {0};
    double games[200] = {0};
    for (uint32_t unit = 0; unit < 200; unit++) {
        struct match_row rows[2];
        for (int leg = 1; leg <= 2; leg++) {
            int x = leg == 1 ? 0 : 1;
            struct match_row row = kit_match(unit + 1, leg, x, 1 - x, -1, 0);
            row.games = 1 + (int)(kit_uniform(&chance) * 5);
            row.score[SIDE_X] = (int)(kit_uniform(&chance) * 10);
            row.score[SIDE_Y] = (int)(kit_uniform(&chance) * 10);
            row.winner = row.score[SIDE_X] > row.score[SIDE_Y] ? SIDE_X : SIDE_Y;
            net[unit] += (row.score[x] - row.score[1 - x]) / 2.0;
            games[unit] += row.games;
            rows[leg - 1] = row;
        }
        add_pair(&standings, &rules, &rows[0], &rows[1], true);
    }
    double sum_net = 0;
    double sum_games = 0;
    for (int i = 0; i < 200; i++) {
        sum_net += net[i];
        sum_games += games[i];
    }
    double squares = 0;
    for (int i = 0; i < 200; i++) {
        double rest = net[i] - sum_net / sum_games * games[i];
        squares += rest * rest;
    }
    double want = quantile_95(199) * sqrt(squares * 200 / 199) / sum_games;
    CHECK(near(standing_points(&standings.standing[0]), sum_net / sum_games), "the mean");
    CHECK(near(standing_points_margin(&standings.standing[0]), want), "the margin of the ratio");
    CHECK(near(standing_points_margin(&standings.standing[1]), want), "the same for the other");
    standings_clear(&standings);
}

static void test_games(void) {
    struct standings standings;
    standings_init(&standings, 2);
    int seats[SIDE_COUNT] = {1, 0};
    struct game_row row = kit_game(1, 1, SIDE_X, 2);
    standings_add_game(&standings, seats, &row);
    row = kit_game(1, 1, -1, 0);
    standings_add_game(&standings, seats, &row);
    row.reason = REASON_VOID;
    standings_add_game(&standings, seats, &row);
    const struct standing *winner = &standings.standing[1];
    CHECK(winner->games == 2 && winner->game_won[2] == 1 && winner->game_drawn == 1 &&
              winner->voids == 1,
          "games by kind, draws and voids");
    CHECK_INT(standings.standing[0].game_lost[2], 1, "lost by the other");
    CHECK(winner->turns == 75 && winner->ms == 150, "time of its seat");
    standings_add_fault(&standings, 0, REASON_ILLEGAL);
    standings_add_fault(&standings, 0, REASON_STALL);
    CHECK_INT(standing_faults(&standings.standing[0]), 2, "faults");
    standings_clear(&standings);
}

static void test_quantile(void) {
    static const struct {
        int freedom;
        double want;
    } rows[] = {{2, 4.30265},  {3, 3.18245},  {4, 2.77645},   {5, 2.57058},
                {10, 2.22814}, {30, 2.04227}, {100, 1.98397}, {1000000, 1.95997}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double got = quantile_95(rows[i].freedom);
        CHECK(fabs(got / rows[i].want - 1) < 0.004, "t with %d degrees is %.4f (%.4f)",
              rows[i].freedom, rows[i].want, got);
    }
}

int main(void) {
    test_pairs();
    test_unfinished();
    test_given_up();
    test_margin();
    test_games();
    test_quantile();
    return check_done();
}
