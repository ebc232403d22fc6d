/* How long the evaluator takes: one sweep of all 21 throws, and one evaluation, on the
 * positions of games that the evaluator plays against itself. CPU times of this process:
 * the median of all rounds, with the least and the most. */
#include "eval/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { POSITIONS = 400, ROUNDS = 9 };

static struct situation positions[POSITIONS];
static struct play_room room;
static uint64_t seed = 20261203;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void throw_dice(uint8_t dice[2]) {
    for (int i = 0; i < 2; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        dice[i] = (uint8_t)((seed >> 20) % 6 + 1);
    }
}

static void begin_game(const struct rules *rules, struct situation *situation) {
    *situation = (struct situation){.mover = SIDE_X, .first_turn = true};
    board_init(&situation->board, rules);
}

/* Positions as they come in play. */
static void fill_positions(const struct net *net, const struct rules *rules) {
    struct situation at;
    begin_game(rules, &at);
    for (int n = 0; n < POSITIONS; n++) {
        positions[n] = at;
        throw_dice(at.dice);
        size_t count = plays_list(rules, &at, room.list, PLAYS_MAX), place = 0;
        sweep_pick(net, &at, room.list, count, &place);
        at.board = room.list[place].final;
        at.first_turn = at.first_turn && at.mover == SIDE_X;
        at.mover = side_other(at.mover);
        if (at.board.men[side_other(at.mover)][POINT_OFF] == CHECKERS_MAX) {
            begin_game(rules, &at);
        }
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void print_row(const char *name, const char *what, double *times) {
    qsort(times, ROUNDS, sizeof times[0], compare);
    printf("%-8s %-12s %8.3f us  (%.3f - %.3f)\n", name, what, times[ROUNDS / 2], times[0],
           times[ROUNDS - 1]);
}

static void measure(enum variant_id id) {
    struct rules rules;
    struct sweep sweep;
    double sweeps[ROUNDS], values[ROUNDS], rough[ROUNDS];
    struct net_rough last = {{0}, {0}};
    int64_t sum = 0;
    rules_init(&rules, variant_row(id));
    struct net *net = net_new_built_in(rules.variant);
    fill_positions(net, &rules);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int n = 0; n < POSITIONS; n++) {
            sweep_all(net, &rules, &positions[n], &room, &sweep);
            sum += sweep.points;
        }
        double middle = now();
        for (int n = 0; n < 10 * POSITIONS; n++) {
            sum += net_value(net, &positions[n % POSITIONS].board, SIDE_X).points;
        }
        double late = now();
        for (int n = 0; n < 10 * POSITIONS; n++) {
            sum += net_rough_points(net, &positions[n % POSITIONS].board, SIDE_X, &last);
        }
        sweeps[round] = (middle - start) * 1e6 / POSITIONS;
        values[round] = (late - middle) * 1e6 / (10 * POSITIONS);
        rough[round] = (now() - late) * 1e6 / (10 * POSITIONS);
    }
    print_row(rules.variant->name, "sweep", sweeps);
    print_row(rules.variant->name, "value", values);
    print_row(rules.variant->name, "rough value", rough);
    printf("# %s, sum %lld\n", net_name(net), (long long)sum);
    net_free(net);
}

int main(void) {
    measure(VARIANT_TAVLA);
    measure(VARIANT_WESTERN);
    measure(VARIANT_UZUN);
    return 0;
}
