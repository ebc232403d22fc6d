/* How often the two bots of a duel chose differently where both met the same: the legs of a
 * mirrored pair are the same game until somebody does. Settings without effect show here. */
#ifndef HAKEM_CLI_CHOICES_H
#define HAKEM_CLI_CHOICES_H

#include "arena/event.h"

/* Counts in the records of a finished duel and says it on standard output; nothing where the event
 * is none of two bots in mirrored pairs. */
void choices_show(const struct event *event, const char *folder);

#endif
