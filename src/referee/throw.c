/* Where a table's throws come from: the unit's seed, or a list: of a file, or as an operator types
 * them. A list that is used up ends the match, or the table waits until there is more. */
#include "base/alloc.h"
#include "base/log.h"
#include "referee/table.h"

#include <string.h>

/* How many throws of the unit there were before the next one. */
static uint32_t used(const struct table *table) {
    return table->in_game ? table->used + table->opened + table->seat[SIDE_X].throws +
                                table->seat[SIDE_Y].throws
                          : table->used;
}

/* Throw n of a stream; of a list number `at`, false when there are no more. */
static bool draw(const struct table *table, enum dice_stream stream, uint32_t n, uint32_t at,
                 struct roll *roll) {
    if (!dice_are_listed(table->source)) {
        *roll = game_roll(&table->game_key, stream, n);
        return true;
    }
    if (at >= table->listed_count) {
        return false;
    }
    *roll = table->listed[at];
    return true;
}

bool throw_dice(struct table *table) {
    enum side mover = table->now.mover;
    struct roll roll;
    if (!draw(table, mover == SIDE_X ? STREAM_X : STREAM_Y, table->seat[mover].throws, used(table),
              &roll)) {
        return false;
    }
    memcpy(table->now.dice, roll.die, sizeof table->now.dice);
    return true;
}

int throw_opening(const struct table *table, struct roll opening[OPENING_THROWS_MAX]) {
    int throws = 0;
    if (match_starter(&table->match, &table->rules) >= 0) {
        return 0;
    }
    do {
        uint32_t n = (uint32_t)throws;
        if (!draw(table, STREAM_OPENING, n, table->used + n, &opening[throws])) {
            return -1;
        }
        throws++;
    } while (throws < OPENING_THROWS_MAX &&
             opening[throws - 1].die[0] == opening[throws - 1].die[1]);
    return throws;
}

/* Recorded dice have no more throws: the game that runs is void, and the match ends without a
 * winner. */
static void run_out(struct referee *referee, struct table *table) {
    log_line(LOG_LEVEL_WARN, "unit %s, leg %d: the recorded throws ran out after %u in game %u: "
                             "the match is aborted",
             table->dice.unit, table->leg, table->listed_count, table->game);
    if (table->in_game) {
        wait_stop(referee, table);
        table->in_game = false;
        table->waits = WAITS_NOT;
        bytes_clear(&table->held);
        record_void(table);
        table->attempt++;
        table_report_void(referee, table);
    }
    table_end(referee, table, -1, REASON_ABORTED, -1);
}

void throw_is_missing(struct referee *referee, struct table *table) {
    if (table->source != DICE_MANUAL) {
        run_out(referee, table);
        return;
    }
    table->waits = WAITS_DICE; /* no request is open, and nothing is charged */
    table->request.settled = true;
    table->request.cost = (struct cost){.ms = 0};
    table_clear_deadline(table);
    table_set_state(table, table->in_game ? TABLE_PLAY : TABLE_READY);
}

/* The table, if it waits for a throw and nobody has frozen it. */
static struct table *find_waiting(const struct referee *referee, uint32_t id) {
    struct table *table = referee_find_table(referee, id);
    bool waits = table != NULL && table->state != TABLE_OVER && table->waits == WAITS_DICE &&
                 table->holds == 0;
    return waits ? table : NULL;
}

bool referee_awaits_throw(const struct referee *referee, uint32_t id, struct throw_facts *facts) {
    const struct table *table = find_waiting(referee, id);
    if (table == NULL) {
        return false;
    }
    *facts = (struct throw_facts){.game = table->game,
                                  .ply = table->in_game ? table->ply : 0,
                                  .side = table->in_game ? (int)table->now.mover : -1,
                                  .record = table->record.text.data,
                                  .record_length = table->record.text.length};
    return true;
}

bool referee_throw(struct referee *referee, uint32_t id, const struct roll *roll, int64_t now) {
    struct table *table = find_waiting(referee, id);
    if (table == NULL) {
        return false;
    }
    referee->now = now;
    table->listed = alloc_resize(table->listed, table->listed_count + 1, sizeof *table->listed);
    table->listed[table->listed_count++] = *roll;
    table->waits = WAITS_NOT;
    if (table->in_game) {
        game_proceed(referee, table);
    } else {
        table_go_on(referee, table);
    }
    return true;
}

bool referee_rethrow(struct referee *referee, uint32_t id, enum throw_flaw flaw, int64_t now) {
    struct table *table = find_waiting(referee, id);
    if (table == NULL) {
        return false;
    }
    referee->now = now;
    record_rethrow(table, flaw);
    return true;
}
