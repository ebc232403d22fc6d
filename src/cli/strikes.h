/* Strikes: wrong tokens by the address they came from, so that whoever guesses waits
 * longer each time. A bounded table; the oldest address makes room. */
#ifndef HAKEM_CLI_STRIKES_H
#define HAKEM_CLI_STRIKES_H

#include "base/address.h"

enum { STRIKES_MAX = 64 };

struct strike {
    char host[ADDRESS_TEXT_MAX]; /* without the port */
    int count;
    int64_t at; /* of the last one, ms */
};

struct strikes {
    struct strike strike[STRIKES_MAX];
    int count;
};

/* A wrong token from that peer ("127.0.0.1:4711"); how long it waits for its answer, ms.
 * After ten minutes without one an address begins anew. */
int64_t strikes_add(struct strikes *strikes, const char *who, int64_t now);

#endif
