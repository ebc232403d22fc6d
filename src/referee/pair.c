/* Lockstep (dice.md, "Pairs"): the two legs of a pair have the same dice, and who plays both
 * must not learn from one of them what comes in the other. So a leg shows what a step has led to
 * only when the other leg has completed that step too, or has finished the game or its match.
 *
 * A turn has four steps: cube, offer and answer, throw, play. `step` counts those that a leg has
 * completed in its game, four a turn; an answer counts as soon as it is here, shown or not. An
 * answer that completes nothing (a resignation, a beaver) waits until the other leg has answered
 * in that step, whatever that was. Nobody's clock runs while a leg waits. */
#include "referee/table.h"

/* The other leg, while it binds: in the same game and attempt, begun by the same side. */
static const struct table *bound_mate(const struct referee *referee, const struct table *table) {
    const struct table *mate = referee_find_table(referee, table->mate);
    if (!table->lockstep || mate == NULL || mate->state == TABLE_OVER || mate->game > table->game) {
        return NULL;
    }
    bool other = mate->game == table->game &&
                 (mate->attempt != table->attempt ||
                  (mate->in_game && table->in_game && mate->starter != table->starter));
    return other ? NULL : mate;
}

static bool may_show(const struct referee *referee, const struct table *table) {
    const struct table *mate = bound_mate(referee, table);
    if (mate == NULL) {
        return true;
    }
    bool same_game = mate->game == table->game;
    if (table->waits == WAITS_START) {
        return same_game && (mate->in_game || mate->waits == WAITS_START);
    }
    return same_game && mate->in_game &&
           (mate->step >= table->awaits_step ||
            (table->awaits_any && mate->waits == WAITS_ANSWER));
}

void pair_stir(struct referee *referee, const struct table *table) {
    struct table *mate = referee_find_table(referee, table->mate);
    if (mate != NULL && mate->lockstep && mate->waits != WAITS_NOT) {
        heap_set(&referee->timers, &mate->wake, referee->now);
    }
}

bool pair_waits(struct referee *referee, struct table *table, enum table_wait wait, unsigned step,
                bool any) {
    if (!table->lockstep) {
        return false;
    }
    table->waits = wait;
    table->awaits_step = step;
    table->awaits_any = any;
    if (!any && wait != WAITS_START && step > table->step) {
        table->step = step;
    }
    pair_stir(referee, table);
    if (may_show(referee, table)) {
        table->waits = WAITS_NOT;
        return false;
    }
    if (wait != WAITS_ANSWER) { /* no request is open, and nothing was charged */
        table->request.settled = true;
        table->request.cost = (struct cost){.ms = 0};
    }
    table_clear_deadline(table);
    return true;
}

unsigned pair_step(const struct table *table, enum pair_step step) {
    unsigned throws = table->seat[SIDE_X].throws + table->seat[SIDE_Y].throws;
    return PAIR_STEPS * (throws - (table->thrown ? 1 : 0)) + (unsigned)step;
}

void pair_wake(struct referee *referee, struct table *table) {
    enum table_wait wait = table->waits;
    if (table->state == TABLE_OVER || table->holds != 0 || wait == WAITS_DICE ||
        !may_show(referee, table)) {
        return;
    }
    table->waits = WAITS_NOT;
    switch (wait) {
    case WAITS_NOT:
    case WAITS_DICE:
        break;
    case WAITS_START:
        table_go_on(referee, table);
        break;
    case WAITS_THROW:
    case WAITS_FORCED:
        game_proceed(referee, table);
        break;
    case WAITS_ANSWER:
        lines_take_held(referee, table);
        break;
    }
}
