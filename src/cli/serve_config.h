/* What `hakem serve` is told: by a configuration file, or by options that say the same
 * for one room. The file is JSON with comments; every wrong field is refused with its
 * line and what is allowed. */
#ifndef HAKEM_CLI_SERVE_CONFIG_H
#define HAKEM_CLI_SERVE_CONFIG_H

#include "arena/event.h"
#include "base/log.h"

enum { CONFIG_ROOMS_MAX = 64, CONFIG_EVENTS_MAX = 256, CONFIG_SESSIONS_MIN = 2 };

struct room_config {
    struct event event; /* format room, sealed; its name is the room's and its folder's */
    bool members;       /* only bots with a token */
};

struct serve_config {
    char *path;     /* of the file, NULL: it was said by options */
    char *listen;   /* HOST:PORT; NULL: nobody dials in */
    bool plaintext; /* addresses beyond this machine are allowed */
    char *store;    /* the folder of all stores */
    char *tokens;   /* the token file */
    enum log_level log;
    int sessions;      /* connections at once */
    int events;        /* events that are on at once */
    int64_t stop_time; /* ms that running matches have when the daemon is told to end */
    struct room_config *rooms;
    int room_count;
    bool jsonl;   /* the event stream on standard output instead of lines for people */
    long matches; /* of all rooms until the daemon ends by itself; 0: it does not */
};

/* Nothing is said yet. */
void serve_config_init(struct serve_config *config);
void serve_config_clear(struct serve_config *config);

/* Reads a file; what was read before is to be cleared first. */
int serve_config_read(struct serve_config *config, const char *path, struct fail *fail)
    __attribute__((warn_unused_result));

/* Reads a text; `path` is for messages and becomes the configuration's. */
int serve_config_parse(struct serve_config *config, const char *path, const char *text,
                       size_t length, struct fail *fail) __attribute__((warn_unused_result));

/* Takes a room that was said by options. */
void serve_config_add_room(struct serve_config *config, const struct event *event, bool members);

/* Fills in what follows from the rest and was not said. */
void serve_config_settle(struct serve_config *config);

#endif
