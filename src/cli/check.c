#include "cli/check.h"

#include "arena/event.h"
#include "base/alloc.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/check_walk.h"
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHECK_PATIENCE = 2000, /* ms for an answer */
    CHECK_PATIENCE_MAX = 600000,
    CHECK_TIME = 500, /* ms for whole games */
    CHECK_TIME_MAX = 3600000,
};

struct check_options {
    const char *variant, *format, *only, *listen;
    long move_time, time;
};

/* "tavla,uzun" as bits. */
static int read_variants(const char *text, unsigned *variants, struct fail *fail) {
    *variants = 0;
    for (size_t at = 0; at <= strlen(text);) {
        size_t length = strcspn(text + at, ",");
        const struct variant *variant = variant_find(text + at, length);
        if (variant == NULL) {
            char names[VARIANT_NAMES_MAX], shown[64];
            variant_write_names(names);
            text_escape(text + at, length, shown, sizeof shown);
            return fail_set(fail, EXIT_CODE_USAGE, _("unknown variant %s: hakem knows %s"), shown,
                            names);
        }
        *variants |= 1U << variant->id;
        at += length + 1;
    }
    return 0;
}

/* The bot that is to be started. */
static int read_bot(const struct args *args, const struct check_options *options,
                    struct check *check, struct fail *fail) {
    if (args->positional_count != (options->listen != NULL ? 0 : 1)) {
        return fail_set(fail, EXIT_CODE_USAGE, _("check takes one bot: a COMMAND (quote one with "
                                                 "blanks), or --listen HOST:PORT and none"));
    }
    if (options->listen != NULL) {
        return 0;
    }
    if (event_add_bot(&check->event, args->positional[0], fail) != 0) {
        return -1;
    }
    check->bot = &check->event.entrants[0];
    return 0;
}

static int run_check(struct walk *walk, const char *shown, struct fail *fail) {
    struct check *check = walk->check;
    if (dice_init() != 0) {
        return fail_set(fail, EXIT_CODE_BUG, _("this machine gives no random numbers"));
    }
    stray_adopt(&check->innate);
    check_report_begin(&walk->report, walk->report.json, shown);
    walk_all(walk);
    check_leave(check);
    if (check->fail.code != EXIT_CODE_DONE) {
        *fail = check->fail;
        return -1;
    }
    if (!walk->found) {
        return fail_set(fail, EXIT_CODE_USAGE, _("there is no item %s for this bot: --list lists "
                                                 "them"), walk->only);
    }
    check_report_end(&walk->report, check->talk.hello.name, !walk->stopped);
    return walk->report.count[VERDICT_BAD] > 0 ? EXIT_CODE_FAULTS : EXIT_CODE_DONE;
}

/* What was asked for, into the check and its walk. */
static int apply_options(const struct check_options *options, const struct args *args,
                         struct walk *walk, struct fail *fail) {
    struct check *check = walk->check;
    const char *format = options->format != NULL ? options->format : "text";
    walk->only = options->only;
    walk->report.json = strcmp(format, "json") == 0;
    if (!walk->report.json && strcmp(format, "text") != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--format takes text or json, not \"%s\""),
                        format);
    }
    if (options->variant != NULL && read_variants(options->variant, &check->variants, fail) != 0) {
        return -1;
    }
    if (read_bot(args, options, check, fail) != 0) {
        return -1;
    }
    if (options->listen != NULL) {
        check->listening = listen_socket(options->listen, false, check->where, fail);
        return check->listening < 0 ? -1 : 0;
    }
    return 0;
}

static int run(int argc, char **argv) {
    struct check_options options = {.move_time = CHECK_PATIENCE, .time = CHECK_TIME};
    struct check *check = alloc_zeroed(1, sizeof *check);
    struct walk walk = {.check = check};
    struct fail fail;
    const struct arg_row rows[] = {
        {"variant", ARG_TEXT, 0, 0, &options.variant},
        {"format", ARG_TEXT, 0, 0, &options.format},
        {"only", ARG_TEXT, 0, 0, &options.only},
        {"listen", ARG_TEXT, 0, 0, &options.listen},
        {"move_time", ARG_TIME, 1, CHECK_PATIENCE_MAX, &options.move_time},
        {"time", ARG_TIME, 1, CHECK_TIME_MAX, &options.time},
        {"list", ARG_FLAG, 0, 0, &walk.list},
    };
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    check->variants = EVERY_VARIANT;
    event_init(&check->event);
    check->event.rules.value[OPTION_VIDO] = 1; /* situations with the cube come, too */
    int code = args_read(&args, argc, argv, &fail);
    if (code == 0 && walk.list) {
        walk_all(&walk);
    } else if (code == 0 && (code = apply_options(&options, &args, &walk, &fail)) == 0) {
        const char *shown = check->bot != NULL ? args.positional[0] : check->where;
        check->time = options.time * 1000;
        talk_init(&check->talk, options.move_time * 1000);
        code = run_check(&walk, shown, &fail);
        talk_clear(&check->talk);
        check_report_clear(&walk.report);
    }
    event_clear(&check->event);
    free(check);
    return code < 0 ? args_refuse(argv[0], &fail) : code;
}

const struct command command_check = {
    .name = "check",
    .usage = N_("BOT [options]"),
    .summary = N_("whether a bot speaks properly, situation by situation"),
    .help = N_(
        "BOT is a command (\"python3 bot.py\"); it is started, put into every situation that a\n"
        "bot can meet, and each of its answers is judged. What is not good is shown with the\n"
        "lines that led to it: < to the bot, > from it.\n"
        "ubgi:COMMAND and gnubg:2ply are bots that speak otherwise: our lines are shown then.\n"
        "\n"
        "  --variant V[,V]    only these games (all that the bot says it plays)\n"
        "  --only ITEM        one item, such as bar or bar/tavla\n"
        "  --list             the items, and what each one checks\n"
        "  --move_time T      time for each answer (2s)\n"
        "  --time T           for whole games, of each game and kind (500ms)\n"
        "  --format FORMAT    text or json (an object a line, protocol/events/check.json)\n"
        "  --listen HOST:PORT no BOT: it dials in, and again when it is sent away\n"
        "\n"
        "Exit code 0: all good; 3: something is not; 7: it could not be started.\n"
        "example: hakem check ./mybot --variant tavla\n"),
    .run = run,
};
