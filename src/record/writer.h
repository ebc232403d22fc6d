/* The match record as it is written: the spectator's lines, each with the first
 * 16 hex digits of the chain (dice.md, "Record, chain, signature"). The owner
 * takes the text away in pieces (a game at a time); the chain goes on. */
#ifndef HAKEM_RECORD_WRITER_H
#define HAKEM_RECORD_WRITER_H

#include "base/bytes.h"
#include "dice/hash.h"
#include "dice/sign.h"
#include "wire/message.h"

enum { RECORD_PIECE_MAX = 4 << 20, RECORD_CHAIN_DIGITS = 16 };

struct record_writer {
    struct hash head;      /* h of the last line */
    uint64_t lines;        /* lines written since the header, header included */
    struct bytes text;     /* lines not yet taken away */
    void (*watch)(void *owner, const char *line, size_t length);
    void *owner;           /* of the watch */
};

/* An empty record. */
void record_init(struct record_writer *writer);
void record_clear(struct record_writer *writer);

/* What was written so far is kept elsewhere now: its room is given back. */
void record_empty(struct record_writer *writer);

/* Adds one message as a line in the text spelling. */
void record_add(struct record_writer *writer, const struct message *message);

/* The same of a line that is spelled already, not the header. */
void record_add_line(struct record_writer *writer, const char *line, size_t length);

/* Has each line that is added from now on told to `watch`, its LF included; NULL: nobody. */
void record_watch(struct record_writer *writer,
                  void (*watch)(void *owner, const char *line, size_t length), void *owner);

/* Goes on after lines that were written before: checks their chain and takes
 * over head and count. 0, or -1 when the text is not a whole, intact record. */
int record_resume(struct record_writer *writer, const char *text, size_t length)
    __attribute__((warn_unused_result));

/* Adds the `sign` line; nothing may be added afterwards. */
void record_sign(struct record_writer *writer, const struct sign_key *key);

#endif
