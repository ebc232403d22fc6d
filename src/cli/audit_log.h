/* The log of an event against its store, and against a copy of the log that was kept elsewhere. */
#ifndef HAKEM_CLI_AUDIT_LOG_H
#define HAKEM_CLI_AUDIT_LOG_H

#include "cli/audit_event.h"
#include "store/store.h"

/* Verifies STORE/log.hkl, and that it begins with the log at `kept` (NULL: none was kept); what
 * is found is printed. Gives how many results are not in the log yet; -1 with a sentence when
 * `kept` cannot be read. */
int64_t audit_log(struct audit_event *event, const struct store_event *of, const char *folder,
                  const char *kept, struct fail *fail) __attribute__((warn_unused_result));

#endif
