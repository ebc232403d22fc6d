/* Who played, for people: as the records' headers have it. */
#ifndef HAKEM_CLI_PROGRAMS_H
#define HAKEM_CLI_PROGRAMS_H

#include "arena/event.h"

/* Says on standard output what each bot of a finished event is: what it says of itself, its
 * options as they took effect, its command and the SHA-256 of its files. */
void programs_show(const struct event *event, const char *folder);

#endif
