/* Arguments of a command: long options from a const table, rule options by
 * their own names, and what is left over. An unknown option is refused with the
 * nearest known one. */
#ifndef HAKEM_CLI_ARGS_H
#define HAKEM_CLI_ARGS_H

#include "base/fail.h"
#include "rules/variant.h"

#include <stdbool.h>

enum arg_kind { ARG_FLAG, ARG_TEXT, ARG_NUMBER, ARG_TIME };

/* One option a command takes. `--name VALUE` and `--name=VALUE` are the same. */
struct arg_row {
    const char *name; /* without the dashes */
    enum arg_kind kind;
    long min, max; /* of a number; a time is in milliseconds */
    void *value;   /* bool*, const char **, long * or long * (ms) */
};

struct args {
    const struct arg_row *rows;
    size_t row_count;
    struct rules *rules; /* NULL: the command takes no rule options; else --variant and
                             every option of the variant are read into it */
    char **positional; /* what is left over: within argv, whose order args_read changes */
    int positional_count;
};

/* Reads argv[1..]; 0, or -1 with one line. Rule options are applied after --variant,
 * in whatever order they stand. "--" ends the options; "-" is positional. */
int args_read(struct args *args, int argc, char **argv, struct fail *fail)
    __attribute__((warn_unused_result));

/* Prints "hakem COMMAND: text" on stderr and returns the exit code. */
int args_refuse(const char *command, const struct fail *fail);

#endif
