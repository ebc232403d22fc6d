/* Records that are given as files, taken together: the two legs of a pair as one sample, as in
 * the store they come from. */
#ifndef HAKEM_CLI_LUCK_FILES_H
#define HAKEM_CLI_LUCK_FILES_H

#include "arena/luck.h"
#include "arena/report.h"

struct luck_files {
    struct event event;     /* for the names of the bots */
    struct file_match *match; /* owned */
    size_t count, room;
    char evaluator[NET_NAME_MAX]; /* of the first one */
};

void luck_files_init(struct luck_files *files);
void luck_files_clear(struct luck_files *files);

/* Takes a record that was read by that evaluator, if its match has a result; of another game or
 * evaluator than the first one nothing is taken. */
void luck_files_add(struct luck_files *files, const struct luck_match *match,
                    const char *evaluator);

/* Adds the estimates of every two bots that met, where there is more than one match. */
void luck_files_write(struct luck_files *files, enum report_format format, struct bytes *out);

#endif
