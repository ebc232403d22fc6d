#include "base/alloc.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "rules/play.h"
#include "rules/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DEPTH_MAX = 6 };

/* The count of one depth. */
struct tally {
    unsigned long long finals; /* legal final positions at that depth, all throws added up */
    unsigned long long throws; /* positions and throws that were listed, at all depths */
};

/* Walks all 21 throws, unweighted, `depth` turns deep. A finished game is not
 * played on. `rooms` holds one room for each turn. */
static void walk(const struct rules *rules, struct situation *situation, int depth, int turn,
                 struct play_room *rooms, struct tally *tally) {
    situation->first_turn = turn < SIDE_COUNT;
    for (uint8_t a = 1; a <= 6; a++) {
        for (uint8_t b = 1; b <= a; b++) {
            situation->dice[0] = a;
            situation->dice[1] = b;
            const struct option_play *list = rooms[turn].list;
            size_t count = plays_list(rules, situation, rooms[turn].list, PLAYS_MAX);
            tally->throws++;
            if (turn + 1 == depth) {
                tally->finals += count;
                continue;
            }
            for (size_t i = 0; i < count; i++) {
                struct situation next = {.board = list[i].final,
                                         .mover = side_other(situation->mover)};
                if (!board_outcome(rules, &next.board).over) {
                    walk(rules, &next, depth, turn + 1, rooms, tally);
                }
            }
        }
    }
}

static void print_depth(const struct rules *rules, int depth, struct play_room *rooms) {
    struct situation start = {.mover = SIDE_X};
    struct tally tally = {0, 0};
    board_init(&start.board, rules);
    clock_t begun = clock();
    walk(rules, &start, depth, 0, rooms, &tally);
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    printf(_("depth %d: %llu final positions, %llu throws listed in %.3f s"), depth, tally.finals,
           tally.throws, seconds);
    if (seconds > 0.01) {
        printf(_(", %.0f throws a second"), (double)tally.throws / seconds);
    }
    printf("\n");
    fflush(stdout);
}

static int run(int argc, char **argv) {
    struct rules rules = {.variant = variant_row(VARIANT_WESTERN)};
    long depth = 2;
    const struct arg_row rows[] = {{"depth", ARG_NUMBER, 1, DEPTH_MAX, &depth}};
    struct args args = {.rows = rows, .row_count = 1, .rules = &rules};
    struct fail fail;
    rules_init(&rules, rules.variant);
    if (args_read(&args, argc, argv, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    if (args.positional_count > 0) {
        fail_set(&fail, EXIT_CODE_USAGE, _("\"%s\" is too much: perft takes options only"),
                 args.positional[0]);
        return args_refuse(argv[0], &fail);
    }
    struct play_room *rooms = alloc_zeroed((size_t)depth, sizeof *rooms);
    for (int n = 1; n <= depth; n++) {
        print_depth(&rules, n, rooms);
    }
    free(rooms);
    return EXIT_CODE_DONE;
}

const struct command command_perft = {
    .name = "perft",
    .usage = N_("[options]"),
    .summary = N_("counts of legal final positions, and the speed of listing them"),
    .help = N_(
        "From the start, all 21 throws unweighted, the final positions of each added up:\n"
        "western has 447 at depth 1.\n"
        "  --variant NAME   the game (default western); hakem rules lists them\n"
        "  --depth N        turns, 1 to 6 (default 2; 4 and more take long)\n"
        "  --OPTION VALUE   any rule option of the variant\n"
        "Example: hakem perft --variant tavla --depth 3\n"),
    .run = run,
};
