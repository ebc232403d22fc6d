/* Who plays: the SHA-256 of the programs that an event starts, with the files that their commands
 * and their entries name. Records have it in their header; the store's folder keeps one hash of
 * all that for each bot: a changed program is another bot, and is not mixed with the old one
 * unless that is wished. */
#ifndef HAKEM_CLI_IDENTITY_H
#define HAKEM_CLI_IDENTITY_H

#include "arena/event.h"

/* Reads the files, so that the entrants have what records say of them; then refuses to go on with
 * the folder's event when a program has changed since it began (event->same: it may have). */
int identity_read(struct event *event, const char *folder, struct fail *fail)
    __attribute__((warn_unused_result));

/* Keeps in the folder what is played with, of bots that are not kept there yet (event->same: of
 * all). */
int identity_keep(const struct event *event, const char *folder, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
