#include "base/alloc.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/evaluator.h"
#include "cli/moves_jsonl.h"
#include "rules/notation.h"
#include "rules/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line asks for. */
struct ask {
    bool jsonl, first, ids, eval;
    const char *to_move; /* NULL when it was not given */
    const char *net;     /* a file with one, NULL: the evaluator compiled in */
    struct rules rules;
};

static int read_to_move(const struct ask *ask, struct match_position *position, struct fail *fail) {
    const char *side = ask->to_move;
    if (side == NULL) {
        return 0;
    }
    if (strcmp(side, "W") != 0 && strcmp(side, "B") != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--to-move takes W or B, not \"%s\""), side);
    }
    position->mover = side[0] == 'W' ? SIDE_X : SIDE_Y;
    position->decider = position->mover;
    return 0;
}

static int read_dice(const char *dice, struct match_position *position, struct fail *fail) {
    if (strlen(dice) != 2 || strspn(dice, "123456") != 2) {
        return fail_set(fail, EXIT_CODE_USAGE, _("dice are two digits such as 31, not \"%s\""),
                        dice);
    }
    position->dice[0] = (uint8_t)(dice[0] - '0');
    position->dice[1] = (uint8_t)(dice[1] - '0');
    return 0;
}

/* Reads POSITION and DICE; the dice stay 0 when neither of them says them. */
static int read_position(const struct ask *ask, const struct args *args,
                         struct match_position *position, struct fail *fail) {
    char why[160];
    int notation = NOTATION_TEXT;
    match_position_init(position, &ask->rules);
    if (args->positional_count < 1 || args->positional_count > 2) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s",
                        _("give a position and two dice, e.g. hakem moves start 31"));
    }
    if (read_to_move(ask, position, fail) != 0) {
        return -1;
    }
    const char *text = args->positional[0];
    if (strcmp(text, "start") != 0) {
        notation = notation_read(&ask->rules, text, strlen(text), position, why);
    }
    if (notation < 0) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s", why);
    }
    if (ask->to_move != NULL && notation_says_match((enum notation)notation)) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s",
                        _("the position says whose turn it is: leave --to-move out"));
    }
    return args->positional_count > 1 ? read_dice(args->positional[1], position, fail) : 0;
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

/* A play and what it is worth to the mover, in points without a cube. */
struct valued {
    const struct option_play *play;
    struct net_value value;
};

static int compare_valued(const void *a, const void *b) {
    const struct valued *x = a, *y = b;
    if (x->value.points != y->value.points) {
        return x->value.points < y->value.points ? 1 : -1;
    }
    return x->play < y->play ? -1 : 1;
}

/* The plays with the evaluator's view of each, the best first. */
static int print_valued(const struct ask *ask, const struct situation *situation,
                        const struct option_play *list, size_t count, struct fail *fail) {
    struct net *net = evaluator_new(&ask->rules, ask->net, fail);
    if (net == NULL) {
        return -1;
    }
    struct valued *valued = alloc_zeroed(count, sizeof *valued);
    for (size_t i = 0; i < count; i++) {
        struct net_value other = net_value(net, &list[i].final, side_other(situation->mover));
        valued[i] = (struct valued){&list[i], {-other.points, NET_ONE - other.wins}};
    }
    qsort(valued, count, sizeof *valued, compare_valued);
    for (size_t i = 0; i < count; i++) {
        char play[PLAY_TEXT_MAX], final[POSITION_TEXT_MAX];
        size_t length = play_write(&valued[i].play->play, ' ', true, play);
        position_write(&valued[i].play->final, final);
        printf("%+9.4f %6.2f%%  %-27s  %s\n", (double)valued[i].value.points / NET_ONE,
               100.0 * valued[i].value.wins / NET_ONE, length > 0 ? play : "pass", final);
    }
    printf(_("%zu legal final positions, %d dice used; points and wins by %s\n"), count,
           plays_dice_used(list, count), net_name(net));
    free(valued);
    net_free(net);
    return 0;
}

