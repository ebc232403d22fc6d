/* Files of other programs, read as records: .mat in its dialects and .sgf. What kind a file is
 * shows in its first bytes, not in its name. */
#ifndef HAKEM_CLI_FOREIGN_H
#define HAKEM_CLI_FOREIGN_H

#include "base/bytes.h"
#include "base/fail.h"

#include <stdbool.h>

/* Turns a file's bytes into a record, unless they are one; what is wrong with the match is said on
 * standard error, a line each. A match that cannot be followed to its end fails, and with
 * `lenient` what comes before is kept. 0, or -1 with a sentence. */
int foreign_take(const char *path, bool lenient, struct bytes *text, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
