/* The verdict on two bots in words: who is better, by how much, how sure it is, how much of it
 * was luck. */
#ifndef HAKEM_ARENA_VERDICT_H
#define HAKEM_ARENA_VERDICT_H

#include "arena/estimate.h"
#include "arena/report.h"

/* Adds the sentences about an event of two bots, each with a blank behind it. */
void verdict_tell(const struct report_view *view, const struct estimate *estimate,
                  struct bytes *out);

#endif
