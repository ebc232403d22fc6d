/* The event loop: the one place that asks the clock, and the skin between the
 * pure referee and the world. It owns the event base, the connections and the
 * child processes; the owner of the hooks owns the referee.
 *
 * A turn is one wait for events, then in this order: the referee's deadlines,
 * the owner's `turn`, one gathered write per connection that has output, and
 * the end of what died. Whatever is handed to the outside is freed only there.
 *
 * The referee's clock is net/tempo: CLOCK_MONOTONIC in milliseconds, less the time for
 * which this process itself stood still. Before a deadline takes effect everything that
 * has arrived is read: an answer that was there beats the timer.
 */
#ifndef HAKEM_NET_LOOP_H
#define HAKEM_NET_LOOP_H

#include "base/fail.h"
#include "referee/referee.h"

struct loop;
struct child;
struct conn;
struct event_base;
struct watch;

struct loop_hooks {
    void *owner;
    /* The events of a turn are done; returns when it wants the next turn at the
     * latest (INT64_MAX: it does not care). */
    int64_t (*turn)(void *owner, int64_t now);
    /* SIGINT or SIGTERM came; `count` of them so far. */
    void (*stop)(void *owner, int count);
    /* SIGHUP came; NULL: it counts as a signal to stop. */
    void (*hangup)(void *owner);
    /* A child process ended and is reaped; freed when this returns. Its session is over. */
    void (*exited)(void *owner, struct child *child);
};

/* Makes the loop, takes over the signals and raises the descriptor limit. */
int loop_new(const struct loop_hooks *hooks, struct loop **out, struct fail *fail)
    __attribute__((warn_unused_result));

/* Frees everything; children that still live are killed. */
void loop_free(struct loop *loop);

/* The referee that connections are opened with; it must outlive the loop. */
void loop_set_referee(struct loop *loop, struct referee *referee);

/* Turns until loop_quit. */
void loop_run(struct loop *loop);

/* Makes loop_run return after this turn. */
void loop_quit(struct loop *loop);

/* Says `bye` with the reason to every session, asks every child to go, and turns until
 * nobody is left or `limit` ms have passed; then kills what is left, strays included. */
void loop_end(struct loop *loop, const char *reason, int64_t limit);

/* Milliseconds of the referee's clock when this turn's wait ended: the arrival
 * time of everything that is read in this turn. */
int64_t loop_now(struct loop *loop);

/* Milliseconds of the machine's monotonic clock, for rates. */
int64_t loop_clock(void);

/* Microseconds of the same clock, for what is measured one by one. */
int64_t loop_micros(void);

/* Seconds since 1970, for dates. */
int64_t loop_date(void);

/* Calls `ready` whenever `fd` is readable, until watch_free. */
struct watch *loop_watch(struct loop *loop, int fd, void (*ready)(void *owner), void *owner);
void watch_free(struct watch *watch);

/* Within net/ only. */
struct event_base *loop_base(struct loop *loop);
struct referee *loop_referee(struct loop *loop);
int64_t loop_fresh(struct loop *loop); /* the referee's clock now, for writes */
const struct loop_hooks *loop_hooks(const struct loop *loop);
struct conn_set *loop_conns(struct loop *loop);
struct child_set *loop_children(struct loop *loop);
void loop_note_read(struct loop *loop); /* a read brought something */
void loop_hurry(struct loop *loop);     /* the owner wants its next turn soon */
char *loop_room(struct loop *loop);    /* LOOP_ROOM bytes to read into, for one callback */

enum { LOOP_ROOM = 65536 };

#endif
