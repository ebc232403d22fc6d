#include "record/replacement.h"
#include "referee/table.h"

#include <stdio.h>
#include <string.h>

enum { BOUNCES_MAX = 3 };

/* Reads "#k", an index into the plays of this request. */
static bool judge_index(struct referee *referee, const struct table *table, const char *claim,
                        size_t length) {
    struct verdict *verdict = &referee->verdict;
    uint64_t index;
    verdict_init(verdict);
    if (length < 2 || claim[0] != '#') {
        return false;
    }
    verdict->legal = game_plays(referee, table);
    if (!text_u64(claim + 1, length - 1, &index) || index >= verdict->legal) {
        snprintf(verdict->reason, sizeof verdict->reason,
                 "%.24s: the plays of this request are #0 to #%zu", claim, verdict->legal - 1);
        return true;
    }
    verdict->judgement = JUDGED_LEGAL;
    verdict->play = referee->room.list[index].play;
    verdict->final = referee->room.list[index].final;
    return true;
}

static void judge(struct referee *referee, const struct table *table, const char *claim,
                  size_t length) {
    if (!judge_index(referee, table, claim, length)) {
        referee->listed = 0; /* judging takes the room */
        play_judge(&table->rules, &table->now, claim, length, &referee->room, &referee->verdict);
    }
}

/* The clock of an answer stops. False when its time was over, and what was lost is lost. */
static bool settle(struct referee *referee, struct table *table) {
    enum side side = table->decision.side;
    switch (wait_settle(referee, table)) {
    case CLOCK_IN_TIME:
        return true;
    case CLOCK_MOVE_OVER:
        game_forfeit(referee, table, side, REASON_TIMEOUT);
        table_go_on(referee, table);
        return false;
    case CLOCK_RESERVE_EMPTY:
        table_forfeit(referee, table, side, REASON_TIMEOUT);
        return false;
    }
    return true;
}

/* The play of the verdict is played; it was the bot's, or the referee's choice for it. */
static void accept(struct referee *referee, struct table *table, bool own) {
    struct cost cost = table_ply_cost(table, table->request.cost);
    if (game_take(referee, table, own ? &cost : NULL)) {
        game_proceed(referee, table);
    }
}

/* Plays what the dice choose in place of an answer that was no play. */
static void replace(struct referee *referee, struct table *table) {
    struct play_room *room = &referee->room;
    size_t count = game_plays(referee, table);
    const struct option_play *chosen = replacement_choose(
        &table->game_key, (unsigned)table->ply + 1, table->now.mover, room->list, count);
    referee->verdict.play = chosen->play;
    referee->verdict.final = chosen->final;
    accept(referee, table, false);
}

/* Whether an answer waits for the other leg: a step completed by it, or `any` answer. */
static bool waits(struct referee *referee, struct table *table, enum pair_step step, bool any) {
    return pair_waits(referee, table, WAITS_ANSWER, pair_step(table, step), any);
}

/* The step that is being answered. A resignation and its answers are no step of their own. */
static enum pair_step step_of(const struct table *table) {
    if (table->decision.phase == PHASE_DOUBLED) {
        return PAIR_OFFER;
    }
    return decision_thrown(&table->decision) ? PAIR_PLAY : PAIR_CUBE;
}

/* The answer was none that could stand: said with the reason. What follows is the
 * rules' where a play was due (B8); elsewhere the game is lost. */
static void refuse(struct referee *referee, struct table *table, enum reason reason,
                   struct hash_field got, const char *why) {
    bool play_due = table->decision.phase == PHASE_THROWN;
    enum illegal illegal =
        play_due ? (enum illegal)table->rules.value[OPTION_ILLEGAL] : ILLEGAL_FORFEIT_GAME;
    struct fault fault = {.side = table->decision.side,
                          .reason = reason,
                          .got = got.data,
                          .got_length = got.length,
                          .why = why,
                          .cost = table->request.cost};
    bool again = illegal == ILLEGAL_RETRY && table->refusals < ILLEGAL_RETRIES;
    if (waits(referee, table, step_of(table), again)) {
        return;
    }
    tell_error(referee, table, fault.side, reason_name(reason), why);
    if (again) {
        table->refusals++;
        record_fault(table, &fault);
        game_ask(referee, table);
    } else if (illegal == ILLEGAL_REPLACE_RANDOM) {
        record_fault(table, &fault);
        replace(referee, table);
    } else {
        game_lose(referee, table, &fault);
        table_go_on(referee, table);
    }
}

