/* A thread with low priority that reads the luck of records while they grow: pieces go in, the
 * luck of finished games comes out, in the same order. The play never waits for it. */
#ifndef HAKEM_CLI_LUCK_WORKER_H
#define HAKEM_CLI_LUCK_WORKER_H

#include "arena/fortune.h"
#include "base/fail.h"

struct luck_worker;

/* A piece of a match's record: whole lines. */
struct luck_piece {
    uint64_t ticket; /* given back with what is found in it */
    uint32_t unit;
    int leg;
    const char *text;
    size_t length;
};

/* What was found: a game, or with `why` that the match's record cannot be read (the taker frees
 * the sentence). */
struct luck_found {
    uint64_t ticket;
    struct fortune_game game;
    char *why;
};

/* The net must outlive it. */
struct luck_worker *luck_worker_new(const struct net *net, struct fail *fail);

/* Ends it: what waits is not read. NULL is nothing. */
void luck_worker_free(struct luck_worker *worker);

/* Puts a copy of the next piece of a match. */
void luck_worker_put(struct luck_worker *worker, const struct luck_piece *piece);

/* Whether so much waits that no more should be put for now: more than so many pieces, or more
 * bytes than there is room for. */
bool luck_worker_is_full(struct luck_worker *worker, uint64_t pieces);

/* A descriptor that becomes readable when something can be taken, or all is read. */
int luck_worker_fd(const struct luck_worker *worker);

/* Takes the next thing found; false when there is none now. */
bool luck_worker_take(struct luck_worker *worker, struct luck_found *out);

/* Whether every piece is read and everything that was found is taken. */
bool luck_worker_is_idle(struct luck_worker *worker);

/* Waits until a piece has been read; returns at once when none is waiting. */
void luck_worker_wait(struct luck_worker *worker);

#endif