/* A line for each notation; what one cannot hold is said in its place. */
static void print_ids(const struct rules *rules, const struct match_position *position) {
    for (int notation = 0; notation < NOTATION_KINDS; notation++) {
        char text[NOTATION_TEXT_MAX], why[160];
        const char *name = notation_name((enum notation)notation);
        if (notation_write(rules, position, (enum notation)notation, text, why) == 0) {
            printf("%-12s  %s\n", name, text);
        } else {
            printf("%-12s  - (%s)\n", name, why);
        }
    }
}

/* Answers for one position; 0, or -1 with one line. */
static int answer_position(const struct ask *ask, const struct args *args, struct play_room *room,
                           struct fail *fail) {
    struct match_position position;
    if (read_position(ask, args, &position, fail) != 0) {
        return -1;
    }
    if (ask->ids) {
        print_ids(&ask->rules, &position);
        return 0;
    }
    if (position.dice[0] == 0) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s",
                        _("give a position and two dice, e.g. hakem moves start 31"));
    }
    struct situation situation = {.board = position.board,
                                  .mover = position.mover,
                                  .dice = {position.dice[0], position.dice[1]},
                                  .first_turn = ask->first};
    size_t count = plays_list(&ask->rules, &situation, room->list, PLAYS_MAX);
    if (ask->eval || ask->net != NULL) {
        return print_valued(ask, &situation, room->list, count, fail);
    }
    print_plays(room->list, count);
    return 0;
}

/* Does what was asked for; 0, or -1 with one line. */
static int answer(const struct ask *ask, const struct args *args, struct play_room *room,
                  struct fail *fail) {
    if (!ask->jsonl) {
        if (answer_position(ask, args, room, fail) != 0) {
            return -1;
        }
    } else if (args->positional_count > 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("--jsonl reads standard input; \"%s\" is too much"), args->positional[0]);
    } else {
        moves_jsonl_serve(stdin, stdout, room);
    }
    return 0;
}

static int run(int argc, char **argv) {
    struct ask ask = {.to_move = NULL};
    const struct arg_row rows[] = {
        {"jsonl", ARG_FLAG, 0, 0, &ask.jsonl}, {"first", ARG_FLAG, 0, 0, &ask.first},
        {"ids", ARG_FLAG, 0, 0, &ask.ids},     {"eval", ARG_FLAG, 0, 0, &ask.eval},
        {"net", ARG_TEXT, 0, 0, &ask.net},     {"to-move", ARG_TEXT, 0, 0, &ask.to_move},
    };
    struct args args = {
        .rows = rows, .row_count = sizeof rows / sizeof rows[0], .rules = &ask.rules};
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
    .usage = N_("POSITION [DICE] [options] | --jsonl"),
    .summary = N_("legal plays of a position and dice"),
    .help = N_(
        "POSITION is \"start\" or counts in each side's own numbering, e.g.\n"
        "\"W 24:2 13:5 8:3 6:5 bar:0 | B 13:10 6:5\"; who is named nowhere is off.\n"
        "It may also be 26 counts as this side sees them, a GNU position id (and match id,\n"
        "with a colon between), an XGID, an OGID or a FIBS board string. The last three and\n"
        "a match id bring turn and dice along; DICE given all the same comes first.\n"
        "  --variant NAME   the game (default tavla); hakem rules lists them\n"
        "  --to-move SIDE   W or B (default W)\n"
        "  --first          it is this side's first turn\n"
        "  --ids            write the position in every notation instead\n"
        "  --eval           what each play is worth by the evaluator, the best first\n"
        "  --net FILE       the same by a net of your own (contrib/train)\n"
        "  --OPTION VALUE   any rule option of the variant, e.g. --wall off\n"
        "  --jsonl          answer requests from standard input, one JSON object a line\n"
        "Example: hakem moves --variant tavla start 31\n"
        "         hakem moves --variant western 4HPwATDgc/ABMA:cInlADAAEAAE\n"),
    .run = run,
};
