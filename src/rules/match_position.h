/* Match position: a position in the middle of a match, with score and cube and
 * what is on offer: the things that GNU match ids, XGIDs, OGIDs and FIBS board
 * strings say. It is plain data, copied with `=`; who may do what now is not
 * decided here.
 *
 * The two sides are the same everywhere: SIDE_X is GNU Backgammon's player 1 (X,
 * drawn at the bottom), an XGID's bottom player (capitals), an OGID's White and
 * the first name of a FIBS board string.
 */
#ifndef HAKEM_RULES_MATCH_POSITION_H
#define HAKEM_RULES_MATCH_POSITION_H

#include "rules/variant.h"

enum {
    CUBE_LOG_MAX = 15,                /* a cube of 32768 */
    CUBE_LIMIT_USUAL = 10,            /* what an XGID says of a cube without a limit of its own */
    CUBE_CENTRED = -1,                /* nobody owns the cube */
    MATCH_POSITION_LENGTH_MAX = 32767 /* fifteen bits of a GNU match id */
};

/* A double that waits for an answer. */
enum pending_double {
    PENDING_NONE,
    PENDING_DOUBLE,  /* the mover has doubled */
    PENDING_BEAVER,  /* and the other side has turned the cube at once */
    PENDING_RACCOON, /* and the mover once more */
};

enum game_phase {
    GAME_NONE, /* no game was begun */
    GAME_PLAYING,
    GAME_OVER,     /* borne off */
    GAME_RESIGNED, /* ended by a resignation that was accepted */
    GAME_DROPPED,  /* ended by a double that was dropped */
};

struct match_position {
    struct board board;
    enum side mover;             /* on roll, has thrown, or has doubled */
    enum side decider;           /* who is to act; the mover unless something is on offer */
    uint8_t dice[2];             /* 1..6 each in thrown order; 0 and 0 before the throw */
    uint8_t cube_log;            /* the cube shows 2^cube_log, 0..15; a double that waits for its
                                    answer is not yet counted */
    int8_t cube_owner;           /* a side or CUBE_CENTRED; a cube of 1 is centred */
    uint8_t cube_limit;          /* the cube ends at 2^cube_limit, 0..15; 0 is no cube */
    enum pending_double pending; /* by the rules of cubes, before the dice are thrown */
    uint8_t resigning; /* kind 1..3 that the side opposite `decider` offers to lose, or 0 */
    enum game_phase phase;
    int length;            /* points that win the match, 0..32767; 0 is money play */
    int score[SIDE_COUNT]; /* half points, 0 or more; below the length while playing */
    bool crawford;         /* this is the Crawford game of a match */
    bool jacoby, beavers;  /* money play only */
};

/* The opening position, SIDE_X on roll, money play at 0-0 without Jacoby or
 * beavers, a centred cube of 1. */
void match_position_init(struct match_position *position, const struct rules *rules);

/* 0 when every field is in its range, the board can occur and the fields agree,
 * else -1 with a sentence in `why`. */
int match_position_check(const struct match_position *position, const struct rules *rules,
                         char why[160]);

#endif
