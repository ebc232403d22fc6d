/* A pause: the time of a table stands still. Deadlines and the clock of an open request
 * are kept in the table's own time and moved on by the length of the pause when it ends,
 * so that everybody has exactly what was left. */
#include "base/log.h"
#include "referee/table.h"

#include <string.h>

enum { HOLD_OF_TABLE = 1, HOLD_OF_ALL = 2 };

int64_t table_time(const struct referee *referee, const struct table *table) {
    return table->holds != 0 ? table->frozen_at : referee->now;
}

void table_set_deadline(struct referee *referee, struct table *table, int64_t at) {
    table->due = true;
    table->timer.at = at;
    if (table->holds == 0) {
        heap_set(&referee->timers, &table->timer, at);
    }
}

void table_clear_deadline(struct table *table) {
    table->due = false;
    heap_rest(&table->timer);
}

void table_inherit_pause(const struct referee *referee, struct table *table) {
    if (referee->paused) {
        table->holds = HOLD_OF_ALL;
        table->frozen_at = referee->now;
        memcpy(table->frozen_for, referee->paused_for, sizeof table->frozen_for);
    }
}

static bool freeze(struct referee *referee, struct table *table, unsigned hold, const char *word) {
    if (table == NULL || table->state == TABLE_OVER || (table->holds & hold) != 0) {
        return false;
    }
    if (table->holds == 0) {
        table->frozen_at = referee->now;
        memcpy(table->frozen_for, word, sizeof table->frozen_for);
        heap_unset(&referee->timers, &table->timer);
        wait_stop(referee, table);
        log_line(LOG_LEVEL_INFO, "table %u paused reason=%s", table->id, word);
        tell_pause(referee, table, SIDE_X);
        tell_pause(referee, table, SIDE_Y);
    }
    table->holds |= hold;
    return true;
}

/* Who was lost has what was left of its time when the pause began, or when it was lost. */
static void give_time_back(struct referee *referee, const struct table *table) {
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        struct session *session = referee_find_session(referee, table->seat[side].session);
        if (session != NULL && session->state == SESSION_LOST) {
            int64_t used = table->frozen_at - session->lost_at;
            heap_set(&referee->timers, &session->timer,
                     referee->now + referee->limits.vacant - (used > 0 ? used : 0));
        }
    }
}

/* Its time goes on from where it stood. */
static void thaw(struct referee *referee, struct table *table) {
    int64_t gap = referee->now - table->frozen_at;
    table->request.queued_at += gap;
    if (table->request.started_at >= 0) {
        table->request.started_at += gap;
    }
    if (table->state == TABLE_PLAY && table->request.started_at >= 0 &&
        table->waits == WAITS_NOT) {
        wait_run(referee, table);
    }
    if (table->due) {
        heap_set(&referee->timers, &table->timer, table->timer.at + gap);
    }
    give_time_back(referee, table);
    log_line(LOG_LEVEL_INFO, "table %u resumed after_ms=%lld", table->id, (long long)gap);
    tell_resume(referee, table, SIDE_X);
    tell_resume(referee, table, SIDE_Y);
}

static bool release(struct referee *referee, struct table *table, unsigned hold) {
    if (table == NULL || table->state == TABLE_OVER || (table->holds & hold) == 0) {
        return false;
    }
    table->holds &= ~hold;
    if (table->holds == 0) {
        thaw(referee, table);
        if (table->waits != WAITS_NOT) {
            pair_wake(referee, table);
        } else if (table->held.length > 0) {
            lines_take_held(referee, table);
        } else if (table->state == TABLE_READY && table->seat[SIDE_X].ready &&
                   table->seat[SIDE_Y].ready) {
            table_go_on(referee, table);
        } else if (table->state == TABLE_MIX) {
            table_go_on(referee, table);
        }
    }
    return true;
}

bool referee_pause(struct referee *referee, uint32_t id, const char *reason, int64_t now) {
    char word[PAUSE_WORD_MAX];
    referee->now = now;
    text_escape(reason, strlen(reason), word, sizeof word);
    if (id != 0) {
        return freeze(referee, referee_find_table(referee, id), HOLD_OF_TABLE, word);
    }
    bool news = !referee->paused;
    referee->paused = true;
    memcpy(referee->paused_for, word, sizeof referee->paused_for);
    for (size_t slot = 0; slot < referee->tables.slots; slot++) {
        freeze(referee, referee->tables.thing[slot], HOLD_OF_ALL, word);
    }
    return news;
}

bool referee_resume(struct referee *referee, uint32_t id, int64_t now) {
    referee->now = now;
    if (id != 0) {
        return release(referee, referee_find_table(referee, id), HOLD_OF_TABLE);
    }
    bool news = referee->paused;
    referee->paused = false;
    for (size_t slot = 0; slot < referee->tables.slots; slot++) {
        release(referee, referee->tables.thing[slot], HOLD_OF_ALL);
    }
    return news;
}
