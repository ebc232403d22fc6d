/* A bot as an event file has it: one object of the list "bots". Inside arena/ only. */
#ifndef HAKEM_ARENA_BOT_FILE_H
#define HAKEM_ARENA_BOT_FILE_H

#include "arena/doc.h"
#include "arena/event.h"

/* Reads the object and enters the bot. */
int bot_read(const struct doc *doc, struct event *event, const struct cJSON *value)
    __attribute__((warn_unused_result));

/* Enters a bot that is started by a command, or a bundled one by its name and level, such as
 * usta:2ply; see event_add_entrant. */
int bot_add_command(struct event *event, const char *name, const char *command,
                    struct fail *fail) __attribute__((warn_unused_result));

/* Whether GNU Backgammon can be set so; a sentence if not. */
int gnubg_check_option(const char *name, const char *value, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
