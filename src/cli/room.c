#include "cli/room.h"

#include "base/alloc.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A bot in the room. */
struct guest {
    struct guest *next;
    uint32_t session;
    char name[NAME_MAX_BYTES + 1]; /* as its hello said */
    bool member;   /* it showed a token: it is one entrant, however often it comes */
    uint32_t unit; /* where it sits; 0: it waits */
};

/* A match that was drawn and is not over. */
struct sitting {
    struct sitting *next;
    uint32_t unit;
    uint32_t session[SIDE_COUNT];              /* 0: nobody has come back yet */
    char name[SIDE_COUNT][NAME_MAX_BYTES + 1]; /* the hellos': who may come back */
    bool kicked[SIDE_COUNT];
    bool on; /* both were ready: who leaves is waited for */
};

struct room {
    struct host *host;
    struct event *event;
    bool members;
    struct room_hooks hooks;
    struct stage *stage;
    struct guest *guests; /* in the order of their coming */
    struct sitting *sittings;
    bool paused;
    long played;
};

static struct sitting *find_sitting(const struct room *room, uint32_t unit) {
    struct sitting *sitting = room->sittings;
    while (sitting != NULL && sitting->unit != unit) {
        sitting = sitting->next;
    }
    return sitting;
}

static bool is_here(const struct room *room, uint32_t session) {
    return session != 0 && referee_session(room->host->referee, session) != NULL;
}

static enum side side_of(const struct room *room, uint32_t unit, int entrant) {
    return room->event->drawn[unit - 1].player[SIDE_X] == entrant ? SIDE_X : SIDE_Y;
}

/* The players of the stage. */
static bool may_play(void *owner, int entrant) {
    (void)owner;
    (void)entrant;
    return true;
}

/* Whether it waits for an opponent, and is there to play: a lost one may come back to wait on. */
static bool is_free(const struct room *room, const struct guest *guest) {
    return guest->unit == 0 && referee_free_tables(room->host->referee, guest->session) > 0;
}

/* A guest that waits takes the seat that was its own. */
static uint32_t come_back(struct room *room, struct sitting *sitting, enum side side) {
    for (struct guest *guest = room->guests; guest != NULL; guest = guest->next) {
        if (is_free(room, guest) && text_same_name(guest->name, sitting->name[side])) {
            guest->unit = sitting->unit;
            sitting->session[side] = guest->session;
            return guest->session;
        }
    }
    return 0;
}

static uint32_t find_session(void *owner, int entrant, uint32_t unit) {
    struct room *room = owner;
    struct sitting *sitting = find_sitting(room, unit);
    enum side side = side_of(room, unit, entrant);
    if (sitting == NULL) {
        return 0;
    }
    if (referee_free_tables(room->host->referee, sitting->session[side]) > 0) {
        return sitting->session[side];
    }
    return sitting->on ? come_back(room, sitting, side) : 0;
}

/* Who leaves before the match is on will not be waited for, and its partner does not win
 * by it: the match is off for both. */
static bool is_lost(void *owner, int entrant, uint32_t unit, enum reason *reason) {
    const struct room *room = owner;
    const struct sitting *sitting = find_sitting(room, unit);
    *reason = REASON_ABORTED;
    if (sitting == NULL) {
        return false;
    }
    bool off = !sitting->on && !(is_here(room, sitting->session[SIDE_X]) &&
                                 is_here(room, sitting->session[SIDE_Y]));
    return off || sitting->kicked[side_of(room, unit, entrant)];
}

static void on_match(void *owner, struct stage *stage, const struct match_row *row) {
    const struct room *room = owner;
    (void)stage;
    room->hooks.match(room->hooks.owner, room, row);
}

static struct guest *find_guest(const struct room *room, uint32_t session) {
    struct guest *guest = room->guests;
    while (guest != NULL && guest->session != session) {
        guest = guest->next;
    }
    return guest;
}

static void unlink_guest(struct room *room, const struct guest *guest) {
    struct guest **at = &room->guests;
    while (*at != guest) {
        at = &(*at)->next;
    }
    *at = guest->next;
}

static bool is_wanted(const struct room *room, const struct guest *guest) {
    const struct session_facts *facts = referee_session(room->host->referee, guest->session);
    return facts != NULL && room->hooks.wanted(room->hooks.owner, facts);
}

/* A match is told to its end: who played it may go. When it never began, who is still here
 * waits again, before the others, and it is not counted. */
static void on_unit(void *owner, uint32_t unit) {
    struct room *room = owner;
    struct sitting **at = &room->sittings;
    while (*at != NULL && (*at)->unit != unit) {
        at = &(*at)->next;
    }
    struct sitting *sitting = *at;
    if (sitting == NULL) {
        return;
    }
    *at = sitting->next;
    for (int side = SIDE_COUNT - 1; side >= 0; side--) {
        struct guest *guest = find_guest(room, sitting->session[side]);
        if (guest == NULL || guest->unit != unit) {
            continue;
        }
        if (is_wanted(room, guest)) {
            unlink_guest(room, guest);
            free(guest);
        } else if (sitting->on) {
            referee_close(room->host->referee, guest->session, "the match is over",
                          loop_now(room->host->loop));
        } else {
            unlink_guest(room, guest);
            guest->unit = 0;
            guest->next = room->guests;
            room->guests = guest;
        }
    }
    room->played -= !sitting->on;
    free(sitting);
}

