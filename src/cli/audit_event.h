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

/* Something did not fit together. */
bool audit_event_refused(const struct audit_event *event);

/* Matches of the schedule that have not been played to their end. */
uint64_t audit_event_missing(const struct audit_event *event);

#endif
