#include "cli/daemon.h"

#include "base/file.h"
#include "base/lang.h"
#include "base/log.h"
#include "base/system.h"
#include "cli/args.h"
#include "cli/daemon_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    DAEMON_RETRY = 5000, /* ms after which bots may dial in again */
    DAEMON_STATUS = 2000 /* ms between two words on what it does */
};

/* Nothing new begins. */
static bool is_closing(const struct daemon *daemon) {
    long matches = daemon->config->matches;
    return daemon->stops > 0 || daemon->failed ||
           (matches > 0 && daemon_count_played(daemon) >= matches);
}

static bool is_quiet(const struct daemon *daemon) {
    bool quiet = bill_is_quiet(daemon->bill);
    for (const struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        quiet = quiet && room_is_quiet(hall->room);
    }
    return quiet;
}

/* The first room that takes the bot, or NULL; then the refusal says why not, if one says. */
static struct hall *find_hall(const struct daemon *daemon, const struct session_facts *facts,
                              bool member, struct hello_refusal *refusal) {
    for (struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        if (!hall->closing && room_takes(hall->room, facts, member, refusal)) {
            return hall;
        }
    }
    return NULL;
}

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    struct daemon *daemon = owner;
    if (daemon->bill != NULL && bill_knows(daemon->bill, session)) {
        return bill_hello(daemon->bill, session, facts, refusal);
    }
    refusal->code = "";
    switch (door_judge(daemon->door, facts, refusal)) {
    case DOOR_EXPECTED:
    case DOOR_KNOWN:
        return true;
    case DOOR_STRANGER:
        if (find_hall(daemon, facts, false, refusal) != NULL) {
            return true;
        }
        break;
    case DOOR_VARIANT:
    case DOOR_WRONG:
        break;
    }
    if (refusal->code[0] == '\0') {
        door_refuse(daemon->door, facts, refusal);
    }
    return false;
}

static void on_welcomed(void *owner, uint32_t session) {
    struct daemon *daemon = owner;
    if (daemon->bill == NULL) {
        return;
    }
    if (bill_knows(daemon->bill, session)) {
        bill_welcomed(daemon->bill, session);
        return;
    }
    const struct session_facts *facts = referee_session(daemon->host.referee, session);
    door_welcomed(daemon->door, session);
    bill_stir(daemon->bill);
    if (facts != NULL && !daemon_wants(daemon, facts)) {
        struct hello_refusal ignored;
        struct hall *hall = find_hall(daemon, facts, facts->has_token, &ignored);
        if (hall != NULL) {
            room_join(hall->room, session);
        }
    }
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    struct daemon *daemon = owner;
    if (daemon->bill == NULL) {
        return;
    }
    if (bill_knows(daemon->bill, session)) {
        bill_gone(daemon->bill, session, why);
        return;
    }
    door_gone(daemon->door, session);
    bill_stir(daemon->bill);
    for (struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        room_gone(hall->room, session);
    }
}

static void on_exited(void *owner, struct child *child) {
    const struct daemon *daemon = owner;
    if (daemon->bill != NULL) {
        bill_exited(daemon->bill, child);
    }
}

static void on_stop(void *owner, int count) {
    struct daemon *daemon = owner;
    daemon->stops = count;
    log_line(LOG_LEVEL_INFO, "daemon stops signal=%d", count);
    notify_say(daemon->notify, "STOPPING=1");
    if (count == 1 && !is_quiet(daemon)) {
        fprintf(stderr, "hakem %s: %s\n", daemon->command,
                _("stopping when the running matches have ended; once more to stop now"));
    }
}

static void on_hangup(void *owner) {
    struct daemon *daemon = owner;
    struct bytes changed, restart;
    struct fail fail;
    bytes_init(&changed, 1 << 16);
    bytes_init(&restart, 1 << 16);
    notify_say(daemon->notify, "RELOADING=1");
    if (daemon_reload(daemon, &changed, &restart, &fail) != 0) {
        fprintf(stderr, "hakem %s: %s\n", daemon->command, fail.text);
    }
    notify_say(daemon->notify, "READY=1");
    bytes_clear(&changed);
    bytes_clear(&restart);
}

void daemon_gather(struct daemon *daemon) {
    for (struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        room_yield(hall->room);
    }
    bill_stir(daemon->bill);
}

static void on_said(void *owner, const char *name, const char *sentence) {
    const struct daemon *daemon = owner;
    fprintf(stderr, "hakem %s: %s: %s\n", daemon->command, name, sentence);
}

/* Tells the service manager that the loop turns, and now and then what it does. */
static int64_t tell_manager(struct daemon *daemon, int64_t now) {
    if (daemon->notify != NULL && now >= daemon->status_at) {
        char text[128];
        snprintf(text, sizeof text, "%d connections, %d tables, %d events",
                 referee_count_sessions(daemon->host.referee),
                 referee_count_tables(daemon->host.referee), bill_running(daemon->bill));
        notify_status(daemon->notify, text);
        daemon->status_at = now + DAEMON_STATUS;
    }
    return notify_turn(daemon->notify, now);
}

static int64_t on_turn(void *owner, int64_t now) {
    struct daemon *daemon = owner;
    int64_t next = bill_turn(daemon->bill, is_closing(daemon), now);
    daemon_turn_halls(daemon, is_closing(daemon), now, &next);
    int64_t word = tell_manager(daemon, now);
    next = word < next ? word : next;
    if (daemon->stops > 0 && daemon->deadline == 0) {
        daemon->deadline = now + daemon->config->stop_time;
    }
    bool late = daemon->deadline != 0 && now >= daemon->deadline;
    if (daemon->stops > 1 || late || (is_closing(daemon) && is_quiet(daemon))) {
        loop_quit(daemon->host.loop);
    } else if (daemon->deadline != 0 && daemon->deadline < next) {
        next = daemon->deadline;
    }
    return next;
}

