#include "base/alloc.h"
#include "base/lang.h"
#include "base/log.h"
#include "cli/daemon_inside.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool daemon_wants(void *owner, const struct session_facts *facts) {
    const struct daemon *daemon = owner;
    struct hello_refusal ignored;
    return door_judge(daemon->door, facts, &ignored) == DOOR_EXPECTED;
}

long daemon_count_played(const struct daemon *daemon) {
    long count = 0;
    for (const struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        count += room_played(hall->room);
    }
    return count;
}

static void on_drawn(void *owner, const struct room *room, const char *unit, const char *x,
                     const char *y) {
    const struct daemon *daemon = owner;
    if (daemon->host.streams) {
        return; /* programs hear of it from the stage */
    }
    printf(_("%s %s: %s (X) against %s (Y)\n"), stage_event(room_stage(room))->name, unit, x, y);
    fflush(stdout);
}

static void on_match(void *owner, const struct room *room, const struct match_row *row) {
    const struct event *event = stage_event(room_stage(room));
    const struct unit unit = schedule_unit(event, row->unit);
    const struct daemon *daemon = owner;
    char score[SIDE_COUNT][SCORE_TEXT_MAX];
    if (daemon->host.streams) {
        return;
    }
    score_write(row->score[SIDE_X], score[SIDE_X]);
    score_write(row->score[SIDE_Y], score[SIDE_Y]);
    printf(_("%s %s: %s %s-%s %s, winner %s (%s), %d games\n"), event->name, unit.name,
           event->entrants[row->entrant[SIDE_X]].name, score[SIDE_X], score[SIDE_Y],
           event->entrants[row->entrant[SIDE_Y]].name,
           row->winner < 0 ? _("nobody") : event->entrants[row->entrant[row->winner]].name,
           reason_name(row->reason), row->games);
    fflush(stdout);
}

static void hall_free(struct hall *hall) {
    room_free(hall->room);
    event_clear(&hall->event);
    free(hall->folder);
    free(hall);
}

/* Opens a room behind the others; the event is taken over. */
int daemon_add_hall(struct daemon *daemon, struct room_config *said, struct fail *fail) {
    const struct room_hooks hooks = {
        .owner = daemon, .drawn = on_drawn, .match = on_match, .wanted = daemon_wants};
    struct hall **at = &daemon->halls;
    struct hall *hall = alloc_zeroed(1, sizeof *hall);
    hall->daemon = daemon;
    hall->event = said->event;
    hall->members = said->members;
    hall->folder = alloc_print("%s/%s", daemon->config->store, hall->event.name);
    event_init_room(&said->event);
    hall->room = room_new(&daemon->host, &hall->event, hall->folder, hall->members, &hooks);
    if (room_open(hall->room, fail) != 0) {
        fail_wrap(fail, _("room %s"), hall->event.name);
        hall_free(hall);
        return -1;
    }
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = hall;
    return 0;
}

/* The disk of a room has failed: nothing new begins, the others end. */
static void give_up(struct daemon *daemon, const struct fail *fail) {
    if (!daemon->failed) {
        daemon->failed = true;
        daemon->fail = *fail;
        log_line(LOG_LEVEL_ERROR, "daemon failed error=%s", fail->text);
    }
}

/* Takes a room away; its store is safe. */
void daemon_drop_hall(struct daemon *daemon, struct hall *hall) {
    struct hall **at = &daemon->halls;
    struct fail fail;
    while (*at != hall) {
        at = &(*at)->next;
    }
    *at = hall->next;
    if (room_close(hall->room, &fail) != 0) {
        give_up(daemon, &fail);
    }
    hall_free(hall);
}

