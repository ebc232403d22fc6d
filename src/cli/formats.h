/* Formats: the kinds of file that a match is written as, one row each. */
#ifndef HAKEM_CLI_FORMATS_H
#define HAKEM_CLI_FORMATS_H

#include "base/bytes.h"
#include "base/fail.h"

#include <stddef.h>

enum { FORMATS_COUNT = 5 };

struct format_row {
    unsigned bit;       /* FILES_HKM and so on, see arena/event.h */
    const char *ending; /* of its files, and its word in --files */
    /* Adds the file of a record; 0, or -1 with a sentence. */
    int (*write)(const char *record, size_t length, struct bytes *out, struct fail *fail);
};

/* All of them, FORMATS_COUNT rows. */
const struct format_row *formats_rows(void);

/* The row for a path by its ending, or NULL. */
const struct format_row *formats_find(const char *path);

#endif
