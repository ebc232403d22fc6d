/* What an event says without the luck of its dice: a verdict in words, tables, JSON lines, CSV. */
#ifndef HAKEM_ARENA_ESTIMATE_REPORT_H
#define HAKEM_ARENA_ESTIMATE_REPORT_H

#include "arena/report.h"

/* Every two bots that met with all readings, in the view's format; of JSON lines and CSV that
 * is all there is. */
void estimate_write(const struct report_view *view, struct bytes *out);

/* The same of a survey that was made otherwise; of the view the tournament is not looked at. */
struct fortune_survey;
void estimate_write_survey(const struct report_view *view, const struct fortune_survey *survey,
                           struct bytes *out);

/* For the page of an event: of two bots the verdict (also where luck is not known), of more
 * their table without luck. */
void estimate_write_page(const struct report_view *view, struct bytes *out);

/* A line in few words about two bots, while they play: who is ahead by how much. Nothing where
 * there is nothing to say yet. */
void estimate_write_brief(const struct report_view *view, struct bytes *out);

#endif
