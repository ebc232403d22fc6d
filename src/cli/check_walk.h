/* The walk over the items of `hakem check`: who is met, what applies, whose fault
 * a fault is, when it is not worth going on. */
#ifndef HAKEM_CLI_CHECK_WALK_H
#define HAKEM_CLI_CHECK_WALK_H

#include "cli/check_report.h"

struct walk {
    struct check *check;
    struct check_report report;
    const char *only; /* NULL, "bar" or "bar/tavla" */
    bool list;
    int mutes, breaks; /* items in a row without an answer, or broken off */
    bool row_mute;    /* there was no answer in a variant of this row */
    bool stopped;     /* it is not worth going on */
    bool found;       /* an item that `only` names */
};

/* Tries all that is wanted and reports it, or lists it. */
void walk_all(struct walk *walk);

#endif