struct room *room_new(struct host *host, struct event *event, const char *folder, bool members,
                      const struct room_hooks *hooks) {
    struct room *room = alloc_zeroed(1, sizeof *room);
    const struct stage_setup setup = {
        .host = host,
        .event = event,
        .folder = folder,
        .players = {.owner = room, .may_play = may_play, .session = find_session,
                    .lost = is_lost},
        .hooks = {.owner = room, .match = on_match, .unit = on_unit},
    };
    *room = (struct room){.host = host, .event = event, .members = members, .hooks = *hooks};
    room->stage = stage_new(&setup);
    return room;
}

void room_free(struct room *room) {
    if (room == NULL) {
        return;
    }
    stage_free(room->stage);
    while (room->guests != NULL) {
        struct guest *guest = room->guests;
        room->guests = guest->next;
        free(guest);
    }
    while (room->sittings != NULL) {
        struct sitting *sitting = room->sittings;
        room->sittings = sitting->next;
        free(sitting);
    }
    free(room);
}

static struct sitting *sitting_new(struct room *room, uint32_t unit) {
    struct sitting *sitting = alloc_zeroed(1, sizeof *sitting);
    sitting->unit = unit;
    sitting->next = room->sittings;
    room->sittings = sitting;
    return sitting;
}

/* The name of a bot that plays itself: the second one's says so. */
static void write_twin(const char *name, char out[NAME_MAX_BYTES + 1]) {
    snprintf(out, NAME_MAX_BYTES + 1, "%.*s-2", NAME_MAX_BYTES - 2, name);
}

/* A match that an earlier process began: its players are waited for. */
static void take_up(struct room *room, uint32_t unit) {
    struct sitting *sitting = sitting_new(room, unit);
    char twin[NAME_MAX_BYTES + 1];
    for (int side = 0; side < SIDE_COUNT; side++) {
        int player = room->event->drawn[unit - 1].player[side];
        snprintf(sitting->name[side], sizeof sitting->name[side], "%s",
                 room->event->entrants[player].name);
    }
    write_twin(sitting->name[SIDE_X], twin);
    if (text_same_name(sitting->name[SIDE_Y], twin)) {
        memcpy(sitting->name[SIDE_Y], sitting->name[SIDE_X], sizeof twin);
    }
    sitting->on = true;
    room->played++;
}

int room_open(struct room *room, struct fail *fail) {
    bool there = store_exists(stage_folder(room->stage));
    if ((there ? stage_resume(room->stage, fail) : stage_create(room->stage, fail)) != 0) {
        return -1;
    }
    for (uint32_t unit = 1; unit <= room->event->drawn_count; unit++) {
        if (tournament_match(stage_shown(room->stage), unit, 1) == NULL) {
            take_up(room, unit);
        }
    }
    return stage_begin(room->stage, fail);
}

/* Entrants that the bots which wait would add at most. */
static int count_new(const struct room *room) {
    int count = 0;
    for (const struct guest *guest = room->guests; guest != NULL; guest = guest->next) {
        count += guest->unit == 0 && event_find_entrant(room->event, guest->name) < 0;
    }
    return count;
}

bool room_takes(const struct room *room, const struct session_facts *facts, bool member,
                struct hello_refusal *refusal) {
    const struct variant *variant = room->event->rules.variant;
    if (room->members && !member) {
        return false;
    }
    if ((facts->variants & 1U << variant->id) == 0) {
        refusal->code = "variant";
        snprintf(refusal->reason, sizeof refusal->reason,
                 "%s is played here, and variants= does not offer it", variant->name);
        return false;
    }
    /* One place is kept for a bot's second name, when it meets itself. */
    int entrants = room->event->entrant_count;
    if ((event_find_entrant(room->event, facts->name) < 0 &&
         entrants + count_new(room) + 1 >= EVENT_ENTRANTS_MAX) ||
        room->event->drawn_count >= EVENT_UNITS_MAX) {
        refusal->code = "full";
        snprintf(refusal->reason, sizeof refusal->reason,
                 "this room has all the bots that it can hold");
        return false;
    }
    return true;
}

void room_join(struct room *room, uint32_t session) {
    struct guest *guest = alloc_zeroed(1, sizeof *guest);
    const struct session_facts *facts = referee_session(room->host->referee, session);
    struct guest **at = &room->guests;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    guest->session = session;
    guest->member = facts->has_token;
    snprintf(guest->name, sizeof guest->name, "%s", facts->name);
    *at = guest;
    stage_stir(room->host->stages);
}

void room_gone(struct room *room, uint32_t session) {
    struct guest *guest = find_guest(room, session);
    if (guest != NULL) {
        unlink_guest(room, guest);
        free(guest);
    }
}

