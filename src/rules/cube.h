/* Cube: doubles, beavers and resignations; who may do what now.
 *
 * A game is a chain of decisions: before a throw, on a throw, on a double that
 * was offered, on a resignation that was offered. `struct decision` is that
 * place in the game and a value; cube_may says what the side asked may do there,
 * and cube_do where it leads. Referee and records go through both, so that a
 * rule is written once (rules.md B23-B27, "Western backgammon").
 */
#ifndef HAKEM_RULES_CUBE_H
#define HAKEM_RULES_CUBE_H

#include "rules/result.h"

#include <stddef.h>

/* What a side may do (bits). */
enum act {
    ACT_ROLL = 1 << 0,
    ACT_DOUBLE = 1 << 1,
    ACT_PLAY = 1 << 2,
    ACT_TAKE = 1 << 3,
    ACT_DROP = 1 << 4,
    ACT_BEAVER = 1 << 5,
    ACT_RESIGN = 1 << 6,
    ACT_ACCEPT = 1 << 7,
    ACT_REJECT = 1 << 8
};

enum { ACT_COUNT = 9, CUBE_MIDDLE = -1 };

struct cube {
    int value;         /* 1, 2, 4... */
    int owner;         /* side that may double, CUBE_MIDDLE: both */
    int offer;         /* 0, or the value if what is offered now is taken */
    enum side doubler; /* while offer > 0: who made the first double of this exchange */
    int beavers;       /* while offer > 0: how often it was doubled back */
};

/* What is decided now. */
enum phase {
    PHASE_THROW,   /* `side` is about to throw: roll or double */
    PHASE_THROWN,  /* `side` has thrown: play */
    PHASE_DOUBLED, /* a double or beaver was offered to `side` */
    PHASE_RESIGNED /* a resignation was offered to `side` */
};

struct decision {
    enum phase phase;
    enum side side; /* who is asked */
    bool first;     /* nobody has thrown in this game yet */
    struct cube cube;
    enum phase before;        /* PHASE_RESIGNED: what was decided when it was offered */
    int kind;                 /* PHASE_RESIGNED: the kind offered, 1..3 */
    bool resigned;            /* a resignation was offered on this turn already */
    int rejected[SIDE_COUNT]; /* highest kind of a side's that was rejected in this game, 0 none */
};

/* The beginning of a game that `starter` begins after so many equal opening throws. */
void decision_init(struct decision *decision, const struct rules *rules, enum side starter,
                   int ties);

/* Whose throw it is, whoever is asked. */
enum side decision_mover(const struct decision *decision);

/* Whether the mover has thrown and not yet played. */
bool decision_thrown(const struct decision *decision);

/* What the side asked may do: bits of enum act, never 0. */
unsigned cube_may(const struct rules *rules, const struct match *match,
                  const struct decision *decision);

/* Takes an act that cube_may allows (`kind` of a resignation, see resign_may): the decision
 * that follows. After ACT_PLAY it is the other side's throw; ACT_DROP and ACT_ACCEPT end the
 * game and change nothing. */
void cube_do(struct decision *decision, enum act act, int kind);

/* Whether `side`, asked now, may resign with that kind. */
bool resign_may(const struct rules *rules, const struct decision *decision, int kind);

/* The outcome of a game that was played out with this cube: points are multiplied, and a gammon
 * counts as single in money play while the cube was not turned (jacoby). */
struct outcome cube_outcome(const struct rules *rules, const struct decision *decision,
                            struct outcome plain);

/* The outcome when the side asked drops or accepts (ACT_DROP, ACT_ACCEPT). */
struct outcome cube_surrender(const struct rules *rules, const struct decision *decision,
                              enum act act);

/* What it costs `side` to forfeit now: the larger of forfeit_points and the worst kind times the
 * cube; while a double is pending at least a drop. */
struct outcome cube_forfeit(const struct rules *rules, const struct decision *decision,
                            const struct board *board, enum side side);

/* The word of an act ("take"), and back: 0 for no such word. */
const char *act_name(enum act act);
unsigned act_find(const char *name, size_t length);

#endif
