/* Luck: how much of a game the dice decided, read off its record by the evaluator.
 *
 * The luck of a throw is what its best play is worth less what the best plays of all 21
 * throws are worth on average; times the cube. The best play is the evaluator's own, never
 * the one that was made, so that luck has the mean 0 whoever plays. The throw for the start
 * counts too: where it is played at once it is one of 30 equal chances, else it gives the
 * edge of the start. Sums are whole numbers, 1 / (SWEEP_WEIGHT * NET_ONE) of a point, to X. */
#ifndef HAKEM_ARENA_LUCK_H
#define HAKEM_ARENA_LUCK_H

#include "arena/row.h"
#include "eval/sweep.h"
#include "record/replay.h"

/* One unit of luck in points. */
enum { LUCK_ONE = SWEEP_WEIGHT * NET_ONE };

/* A finished game and the luck in it, to X. */
struct luck_game {
    unsigned game;
    int winner;     /* side, -1 none */
    int net;        /* half points X won, less those it lost */
    int64_t points; /* luck in points, the cube included */
    int64_t wins;   /* luck in games won, without the cube; 1 is a won game */
    int throws;     /* that were counted */
};

/* A record as far as it goes. */
struct luck_match {
    struct record_header header;
    bool over;            /* its match has ended, */
    struct match_row end; /* like that: result, score, games; for the tally */
    int games, throws;
    int net; /* half points */
    int64_t points, wins;
};

struct luck_reader;

/* A reader of one record, which may still grow; it calls back for each finished game (`take`
 * may be NULL), games that the referee lost left out. `room` is worked in. */
struct luck_reader *luck_reader_new(const struct net *net, struct play_room *room,
                                    void (*take)(void *owner, const struct luck_game *game),
                                    void *owner);
void luck_reader_free(struct luck_reader *reader);

/* Reads on: whole lines, behind those before. 0, or -1 with a sentence: a line that does not
 * hold, or rules that the net does not know; then the reader is of no further use. */
int luck_reader_feed(struct luck_reader *reader, const char *text, size_t length,
                     char why[RECORD_WHY_MAX]) __attribute__((warn_unused_result));

/* What was read so far. */
const struct luck_match *luck_reader_match(const struct luck_reader *reader);

#endif
