/* The room of `hakem serve`: bots dial in, the first two that wait play a match, then
 * the next two, several matches at once. Each match is an event of its own with
 * one unit, kept in a store of its own: FOLDER/M000001. A bot whose connection
 * breaks takes its seat again by dialling in under the same name, as long as the
 * referee waits. */
#ifndef HAKEM_CLI_SERVE_ROOM_H
#define HAKEM_CLI_SERVE_ROOM_H

#include "arena/event.h"

struct serve_setup {
    const char *command;   /* "serve", for messages */
    const char *listen;    /* HOST:PORT */
    const char *folder;    /* of the matches' stores */
    struct event rules;    /* what every match is played by; it has no entrants */
    long limit;            /* matches until the end, 0: until it is stopped */
};

/* Serves until the limit or a signal; the exit code. */
int serve_matches(const struct serve_setup *setup);

#endif
