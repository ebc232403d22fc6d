/* Audit: many records verified, on as many threads as there are processors. What came of
 * them is told in the order in which they were given, whoever was done first. */
#ifndef HAKEM_CLI_AUDIT_H
#define HAKEM_CLI_AUDIT_H

#include "base/bytes.h"
#include "record/verify.h"

enum { AUDIT_BATCH = 512 };

/* One record: what it is, and what was found. */
struct audit_record {
    char *name;             /* as it is shown */
    uint64_t number;        /* of the match in its event; 0 none */
    struct bytes text;
    struct bytes findings;  /* a line for each, ready to be printed */
    enum verify_outcome outcome;
    struct verify_report report;
    struct verify_game *games;
    size_t game_count, game_room;
};

struct audit {
    struct verify_known known;
    void (*done)(void *owner, const struct audit_record *record);
    void *owner;
    size_t count, bytes;    /* that wait to be verified */
    struct audit_record *records;
};

/* Sets up an audit; `known.game` is its own affair. */
void audit_init(struct audit *audit, const struct verify_known *known,
                void (*done)(void *owner, const struct audit_record *record), void *owner);

/* Takes a record over: the text is the audit's now. */
void audit_add(struct audit *audit, const char *name, uint64_t number, struct bytes *text);

/* Verifies what waits; then everything that was added has been told. */
void audit_finish(struct audit *audit);

/* Finishes and frees. */
void audit_clear(struct audit *audit);

#endif
