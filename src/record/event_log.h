/* The log of an event: the head of each record that has ended and each void game, in the order
 * in which they came to be on disk; chained as a record is, with signed checkpoints. Whoever
 * keeps a checkpoint sees it when a match is dropped later (protocol/record.md, "The log of an
 * event"). */
#ifndef HAKEM_RECORD_EVENT_LOG_H
#define HAKEM_RECORD_EVENT_LOG_H

#include "base/bytes.h"
#include "dice/scheme.h"
#include "dice/sign.h"

enum { EVENT_LOG_WHY_MAX = 160, EVENT_LOG_EVALUATOR_MAX = 48 };

/* Where a log stands: what its next line is chained to. */
struct event_log {
    struct hash head;
    uint64_t lines;      /* 0: not even its header */
    uint64_t checked;    /* lines that its last checkpoint covers */
};

enum event_log_kind { EVENT_LOG_MATCH, EVENT_LOG_VOID, EVENT_LOG_LUCK, EVENT_LOG_CHECKPOINT };

/* One line, the header apart. */
struct event_log_entry {
    enum event_log_kind kind;
    char unit[UNIT_NAME_MAX]; /* of a match or void */
    int leg;
    unsigned game, attempt;   /* of a void */
    struct hash head;         /* of a match: of its record after `end` */
    char evaluator[EVENT_LOG_EVALUATOR_MAX]; /* of luck: from here on it is taken off by this one */
    uint64_t time;            /* of a checkpoint, seconds since 1970 */
};

/* Adds the first line to `out`. */
void event_log_begin(struct event_log *log, const char *event, const uint8_t *public_key,
                     struct bytes *out);

/* Adds a match, a void, or luck. */
void event_log_add(struct event_log *log, const struct event_log_entry *entry, struct bytes *out);

/* Adds a checkpoint, unless nothing has come since the last one. */
void event_log_check(struct event_log *log, const struct sign_key *key, uint64_t time,
                     struct bytes *out);

/* Reads the whole lines of a log of that event and key; each is told. The number of bytes they
 * are goes to `*whole`. 0, or -1 with a sentence that names the line. */
int event_log_read(const char *text, size_t length, const char *event, const uint8_t *public_key,
                   void (*take)(void *owner, const struct event_log_entry *entry), void *owner,
                   struct event_log *log, size_t *whole, char why[EVENT_LOG_WHY_MAX])
    __attribute__((warn_unused_result));

#endif
