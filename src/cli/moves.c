#include "base/alloc.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/moves_jsonl.h"
#include "rules/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
struct ask {
    bool jsonl, first;
    const char *to_move;
    struct rules rules;
};

static int read_board(const struct rules *rules, const char *text, struct board *board,
                      struct fail *fail) {
    char why[160];
    if (strcmp(text, "start") == 0) {
        board_init(board, rules);
        return 0;
    }
    if (position_read(rules, text, strlen(text), board, why) != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s", why);
    }
    return 0;
}

static int read_situation(const struct ask *ask, const struct args *args,
                          struct situation *situation, struct fail *fail) {
    const char *side = ask->to_move;
    if (args->positional_count != 2) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s",
                        _("give a position and two dice, e.g. hakem moves start 31"));
    }
    const char *dice = args->positional[1];
    if (strlen(dice) != 2 || strspn(dice, "123456") != 2) {
        return fail_set(fail, EXIT_CODE_USAGE, _("dice are two digits such as 31, not \"%s\""),
                        dice);
    }
    if (strcmp(side, "W") != 0 && strcmp(side, "B") != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--to-move takes W or B, not \"%s\""), side);
    }
    situation->mover = side[0] == 'W' ? SIDE_X : SIDE_Y;
    situation->dice[0] = (uint8_t)(dice[0] - '0');
    situation->dice[1] = (uint8_t)(dice[1] - '0');
    situation->first_turn = ask->first;
    return read_board(&ask->rules, args->positional[0], &situation->board, fail);
}

static void print_plays(const struct option_play *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char play[PLAY_TEXT_MAX], final[POSITION_TEXT_MAX];
        size_t length = play_write(&list[i].play, ' ', true, play);
        position_write(&list[i].final, final);
        printf("%-27s  %s\n", length > 0 ? play : "pass", final);
    }
    printf(_("%zu legal final positions, %d dice used\n"), count, plays_dice_used(list, count));
}

/* Does what was asked for; 0, or -1 with one line. */
static int answer(const struct ask *ask, const struct args *args, struct play_room *room,
                  struct fail *fail) {
    struct situation situation;
    if (!ask->jsonl) {
        if (read_situation(ask, args, &situation, fail) != 0) {
            return -1;
        }
        print_plays(room->list, plays_list(&ask->rules, &situation, room->list, PLAYS_MAX));
    } else if (args->positional_count > 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("--jsonl reads standard input; \"%s\" is too much"), args->positional[0]);
    } else {
        moves_jsonl_serve(stdin, stdout, room);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return fail_set(fail, EXIT_CODE_IO, "%s", _("cannot write to standard output"));
    }
    return 0;
}

static int run(int argc, char **argv) {
    struct ask ask = {.to_move = "W"};
    const struct arg_row rows[] = {
        {"jsonl", ARG_FLAG, 0, 0, &ask.jsonl},
        {"first", ARG_FLAG, 0, 0, &ask.first},
        {"to-move", ARG_TEXT, 0, 0, &ask.to_move},
    };
    struct args args = {.rows = rows, .row_count = 3, .rules = &ask.rules};
    struct play_room *room = alloc_zeroed(1, sizeof *room);
    struct fail fail;
    int status = EXIT_CODE_DONE;
    if (args_read(&args, argc, argv, &fail) != 0 || answer(&ask, &args, room, &fail) != 0) {
        status = args_refuse(argv[0], &fail);
    }
    free(room);
    return status;
}

const struct command command_moves = {
    .name = "moves",
    .usage = "POSITION DICE [options] | --jsonl",
    .summary = N_("legal plays of a position and dice"),
    .help = N_("POSITION is \"start\" or counts in each side's own numbering, e.g.\n"
               "\"W 24:2 13:5 8:3 6:5 bar:0 | B 13:10 6:5\"; who is named nowhere is off.\n"
               "  --variant NAME   tavla, uzun or western\n"
               "  --to-move SIDE   W or B (default W)\n"
               "  --first          it is this side's first turn\n"
               "  --OPTION VALUE   any rule option of the variant, e.g. --wall off\n"
               "  --jsonl          answer requests from standard input, one JSON object a line\n"
               "Example: hakem moves --variant tavla start 31\n"),
    .run = run,
};
