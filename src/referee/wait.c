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

void wait_arm(struct referee *referee, struct session *session) {
    arm(referee, &session->share);
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
    referee->running++;
    request->since = share->spent;
    share_join(share, &table->seat[table->decision.side].flag,
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
    referee->running--;
    request->charged += share->spent - request->since;
    share_leave(share, &table->seat[table->decision.side].flag);
    arm(referee, share);
}

void wait_start(struct referee *referee, struct table *table) {
    struct request *request = &table->request;
    int64_t limit = limit_of(referee, table);
    request->started_at = table_time(referee, table);
    request->turn = referee->turn;
    /* However many share it, no answer takes longer than this by the wall. */
    if (is_shared(table) && limit < referee->limits.answer) {
        limit = referee->limits.answer;
    }
    table_set_deadline(referee, table, request->started_at + limit);
    if (table->holds == 0) {
        wait_run(referee, table);
    }
}

/* What the request has cost so far, whatever the referee was late. */
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

int64_t wait_left(struct referee *referee, struct table *table) {
    int64_t left = clock_told(&table->clock, table->decision.side, table_spent(table)) -
                   cost_now(referee, table).ms;
    return left > 0 ? left : 0;
}

/* The answer may have come earlier, by what the referee was late to hear it. */
static void credit_lag(const struct referee *referee, const struct table *table,
                       struct cost *cost) {
    const struct request *request = &table->request;
    if (request->started_at < 0 || request->turn == referee->turn || table->holds != 0) {
        return;
    }
    int64_t lag = request->turn + 1 == referee->turn ? referee->lag.fresh : referee->lag.old;
    lag = lag < cost->passed ? lag : cost->passed;
    int64_t share = cost->open > 1 && !table->clock.rule.wall ? lag / cost->open : lag;
    cost->passed -= lag;
    cost->ms = share < cost->ms ? cost->ms - share : 0;
    cost->ms = cost->ms < cost->passed ? cost->ms : cost->passed;
    cost->lag = lag + referee->lag.held;
}

static enum clock_flag charge(struct referee *referee, struct table *table) {
    struct request *request = &table->request;
    struct seat *seat = &table->seat[table->decision.side];
    request->settled = true;
    wait_stop(referee, table);
    table_clear_deadline(table);
    seat->ms += request->cost.ms;
    seat->rest = request->cost.rest;
    return clock_is_set(&table->clock)
               ? clock_charge(&table->clock, table->decision.side, table_spent(table),
                              request->cost.ms)
               : CLOCK_IN_TIME;
}

enum clock_flag wait_settle(struct referee *referee, struct table *table) {
    if (table->request.settled) {
        return CLOCK_IN_TIME;
    }
    table->request.cost = cost_now(referee, table);
    credit_lag(referee, table, &table->request.cost);
    return charge(referee, table);
}

bool wait_lapse(struct referee *referee, struct table *table) {
    enum side side = table->decision.side;
    int64_t spent = table_spent(table);
    bool set = clock_is_set(&table->clock);
    bool by_reserve = set && clock_is_reserve(&table->clock, side, spent);
    int64_t allowance = set ? clock_allowance(&table->clock, side, spent) : INT64_MAX;
    table->request.cost = cost_now(referee, table);
    charge(referee, table);
    return by_reserve && table->request.cost.ms >= allowance;
}

void wait_expire(struct referee *referee, struct session *session) {
    struct timer *flag;
    share_pass(&session->share, referee->now);
    while ((flag = share_flag(&session->share)) != NULL) {
        game_overrun(referee, referee_find_table(referee, flag->id));
    }
    arm(referee, &session->share);
}

void referee_heard(struct referee *referee, const struct referee_lag *lag) {
    referee->turn++;
    referee->lag = *lag;
}

bool referee_waits(const struct referee *referee) {
    return referee->running > 0;
}
