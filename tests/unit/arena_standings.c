#include "arena/quantile.h"
#include "arena/standings.h"
#include "arena_kit.h"

static bool near(double a, double b) {
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static void test_pairs(void) {
    struct standings standings;
    standings_init(&standings, 3);
    struct match_row leg1 = kit_match(1, 1, 0, 2, SIDE_X, 2);
    struct match_row leg2 = kit_match(1, 2, 2, 0, SIDE_X, 1);
    standings_add_match(&standings, &leg1, NULL, false);
    const struct pair_count *pair = standings_pair(&standings, 0, 2);
    CHECK_INT(pair->single[2], 1, "one leg alone is a cluster of its own");
    CHECK_INT(standings.standing[0].net_squared, 16, "with its points");
    standings_add_match(&standings, &leg2, &leg1, true);
    CHECK(pair->single[2] == 0 && pair->single[0] == 0 && pair->pair[2] == 1,
          "its mate joins it: 1-1");
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
    standings_add_match(&standings, &lost, NULL, false);
    standings_add_match(&standings, &draw, &lost, false);
    CHECK(pair->unmirrored[1] == 1 && pair->pair[1] == 0, "an unmirrored pair is counted apart");
    CHECK_INT(first->drawn, 1, "a draw");
    struct match_row aborted = kit_match(3, 1, 0, 2, -1, 0);
    struct match_row mate = kit_match(3, 2, 2, 0, SIDE_Y, 1);
    aborted.reason = REASON_ABORTED;
    standings_add_match(&standings, &aborted, NULL, false);
    standings_add_match(&standings, &mate, &aborted, true);
    CHECK(first->aborted == 1 && first->matches == 5, "a match without result is no match");
    CHECK_INT(pair->single[2], 1, "its mate stands alone");
    standings_clear(&standings);
}

/* The margin against a plain computation over the list of clusters. */
static void test_margin(void) {
    struct standings standings;
    struct kit_chance chance = {11};
    standings_init(&standings, 2);
    double net[200] = {0};
    double games[200] = {0};
    for (uint32_t unit = 0; unit < 200; unit++) {
        struct match_row before;
        for (int leg = 1; leg <= 2; leg++) {
            int x = leg == 1 ? 0 : 1;
            struct match_row row = kit_match(unit + 1, leg, x, 1 - x, -1, 0);
            row.games = 1 + (int)(kit_uniform(&chance) * 5);
            row.score[SIDE_X] = (int)(kit_uniform(&chance) * 10);
            row.score[SIDE_Y] = (int)(kit_uniform(&chance) * 10);
            row.winner = row.score[SIDE_X] > row.score[SIDE_Y] ? SIDE_X : SIDE_Y;
            standings_add_match(&standings, &row, leg == 2 ? &before : NULL, true);
            net[unit] += (row.score[x] - row.score[1 - x]) / 2.0;
            games[unit] += row.games;
            before = row;
        }
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
    test_margin();
    test_games();
    test_quantile();
    return check_done();
}
