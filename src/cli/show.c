#include "arena/report.h"
#include "base/alloc.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/records.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { ANSWER_MS = 10000, READ_SIZE = 65536 };

/* The address of STORE/hakem.sock. A path that is too long for it goes by way of the
 * folder's descriptor, which the caller closes. */
static void write_address(const char *folder, struct sockaddr_un *address, int *descriptor) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    *descriptor = -1;
    int length = snprintf(address->sun_path, sizeof address->sun_path, "%s/hakem.sock", folder);
    if (length >= (int)sizeof address->sun_path) {
        *descriptor = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/hakem.sock",
                 *descriptor);
    }
}

/* A connection to the program that runs this store; -1 when there is none. */
static int connect_store(const char *folder) {
    struct sockaddr_un address;
    int descriptor;
    write_address(folder, &address, &descriptor);
    int peer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (peer >= 0 && connect(peer, (const struct sockaddr *)&address, sizeof address) != 0) {
        close(peer);
        peer = -1;
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return peer;
}

static int read_answer(int peer, struct bytes *out, const char *folder, struct fail *fail) {
    struct pollfd ready = {.fd = peer, .events = POLLIN};
    for (;;) {
        int count = poll(&ready, 1, ANSWER_MS);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        char *room = count > 0 ? bytes_reserve(out, READ_SIZE) : NULL;
        ssize_t size = room != NULL ? read(peer, room, READ_SIZE) : -1;
        if (size < 0) {
            return fail_set(fail, EXIT_CODE_IO,
                            _("the program that runs %s does not answer: try again"), folder);
        }
        if (size == 0) {
            return 0;
        }
        bytes_took(out, (size_t)size);
    }
}

/* Asks the running program; 1 when none runs. */
static int ask_program(const char *folder, const struct report_view *view, struct bytes *out,
                       struct fail *fail) {
    int peer = connect_store(folder);
    if (peer < 0) {
        return 1;
    }
    char line[REPORT_REQUEST_MAX + 1];
    report_write_request(view->format, view->turkish, line);
    size_t length = strlen(line);
    line[length++] = '\n';
    int status;
    if (send(peer, line, length, MSG_NOSIGNAL) != (ssize_t)length) {
        status = 1; /* it has just ended */
    } else {
        status = read_answer(peer, out, folder, fail);
    }
    close(peer);
    return status;
}

static void load_start(void *owner, uint32_t unit) {
    tournament_load_start(owner, unit);
}

static void load_game(void *owner, const struct game_row *row) {
    tournament_load_game(owner, row);
}

static void load_match(void *owner, const struct match_row *row) {
    tournament_load_match(owner, row);
}

/* Renders from the rows of a store that is open. */
static int render_rows(struct store *store, struct report_view *view, struct bytes *out,
                       struct fail *fail) {
    const char *json = store_event(store)->json;
    struct event event;
    event_init(&event);
    int status = event_parse(&event, "hakem.db", json, strlen(json), fail);
    if (status == 0) {
        status = event_seal(&event, fail);
    }
    if (status == 0) {
        struct tournament *tournament = tournament_new(&event);
        const struct store_visitor visitor = {
            .owner = tournament, .start = load_start, .game = load_game, .match = load_match};
        status = store_visit(store, &visitor, fail);
        view->event = &event;
        view->tournament = tournament;
        view->state = tournament_over(tournament) ? REPORT_FINISHED : REPORT_INTERRUPTED;
        if (status == 0) {
            report_render(view, out);
        }
        tournament_free(tournament);
    }
    event_clear(&event);
    return status;
}

static int read_store(const char *folder, struct report_view *view, struct bytes *out,
                      struct fail *fail) {
    struct store *store;
    if (records_check_served(folder, fail) != 0 || store_open(folder, true, &store, fail) != 0) {
        return -1;
    }
    int status = render_rows(store, view, out, fail);
    struct fail later;
    if (store_close(store, &later) != 0 && status == 0) {
        *fail = later;
        status = -1;
    }
    return status;
}

/* Who holds the store answers; it may begin or end while we look, hence twice. */
static int show(const char *folder, struct report_view *view, struct bytes *out,
                struct fail *fail) {
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
    struct args args = {.rows = rows, .row_count = 1};
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
    } else if (fwrite(out.data, 1, out.length, stdout) != out.length || fflush(stdout) != 0) {
        fail_set(&fail, EXIT_CODE_IO, _("cannot write to standard output"));
        code = args_refuse(argv[0], &fail);
    }
    bytes_clear(&out);
    return code;
}

const struct command command_show = {
    .name = "show",
    .usage = "STORE [--format text|jsonl|csv]",
    .summary = N_("standings, crosstable and faults of an event, running or not"),
    .help = N_("STORE is the folder that --store named. A program that runs the event is asked; "
               "otherwise\n"
               "the store is read. Nothing is changed.\n\n"
               "  --format FORMAT   text (a page), jsonl (one JSON object a line), csv (one row "
               "a bot)\n\n"
               "Example: hakem show night --format csv >night.csv\n"),
    .run = run,
};