/* A folder that cannot be written is told before anybody dials in. */
static int check_folder(const char *folder, struct fail *fail) {
    if (file_make_folder(folder, fail) != 0) {
        return -1;
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return fail_set(fail, EXIT_CODE_IO, _("cannot write %s: %s"), folder, strerror(errno));
    }
    return 0;
}

/* The folder is this daemon's until its process ends. */
static int lock_folder(struct daemon *daemon) {
    const char *folder = daemon->config->store;
    daemon->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (daemon->lock < 0) {
        return fail_set(&daemon->fail, EXIT_CODE_IO, _("cannot open the folder %s: %s"), folder,
                        strerror(errno));
    }
    if (flock(daemon->lock, LOCK_EX | LOCK_NB) != 0) {
        return fail_set(&daemon->fail, EXIT_CODE_BUSY,
                        _("%s is served already: hakem ctl --store %s speaks to that daemon"),
                        folder, folder);
    }
    return 0;
}

/* What this build makes use of, and what is lost without the rest. */
static void print_features(void) {
    struct bytes here;
    bytes_init(&here, 1 << 12);
    for (size_t i = 0; system_feature(i) != NULL; i++) {
        const struct system_feature *feature = system_feature(i);
        if (feature->here) {
            bytes_print(&here, " %s", feature->name);
        } else {
            printf(_("not here: %s: %s\n"), feature->name, _(feature->lost));
        }
    }
    printf(_("features:%s\n"), here.length > 0 ? bytes_text(&here) : " -");
    bytes_clear(&here);
}

/* The event stream's first lines. */
static void begin_stream(const struct daemon *daemon) {
    struct bytes out;
    bytes_init(&out, STREAM_LINE_MAX);
    stream_begin(daemon->command, &out);
    stream_listen(daemon->listener != NULL ? listener_name(daemon->listener) : NULL,
                  daemon->config->store, &out);
    fwrite(out.data, 1, out.length, stdout);
    bytes_clear(&out);
}

/* Everything that can go wrong at the start does so before anybody is let in. */
static int open_all(struct daemon *daemon) {
    struct serve_config *config = daemon->config;
    struct fail *fail = &daemon->fail;
    /* Who dials in meanwhile is heard when the loop turns. */
    if (config->listen != NULL && listener_open(daemon->host.loop, config->listen,
                                                config->plaintext, &daemon->listener, fail) != 0) {
        return -1;
    }
    if (check_folder(config->store, fail) != 0 || lock_folder(daemon) != 0 ||
        tokens_read(daemon->tokens, fail) != 0 || daemon_open_socket(daemon, fail) != 0) {
        return -1;
    }
    if (config->jsonl) {
        begin_stream(daemon);
    }
    for (int i = 0; i < config->room_count; i++) {
        if (daemon_add_hall(daemon, &config->rooms[i], fail) != 0) {
            return -1;
        }
    }
    bill_load(daemon->bill);
    if (!config->jsonl) {
        if (daemon->listener != NULL) {
            printf(_("listening on %s\n"), listener_name(daemon->listener));
        }
        print_features();
        printf(_("serving in %s\n"), config->store);
    }
    fflush(stdout);
    notify_say(daemon->notify, "READY=1");
    return 0;
}

static void close_all(struct daemon *daemon) {
    listener_close(daemon->listener);
    control_close(daemon->control);
    while (daemon->halls != NULL) {
        daemon_drop_hall(daemon, daemon->halls);
    }
    bill_free(daemon->bill);
    daemon->bill = NULL; /* who goes from here on, goes unheard */
    referee_set_retry(daemon->host.referee, DAEMON_RETRY);
    host_close(&daemon->host, "the referee ends");
    door_free(daemon->door);
    tokens_free(daemon->tokens);
    notify_close(daemon->notify);
    if (daemon->lock >= 0) {
        close(daemon->lock);
    }
}

int daemon_run(struct serve_config *config, const char *command) {
    struct daemon daemon = {.command = command, .config = config, .lock = -1};
    const struct host_hooks hooks = {.owner = &daemon,
                                     .hello = on_hello,
                                     .welcomed = on_welcomed,
                                     .gone = on_gone,
                                     .exited = on_exited,
                                     .turn = on_turn,
                                     .stop = on_stop,
                                     .hangup = on_hangup};
    struct referee_limits limits;
    log_open_journal(getenv("JOURNAL_STREAM"));
    daemon.notify = notify_open_environment();
    referee_limits_init(&limits);
    limits.sessions = config->sessions;
    limits.spectators = HOST_SPECTATORS;
    if (host_open(&daemon.host, &hooks, &limits, &daemon.fail) != 0) {
        return args_refuse(command, &daemon.fail);
    }
    daemon.host.streams = config->jsonl;
    daemon.began = loop_now(daemon.host.loop);
    daemon.tokens = tokens_new(config->tokens);
    daemon.door = door_new(&daemon.host, daemon.tokens);
    const struct bill_setup bill = {.host = &daemon.host,
                                    .door = daemon.door,
                                    .tokens = daemon.tokens,
                                    .folder = config->store,
                                    .plaintext = config->plaintext,
                                    .most = config->events,
                                    .hooks = {.owner = &daemon, .said = on_said}};
    daemon.bill = bill_new(&bill);
    if (open_all(&daemon) != 0) {
        daemon.failed = true;
    } else {
        loop_run(daemon.host.loop);
    }
    bool cut = !is_quiet(&daemon);
    close_all(&daemon);
    if (daemon.failed) {
        return args_refuse(command, &daemon.fail);
    }
    return cut ? EXIT_CODE_INTERRUPTED : EXIT_CODE_DONE;
}
