/* The log of an event against its store, and against a copy of the log that was kept elsewhere. */
#ifndef HAKEM_CLI_AUDIT_LOG_H
#define HAKEM_CLI_AUDIT_LOG_H

#include "cli/audit_event.h"
#include "store/store.h"

/* A copy of a log that was kept elsewhere. */
struct audit_kept {
    const char *path; /* NULL: none was kept */
    struct bytes text;
};

/* Verifies STORE/log.hkl, and that it begins as the copy does; what is found is printed. Of a
 * store at rest the log has every result; of another one it is said how many it lacks. */
void audit_log(struct audit_event *event, const struct store *store, const char *folder,
               const struct audit_kept *kept);

#endif
