/* The luck of a store's records, and what the event says without it. */
#ifndef HAKEM_CLI_LUCK_STORE_H
#define HAKEM_CLI_LUCK_STORE_H

#include "arena/report.h"
#include "base/fail.h"
#include "eval/net.h"

/* Declares, before an event is played or goes on, that its results will be told without luck,
 * and by which evaluator: adds that to `out`, and keeps its name in the store's folder. One
 * that was declared before and is another one is named in `changed`, else that is "". */
int luck_store_declare(const char *folder, const struct event *event, bool jsonl, struct bytes *out,
                       char changed[NET_NAME_MAX], struct fail *fail)
    __attribute__((warn_unused_result));

/* Adds the estimates of every two bots that met to `out`: read anew from the records, by the
 * evaluator compiled in or that of the file `net`. 0, or -1 with one line: no such store, no
 * evaluator for its game or options, a record that does not hold. */
int luck_store_write(const char *folder, const char *net, enum report_format format,
                     struct bytes *out, struct fail *fail) __attribute__((warn_unused_result));

#endif
