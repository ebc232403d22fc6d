/* The records of a store against the rest of what it holds: the schedule, the secret of the
 * dice, the rows that its standings are made of. */
#ifndef HAKEM_CLI_AUDIT_EVENT_H
#define HAKEM_CLI_AUDIT_EVENT_H

#include "cli/audit.h"
#include "cli/records.h"

struct audit_event;

/* Reads the rows of an open store, which has to outlive it; NULL with a sentence. */
struct audit_event *audit_event_new(struct records *records, struct fail *fail)
    __attribute__((warn_unused_result));
void audit_event_free(struct audit_event *event);

/* One record of it, in the order of the matches; a finding is printed. */
void audit_event_record(struct audit_event *event, const struct audit_record *record);

/* A match that has no record. */
void audit_event_absent(struct audit_event *event, uint64_t match);

/* Prints what is missing, the voids of each bot, and whether the standings follow from the
 * records. */
void audit_event_sum(struct audit_event *event);

/* Finds a finished match by its unit's name and its leg; NULL: the store has none. */
const struct match_row *audit_event_match(const struct audit_event *event, const char *unit,
                                          int leg);

/* Whether a game of that match became void in that attempt. */
bool audit_event_is_void(const struct audit_event *event, const char *unit, int leg,
                         unsigned game, unsigned attempt);

/* Matches that have ended. */
size_t audit_event_matches(const struct audit_event *event);

/* Somebody else has found and said what does not fit, and is nothing of the standings. */
void audit_event_refuse(struct audit_event *event);

/* Something did not fit together. */
bool audit_event_refused(const struct audit_event *event);

/* Matches of the schedule that have not been played to their end. */
uint64_t audit_event_missing(const struct audit_event *event);

#endif
