#include "base/alloc.h"
#include "base/json.h"
#include "base/lang.h"
#include "base/log.h"
#include "base/system.h"
#include "cli/daemon_inside.h"
#include "dice/token.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ADMIN_LINE_MAX = 2 * BILL_EVENT_MAX,
    ADMIN_LIST_MAX = 1 << 20,
    STATUS_CONNECTIONS_MAX = 1000 /* that a status lists */
};

static const struct json_limits admin_limits = {2, 16, 1, false, false};

/* A request that is being answered. */
struct request {
    struct daemon *daemon;
    const struct cJSON *json;
    struct bytes *reply; /* members of the answer, each with a comma before it */
    const char *code;    /* a word, when it cannot be granted */
    struct fail fail;
};

static int refuse(struct request *request, const char *code, const char *sentence,
                  const char *about) {
    request->code = code;
    return fail_set(&request->fail, EXIT_CODE_USAGE, "%s: %s", about, sentence);
}

/* A text of the request, or NULL. */
static const char *text_of(const struct request *request, const char *key) {
    return json_text(json_member(request->json, key));
}

static int do_submit(struct request *request) {
    const char *text = text_of(request, "text");
    const char *path = text_of(request, "path");
    const char *name;
    if (text == NULL) {
        return refuse(request, "bad", "an event file's text is needed", "text");
    }
    if (request->daemon->stops > 0) {
        return refuse(request, "stops", "the daemon is about to end", "submit");
    }
    if (bill_submit(request->daemon->bill, path != NULL ? path : "event", text, strlen(text), &name,
                    &request->code, &request->fail) != 0) {
        return -1;
    }
    daemon_gather(request->daemon);
    json_add_member(request->reply, "event", name);
    return 0;
}

static int do_list(struct request *request) {
    const struct daemon *daemon = request->daemon;
    struct bytes *reply = request->reply;
    bytes_add_text(reply, ",\"events\":");
    bill_write(daemon->bill, reply);
    bytes_add_text(reply, ",\"rooms\":[");
    for (const struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        const struct stage *stage = room_stage(hall->room);
        const char *state = hall->closing                ? "closing"
                            : room_is_paused(hall->room) ? "paused"
                                                         : "open";
        bytes_print(reply,
                    "%s{\"name\":\"%s\",\"state\":\"%s\",\"variant\":\"%s\",\"finished\":%llu,"
                    "\"running\":%d,\"waiting\":%d,\"token\":%s}",
                    hall == daemon->halls ? "" : ",", hall->event.name, state,
                    hall->event.rules.variant->name,
                    (unsigned long long)tournament_finished(stage_shown(stage)),
                    stage_running(stage), room_waiting(hall->room),
                    hall->members ? "true" : "false");
    }
    bytes_add_text(reply, "]");
    return 0;
}

/* Who is connected: name, peer, tables, and the round trip of the last ping. */
static void add_connections(const struct referee *referee, struct bytes *reply) {
    int count = 0;
    bytes_add_text(reply, ",\"connections\":[");
    for (uint32_t id = 0; count < STATUS_CONNECTIONS_MAX &&
                          (id = referee_next_session(referee, id)) != 0;) {
        const struct session_facts *facts = referee_session(referee, id);
        bytes_print(reply, "%s{\"name\":\"%s\",\"peer\":\"%s\",\"tables\":%d,\"playing\":%d,"
                    "\"lost\":%s,",
                    count++ == 0 ? "" : ",", facts->name, facts->who, facts->tables,
                    referee_held_tables(referee, id),
                    referee_is_lost(referee, id) ? "true" : "false");
        if (facts->round_trip < 0) {
            bytes_add_text(reply, "\"round_trip\":null}");
        } else {
            bytes_print(reply, "\"round_trip\":%lld}", (long long)facts->round_trip);
        }
    }
    bytes_add_text(reply, "]");
}

static void add_features(struct bytes *reply, const char *key, bool here) {
    bool first = true;
    bytes_print(reply, ",\"%s\":[", key);
    for (size_t i = 0; system_feature(i) != NULL; i++) {
        if (system_feature(i)->here == here) {
            bytes_print(reply, "%s\"%s\"", first ? "" : ",", system_feature(i)->name);
            first = false;
        }
    }
    bytes_add_text(reply, "]");
}

static int do_status(struct request *request) {
    const struct daemon *daemon = request->daemon;
    struct bytes *reply = request->reply;
    int halls = 0;
    for (const struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        halls++;
    }
    json_add_member(reply, "server", "hakem/" HAKEM_VERSION);
    json_add_member(reply, "state", daemon->stops > 0 ? "stopping" : "serving");
    json_add_member(reply, "store", daemon->config->store);
    if (daemon->listener != NULL) {
        json_add_member(reply, "listen", listener_name(daemon->listener));
    }
    bytes_print(reply,
                ",\"pid\":%ld,\"uptime\":%lld,\"sessions\":%d,\"tables\":%d,\"events\":%d,"
                "\"rooms\":%d,\"tokens\":%d",
                (long)getpid(), (long long)(loop_now(daemon->host.loop) - daemon->began) / 1000,
                referee_count_sessions(daemon->host.referee),
                referee_count_tables(daemon->host.referee), bill_running(daemon->bill), halls,
                tokens_count(daemon->tokens));
    add_connections(daemon->host.referee, reply);
    add_features(reply, "features", true);
    add_features(reply, "missing", false);
    return 0;
}

