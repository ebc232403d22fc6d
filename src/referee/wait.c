/* The clock of an open request: it starts when the kernel has taken the request, stands still
 * while its table is paused, and stops with the answer. What it cost is the session's shared
 * time, or the wall's. */
#include "referee/table.h"

/* The session that is asked; NULL while its seat is vacant. */
static struct session *asked(const struct referee *referee, const struct table *table) {
    return referee_find_session(referee, table->seat[table->decision.side].session);
}

/* The first ms that is too late. */
static int64_t limit_of(const struct referee *referee, const struct table *table) {
    return clock_is_set(&table->clock)
               ? clock_allowance(&table->clock, table->decision.side, table_spent(table)) + 1
               : referee->limits.answer;
}

static bool is_shared(const struct table *table) {
    return clock_is_set(&table->clock) && !table->clock.rule.wall;
}

/* The referee's timer of a session may ring too early, never too late. */
static void arm(struct referee *referee, struct share *share) {
    int64_t due = share_due(share);
    if (due != INT64_MAX && (share->timer.place == 0 || due < share->timer.at)) {
        heap_set(&referee->timers, &share->timer, due);
    }
}

void wait_run(struct referee *referee, struct table *table) {
    struct request *request = &table->request;
    struct session *session = asked(referee, table);
    if (request->running || session == NULL) {
        return;
    }
    struct share *share = &session->share;
    share_pass(share, referee->now);
    request->running = true;
    request->since = share->spent;
    share_join(share, &table->flag,
               is_shared(table)
                   ? share->spent + limit_of(referee, table) * SHARE_MS - request->charged
                   : INT64_MAX);
    arm(referee, share);
}

void wait_stop(struct referee *referee, struct table *table) {
    struct request *request = &table->request;
    struct session *session = asked(referee, table);
    if (!request->running || session == NULL) {
        return;
    }
    struct share *share = &session->share;
    share_pass(share, referee->now);
    request->running = false;
    request->charged += share->spent - request->since;
    share_leave(share, &table->flag);
    arm(referee, share);
}

void wait_start(struct referee *referee, struct table *table) {
    struct request *request = &table->request;
    int64_t limit = limit_of(referee, table);
    request->started_at = table_time(referee, table);
    /* However many share it, no answer takes longer than this by the wall. */
    if (is_shared(table) && limit < referee->limits.answer) {
        limit = referee->limits.answer;
    }
    table_set_deadline(referee, table, request->started_at + limit);
    if (table->holds == 0) {
        wait_run(referee, table);
    }
}

/* What the request has cost so far. */
static struct cost cost_now(struct referee *referee, struct table *table) {
    const struct request *request = &table->request;
    if (request->started_at < 0) {
        return (struct cost){.ms = 0};
    }
    int64_t charged = request->charged + table->seat[table->decision.side].rest;
    int64_t wall = table_time(referee, table) - request->started_at;
    int64_t open = 0;
    struct session *session = request->running ? asked(referee, table) : NULL;
    if (session != NULL) {
        share_pass(&session->share, referee->now);
        charged += session->share.spent - request->since;
        open = session->share.open;
    }
    return (struct cost){.ms = table->clock.rule.wall ? wall : charged / SHARE_MS,
                         .passed = wall,
                         .open = open,
                         .rest = (int)(charged % SHARE_MS)};
}

enum clock_flag wait_settle(struct referee *referee, struct table *table) {
    struct request *request = &table->request;
    enum side side = table->decision.side;
    if (request->settled) {
        return CLOCK_IN_TIME;
    }
    request->cost = cost_now(referee, table);
    request->settled = true;
    wait_stop(referee, table);
    table_clear_deadline(referee, table);
    table->seat[side].ms += request->cost.ms;
    table->seat[side].rest = request->cost.rest;
    return clock_is_set(&table->clock) ? clock_charge(&table->clock, side, table_spent(table),
                                                      request->cost.ms)
                                       : CLOCK_IN_TIME;
}

void wait_expire(struct referee *referee, struct session *session) {
    struct timer *flag;
    share_pass(&session->share, referee->now);
    while ((flag = share_flag(&session->share)) != NULL) {
        game_overrun(referee, referee_find_table(referee, flag->id));
    }
    arm(referee, &session->share);
}
