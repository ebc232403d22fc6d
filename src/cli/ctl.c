#include "base/alloc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/ask.h"
#include "cli/bill.h"
#include "cli/command.h"
#include "net/control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    CTL_LINE_MAX = 2 * BILL_EVENT_MAX,
    CTL_REPLY_MAX = 64 << 20,
    CTL_PATIENCE = 2000, /* milliseconds that a daemon may take to open its socket */
    CTL_PAUSE = 50,
};

static const struct json_limits ctl_limits = {4, 256, 65536, false, false};

/* What the argument of a command is. */
enum ctl_takes { TAKES_NOTHING, TAKES_FILE, TAKES_EVENT, TAKES_NAME };

static void show_submit(const struct cJSON *reply);
static void show_list(const struct cJSON *reply);
static void show_status(const struct cJSON *reply);
static void show_kick(const struct cJSON *reply);
static void show_reload(const struct cJSON *reply);
static void show_token(const struct cJSON *reply);

static const struct ctl_row {
    const char *name;
    enum ctl_takes takes;                    /* TAKES_EVENT may be left out: then all are meant */
    void (*show)(const struct cJSON *reply); /* NULL: there is nothing to show */
} rows[] = {
    {"submit", TAKES_FILE, show_submit},    {"list", TAKES_NOTHING, show_list},
    {"status", TAKES_NOTHING, show_status}, {"pause", TAKES_EVENT, NULL},
    {"resume", TAKES_EVENT, NULL},          {"stop", TAKES_EVENT, NULL},
    {"kick", TAKES_NAME, show_kick},        {"reload", TAKES_NOTHING, show_reload},
    {"token", TAKES_NAME, show_token},
};
enum { CTL_ROWS = sizeof rows / sizeof rows[0] };

/* What the user's language says about the daemon's words. */
static const struct refusal {
    const char *code, *sentence;
} refusals[] = {
    {"unknown", N_("there is no such event")},
    {"taken", N_("its name is taken by another event, or by one with other bots, rules or dice")},
    {"runs", N_("the event is on already")},
    {"over", N_("the event is over")},
    {"nobody", N_("nobody of that name is here")},
};

static const char *text_of(const struct cJSON *json, const char *key) {
    const char *text = json_text(json_member(json, key));
    return text != NULL ? text : "";
}

static long long number_of(const struct cJSON *json, const char *key) {
    int64_t number = 0;
    return json_integer(json_member(json, key), 0, INT64_MAX / 2, &number) ? number : 0;
}

static void show_submit(const struct cJSON *reply) {
    printf(_("event %s is on\n"), text_of(reply, "event"));
}

/* The states of events and rooms, for people. */
static const char *say_state(const char *word) {
    static const char *const states[][2] = {
        {"gathers", N_("waits for its bots")},
        {"runs", N_("plays")},
        {"paused", N_("paused")},
        {"stopping", N_("stopping")},
        {"stopped", N_("stopped")},
        {"finished", N_("finished")},
        {"failed", N_("failed")},
        {"open", N_("open")},
        {"closing", N_("closing")},
    };
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        if (strcmp(states[i][0], word) == 0) {
            return _(states[i][1]);
        }
    }
    return word;
}

static void show_event(const struct cJSON *event) {
    const char *absent = text_of(event, "absent");
    const char *error = text_of(event, "error");
    printf(_("event %-20s %s"), text_of(event, "name"), say_state(text_of(event, "state")));
    if (json_member(event, "matches") != NULL) {
        printf(_(", %lld of %lld matches, %lld being played"), number_of(event, "finished"),
               number_of(event, "matches"), number_of(event, "running"));
    }
    if (absent[0] != '\0') {
        printf(_("; not here: %s"), absent);
    }
    if (error[0] != '\0') {
        printf(": %s", error);
    }
    printf("\n");
}

static void show_list(const struct cJSON *reply) {
    const struct cJSON *events = json_member(reply, "events");
    const struct cJSON *rooms = json_member(reply, "rooms");
    for (const struct cJSON *room = json_first(rooms); room != NULL; room = json_next(room)) {
        printf(_("room  %-20s %s, %s, %lld matches, %lld being played, %lld waiting\n"),
               text_of(room, "name"), say_state(text_of(room, "state")), text_of(room, "variant"),
               number_of(room, "finished"), number_of(room, "running"), number_of(room, "waiting"));
    }
    for (const struct cJSON *event = json_first(events); event != NULL; event = json_next(event)) {
        show_event(event);
    }
    if (json_first(events) == NULL && json_first(rooms) == NULL) {
        printf("%s\n", _("no rooms and no events"));
    }
}