void room_yield(struct room *room) {
    struct guest *next;
    for (struct guest *guest = room->guests; guest != NULL; guest = next) {
        next = guest->next;
        if (guest->unit == 0 && is_wanted(room, guest)) {
            room_gone(room, guest->session);
        }
    }
}

void room_dismiss(struct room *room, const char *reason) {
    for (const struct guest *guest = room->guests; guest != NULL; guest = guest->next) {
        referee_close(room->host->referee, guest->session, reason, loop_now(room->host->loop));
    }
}

/* Two that wait and may meet: a bot with a token does not meet itself. */
static bool find_pair(const struct room *room, struct guest *pair[SIDE_COUNT]) {
    for (struct guest *first = room->guests; first != NULL; first = first->next) {
        for (struct guest *second = first->next; is_free(room, first) && second != NULL;
             second = second->next) {
            if (is_free(room, second) &&
                !(first->member && second->member && text_same_name(first->name, second->name))) {
                pair[SIDE_X] = first;
                pair[SIDE_Y] = second;
                return true;
            }
        }
    }
    return false;
}

/* Whether somebody who waits has a seat to come back to: that goes first. */
static bool is_awaited(const struct room *room, const struct guest *guest) {
    for (const struct sitting *at = room->sittings; at != NULL; at = at->next) {
        for (int side = 0; side < SIDE_COUNT; side++) {
            if (at->on && !is_here(room, at->session[side]) &&
                text_same_name(at->name[side], guest->name)) {
                return true;
            }
        }
    }
    return false;
}

/* The first two that may meet sit down; false when nobody does. */
static bool draw_one(struct room *room) {
    struct guest *pair[SIDE_COUNT];
    char twin[NAME_MAX_BYTES + 1];
    struct fail fail;
    if (!find_pair(room, pair) || is_awaited(room, pair[SIDE_X]) ||
        is_awaited(room, pair[SIDE_Y])) {
        return false;
    }
    write_twin(pair[SIDE_X]->name, twin);
    bool same = text_same_name(pair[SIDE_X]->name, pair[SIDE_Y]->name);
    const char *second = same ? twin : pair[SIDE_Y]->name;
    uint32_t unit = stage_draw(room->stage, pair[SIDE_X]->name, second, &fail);
    if (unit == 0) {
        log_line(LOG_LEVEL_WARN, "room %s full error=%s", room->event->name, fail.text);
        return false;
    }
    struct sitting *sitting = sitting_new(room, unit);
    for (int side = 0; side < SIDE_COUNT; side++) {
        sitting->session[side] = pair[side]->session;
        memcpy(sitting->name[side], pair[side]->name, sizeof sitting->name[side]);
        pair[side]->unit = unit;
    }
    room->played++;
    room->hooks.drawn(room->hooks.owner, room, schedule_unit(room->event, unit).name,
                      pair[SIDE_X]->name, second);
    return true;
}

/* A lost session is not waited for before its match is on, nor when its player is here anew and
 * did not resume it. */
static void forget_lost(const struct room *room, const struct sitting *sitting, int64_t now) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        bool anew = !sitting->on;
        for (const struct guest *guest = room->guests; guest != NULL; guest = guest->next) {
            anew = anew || (guest->unit == 0 && text_same_name(guest->name, sitting->name[side]));
        }
        if (anew) {
            referee_forget(room->host->referee, sitting->session[side], now);
        }
    }
}

int64_t room_turn(struct room *room, bool closing, long most, int64_t now, struct fail *fail) {
    int running = 0;
    for (struct sitting *at = room->sittings; at != NULL; at = at->next, running++) {
        at->on = at->on || stage_has_begun(room->stage, at->unit);
        forget_lost(room, at, now);
    }
    while (!closing && !room->paused && room->played < most && running < room->event->concurrency &&
           draw_one(room)) {
        running++;
    }
    return stage_turn(room->stage, false, now, fail);
}

int room_kick(struct room *room, const char *name) {
    int count = 0;
    for (struct sitting *at = room->sittings; at != NULL; at = at->next) {
        for (int side = 0; side < SIDE_COUNT; side++) {
            if (text_same_name(at->name[side], name)) {
                at->kicked[side] = true;
                count++;
            }
        }
    }
    return count;
}

void room_pause(struct room *room, bool pause, int64_t now) {
    room->paused = pause;
    stage_pause(room->stage, pause, now);
}

bool room_is_paused(const struct room *room) {
    return room->paused;
}

bool room_is_quiet(const struct room *room) {
    return room->sittings == NULL && stage_quiet(room->stage);
}

int room_waiting(const struct room *room) {
    int count = 0;
    for (const struct guest *guest = room->guests; guest != NULL; guest = guest->next) {
        count += guest->unit == 0;
    }
    return count;
}

long room_played(const struct room *room) {
    return room->played;
}

const struct stage *room_stage(const struct room *room) {
    return room->stage;
}

int room_close(struct room *room, struct fail *fail) {
    return stage_close(room->stage, fail);
}
