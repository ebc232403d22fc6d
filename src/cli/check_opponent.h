/* The opponent that `hakem check` seats against the bot, and that `hakem selftest` seats
 * against itself: a session like any other, which answers at once. */
#ifndef HAKEM_CLI_CHECK_OPPONENT_H
#define HAKEM_CLI_CHECK_OPPONENT_H

#include "base/bytes.h"
#include "dice/hash.h"

#include <stdint.h>

/* How it chooses. */
enum temper {
    TEMPER_WILD,  /* whatever the dice of its own point to, a resignation now and then */
    TEMPER_FIRST, /* always the first of what it may do: no chance at all */
    TEMPER_SEEDED /* as wild, but of the `seed=` of each game alone */
};

struct opponent {
    enum temper temper;
    struct hash_key key; /* its chance */
    uint32_t picks;
    uint64_t plays;  /* of the request that comes */
    struct bytes in, out;
};

/* Says hello; `out` holds what it has to say. */
void opponent_init(struct opponent *opponent, enum temper temper, const struct hash *key);
void opponent_clear(struct opponent *opponent);

/* It is told these bytes; its answers are added to `out`. */
void opponent_hear(struct opponent *opponent, const char *data, size_t length);

#endif
