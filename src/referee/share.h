/* The time that the open requests of one session share (clock=shared): with k of
 * them open, each is charged 1/k of the time that passes. Inside the referee only.
 *
 * `spent` is what a request has been charged that was open from the beginning; a
 * request keeps what it was when its own clock started, and its deadline is a
 * place on that scale. So nothing is touched but the one that starts or stops,
 * whatever k is. */
#ifndef HAKEM_REFEREE_SHARE_H
#define HAKEM_REFEREE_SHARE_H

#include "referee/heap.h"

enum { SHARE_MS = 1000 /* µs, the unit of the scale */ };

struct share {
    int64_t at;         /* ms: `spent` counts up to here */
    int64_t spent;      /* µs */
    int64_t rest;       /* µs that passed and did not divide by k yet */
    int64_t open;       /* requests whose clocks run: k */
    struct heap order;  /* their deadlines on the scale, the first one first */
    struct timer timer; /* among the referee's: not later than the first of them is reached */
};

void share_init(struct share *share, uint32_t session);
void share_clear(struct share *share);

/* Hands it over to another session's object; `from` is as new, its timer is not set. */
void share_move(struct share *share, struct share *from);

/* Brings `spent` up to `now`. */
void share_pass(struct share *share, int64_t now);

/* One more request is open, or one less; share_pass comes first. `flag` is its deadline on the
 * scale, at `at` (INT64_MAX: it has none there). */
void share_join(struct share *share, struct timer *flag, int64_t at);
void share_leave(struct share *share, struct timer *flag);

/* No deadline is reached before this if nothing changes, ms; INT64_MAX: there is none. */
int64_t share_due(const struct share *share);

/* The first deadline that has been reached, taken out; NULL when there is none. */
struct timer *share_flag(struct share *share);

#endif