/* The answer was no legal play. */
static void refuse_play(struct referee *referee, struct table *table, enum reason reason,
                        struct hash_field claim) {
    char why[240];
    snprintf(why, sizeof why, "%s; legal plays: %zu", referee->verdict.reason,
             referee->verdict.legal);
    refuse(referee, table, reason, claim, why);
}

void game_answer(struct referee *referee, struct table *table, const char *claim, size_t length) {
    if (table->decision.phase != PHASE_THROWN) {
        game_act(referee, table, ACT_PLAY, 0);
        return;
    }
    judge(referee, table, claim, length);
    if (referee->verdict.judgement == JUDGED_AMBIGUOUS && ++table->request.bounced < BOUNCES_MAX) {
        tell_error(referee, table, table->decision.side, "ambiguous", referee->verdict.reason);
        return;
    }
    if (!settle(referee, table)) {
        return;
    }
    switch (referee->verdict.judgement) {
    case JUDGED_LEGAL:
        if (!waits(referee, table, PAIR_PLAY, false)) {
            accept(referee, table, true);
        }
        break;
    case JUDGED_ILLEGAL:
        refuse_play(referee, table, REASON_ILLEGAL, (struct hash_field){claim, length});
        break;
    case JUDGED_MALFORMED:
    case JUDGED_AMBIGUOUS:
        refuse_play(referee, table, REASON_MALFORMED, (struct hash_field){claim, length});
        break;
    }
}

/* An answer that is not allowed here: the request stands, a few times. */
static void bounce(struct referee *referee, struct table *table, enum act act) {
    const char *word = act_name(act);
    char why[120];
    snprintf(why, sizeof why, "%s is not allowed here", word);
    if (++table->request.bounced < BOUNCES_MAX) {
        tell_error(referee, table, table->decision.side, "not-allowed", why);
        return;
    }
    if (settle(referee, table)) {
        refuse(referee, table, REASON_MALFORMED, (struct hash_field){word, strlen(word)}, why);
    }
}

static void yield(struct referee *referee, struct table *table, enum act act) {
    struct outcome outcome = cube_surrender(&table->rules, &table->decision, act);
    game_finish(referee, table, outcome, act == ACT_DROP ? REASON_DROP : REASON_RESIGN);
}

void game_act(struct referee *referee, struct table *table, enum act act, int kind) {
    unsigned may = cube_may(&table->rules, &table->match, &table->decision);
    if ((may & (unsigned)act) == 0 ||
        (act == ACT_RESIGN && !resign_may(&table->rules, &table->decision, kind))) {
        bounce(referee, table, act);
        return;
    }
    bool completes = ((unsigned)act & (ACT_ROLL | ACT_DOUBLE | ACT_TAKE | ACT_DROP)) != 0;
    if (!settle(referee, table) || waits(referee, table, step_of(table), !completes)) {
        return;
    }
    if (act == ACT_ROLL) { /* its time goes with the play */
        table->rolled = table->request.cost;
    } else {
        struct cost cost = table_ply_cost(table, table->request.cost);
        table->ply++;
        clock_reward(&table->clock, table->decision.side);
        tell_act(referee, table, act, kind, &cost);
        table->rolled.ms = table->decision.side == table->now.mover ? -1 : table->rolled.ms;
    }
    if (act == ACT_DROP || act == ACT_ACCEPT) {
        yield(referee, table, act);
        return;
    }
    cube_do(&table->decision, act, kind);
    game_proceed(referee, table);
}

void game_spoilt(struct referee *referee, struct table *table, struct hash_field line,
                 const char *why) {
    if (settle(referee, table)) {
        refuse(referee, table, REASON_MALFORMED, line, why);
    }
}
