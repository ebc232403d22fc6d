/* The inside of the daemon: what its files share. Nobody else includes this. */
#ifndef HAKEM_CLI_DAEMON_INSIDE_H
#define HAKEM_CLI_DAEMON_INSIDE_H

#include "cli/bill.h"
#include "cli/daemon.h"
#include "cli/room.h"
#include "cli/tokens.h"
#include "net/control.h"
#include "net/listen.h"
#include "net/notify.h"

/* A room with what it was made of. */
struct hall {
    struct hall *next;
    struct daemon *daemon;
    struct event event;
    bool members;
    bool closing; /* the configuration has it no more */
    char *folder;
    struct room *room;
};

struct daemon {
    const char *command;
    int lock; /* of the folder: no other daemon serves in it; -1 none */
    struct serve_config *config;
    struct host host;
    struct listener *listener;
    struct notify *notify; /* the service manager, or NULL */
    struct control *control;
    struct tokens *tokens;
    struct door *door;
    struct bill *bill;
    struct hall *halls; /* in the order of the configuration */
    int64_t began;      /* ms of the loop */
    int stops;          /* signals to stop so far */
    int64_t status_at;  /* when the service manager is told anew what it does, ms */
    int64_t deadline;   /* of the running matches, once it is to stop; ms */
    bool failed;
    struct fail fail;
};

/* daemon_rooms.c: whether an event expects that bot; `owner` is the daemon. */
bool daemon_wants(void *owner, const struct session_facts *facts);

/* daemon_rooms.c: opens a room behind the others; the event is taken over. */
int daemon_add_hall(struct daemon *daemon, struct room_config *said, struct fail *fail)
    __attribute__((warn_unused_result));

/* daemon_rooms.c: takes a room away; its store is safe. */
void daemon_drop_hall(struct daemon *daemon, struct hall *hall);

/* daemon_rooms.c: the rooms' part of a turn; `next` becomes earlier when they want that. */
void daemon_turn_halls(struct daemon *daemon, bool closing, int64_t now, int64_t *next);

/* daemon_rooms.c: matches that have begun in all rooms. */
long daemon_count_played(const struct daemon *daemon);

/* daemon_rooms.c: reads the configuration anew; adds what has changed and what would need a
 * restart, as items of JSON lists. */
int daemon_reload(struct daemon *daemon, struct bytes *changed, struct bytes *restart,
                  struct fail *fail) __attribute__((warn_unused_result));

/* daemon.c: a new event is on: who it expects waits in no room any more. */
void daemon_gather(struct daemon *daemon);

/* daemon_admin.c: opens the operator's socket. */
int daemon_open_socket(struct daemon *daemon, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
