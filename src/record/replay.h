/* A record read line by line: a machine that judges every line anew.
 *
 * It holds the match as it stands after the line, knows what may come next, and
 * refuses whatever the rules, the earlier lines or the chain do not bear out.
 * It does not know the seed: whether the throws are the committed ones and the
 * signature holds is for verify.h. A replay is a value: a copy is a place to
 * come back to.
 */
#ifndef HAKEM_RECORD_REPLAY_H
#define HAKEM_RECORD_REPLAY_H

#include "record/header.h"
#include "record/mix.h"
#include "record/reason.h"
#include "rules/cube.h"
#include "rules/play.h"

enum { REPLAY_THROWS_MAX = 32, RECORD_LINE_MAX = 65536 };

/* What is awaited. */
enum replay_state {
    REPLAY_START,     /* the header */
    REPLAY_BETWEEN,   /* the next game, or the end of the match */
    REPLAY_PLAY,      /* the ply of the seat on turn */
    REPLAY_BORNE_OFF, /* the result of a game that was played out */
    REPLAY_YIELDED,   /* the result of a game in which a double was dropped, or a resignation
                         accepted */
    REPLAY_FORFEITED, /* the result of a game that was forfeited */
    REPLAY_LEFT,      /* the end of a match that was forfeited between games */
    REPLAY_ENDED,     /* the seed of the unit */
    REPLAY_REVEALED,  /* the signature */
    REPLAY_SIGNED     /* nothing */
};

/* A ply: what a seat threw and did, or did without a throw. */
struct replay_ply {
    enum side seat;
    enum act act;       /* ACT_PLAY: the throw was played */
    int value;          /* ACT_DOUBLE, ACT_BEAVER: what the cube is worth if it is taken */
    int kind;           /* ACT_RESIGN: the kind offered */
    bool thrown;        /* there is a throw: that which was played, or is in force */
    bool known;         /* an earlier ply had it already: a resignation was rejected */
    uint8_t dice[2];    /* in thrown order, while thrown */
    struct play play;
    unsigned turn;      /* number of that seat's own turn in the game, from 0 */
    bool deciding;      /* played with the throw that decided who starts */
    bool replaced;      /* the referee's, in place of an illegal one */
    int64_t ms;         /* charged, -1: nothing was asked of the bot */
    int64_t passed;     /* ms that passed for it; more than `ms` where it was shared */
    int64_t open;       /* requests that shared it at the end, 0: it did not */
    int64_t lag;        /* ms that the referee was late, and did not charge */
};

/* How the last finished game ended. */
struct replay_result {
    int winner;         /* side, -1 none */
    int kind;           /* 1..3, 0 none */
    int half_points;
    enum reason reason;
};

struct replay {
    struct play_room *room; /* the caller's; copies share it */
    enum replay_state state;
    uint64_t lines;         /* lines read, the header included */
    struct hash head;       /* chain after the last of them */
    struct record_header header;
    bool begun;             /* a game has */
    bool mixed;             /* the players' share in the dice is stated: */
    struct contribution of[PLAYERS];
    struct match match;
    int64_t charged[SIDE_COUNT];   /* ms of the match */
    int64_t paid[SIDE_COUNT];      /* the same less the delays: what a reserve paid */
    unsigned answers[SIDE_COUNT];  /* plies that were asked of the bot */
    /* the game that runs, or the last one */
    unsigned game;          /* 0 before the first */
    unsigned attempt;
    struct roll opening[REPLAY_THROWS_MAX];
    int throws;
    enum side starter;
    enum side turn;         /* whose throw it is while state is REPLAY_PLAY */
    struct decision now;    /* what is decided, and the cube */
    uint8_t dice[2];        /* the throw in force, where a resignation has shown it */
    bool shown;
    bool asked;             /* the last throw came after an answer `roll` */
    struct board board;
    unsigned plies;
    int disputes[SIDE_COUNT]; /* since the game began */
    unsigned turns[SIDE_COUNT];
    bool contended;         /* the referee was late at some ply */
    bool in_force;          /* a throw was, when the game was lost by a fault */
    uint32_t used;          /* throws of the games that have a result */
    unsigned refusals;      /* answers to the throw in force that were refused (B8), */
    uint8_t refused_dice[2]; /* and that throw */
    struct replay_ply ply;  /* the last one, where plies > 0 */
    int offender;           /* side of the last fault, -1 none */
    enum reason fault;      /* its reason */
    struct replay_result result;
    /* the match */
    int winner;             /* from REPLAY_ENDED on: side, -1 none */
    enum reason end_reason; /* from REPLAY_ENDED on */
    struct hash seed;       /* S_u, from REPLAY_REVEALED on */
};

/* The machine before the header. */
void replay_init(struct replay *replay, struct play_room *room);

/* Reads one stored line (no LF). 0 with the message decoded; -1 with a sentence,
 * and the replay is of no further use. Its number is `replay->lines` either way. */
int replay_line(struct replay *replay, const char *line, size_t length, struct message *message,
                char why[RECORD_WHY_MAX]) __attribute__((warn_unused_result));

/* Where the next line of a text begins and how long it is; 1 a line, 0 the end
 * of the text, -1 a last line that is cut off. `*at` starts as 0. */
int replay_cut(const char *text, size_t length, size_t *at, const char **line,
               size_t *line_length);

/* Whether the ply to come is played with the throw that decided who starts (rules.md B1). */
bool replay_plays_deciding(const struct replay *replay);

/* How many throws there were before the next throw of the game that runs, from the match's
 * beginning on: that of recorded dice is the next one of their file. */
uint32_t replay_used(const struct replay *replay);

/* The side that gave the match up, whose end has been read; -1 none. */
int replay_gave_up(const struct replay *replay);

/* How the game has ended and what it is worth, where its result is awaited. */
struct replay_result replay_expect(const struct replay *replay);

/* Where an unfinished record stands: what a referee needs to go on. */
struct record_standing {
    struct match match;
    unsigned game;                 /* the next one, from 1 */
    unsigned attempt;              /* its attempt, from 0 */
    uint32_t used;                 /* throws of the games before it */
    int64_t move_time, reserve, increment, delay, margin; /* its clock, see struct record_header, */
    bool wall;                     /* with the margin that is meant where none is written */
    int64_t paid[SIDE_COUNT];      /* ms that a reserve has paid in the match so far */
    unsigned answers[SIDE_COUNT];  /* plies that were asked of the bot (increments) */
    bool mixed;                    /* what the players have added to the dice is known: */
    struct contribution of[PLAYERS];
};

/* Reads a record that stops between games; 0, or -1 with a sentence when it is
 * not intact, runs on within a game or has ended. */
int record_standing(const char *text, size_t length, struct record_standing *out,
                    char why[160]) __attribute__((warn_unused_result));

#endif
