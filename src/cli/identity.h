/* Who played: the SHA-256 of the programs that an event starts, with the files their commands and
 * their entries name. It is kept in the store's folder: a changed program is another bot, and is
 * not mixed with the old one unless that is wished. */
#ifndef HAKEM_CLI_IDENTITY_H
#define HAKEM_CLI_IDENTITY_H

#include "arena/event.h"

/* Refuses to go on with the folder's event when a program has changed since it began. */
int identity_check(const struct event *event, const char *folder, struct fail *fail)
    __attribute__((warn_unused_result));

/* Keeps in the folder what is played with, of bots that are not kept there yet (`anew`: of all). */
int identity_keep(const struct event *event, const char *folder, bool anew, struct fail *fail)
    __attribute__((warn_unused_result));

/* Says who played: a line for each program. */
void identity_show(const struct event *event, const char *folder);

#endif
