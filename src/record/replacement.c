#include "record/replacement.h"

#include <string.h>

static bool ranks_before(enum side mover, const struct board *a, const struct board *b) {
    enum side other = side_other(mover);
    int order = memcmp(a->men[mover], b->men[mover], POINT_COUNT);
    return order < 0 || (order == 0 && memcmp(a->men[other], b->men[other], POINT_COUNT) < 0);
}

const struct option_play *replacement_choose(const struct hash_key *game, unsigned ply,
                                             enum side mover, const struct option_play *list,
                                             size_t count) {
    size_t rank = (size_t)(game_pick(game, ply) % count);
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        for (size_t k = 0; k < count; k++) {
            before += ranks_before(mover, &list[k].final, &list[i].final);
        }
        if (before == rank) {
            return &list[i];
        }
    }
    return list;
}