/* A room of that name can be paused as well. */
static int pause_hall(struct request *request, const char *name, bool pause, bool *found) {
    int64_t now = loop_now(request->daemon->host.loop);
    for (struct hall *hall = request->daemon->halls; hall != NULL; hall = hall->next) {
        if (name == NULL || strcmp(hall->event.name, name) == 0) {
            *found = name != NULL;
            if (room_is_paused(hall->room) != pause) {
                room_pause(hall->room, pause, now);
            }
        }
    }
    return 0;
}

static int wish(struct request *request, enum bill_wish wish) {
    const char *name = text_of(request, "event");
    bool found = false;
    if (wish == BILL_PAUSE || wish == BILL_RESUME) {
        pause_hall(request, name, wish == BILL_PAUSE, &found);
    }
    if (found) {
        return 0;
    }
    int status = bill_wish(request->daemon->bill, wish, name, &request->code, &request->fail);
    if (status == 0 && wish == BILL_RESUME) {
        daemon_gather(request->daemon);
    }
    return status;
}

static int do_pause(struct request *request) {
    return wish(request, BILL_PAUSE);
}

static int do_resume(struct request *request) {
    return wish(request, BILL_RESUME);
}

static int do_stop(struct request *request) {
    bool hard;
    return wish(request, json_boolean(json_member(request->json, "hard"), &hard) && hard
                             ? BILL_STOP_HARD
                             : BILL_STOP);
}

static int do_kick(struct request *request) {
    struct daemon *daemon = request->daemon;
    const char *name = text_of(request, "name");
    if (name == NULL) {
        return refuse(request, "bad", "a bot's name is needed", "name");
    }
    int events = bill_kick(daemon->bill, name);
    int seats = 0;
    for (struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        seats += room_kick(hall->room, name);
    }
    int sessions = door_kick(daemon->door, name, "the organiser took the bot out");
    if (events + seats + sessions == 0) {
        return refuse(request, "nobody", "nobody of that name is here", name);
    }
    bytes_print(request->reply, ",\"events\":%d,\"connections\":%d", events, sessions);
    return 0;
}

static int do_reload(struct request *request) {
    struct bytes changed, restart;
    bytes_init(&changed, ADMIN_LIST_MAX);
    bytes_init(&restart, ADMIN_LIST_MAX);
    int status = daemon_reload(request->daemon, &changed, &restart, &request->fail);
    if (status == 0) {
        bytes_print(request->reply, ",\"changed\":[%s],\"restart\":[%s]", bytes_text(&changed),
                    bytes_text(&restart));
    }
    bytes_clear(&changed);
    bytes_clear(&restart);
    return status;
}

static int do_token(struct request *request) {
    const char *name = text_of(request, "name");
    char token[TOKEN_TEXT_MAX];
    char text[HASH_TEXT];
    struct hash kept;
    if (name == NULL || !text_is_name(name, strlen(name))) {
        return refuse(request, "bad", "a bot's name is needed", "name");
    }
    token_fresh(token, &kept);
    if (tokens_put(request->daemon->tokens, name, &kept, &request->fail) != 0) {
        return -1;
    }
    hash_write(&kept, text);
    json_add_member(request->reply, "name", name);
    json_add_member(request->reply, "token", token);
    json_add_member(request->reply, "kept", text);
    system_wipe(token, sizeof token);
    return 0;
}

static const struct admin_row {
    const char *name;
    int (*run)(struct request *request);
} rows[] = {
    {"submit", do_submit}, {"list", do_list},     {"status", do_status},
    {"pause", do_pause},   {"resume", do_resume}, {"stop", do_stop},
    {"kick", do_kick},     {"reload", do_reload}, {"token", do_token},
};

static int run_request(struct request *request) {
    const char *word = text_of(request, "do");
    for (size_t i = 0; word != NULL && i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, word) == 0) {
            char event[80] = "";
            const char *name = text_of(request, "event");
            name = name != NULL ? name : text_of(request, "name");
            text_escape(name != NULL ? name : "", name != NULL ? strlen(name) : 0, event,
                        sizeof event);
            log_line(LOG_LEVEL_INFO, "admin %s name=%s", word, event);
            return rows[i].run(request);
        }
    }
    return refuse(request, "unknown-request", "no such request", "do");
}

static void on_request(void *owner, const char *line, struct bytes *reply) {
    struct bytes members;
    struct request request = {.daemon = owner, .reply = &members, .code = "bad"};
    struct cJSON *json = json_parse(line, strlen(line), &admin_limits, &request.fail);
    request.json = json;
    bytes_init(&members, reply->ceiling);
    int status = json_is_object(json) ? run_request(&request)
                 : json == NULL       ? -1
                                : refuse(&request, "bad", "a request is a JSON object", "request");
    if (status == 0) {
        bytes_add_text(reply, "{\"ok\":true");
        bytes_add(reply, members.data, members.length);
    } else {
        bytes_print(reply, "{\"ok\":false,\"exit\":%d", (int)request.fail.code);
        json_add_member(reply, "code", request.code);
        json_add_member(reply, "error", request.fail.text);
    }
    bytes_add_text(reply, "}\n");
    if (members.length > 0) {
        system_wipe(members.data, members.length);
    }
    bytes_clear(&members);
    json_free(json);
}

int daemon_open_socket(struct daemon *daemon, struct fail *fail) {
    const char *folder = daemon->config->store;
    char *path = alloc_print("%s/hakem.sock", folder);
    int status = 0;
    daemon->control = control_open(daemon->host.loop, path, ADMIN_LINE_MAX, on_request, daemon);
    if (daemon->control == NULL) {
        status =
            fail_set(fail, EXIT_CODE_IO, _("cannot make the socket %s: %s"), path, strerror(errno));
    }
    free(path);
    return status;
}
