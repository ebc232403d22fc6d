/* Results: who has won a game, with what, and what a match makes of it.
 *
 * Points are kept in half points (2 = one point), because a draw may give half
 * a point (rules.md B39). Kinds are 1..3: single/oin, mars/gammon,
 * katmerli/backgammon/koks; the name comes from the variant's row.
 */
#ifndef HAKEM_RULES_RESULT_H
#define HAKEM_RULES_RESULT_H

#include "rules/variant.h"

enum { POINT_HALVES = 2, SCORE_TEXT_MAX = 16 };

struct outcome {
    bool over; /* somebody has borne off every checker */
    enum side winner;
    int kind;   /* 1..3 */
    int points; /* whole points, cube apart */
    bool drawn; /* over without a winner; the members between say nothing */
};

/* The outcome of a position. */
struct outcome board_outcome(const struct rules *rules, const struct board *board);

/* The outcome after a turn of `mover` in a game that `starter` began. It differs
 * from that of the position under draw=last_roll (B39): a starter who is done with
 * at most four checkers against him leaves the other one turn more, and when that
 * one is done too the game is drawn. */
struct outcome game_outcome(const struct rules *rules, const struct board *board, enum side starter,
                            enum side mover);

/* What an outcome gives the winner, or each side if it is drawn, in half points. */
int outcome_half_points(const struct rules *rules, const struct outcome *outcome);

/* The worst kind that `side` can still suffer here, and the points it costs:
 * what a forfeit is measured by (protocol.md, "Forfeits must never be cheap"). */
struct outcome board_worst(const struct rules *rules, const struct board *board, enum side side);

/* Points a forfeit by `side` gives the other: the larger of forfeit_points and
 * the worst kind. */
int board_forfeit_points(const struct rules *rules, const struct board *board, enum side side);

/* The word of a kind in that variant ("mars"), or "none". */
const char *kind_name(const struct rules *rules, int kind);

/* The kind of that word in that variant, 0 for no such word. */
int kind_find(const struct rules *rules, const char *word);

/* Where a match stands to its Crawford game: the first one that begins with a side
 * 1 point away (B27). */
enum crawford {
    CRAWFORD_NEVER, /* no cube, no such rule, a single game or a money session */
    CRAWFORD_AHEAD, /* no side has come so far */
    CRAWFORD_NOW,   /* the game that runs or comes next is the one */
    CRAWFORD_PAST
};

/* A match: score and whose game it was. */
struct match {
    int length;            /* points to reach, 0: a money session */
    int games_max;         /* games of a money session */
    enum crawford crawford;
    int score[SIDE_COUNT]; /* half points */
    int games;             /* games finished */
    int last_winner;       /* side, or -1 before the first game and after a draw */
    int last_starter;      /* side, or -1 before the first game */
};

/* A new match under these rules. */
void match_init(struct match *match, const struct rules *rules);

/* Adds a finished game: `winner` is a side or -1 for a draw. */
void match_add(struct match *match, int winner, int half_points, enum side starter);

/* `side` gives the match up: every game that is left is lost, each by the most that a game
 * without doubles can cost. */
void match_give_up(struct match *match, const struct rules *rules, enum side side);

/* Half points that `side` still needs; 0 when it has won, -1 in a money session. */
int match_away(const struct match *match, enum side side);

/* Whether a side has reached the length; `*winner` is it, -1 when both did at once. A money
 * session is over after its games; the higher total has won, -1 when they are equal. */
bool match_over(const struct match *match, int *winner);

/* Who starts the next game without a throw (next_starter), or -1 when the
 * opening throw decides. */
int match_starter(const struct match *match, const struct rules *rules);

/* Writes a score in points, "2" or "2.5". */
void score_write(int half_points, char out[SCORE_TEXT_MAX]);

#endif
