#include "record/reason.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned flags;
} reasons[REASON_COUNT] = {
    [REASON_NORMAL] = {"normal", 0},
    [REASON_DROP] = {"drop", 0},
    [REASON_RESIGN] = {"resign", 0},
    [REASON_ILLEGAL] = {"illegal", REASON_BY_FAULT | REASON_ON_TURN},
    [REASON_MALFORMED] = {"malformed", REASON_BY_FAULT | REASON_ON_TURN},
    [REASON_TIMEOUT] = {"timeout", REASON_BY_FAULT | REASON_ON_TURN | REASON_LEAVES | REASON_BOTH},
    [REASON_DISCONNECT] = {"disconnect", REASON_BY_FAULT | REASON_LEAVES | REASON_BOTH},
    [REASON_STALL] = {"stall", REASON_BY_FAULT | REASON_LEAVES},
    [REASON_WITHHELD] = {"withheld", REASON_BY_FAULT | REASON_LEAVES | REASON_BOTH},
    [REASON_CAP] = {"cap", 0},
    [REASON_VOID] = {"void", REASON_NOTHING},
    [REASON_ABORTED] = {"aborted",
                        REASON_BY_FAULT | REASON_LEAVES | REASON_BOTH | REASON_NOTHING},
};

unsigned reason_flags(enum reason reason) {
    return reasons[reason].flags;
}

const char *reason_name(enum reason reason) {
    return reasons[reason].name;
}

int reason_find(const char *name) {
    for (int reason = 0; reason < REASON_COUNT; reason++) {
        if (strcmp(reasons[reason].name, name) == 0) {
            return reason;
        }
    }
    return -1;
}
