#include "cli/command.h"

#include "base/lang.h"
#include "cli/evaluator.h"
#include "cli/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DUEL_PAIRS = 50, DUEL_LUCK_PAIRS = 500 };

struct duel_options {
    struct play_options play;
    const char *dice, *seed, *throws, *contributions;
    long pairs, processes;
    struct clock_options clock;
};

/* What the dice are made of. */
static int set_dice(const struct duel_options *options, struct event *event, struct fail *fail) {
    const char *dice = options->dice;
    bool manual = dice != NULL && strcmp(dice, "manual") == 0;
    if (dice != NULL && !manual && strcmp(dice, "auditable") != 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("--dice takes auditable or manual, not \"%s\": --seed makes seeded dice, "
                          "--throws recorded ones"),
                        dice);
    }
    if ((options->throws != NULL) + (options->seed != NULL) + (dice != NULL) > 1) {
        return fail_set(fail, EXIT_CODE_USAGE, _("one of --dice, --seed and --throws is enough"));
    }
    if (manual) {
        event->source = DICE_MANUAL;
    }
    if (options->throws != NULL) {
        return event_set_throws(event, options->throws, fail);
    }
    return options->seed != NULL ? play_set_seed(event, options->seed, fail) : 0;
}

static int fill_event(const struct duel_options *options, const struct args *args,
                      struct event *event, struct fail *fail) {
    if (args->positional_count != 2) {
        return fail_set(fail, EXIT_CODE_USAGE, _("a duel takes two bots, each COMMAND or "
                                                 "NAME=COMMAND (quote a command with blanks)"));
    }
    event->pairs = (int)options->pairs;
    if (clock_apply_options(&options->clock, &event->wish, fail) != 0) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        if (event_add_bot(event, args->positional[i], fail) != 0) {
            return -1;
        }
        event->entrants[i].processes = (int)options->processes;
    }
    snprintf(event->name, sizeof event->name, "%.28s-%.28s", event->entrants[0].name,
             event->entrants[1].name);
    const char *asked = options->contributions;
    if (asked != NULL && !event_read_contributions(asked, &event->contributions)) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("--contributions takes none or asked, not \"%s\""), asked);
    }
    return set_dice(options, event, fail);
}

/* Unless it is said: a duel that is small enough to be read by people, by rules that there is
 * an evaluator for. */
static bool tells_luck(const struct event *event) {
    struct fail unknown;
    return event->pairs <= DUEL_LUCK_PAIRS && evaluator_is_there(&event->rules, &unknown);
}

static int run(int argc, char **argv) {
    struct duel_options options = {.pairs = DUEL_PAIRS};
    struct play_setup setup = {.command = argv[0]};
    struct fail fail;
    struct arg_row rows[PLAY_ROWS + CLOCK_ROWS + 8] = {
        {"pairs", ARG_NUMBER, 1, EVENT_PAIRS_MAX, &options.pairs},
        {"dice", ARG_TEXT, 0, 0, &options.dice},
        {"seed", ARG_TEXT, 0, 0, &options.seed},
        {"throws", ARG_TEXT, 0, 0, &options.throws},
        {"contributions", ARG_TEXT, 0, 0, &options.contributions},
        {"same", ARG_FLAG, 0, 0, &setup.event.same},
        {"listen", ARG_TEXT, 0, 0, &setup.listen},
        {"processes", ARG_NUMBER, 1, EVENT_PROCESSES_MAX, &options.processes},
    };
    play_option_rows(&options.play, rows + 8);
    clock_option_rows(&options.clock, rows + 8 + PLAY_ROWS);
    event_init(&setup.event);
    struct args args = {
        .rows = rows, .row_count = sizeof rows / sizeof rows[0], .rules = &setup.event.rules};
    int code;
    char *own = NULL;
    if (args_read(&args, argc, argv, &fail) != 0 ||
        fill_event(&options, &args, &setup.event, &fail) != 0 ||
        play_apply_options(&options.play, &setup, &fail) != 0) {
        code = args_refuse(argv[0], &fail);
    } else {
        own = options.play.store == NULL ? play_name_folder("duel") : NULL;
        setup.folder = own != NULL ? own : options.play.store;
        setup.by_name = own == NULL;
        setup.event.luck = options.play.luck != NULL ? setup.event.luck
                                                     : tells_luck(&setup.event);
        code = play_event(&setup);
    }
    free(own);
    event_clear(&setup.event);
    return code;
}

const struct command command_duel = {
    .name = "duel",
    .usage = N_("A B [options]"),
    .summary = N_("two bots against each other, with a rating and its error"),
    .help = N_(
        "A and B are commands (\"python3 bot.py\") or NAME=COMMAND; no shell is used. Without\n"
        "a NAME a bot is called as its program, here bot; a second one of that name bot-2.\n"
        "random, greedy, solid, cila, usta and usta:2ply are bots that come with hakem;\n"
        "gnubg, gnubg:2ply is GNU Backgammon, ubgi:COMMAND an engine that speaks UBGI.\n"
        "\n"
        "  --pairs N          mirrored pairs of matches: the same dice, seats changed (50)\n"
        "  --variant V        the game (tavla); hakem rules lists them\n"
        "  --match N          points to win a match (5); every other rule option by its name\n"
        "  --seed S           reproducible dice from an open seed (else auditable dice)\n"
        "  --throws FILE      recorded dice: 52 33 61, each used up in turn; the word unit begins\n"
        "                     the throws of the next pair (both legs have the same)\n"
        "  --dice manual      you throw real dice and type them; hakem asks for each throw\n"
        "  --contributions asked  the bots are asked to add to auditable dice (none)\n"
        "  --move_time T      time for each answer, as 250ms or 5s (10s, with a reserve none)\n"
        "  --reserve T        time for a whole match; or --reserve_per_point T, for each of its\n"
        "                     points; --increment T adds to it each turn, or --delay T of each\n"
        "                     turn is free; --margin T is granted on top (50ms)\n"
        "  --clock KIND       shared: tables of one connection share its time (default); wall\n"
        "  --concurrency N    matches at once (2): a bot whose hello says tables=N plays so many\n"
        "                     in one process, others get a process for each\n"
        "  --processes N      spread the matches of each bot over N processes\n"
        "  --store DIR        where everything is kept (hakem-duel-DATE-TIME); the same\n"
        "                     command with the same folder goes on where it stopped\n"
        "  --files KINDS      none, or any of hkm,mat,sgf,json,txt (hkm,mat up to 1,000 matches)\n"
        "  --format FORMAT    text or jsonl (a stream of events for programs)\n"
        "  --listen HOST:PORT where spectators dial in; port 0 takes a free one\n"
        "  --luck on|off      the verdict without the luck of the dice too (on up to 500 pairs,\n"
        "                     where there is an evaluator for the game)\n"
        "  --stop decided     ends when the two have been told apart, at the latest after --pairs\n"
        "  --strict           exit code 3 when a bot had faults\n"
        "  --same             goes on although a program has changed since the event began\n"
        "  --log LEVEL        error, warn, info or debug, on standard error (warn)\n"
        "\n"
        "example: hakem duel ./mybot \"old=python3 old/bot.py\" --pairs 200 --seed 1\n"),
    .run = run,
};
