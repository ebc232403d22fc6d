#include "cli/command.h"

#include "base/lang.h"
#include "cli/play.h"
#include "cli/serve_room.h"

#include <stdlib.h>

enum { SERVE_MATCHES_MAX = 999999 };

static int run(int argc, char **argv) {
    struct serve_setup setup = {.command = argv[0]};
    struct clock_options clock;
    const char *seed = NULL;
    const char *store = NULL;
    const char *log = NULL;
    bool once = false;
    struct fail fail;
    struct arg_row rows[CLOCK_ROWS + 6] = {
        {"listen", ARG_TEXT, 0, 0, &setup.listen},
        {"matches", ARG_NUMBER, 1, SERVE_MATCHES_MAX, &setup.limit},
        {"once", ARG_FLAG, 0, 0, &once},
        {"seed", ARG_TEXT, 0, 0, &seed},
        {"store", ARG_TEXT, 0, 0, &store},
        {"log", ARG_TEXT, 0, 0, &log},
    };
    clock_option_rows(&clock, rows + 6);
    event_init(&setup.rules);
    setup.rules.pairs = 1;
    setup.rules.pairing = PAIRING_INDEPENDENT;
    struct args args = {
        .rows = rows, .row_count = sizeof rows / sizeof rows[0], .rules = &setup.rules.rules};
    int status = args_read(&args, argc, argv, &fail);
    if (status == 0 && (args.positional_count > 0 || setup.listen == NULL)) {
        status = fail_set(&fail, EXIT_CODE_USAGE, _("serve takes no bots, but an address: "
                                                    "--listen 127.0.0.1:1444"));
    }
    if (status == 0 && log != NULL) {
        status = play_set_log(log, &fail);
    }
    if (status == 0 && seed != NULL) {
        status = play_set_seed(&setup.rules, seed, &fail);
    }
    if (status == 0) {
        status = clock_apply_options(&clock, &setup.rules.wish, &fail);
    }
    if (status == 0) {
        status = clock_wish_settle(&setup.rules.wish, setup.rules.rules.value[OPTION_MATCH],
                                   &setup.rules.clock, &fail);
    }
    if (status != 0) {
        return args_refuse(argv[0], &fail);
    }
    char *own = store == NULL ? play_name_folder("serve") : NULL;
    setup.folder = own != NULL ? own : store;
    setup.limit = once ? 1 : setup.limit;
    int code = serve_matches(&setup);
    free(own);
    return code;
}

const struct command command_serve = {
    .name = "serve",
    .usage = "--listen HOST:PORT [options]",
    .summary = N_("bots dial in; the first two that wait play a match, then the next two"),
    .help = N_(
        "Only this machine is let in: HOST is a loopback address. Port 0 takes a free one;\n"
        "the line \"listening on ...\" says which. Two bots of one name: the second one is\n"
        "recorded as NAME-2. A bot that lost its connection takes its seat again by dialling\n"
        "in under the same name within 30 seconds.\n"
        "\n"
        "  --listen HOST:PORT where bots dial in\n"
        "  --variant V        the game (tavla); hakem rules lists them\n"
        "  --match N          points to win a match (5); every other rule option by its name\n"
        "  --seed S           reproducible dice from an open seed (else auditable dice)\n"
        "  --move_time T      time for each answer, as 250ms or 5s (10s, with a reserve none)\n"
        "  --reserve T        time for a whole match; or --reserve_per_point T, for each of its\n"
        "                     points; --increment T adds to it each turn, or --delay T of each\n"
        "                     turn is free; --margin T is granted on top (50ms)\n"
        "  --clock KIND       shared: tables of one connection share its time (default); wall\n"
        "  --matches N        end after N matches; --once is --matches 1\n"
        "  --store DIR        each match is kept in DIR/M000001.. (hakem-serve-DATE-TIME);\n"
        "                     look at one with hakem show DIR/M000001\n"
        "  --log LEVEL        error, warn, info or debug, on standard error (warn)\n"
        "\n"
        "example: hakem serve --listen 127.0.0.1:1444 --variant tavla --match 5\n"),
    .run = run,
};
