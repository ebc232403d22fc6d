/* Estimates of the pairs of bots of an event, as a page, JSON lines or CSV. */
#ifndef HAKEM_ARENA_ESTIMATE_REPORT_H
#define HAKEM_ARENA_ESTIMATE_REPORT_H

#include "arena/estimate.h"
#include "arena/report.h"

/* What an estimate is about. */
struct estimate_view {
    const struct event *event;
    int a, b;              /* entrants; seen by a */
    const char *evaluator; /* name and hash */
    bool turkish;
};

/* The first line of a CSV. */
void estimate_write_csv_head(struct bytes *out);

/* One pair of bots, in that format. */
void estimate_write(const struct estimate_view *view, enum report_format format,
                    const struct estimate *estimate, struct bytes *out);

#endif
