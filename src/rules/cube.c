#include "rules/cube.h"

#include <string.h>

enum { KIND_SINGLE = 1, KIND_DOUBLE = 2, KIND_TRIPLE = 3 };

static const char *const names[ACT_COUNT] = {"roll",   "double", "play",   "take",  "drop",
                                             "beaver", "resign", "accept", "reject"};

const char *act_name(enum act act) {
    int bit = 0;
    while (bit < ACT_COUNT - 1 && (unsigned)act != 1u << bit) {
        bit++;
    }
    return names[bit];
}

unsigned act_find(const char *name, size_t length) {
    for (int bit = 0; bit < ACT_COUNT; bit++) {
        if (strlen(names[bit]) == length && memcmp(names[bit], name, length) == 0) {
            return 1u << bit;
        }
    }
    return 0;
}

static bool is_money(const struct rules *rules) {
    return rules->value[OPTION_MATCH] == 0;
}

void decision_init(struct decision *decision, const struct rules *rules, enum side starter,
                   int ties) {
    *decision = (struct decision){.phase = PHASE_THROW,
                                  .side = starter,
                                  .first = true,
                                  .cube = {.value = 1, .owner = CUBE_MIDDLE}};
    if (rules->value[OPTION_VIDO] && is_money(rules)) {
        for (int i = 0; i < ties && i < rules->value[OPTION_AUTO_DOUBLES] &&
                        decision->cube.value < rules->value[OPTION_VIDO_MAX];
             i++) {
            decision->cube.value *= 2;
        }
    }
}

enum side decision_mover(const struct decision *decision) {
    switch (decision->phase) {
    case PHASE_THROW:
    case PHASE_THROWN:
        break;
    case PHASE_DOUBLED:
        return decision->cube.doubler;
    case PHASE_RESIGNED:
        return side_other(decision->side);
    }
    return decision->side;
}

bool decision_thrown(const struct decision *decision) {
    return decision->phase == PHASE_THROWN ||
           (decision->phase == PHASE_RESIGNED && decision->before == PHASE_THROWN);
}

/* A double to that value is within the limit of the cube. */
static bool has_room(const struct rules *rules, int value) {
    return value <= rules->value[OPTION_VIDO_MAX];
}

/* B24: on one's own turn before the throw, but not before the very first throw; B25: who owns
 * the cube; B27: not in the Crawford game, nor when the value suffices for the match. */
static bool may_double(const struct rules *rules, const struct match *match,
                       const struct decision *decision) {
    const struct cube *cube = &decision->cube;
    bool owns = cube->owner == CUBE_MIDDLE || cube->owner == (int)decision->side;
    bool dead =
        match->length > 0 && cube->value * POINT_HALVES >= match_away(match, decision->side);
    return rules->value[OPTION_VIDO] && !decision->first && owns && !dead &&
           match->crawford != CRAWFORD_NOW && has_room(rules, cube->value * 2);
}

static bool may_beaver(const struct rules *rules, const struct cube *cube) {
    return is_money(rules) && cube->beavers < rules->value[OPTION_BEAVERS] &&
           has_room(rules, cube->offer * 2);
}

/* The highest kind that a game can be lost with under these rules. */
static int kind_most(const struct rules *rules) {
    bool triple = rules->value[OPTION_KATMERLI] == 3 || rules->value[OPTION_KOKS] == 3;
    return triple ? KIND_TRIPLE : KIND_DOUBLE;
}

bool resign_may(const struct rules *rules, const struct decision *decision, int kind) {
    bool own = decision->phase == PHASE_THROW || decision->phase == PHASE_THROWN;
    return rules->value[OPTION_RESIGN] && own && !decision->resigned &&
           kind > decision->rejected[decision->side] && kind <= kind_most(rules);
}

unsigned cube_may(const struct rules *rules, const struct match *match,
                  const struct decision *decision) {
    unsigned resign = resign_may(rules, decision, kind_most(rules)) ? ACT_RESIGN : 0;
    switch (decision->phase) {
    case PHASE_THROW:
        return ACT_ROLL | resign | (may_double(rules, match, decision) ? ACT_DOUBLE : 0);
    case PHASE_THROWN:
        return ACT_PLAY | resign;
    case PHASE_DOUBLED:
        return ACT_TAKE | ACT_DROP | (may_beaver(rules, &decision->cube) ? ACT_BEAVER : 0);
    case PHASE_RESIGNED:
        return ACT_ACCEPT | ACT_REJECT;
    }
    return 0;
}

/* What was offered stands; the cube goes to whom the first double was offered, and the
 * doubler throws. */
static void take(struct decision *decision) {
    struct cube *cube = &decision->cube;
    decision->side = cube->doubler;
    decision->phase = PHASE_THROWN;
    *cube = (struct cube){.value = cube->offer, .owner = (int)side_other(cube->doubler)};
}

void cube_do(struct decision *decision, enum act act, int kind) {
    enum side other = side_other(decision->side);
    switch (act) {
    case ACT_ROLL:
        decision->phase = PHASE_THROWN;
        break;
    case ACT_DOUBLE:
        decision->cube.offer = decision->cube.value * 2;
        decision->cube.doubler = decision->side;
        decision->phase = PHASE_DOUBLED;
        decision->side = other;
        break;
    case ACT_PLAY:
        decision->phase = PHASE_THROW;
        decision->side = other;
        decision->first = false;
        decision->resigned = false;
        break;
    case ACT_TAKE:
        take(decision);
        break;
    case ACT_BEAVER:
        decision->cube.offer *= 2;
        decision->cube.beavers++;
        decision->side = other;
        break;
    case ACT_RESIGN:
        decision->before = decision->phase;
        decision->kind = kind;
        decision->resigned = true;
        decision->phase = PHASE_RESIGNED;
        decision->side = other;
        break;
    case ACT_REJECT:
        decision->phase = decision->before;
        decision->rejected[other] = decision->kind;
        decision->side = other;
        decision->kind = 0;
        break;
    case ACT_DROP:
    case ACT_ACCEPT:
        break;
    }
}

/* Money play counts nothing above single while the cube was not turned. */
static bool counts_single(const struct rules *rules, const struct cube *cube) {
    return rules->value[OPTION_VIDO] && is_money(rules) && rules->value[OPTION_JACOBY] &&
           cube->owner == CUBE_MIDDLE;
}

struct outcome cube_outcome(const struct rules *rules, const struct decision *decision,
                            struct outcome plain) {
    if (plain.over && !plain.drawn && counts_single(rules, &decision->cube)) {
        plain.kind = KIND_SINGLE;
        plain.points = 1;
    }
    plain.points *= decision->cube.value;
    return plain;
}

struct outcome cube_surrender(const struct rules *rules, const struct decision *decision,
                              enum act act) {
    enum side other = side_other(decision->side);
    if (act == ACT_DROP) { /* B26: the value before the offer, never a mars */
        return (struct outcome){true, other, KIND_SINGLE, decision->cube.offer / 2, false};
    }
    struct outcome outcome = {true, decision->side, decision->kind, decision->kind, false};
    return cube_outcome(rules, decision, outcome);
}

struct outcome cube_forfeit(const struct rules *rules, const struct decision *decision,
                            const struct board *board, enum side side) {
    struct outcome worst = board_worst(rules, board, side);
    int least = rules->value[OPTION_FORFEIT_POINTS];
    int drop = decision->cube.offer / 2;
    worst.points *= decision->cube.value;
    worst.points = worst.points > least ? worst.points : least;
    worst.points = worst.points > drop ? worst.points : drop;
    return worst;
}
