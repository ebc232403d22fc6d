#include "cli/command.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/play.h"

#include <stdlib.h>
#include <string.h>

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
    struct arg_row rows[PLAY_ROWS];
    play_option_rows(&options, rows);
    event_init(&setup.event);
    struct args args = {.rows = rows, .row_count = PLAY_ROWS};
    int code;
    char *own = NULL;
    if (args_read(&args, argc, argv, &fail) != 0 || check_arguments(&args, &options, &fail) != 0 ||
        event_read(&setup.event, args.positional[0], &fail) != 0 ||
        play_apply_options(&options, &setup, &fail) != 0) {
        code = args_refuse(argv[0], &fail);
    } else {
        own = options.store == NULL ? name_folder(args.positional[0]) : NULL;
        setup.folder = own != NULL ? own : options.store;
        code = play_event(&setup);
    }
    free(own);
    event_clear(&setup.event);
    return code;
}

const struct command command_run = {
    .name = "run",
    .usage = "EVENT.json [options]",
    .summary = N_("a whole event; the same command goes on after an interruption"),
    .help = N_(
        "An event file is JSON, // comments allowed. Fields: name, format (\"round-robin\"),\n"
        "pairs, pairing (mirrored, independent), dice (auditable, seeded), seed, move_time,\n"
        "reserve or reserve_per_point with increment or delay, margin, concurrency, restarts,\n"
        "files, variant, match and every other rule option by its name, bots: a list of\n"
        "{\"name\": .., \"command\": ..}. A time is \"250ms\", \"5s\" or \"2m\".\n"
        "Commands are run in the current folder, without a shell.\n"
        "\n"
        "  --store DIR        where everything is kept (EVENT.store beside the file)\n"
        "  --concurrency N    matches at once (as the event says)\n"
        "  --files KINDS      hkm,mat or hkm or mat or none (both up to 1,000 matches)\n"
        "  --format FORMAT    text or jsonl (a stream of events for programs)\n"
        "  --strict           exit code 3 when a bot had faults\n"
        "  --log LEVEL        error, warn, info or debug, on standard error (warn)\n"
        "\n"
        "example: hakem run night.json; hakem show night.store\n"),
    .run = run,
};
