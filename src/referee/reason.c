#include "referee/referee.h"

#include <string.h>

static const char *const reason_names[REASON_COUNT] = {
    [REASON_NORMAL] = "normal",
    [REASON_DROP] = "drop",
    [REASON_RESIGN] = "resign",
    [REASON_ILLEGAL] = "illegal",
    [REASON_MALFORMED] = "malformed",
    [REASON_TIMEOUT] = "timeout",
    [REASON_DISCONNECT] = "disconnect",
    [REASON_STALL] = "stall",
    [REASON_CAP] = "cap",
    [REASON_VOID] = "void",
    [REASON_ABORTED] = "aborted",
};

const char *reason_name(enum reason reason) {
    return reason_names[reason];
}

int reason_find(const char *name) {
    for (int reason = 0; reason < REASON_COUNT; reason++) {
        if (strcmp(reason_names[reason], name) == 0) {
            return reason;
        }
    }
    return -1;
}
