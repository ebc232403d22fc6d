#include "cli/strikes.h"

#include "base/backoff.h"

#include <stdio.h>
#include <string.h>

enum { STRIKE_FIRST = 1000, STRIKE_MOST = 8000, STRIKE_FORGET = 600000 /* ms */ };

/* The address's own strike, or a place for it. */
static struct strike *strike_of(struct strikes *strikes, const char *host) {
    struct strike *oldest = &strikes->strike[0];
    for (int i = 0; i < strikes->count; i++) {
        struct strike *strike = &strikes->strike[i];
        if (strcmp(strike->host, host) == 0) {
            return strike;
        }
        oldest = strike->at < oldest->at ? strike : oldest;
    }
    struct strike *strike =
        strikes->count < STRIKES_MAX ? &strikes->strike[strikes->count++] : oldest;
    memset(strike, 0, sizeof *strike);
    snprintf(strike->host, sizeof strike->host, "%s", host);
    return strike;
}

int64_t strikes_add(struct strikes *strikes, const char *who, int64_t now) {
    char host[ADDRESS_TEXT_MAX];
    const char *colon = strrchr(who, ':');
    int length = colon != NULL ? (int)(colon - who) : (int)strlen(who);
    snprintf(host, sizeof host, "%.*s", length, who);
    struct strike *strike = strike_of(strikes, host);
    strike->count = now - strike->at < STRIKE_FORGET ? strike->count + 1 : 1;
    strike->at = now;
    return backoff_delay(strike->count, STRIKE_FIRST, STRIKE_MOST);
}
