/* The door's calls about matches: they are seated, reseated, given up. */
#include "referee/table.h"

#include <stdio.h>

/* Two legs of a unit know each other. */
static void join(struct referee *referee, struct table *table, uint32_t mate_id) {
    struct table *mate = referee_find_table(referee, mate_id);
    if (mate != NULL && mate->state != TABLE_OVER) {
        table->mate = mate->id;
        mate->mate = table->id;
        mix_join(table, mate);
    }
}

uint32_t referee_seat(struct referee *referee, const struct match_spec *spec, int64_t now,
                      char why[160]) {
    referee->now = now;
    uint32_t id = shelf_next_id(&referee->tables, REFEREE_TABLES_MAX);
    if (id == 0) {
        snprintf(why, 160, "all %d tables are taken", REFEREE_TABLES_MAX);
        return 0;
    }
    struct table *table = table_new(id, spec);
    if (table_open_record(referee, table, spec, why) != 0) {
        table_free(table);
        return 0;
    }
    shelf_add(&referee->tables, id, table);
    if (spec->reserve) {
        bool both = table_attach(referee, table, SIDE_X, spec->session[SIDE_X]) &&
                    table_attach(referee, table, SIDE_Y, spec->session[SIDE_Y]);
        if (!both) {
            referee_unseat(referee, id);
            snprintf(why, 160, "a seat was taken");
            return 0;
        }
        return id;
    }
    table_inherit_pause(referee, table);
    join(referee, table, spec->mate);
    gallery_begin(referee, table, spec);
    if (table_is_void(table, spec)) {
        table_report_void(referee, table);
    }
    for (enum side side = SIDE_X; (int)side < SIDE_COUNT; side++) {
        if (table_attach(referee, table, side, spec->session[side])) {
            tell_match(referee, table, side);
        }
    }
    table_go_on(referee, table);
    return id;
}

void referee_begin(struct referee *referee, uint32_t id, const struct match_spec *spec,
                   int64_t now) {
    struct table *table = referee_find_table(referee, id);
    referee->now = now;
    table_inherit_pause(referee, table);
    join(referee, table, spec->mate);
    gallery_begin(referee, table, spec);
    tell_match(referee, table, SIDE_X);
    tell_match(referee, table, SIDE_Y);
    table_go_on(referee, table);
}

void referee_unseat(struct referee *referee, uint32_t id) {
    struct table *table = referee_find_table(referee, id);
    table_detach(referee, table, SIDE_X);
    table_detach(referee, table, SIDE_Y);
    table_set_state(table, TABLE_OVER);
    referee_bury(referee, id, TIMER_OF_TABLE);
}

int referee_reseat(struct referee *referee, uint32_t id, enum side side, uint32_t session,
                   int64_t now) {
    struct table *table = referee_find_table(referee, id);
    referee->now = now;
    if (table == NULL || table->state == TABLE_OVER || table->seat[side].session != 0 ||
        !table_attach(referee, table, side, session)) {
        return -1;
    }
    tell_match(referee, table, side);
    table_go_on(referee, table);
    return 0;
}

void referee_forfeit(struct referee *referee, uint32_t id, enum side side, enum reason reason,
                     int64_t now) {
    struct table *table = referee_find_table(referee, id);
    referee->now = now;
    if (table != NULL && table->state != TABLE_OVER) {
        table_forfeit(referee, table, side, reason);
    }
}

void referee_abandon(struct referee *referee, uint32_t id, enum reason reason, int64_t now) {
    struct table *table = referee_find_table(referee, id);
    referee->now = now;
    if (table != NULL && table->state != TABLE_OVER) {
        table_end(referee, table, -1, reason, -1);
    }
}
