/* The files in STORE/records against the records of the store that they are copies of. */
#ifndef HAKEM_CLI_AUDIT_COPIES_H
#define HAKEM_CLI_AUDIT_COPIES_H

#include "cli/audit_event.h"

/* The copies of one store; the strings and the parts are not owned. */
struct audit_copies {
    struct records *records;
    struct audit_event *event; /* what is found is printed, and noted there */
    const char *folder;        /* of the store */
    bool at_rest;              /* nothing runs, and nothing was killed */
    bool due;                  /* every record that is signed gets its file */
};

/* What is missing of a store that is not at rest is no finding: it is made when the event goes
 * on. */
struct audit_copies audit_copies_of(struct records *records, struct audit_event *event,
                                    const char *folder, bool at_rest);

/* One record of the store: its file has to be the same, byte for byte. */
void audit_copies_record(struct audit_copies *copies, const struct audit_record *record);

/* Names what lies in the folder and belongs to no match that has ended. */
void audit_copies_strays(const struct audit_copies *copies);

#endif