void daemon_turn_halls(struct daemon *daemon, bool closing, int64_t now, int64_t *next) {
    long matches = daemon->config->matches;
    struct hall *after;
    for (struct hall *hall = daemon->halls; hall != NULL; hall = after) {
        struct fail fail;
        long played = room_played(hall->room);
        long most = matches == 0 ? LONG_MAX : matches - (daemon_count_played(daemon) - played);
        after = hall->next;
        int64_t wants = room_turn(hall->room, closing || hall->closing, most, now, &fail);
        if (wants < 0) {
            give_up(daemon, &fail);
            room_dismiss(hall->room, "the room has failed");
            daemon_drop_hall(daemon, hall);
            continue;
        }
        *next = wants < *next ? wants : *next;
        if (hall->closing && room_is_quiet(hall->room)) {
            daemon_drop_hall(daemon, hall);
        }
    }
}

static bool same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void add_item(struct bytes *out, const char *item) {
    bytes_print(out, "%s\"%s\"", out->length > 0 ? "," : "", item);
}

static struct hall *hall_of(const struct daemon *daemon, const char *name) {
    struct hall *hall = daemon->halls;
    while (hall != NULL && strcmp(hall->event.name, name) != 0) {
        hall = hall->next;
    }
    return hall;
}

/* Rooms that are new are opened, those that are gone are closed when their matches have
 * ended; what a room plays cannot change while it is open. */
static int reload_halls(struct daemon *daemon, struct serve_config *fresh, struct bytes *changed,
                        struct bytes *restart, struct fail *fail) {
    bool any = false;
    for (struct hall *hall = daemon->halls; hall != NULL; hall = hall->next) {
        bool kept = false;
        for (int i = 0; i < fresh->room_count; i++) {
            kept = kept || strcmp(fresh->rooms[i].event.name, hall->event.name) == 0;
        }
        any = any || hall->closing == kept;
        hall->closing = !kept;
    }
    for (int i = 0; i < fresh->room_count; i++) {
        struct room_config *said = &fresh->rooms[i];
        const struct hall *hall = hall_of(daemon, said->event.name);
        if (hall == NULL) {
            if (daemon_add_hall(daemon, said, fail) != 0) {
                return -1;
            }
            any = true;
        } else if (strcmp(hall->event.id, said->event.id) != 0 ||
                   memcmp(&hall->event.clock, &said->event.clock, sizeof said->event.clock) != 0 ||
                   hall->event.concurrency != said->event.concurrency ||
                   hall->members != said->members) {
            add_item(restart, said->event.name);
        }
    }
    if (any) {
        add_item(changed, "rooms");
    }
    return 0;
}

int daemon_reload(struct daemon *daemon, struct bytes *changed, struct bytes *restart,
                  struct fail *fail) {
    struct serve_config *config = daemon->config;
    struct serve_config fresh;
    if (config->path == NULL) {
        return fail_set(fail, EXIT_CODE_USAGE, _("there is no configuration file to read again"));
    }
    serve_config_init(&fresh);
    if (serve_config_read(&fresh, config->path, fail) != 0 ||
        tokens_read(daemon->tokens, fail) != 0 ||
        reload_halls(daemon, &fresh, changed, restart, fail) != 0) {
        serve_config_clear(&fresh);
        return -1;
    }
    add_item(changed, "tokens");
    const struct {
        const char *name;
        bool changed, at_once;
    } rows[] = {
        {"listen", !same_text(config->listen, fresh.listen), false},
        {"plaintext", config->plaintext != fresh.plaintext, false},
        {"store", !same_text(config->store, fresh.store), false},
        {"tokens", !same_text(config->tokens, fresh.tokens), false},
        {"sessions", config->sessions != fresh.sessions, false},
        {"log", config->log != fresh.log, true},
        {"events", config->events != fresh.events, true},
        {"stop_time", config->stop_time != fresh.stop_time, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].changed) {
            add_item(rows[i].at_once ? changed : restart, rows[i].name);
        }
    }
    config->log = fresh.log;
    config->events = fresh.events;
    config->stop_time = fresh.stop_time;
    log_set_level(config->log);
    bill_set_most(daemon->bill, config->events);
    serve_config_clear(&fresh);
    log_line(LOG_LEVEL_INFO, "daemon reloaded changed=%s restart=%s", bytes_text(changed),
             bytes_text(restart));
    return 0;
}

