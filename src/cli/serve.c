#include "cli/command.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/daemon.h"
#include "cli/play.h"

#include <stdlib.h>
#include <string.h>

enum { SERVE_MATCHES_MAX = 999999 };

/* One room, said by options. */
struct serve_options {
    const char *listen, *seed, *store, *log, *format;
    long matches;
    bool once;
    struct clock_options clock;
    struct event event;
};

/* The room that the options say, and nothing else. */
static int take_options(struct serve_options *options, struct serve_config *config,
                        struct fail *fail) {
    struct event *event = &options->event;
    int level = options->log != NULL ? log_level_find(options->log) : LOG_LEVEL_WARN;
    if (options->listen == NULL) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("serve takes a configuration file, or an address: --listen "
                          "127.0.0.1:1444"));
    }
    if ((options->seed != NULL && play_set_seed(event, options->seed, fail) != 0) ||
        (level < 0 && play_set_log(options->log, fail) != 0) ||
        clock_apply_options(&options->clock, &event->wish, fail) != 0) {
        return -1;
    }
    memset(event->name, 0, sizeof event->name);
    memcpy(event->name, "room", sizeof "room");
    if (event_seal(event, fail) != 0) {
        return -1;
    }
    config->listen = alloc_text(options->listen, strlen(options->listen));
    config->store = options->store != NULL ? alloc_text(options->store, strlen(options->store))
                                           : play_name_folder("serve");
    config->log = (enum log_level)level;
    config->matches = options->once ? 1 : options->matches;
    serve_config_settle(config);
    serve_config_add_room(config, event, false);
    event_init_room(event);
    return 0;
}

/* A file says everything but how much is told. */
static int take_file(const struct serve_options *options, const char *path,
                     struct serve_config *config, struct fail *fail) {
    struct event plain;
    event_init_room(&plain);
    bool others = options->listen != NULL || options->seed != NULL || options->matches != 0 ||
                  options->once || options->store != NULL ||
                  options->clock.kind != NULL ||
                  memcmp(&plain.rules, &options->event.rules, sizeof plain.rules) != 0;
    for (int i = 0; i < CLOCK_TIMES; i++) {
        others = others || options->clock.time[i] >= 0;
    }
    if (others) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("beside a configuration file only --log and --format are options: the "
                          "rest stands in %s"),
                        path);
    }
    if (serve_config_read(config, path, fail) != 0) {
        return -1;
    }
    if (options->log != NULL) {
        int level = log_level_find(options->log);
        if (level < 0) {
            return play_set_log(options->log, fail);
        }
        config->log = (enum log_level)level;
    }
    return 0;
}

static int run(int argc, char **argv) {
    struct serve_options options = {.listen = NULL};
    struct serve_config config;
    struct fail fail;
    struct arg_row rows[CLOCK_ROWS + 7] = {
        {"listen", ARG_TEXT, 0, 0, &options.listen},
        {"matches", ARG_NUMBER, 1, SERVE_MATCHES_MAX, &options.matches},
        {"once", ARG_FLAG, 0, 0, &options.once},
        {"seed", ARG_TEXT, 0, 0, &options.seed},
        {"store", ARG_TEXT, 0, 0, &options.store},
        {"log", ARG_TEXT, 0, 0, &options.log},
        {"format", ARG_TEXT, 0, 0, &options.format},
    };
    clock_option_rows(&options.clock, rows + 7);
    event_init_room(&options.event);
    serve_config_init(&config);
    struct args args = {
        .rows = rows, .row_count = sizeof rows / sizeof rows[0], .rules = &options.event.rules};
    int status = args_read(&args, argc, argv, &fail);
    if (status == 0 && args.positional_count > 1) {
        status =
            fail_set(&fail, EXIT_CODE_USAGE,
                     _("serve takes one configuration file: bots dial in, or stand in events"));
    }
    if (status == 0) {
        status = args.positional_count == 1
                     ? take_file(&options, args.positional[0], &config, &fail)
                     : take_options(&options, &config, &fail);
    }
    if (status == 0 && options.format != NULL) {
        status = play_read_format(options.format, &config.jsonl, &fail);
    }
    int code;
    if (status == 0) {
        log_set_level(config.log);
        code = daemon_run(&config, argv[0]);
    } else {
        code = args_refuse(argv[0], &fail);
    }
    event_clear(&options.event);
    serve_config_clear(&config);
    return code;
}

const struct command command_serve = {
    .name = "serve",
    .usage = N_("CONFIG.json | --listen HOST:PORT [options]"),
    .summary = N_("the daemon: bots dial in at any time, events are submitted while it runs"),
    .help = N_(
        "In a room bots that dial in and wait are paired, two at a time. Events are submitted\n"
        "with hakem ctl, and play side by side. Whatever ends the daemon, it goes on when it is\n"
        "started again. A configuration is JSON, // comments allowed. Fields:\n"
        "\n"
        "  store      the folder of everything: STORE/ROOM and STORE/EVENT are stores, look at\n"
        "             one with hakem show STORE/ROOM; hakem ctl speaks to STORE/hakem.sock\n"
        "  listen     HOST:PORT where bots dial in: a loopback address, unless plaintext is true\n"
        "             (lines are not encrypted); port 0 takes a free one, which is printed\n"
        "  rooms      a list of {\"name\": .., \"variant\": .., ..}: rule options, clock, "
        "dice, seed,\n"
        "             contributions, files, concurrency as in an event (hakem run --help);\n"
        "             \"token\": true lets only bots in whose token is known (hakem ctl token "
        "NAME)\n"
        "  tokens     the file of the tokens that are known (STORE/hakem.tokens)\n"
        "  log        error, warn, info or debug, on standard error (warn)\n"
        "  sessions   connections at once (4096); events: that are on at once (16)\n"
        "  stop_time  how long running matches may last after SIGTERM (60s); a second SIGTERM\n"
        "             ends at once, SIGHUP reads the configuration again\n"
        "\n"
        "Without a file there is one room, kept in DIR/room:\n"
        "  --listen HOST:PORT where bots dial in\n"
        "  --variant V        the game (tavla); hakem rules lists them\n"
        "  --match N          points to win a match (5); every other rule option by its name\n"
        "  --seed S           reproducible dice from an open seed (else auditable dice)\n"
        "  --move_time T      time for each answer, as 250ms or 5s (10s, with a reserve none)\n"
        "  --reserve T        time for a whole match; or --reserve_per_point T, for each of its\n"
        "                     points; --increment T adds to it each turn, or --delay T of each\n"
        "                     turn is free; --margin T is granted on top (250ms)\n"
        "  --clock KIND       shared: tables of one connection share its time (default); wall\n"
        "  --matches N        end after N matches; --once is --matches 1\n"
        "  --store DIR        the folder (hakem-serve-DATE-TIME)\n"
        "  --log LEVEL        as above\n"
        "  --format FORMAT    text or jsonl (a stream of events for programs); beside a file too\n"
        "\n"
        "Two bots of one name: the second one is recorded as NAME-2. A bot that lost its\n"
        "connection has 30 seconds to dial in again: with the resume= of its welcome its game\n"
        "goes on, under its name alone the game is lost and the match goes on.\n"
        "\n"
        "example: hakem serve --listen 127.0.0.1:1444 --variant tavla --match 5\n"),
    .run = run,
};