static void show_status(const struct cJSON *reply) {
    const char *listen = text_of(reply, "listen");
    printf(_("%s, process %lld, up for %lld s\n"), text_of(reply, "server"),
           number_of(reply, "pid"), number_of(reply, "uptime"));
    printf(_("kept in %s; listening on %s\n"), text_of(reply, "store"),
           listen[0] != '\0' ? listen : "-");
    printf(_("%lld connections, %lld tables, %lld events on, %lld rooms, %lld tokens\n"),
           number_of(reply, "sessions"), number_of(reply, "tables"), number_of(reply, "events"),
           number_of(reply, "rooms"), number_of(reply, "tokens"));
    const struct cJSON *list = json_member(reply, "connections");
    for (const struct cJSON *item = json_first(list); item != NULL; item = json_next(item)) {
        int64_t trip = 0;
        printf(_("  %s from %s: %lld of %lld tables"), text_of(item, "name"),
               text_of(item, "peer"), number_of(item, "playing"), number_of(item, "tables"));
        if (json_integer(json_member(item, "round_trip"), 0, INT64_MAX / 2, &trip)) {
            printf(_(", round trip %lld ms"), (long long)trip);
        }
        printf("\n");
    }
}

static void show_kick(const struct cJSON *reply) {
    printf(_("out of %lld events, %lld connections closed\n"), number_of(reply, "events"),
           number_of(reply, "connections"));
}

static void show_words(const char *what, const struct cJSON *list) {
    struct bytes words;
    bytes_init(&words, 1 << 16);
    for (const struct cJSON *item = json_first(list); item != NULL; item = json_next(item)) {
        bytes_print(&words, "%s%s", words.length > 0 ? ", " : "", json_text(item));
    }
    if (words.length > 0) {
        printf("%s: %s\n", what, bytes_text(&words));
    }
    bytes_clear(&words);
}

static void show_reload(const struct cJSON *reply) {
    show_words(_("read again"), json_member(reply, "changed"));
    show_words(_("needs a restart"), json_member(reply, "restart"));
}

static void show_token(const struct cJSON *reply) {
    printf(_("for the bot, shown only now:  %s\n"), text_of(reply, "token"));
    printf(_("for event files:              {\"name\": \"%s\", \"token\": true}\n"),
           text_of(reply, "name"));
}

struct ctl {
    const struct ctl_row *row;
    const char *about; /* its argument, or NULL */
    const char *store;
    const char *socket;
    bool json, hard;
};

static int refuse_word(const char *word, struct fail *fail) {
    const char *names[CTL_ROWS];
    char shown[64];
    for (size_t i = 0; i < CTL_ROWS; i++) {
        names[i] = rows[i].name;
    }
    text_escape(word, strlen(word), shown, sizeof shown);
    const char *nearest = text_nearest(word, names, CTL_ROWS);
    return nearest != NULL ? fail_set(fail, EXIT_CODE_USAGE,
                                      _("no request \"%s\": did you mean \"%s\"?"), shown, nearest)
                           : fail_set(fail, EXIT_CODE_USAGE,
                                      _("no request \"%s\": hakem ctl --help lists them"), shown);
}

