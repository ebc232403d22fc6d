/* The luck of a store's games: STORE/luck.csv, and the same read anew from the records. */
#ifndef HAKEM_CLI_LUCK_STORE_H
#define HAKEM_CLI_LUCK_STORE_H

#include "arena/fortune.h"
#include "arena/report.h"
#include "base/fail.h"

/* STORE/luck.csv; the caller frees. */
char *luck_store_path(const char *folder);

/* Reads that file as far as it is whole into a fresh fortune; how many bytes that are, 0 where
 * there is none: the event goes without. */
size_t luck_store_load(const char *folder, struct fortune *fortune);

/* Adds the estimates of every two bots that met to `out`: read anew from the records, by the
 * evaluator compiled in or that of the file `net`. 0, or -1 with one line: no such store, no
 * evaluator for its game or options, a record that does not hold. */
int luck_store_write(const char *folder, const char *net, enum report_format format,
                     struct bytes *out, struct fail *fail) __attribute__((warn_unused_result));

#endif
