#include "cli/command.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/play.h"

#include <stdlib.h>
#include <string.h>

enum { RUN_WAIT_MAX = 86400000 /* ms */ };

/* "night.json" is kept in "night.store" beside it. */
static char *name_folder(const char *path) {
    static const char ending[] = ".json";
    size_t length = strlen(path);
    size_t cut = sizeof ending - 1;
    if (length > cut && strcmp(path + length - cut, ending) == 0) {
        length -= cut;
    }
    return alloc_print("%.*s.store", (int)length, path);
}

static int check_arguments(const struct args *args, const struct play_options *options,
                           struct fail *fail) {
    if (args->positional_count != 1) {
        return fail_set(fail, EXIT_CODE_USAGE, _("run takes one event file: hakem run EVENT.json"));
    }
    if (strcmp(args->positional[0], "-") == 0 && options->store == NULL) {
        return fail_set(fail, EXIT_CODE_USAGE, _("an event from standard input needs --store DIR"));
    }
    return 0;
}

static int run(int argc, char **argv) {
    struct play_options options = {.store = NULL};
    struct play_setup setup = {.command = argv[0], .by_name = true};
    struct fail fail;
    long wait = -1;
    struct arg_row rows[PLAY_ROWS + 4] = {
        {"same", ARG_FLAG, 0, 0, &setup.event.same},
        {"listen", ARG_TEXT, 0, 0, &setup.listen},
        {"plaintext", ARG_FLAG, 0, 0, &setup.plaintext},
        {"wait", ARG_TIME, 0, RUN_WAIT_MAX, &wait},
    };
    play_option_rows(&options, rows + 4);
    event_init(&setup.event);
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    int code;
    char *own = NULL;
    if (args_read(&args, argc, argv, &fail) != 0 || check_arguments(&args, &options, &fail) != 0 ||
        event_read(&setup.event, args.positional[0], &fail) != 0 ||
        play_apply_options(&options, &setup, &fail) != 0) {
        code = args_refuse(argv[0], &fail);
    } else {
        own = options.store == NULL ? name_folder(args.positional[0]) : NULL;
        setup.folder = own != NULL ? own : options.store;
        setup.event.wait = wait >= 0 ? wait : setup.event.wait;
        code = play_event(&setup);
    }
    free(own);
    event_clear(&setup.event);
    return code;
}

const struct command command_run = {
    .name = "run",
    .usage = N_("EVENT.json [options]"),
    .summary = N_("a whole event; the same command goes on after an interruption"),
    .help = N_(
        "An event file is JSON, // comments allowed. Fields: name, format (\"round-robin\"),\n"
        "pairs, pairing (mirrored, lockstep, independent), dice (auditable, seeded, recorded,\n"
        "manual), contributions (none, asked), seed, throws (a file of recorded dice),\n"
        "move_time, reserve or reserve_per_point with increment or delay, margin, clock\n"
        "(shared, wall), concurrency, restarts, files, luck (on, off), stop (never, decided),\n"
        "wait, variant, match and every other rule option by its name, and bots: a list of\n"
        "{\"name\": .., ..} with one of\n"
        "  \"command\": \"./bot\"            it is started here, in this folder, without a shell;\n"
        "                               its matches are spread over \"processes\": N of it;\n"
        "                               random, greedy, solid, cila, usta, usta:2ply are ours\n"
        "  \"token\": \"sha256:..\"         it dials in and shows its token (hakem token NAME)\n"
        "  \"address\": \"127.0.0.1:7001\"  it listens, and is dialled from here\n"
        "and for bots that speak otherwise (protocol/bridges.md) \"protocol\": \"ubgi\" or "
        "\"gnubg\",\n"
        "\"options\": {\"plies\": 2}, \"lenient\", \"cube\" and \"take_point\".\n"
        "A time is \"250ms\", \"5s\" or \"2m\". A bot that dials in may do so with several\n"
        "connections; their tables add up. Whoever is away for longer than the event waits loses\n"
        "the matches that are left.\n"
        "\n"
        "  --store DIR        where everything is kept (EVENT.store beside the file)\n"
        "  --listen HOST:PORT where bots and spectators dial in; port 0 takes a free one\n"
        "  --wait T           how long a bot that is not started here may be away (60s)\n"
        "  --plaintext        allows addresses beyond this machine: lines are not encrypted\n"
        "  --concurrency N    matches at once (as the event says)\n"
        "  --files KINDS      none, or any of hkm,mat,sgf,json,txt (hkm,mat up to 1,000 matches)\n"
        "  --format FORMAT    text or jsonl (a stream of events for programs)\n"
        "  --luck on|off      the results without the luck of the dice too (as the event says)\n"
        "  --stop decided     ends when two bots have been told apart (as the event says)\n"
        "  --strict           exit code 3 when a bot had faults\n"
        "  --same             goes on although a program has changed since the event began\n"
        "  --log LEVEL        error, warn, info or debug, on standard error (warn)\n"
        "\n"
        "example: hakem run night.json; hakem show night.store\n"),
    .run = run,
};
