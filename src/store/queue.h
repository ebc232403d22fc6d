/* The queue between the play and the writer: puts in order, many taken at once. */
#ifndef HAKEM_STORE_QUEUE_H
#define HAKEM_STORE_QUEUE_H

#include "store/tables.h"

enum put_kind {
    PUT_DRAWN, PUT_START, PUT_MIX, PUT_GAME, PUT_MATCH, PUT_SEAL, PUT_REST, PUT_WAKE,
    PUT_ASK, /* for a record; the answer is another, with its text */
};

/* One thing to be written; owned by the queue, then by who took it. */
struct put {
    struct put *next;
    uint64_t ticket;
    enum put_kind kind;
    uint32_t unit;
    int leg;
    union {
        struct game_row game; /* of PUT_MIX only the attempt */
        struct match_row match;
        uint32_t tag; /* of PUT_ASK */
    } row;
    size_t length;
    char text[];
};

struct put_queue {
    struct put *first, *last;
    size_t bytes;
};

/* A put with a copy of its piece of the record. */
struct put *put_new(enum put_kind kind, uint32_t unit, int leg, const char *text, size_t length);

/* Adds it at the end. */
void put_queue_add(struct put_queue *queue, struct put *put);

/* Moves all of `from` to the end. */
void put_queue_join(struct put_queue *queue, struct put_queue *from);

/* Frees a whole list. */
void put_free_all(struct put *put);

/* Writes one into the open transaction, or adds what it asks for to `answers`. */
int put_write(const struct put *put, struct db *db, struct put_queue *answers, struct fail *fail)
    __attribute__((warn_unused_result));

/* The writer's bell: a pipe, so that the writer can wait for a time without asking
 * for the time. */
enum { BELL_WORK = 'w', BELL_HURRY = 'h' };

int bell_make(int pair[2], struct fail *fail) __attribute__((warn_unused_result));

/* A byte into it; a full pipe rings already. */
void bell_ring(const int pipe_ends[2], char byte);

/* Waits for it, at most `ms` (-1: for ever); whether it said hurry. */
bool bell_await(const int pipe_ends[2], int ms);

#endif
