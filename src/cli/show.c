#include "arena/report.h"
#include "arena/fortune.h"
#include "base/alloc.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/luck_store.h"
#include "cli/records.h"
#include "net/control.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Asks the running program; 1 when none runs. */
static int ask_program(const char *folder, const struct report_view *view, struct bytes *out,
                       struct fail *fail) {
    char *path = alloc_print("%s/hakem.sock", folder);
    int peer = control_connect(path);
    free(path);
    if (peer < 0) {
        return 1;
    }
    char line[REPORT_REQUEST_MAX + 1];
    report_write_request(view->format, view->turkish, line);
    size_t length = strlen(line);
    line[length++] = '\n';
    int status;
    if (!ask_send(peer, line, length)) {
        status = 1; /* it has just ended */
    } else {
        status = ask_read(peer, out, folder, fail);
    }
    close(peer);
    return status;
}

/* Renders from the rows of a store that is open. */
static int render_rows(const char *folder, struct store *store, struct report_view *view,
                       struct bytes *out, struct fail *fail) {
    struct event event;
    int status = records_read_event(store, &event, fail);
    if (status == 0) {
        struct tournament *tournament = tournament_new(&event);
        struct fortune fortune;
        fortune_init(&fortune, &event);
        status = records_load(store, tournament, fail);
        view->fortune = luck_store_load(folder, &fortune) > 0 ? &fortune : NULL;
        records_cut(&event, view->fortune, tournament);
        view->event = &event;
        view->tournament = tournament;
        view->state = tournament_over(tournament) ? REPORT_FINISHED : REPORT_INTERRUPTED;
        if (status == 0) {
            report_render(view, out);
        }
        fortune_clear(&fortune);
        tournament_free(tournament);
    }
    event_clear(&event);
    return status;
}

static int read_store(const char *folder, struct report_view *view, struct bytes *out,
                      struct fail *fail) {
    struct store *store;
    if (store_open(folder, true, &store, fail) != 0) {
        return -1;
    }
    int status = render_rows(folder, store, view, out, fail);
    struct fail later;
    if (store_close(store, &later) != 0 && status == 0) {
        *fail = later;
        status = -1;
    }
    return status;
}

/* Who holds the store answers; it may begin or end while we look, hence twice. */
/* Whether an event was submitted here and its bots are not in yet: there is no table so far. */
static bool is_waiting(const char *folder) {
    char *path = alloc_print("%s/event.json", folder);
    bool waiting = !store_exists(folder) && access(path, F_OK) == 0;
    free(path);
    return waiting;
}

static int show(const char *folder, struct report_view *view, struct bytes *out,
                struct fail *fail) {
    if (records_check_served(folder, fail) != 0) {
        return -1;
    }
    if (is_waiting(folder)) {
        if (view->format == REPORT_TEXT) {
            bytes_print(out, _("%s: no bot has played yet\n"), folder);
        }
        return 0;
    }
    int status = ask_program(folder, view, out, fail);
    if (status != 1) {
        return status;
    }
    status = read_store(folder, view, out, fail);
    if (status != 0 && fail->code == EXIT_CODE_BUSY) {
        int again = ask_program(folder, view, out, fail);
        return again == 1 ? status : again;
    }
    return status;
}

static int read_arguments(struct args *args, const char *format, struct report_view *view,
                          struct fail *fail) {
    if (args->positional_count != 1) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("give one store, the folder of --store: hakem show STORE"));
    }
    int found = report_format_find(format);
    if (found < 0) {
        char shown[64];
        text_escape(format, strlen(format), shown, sizeof shown);
        return fail_set(fail, EXIT_CODE_USAGE, _("--format takes text, jsonl or csv, not \"%s\""),
                        shown);
    }
    view->format = (enum report_format)found;
    view->turkish = lang_is_turkish();
    return 0;
}

static int run(int argc, char **argv) {
    const char *format = "text";
    const struct arg_row rows[] = {{"format", ARG_TEXT, 0, 0, &format}};
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    struct report_view view = {.state = REPORT_INTERRUPTED};
    struct fail fail = {.code = EXIT_CODE_DONE};
    if (args_read(&args, argc, argv, &fail) != 0 ||
        read_arguments(&args, format, &view, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    struct bytes out;
    bytes_init(&out, REPORT_MAX);
    int code = EXIT_CODE_DONE;
    if (show(args.positional[0], &view, &out, &fail) != 0) {
        code = args_refuse(argv[0], &fail);
    } else {
        fwrite(out.data, 1, out.length, stdout);
    }
    bytes_clear(&out);
    return code;
}

const struct command command_show = {
    .name = "show",
    .usage = N_("STORE [--format text|jsonl|csv]"),
    .summary = N_("standings, crosstable and faults of an event, running or not"),
    .help = N_(
        "STORE is the folder that --store named. A program that runs the event is asked;\n"
        "otherwise the store is read. Nothing is changed. Where an event has luck on, it is told\n"
        "without the luck of the dice too.\n"
        "\n"
        "  --format FORMAT   text (a page), jsonl (one JSON object a line), csv (one row a bot)\n"
        "\n"
        "Example: hakem show night --format csv >night.csv\n"),
    .run = run,
};