static int read_request(struct ctl *ctl, const struct args *args, struct fail *fail) {
    if (args->positional_count == 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("what is to be done? hakem ctl --help says"));
    }
    for (size_t i = 0; i < CTL_ROWS && ctl->row == NULL; i++) {
        ctl->row = strcmp(rows[i].name, args->positional[0]) == 0 ? &rows[i] : NULL;
    }
    if (ctl->row == NULL) {
        return refuse_word(args->positional[0], fail);
    }
    int given = args->positional_count - 1;
    bool needed = ctl->row->takes == TAKES_FILE || ctl->row->takes == TAKES_NAME;
    int most = ctl->row->takes == TAKES_NOTHING ? 0 : 1;
    if (given > most || (needed && given == 0)) {
        static const char *const says[] = {
            [TAKES_NOTHING] = N_("takes nothing more"),
            [TAKES_FILE] = N_("takes one event file"),
            [TAKES_EVENT] = N_("takes the name of one event, or nothing: all are meant"),
            [TAKES_NAME] = N_("takes the name of one bot"),
        };
        return fail_set(fail, EXIT_CODE_USAGE, "%s %s", ctl->row->name, _(says[ctl->row->takes]));
    }
    if (ctl->hard && strcmp(ctl->row->name, "stop") != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--hard goes with stop"));
    }
    if ((ctl->store == NULL) == (ctl->socket == NULL)) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("say which daemon: --store DIR, its folder, or --socket PATH"));
    }
    ctl->about = given == 1 ? args->positional[1] : NULL;
    return 0;
}

/* An event is read here first: its mistakes are told in the user's language. */
static int add_event(const struct ctl *ctl, struct bytes *line, struct fail *fail) {
    struct bytes text;
    struct event event;
    bytes_init(&text, BILL_EVENT_MAX);
    event_init(&event);
    int status = file_read(ctl->about, &text, fail);
    if (status == 0) {
        status = event_parse(&event, ctl->about, bytes_text(&text), text.length, fail);
    }
    if (status == 0) {
        bytes_add_text(line, ",\"path\":");
        json_add_string(line, ctl->about, strlen(ctl->about));
        bytes_add_text(line, ",\"text\":");
        json_add_string(line, text.data, text.length);
    }
    event_clear(&event);
    bytes_clear(&text);
    return status;
}

static int write_request(const struct ctl *ctl, struct bytes *line, struct fail *fail) {
    bytes_print(line, "{\"do\":\"%s\"", ctl->row->name);
    if (ctl->row->takes == TAKES_FILE && add_event(ctl, line, fail) != 0) {
        return -1;
    }
    if (ctl->about != NULL && ctl->row->takes != TAKES_FILE) {
        if (!text_is_utf8(ctl->about, strlen(ctl->about))) {
            return fail_set(fail, EXIT_CODE_USAGE, _("a name is letters, digits, . _ -"));
        }
        bytes_add_text(line, ctl->row->takes == TAKES_EVENT ? ",\"event\":" : ",\"name\":");
        json_add_string(line, ctl->about, strlen(ctl->about));
    }
    if (ctl->hard) {
        bytes_add_text(line, ",\"hard\":true");
    }
    bytes_add_text(line, "}\n");
    return 0;
}

/* Connects; a daemon that was started a moment ago may not be there yet. -1 and errno. */
static int reach_daemon(const char *path) {
    const struct timespec pause = {.tv_nsec = CTL_PAUSE * 1000000L};
    int peer = control_connect(path);
    for (int waited = 0; peer < 0 && (errno == ENOENT || errno == ECONNREFUSED) &&
                         waited < CTL_PATIENCE; waited += CTL_PAUSE) {
        nanosleep(&pause, NULL);
        peer = control_connect(path);
    }
    return peer;
}

static int ask_daemon(const struct ctl *ctl, const struct bytes *line, struct bytes *reply,
                      struct fail *fail) {
    char *path = ctl->socket != NULL ? alloc_text(ctl->socket, strlen(ctl->socket))
                                     : alloc_print("%s/hakem.sock", ctl->store);
    int peer = reach_daemon(path);
    int status = 0;
    if (peer < 0) {
        status = fail_set(fail, EXIT_CODE_IO,
                          _("no daemon answers at %s (%s): is hakem serve running, with that "
                            "store?"),
                          path, strerror(errno));
    } else if (!ask_send(peer, line->data, line->length)) {
        status = fail_set(fail, EXIT_CODE_IO, _("the daemon at %s does not listen: %s"), path,
                          strerror(errno));
    } else {
        status = ask_read(peer, reply, path, fail);
    }
    if (peer >= 0) {
        close(peer);
    }
    free(path);
    return status;
}

/* The daemon's no, in the user's language where that has the word for it. */
static int refuse_reply(const struct ctl *ctl, const struct cJSON *reply, struct fail *fail) {
    const char *code = text_of(reply, "code");
    long long number = number_of(reply, "exit");
    enum exit_code exit =
        number > 0 && number <= EXIT_CODE_BUSY ? (enum exit_code)number : EXIT_CODE_BUG;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        if (strcmp(refusals[i].code, code) == 0 && ctl->about != NULL) {
            return fail_set(fail, exit, "%s: %s", ctl->about, _(refusals[i].sentence));
        }
    }
    return fail_set(fail, exit, "%s", text_of(reply, "error"));
}

