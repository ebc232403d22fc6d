/* One question to a running program, over its local socket (net/control.h). */
#ifndef HAKEM_CLI_ASK_H
#define HAKEM_CLI_ASK_H

#include "base/bytes.h"
#include "base/fail.h"

/* Sends the question; false when nobody hears it any more. */
bool ask_send(int peer, const char *line, size_t length);

/* Reads the answer to its end; `where` is what the program runs, for messages. */
int ask_read(int peer, struct bytes *out, const char *where, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