/* Shows the answer; the exit code. */
static int show_reply(const struct ctl *ctl, const char *command, struct bytes *reply) {
    struct fail fail = {.code = EXIT_CODE_DONE};
    struct cJSON *json = json_parse(bytes_text(reply), reply->length, &ctl_limits, &fail);
    bool good = false;
    int code = EXIT_CODE_DONE;
    if (!json_is_object(json)) {
        fail_set(&fail, EXIT_CODE_IO, _("the daemon ended before it answered"));
        code = args_refuse(command, &fail);
    } else if (ctl->json) {
        fwrite(reply->data, 1, reply->length, stdout);
        bool told = json_boolean(json_member(json, "ok"), &good) && good;
        code = told ? EXIT_CODE_DONE : (int)number_of(json, "exit");
    } else if (json_boolean(json_member(json, "ok"), &good) && good) {
        if (ctl->row->show != NULL) {
            ctl->row->show(json);
        }
    } else {
        refuse_reply(ctl, json, &fail);
        code = args_refuse(command, &fail);
    }
    json_free(json);
    return code;
}

static int run(int argc, char **argv) {
    const char *format = "text";
    struct ctl ctl = {.row = NULL};
    const struct arg_row options[] = {
        {"store", ARG_TEXT, 0, 0, &ctl.store},
        {"socket", ARG_TEXT, 0, 0, &ctl.socket},
        {"format", ARG_TEXT, 0, 0, &format},
        {"hard", ARG_FLAG, 0, 0, &ctl.hard},
    };
    struct args args = {.rows = options, .row_count = sizeof options / sizeof options[0]};
    struct fail fail;
    struct bytes line, reply;
    bytes_init(&line, CTL_LINE_MAX);
    bytes_init(&reply, CTL_REPLY_MAX);
    int status = args_read(&args, argc, argv, &fail);
    ctl.json = strcmp(format, "json") == 0;
    if (status == 0 && !ctl.json && strcmp(format, "text") != 0) {
        status =
            fail_set(&fail, EXIT_CODE_USAGE, _("--format takes text or json, not \"%s\""), format);
    }
    if (status == 0) {
        status = read_request(&ctl, &args, &fail);
    }
    if (status == 0) {
        status = write_request(&ctl, &line, &fail);
    }
    if (status == 0) {
        status = ask_daemon(&ctl, &line, &reply, &fail);
    }
    int code = status == 0 ? show_reply(&ctl, argv[0], &reply) : args_refuse(argv[0], &fail);
    bytes_clear(&line);
    bytes_clear(&reply);
    return code;
}

const struct command command_ctl = {
    .name = "ctl",
    .usage = N_("REQUEST --store DIR [--format text|json]"),
    .summary = N_("speaks to a running hakem serve"),
    .help = N_(
        "DIR is the folder of hakem serve; only its user, and root, are heard.\n"
        "\n"
        "  submit EVENT.json  an event of its own, kept in DIR/NAME; its bots' commands run where\n"
        "                     hakem serve runs; the same file again after a stop: it goes on\n"
        "  list               rooms and events, and what they are doing\n"
        "  status             the daemon itself\n"
        "  pause [EVENT]      clocks stand still; without EVENT everything does\n"
        "  resume [EVENT]     what was paused or stopped goes on\n"
        "  stop [EVENT]       when the running matches have ended; --hard: now, and the games\n"
        "                     that were cut off are played again when the event is resumed\n"
        "  kick NAME          the bot is out: it loses what is left of its events\n"
        "  reload             reads configuration and tokens again (as SIGHUP does)\n"
        "  token NAME         a token for a bot that dials in; an earlier one is void\n"
        "\n"
        "  --socket PATH      the socket itself, instead of --store\n"
        "  --format FORMAT    text, or json: the daemon's answer as it is (protocol/admin.md)\n"
        "\n"
        "example: hakem ctl submit night.json --store /var/lib/hakem\n"),
    .run = run,
};
