#include "eval/sweep.h"

#include <assert.h>

int sweep_index(const uint8_t dice[2]) {
    int high = dice[0] > dice[1] ? dice[0] : dice[1];
    int low = dice[0] + dice[1] - high;
    return high * (high - 1) / 2 + low - 1;
}

int sweep_weight(int index) {
    for (int high = 1; high <= 6; high++) {
        if (index == high * (high + 1) / 2 - 1) {
            return 1;
        }
    }
    return 2;
}

static struct net_value for_mover(struct net_value other) {
    return (struct net_value){-other.points, NET_ONE - other.wins};
}

/* The places of the plays that look best at first sight, the best first. */
static size_t sift(const struct net *net, const struct situation *situation,
                   const struct option_play *list, size_t count, size_t kept[SWEEP_LOOKED_AT]) {
    int32_t rough[SWEEP_LOOKED_AT];
    struct net_rough last = {{0}, {0}};
    enum side other = side_other(situation->mover);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t worth = -net_rough_points(net, &list[i].final, other, &last);
        size_t at = n < SWEEP_LOOKED_AT ? n++ : SWEEP_LOOKED_AT;
        for (; at > 0 && worth > rough[at - 1]; at--) {
            if (at < SWEEP_LOOKED_AT) {
                rough[at] = rough[at - 1];
                kept[at] = kept[at - 1];
            }
        }
        if (at < SWEEP_LOOKED_AT) {
            rough[at] = worth;
            kept[at] = i;
        }
    }
    return n;
}

struct net_value sweep_pick(const struct net *net, const struct situation *situation,
                            const struct option_play *list, size_t count, size_t *place) {
    size_t kept[SWEEP_LOOKED_AT] = {0, 1, 2, 3};
    size_t n = count <= SWEEP_LOOKED_AT ? count : sift(net, situation, list, count, kept);
    struct net_value best = {INT32_MIN, 0};
    assert(count > 0);
    for (size_t i = 0; i < n; i++) {
        struct net_value value =
            for_mover(net_value(net, &list[kept[i]].final, side_other(situation->mover)));
        if (value.points > best.points) {
            best = value;
            *place = kept[i];
        }
    }
    return best;
}

struct net_value sweep_throw(const struct net *net, const struct rules *rules,
                             const struct situation *situation, struct play_room *room) {
    size_t place = 0;
    size_t count = plays_list(rules, situation, room->list, PLAYS_MAX);
    return sweep_pick(net, situation, room->list, count, &place);
}

void sweep_all(const struct net *net, const struct rules *rules, const struct situation *situation,
               struct play_room *room, struct sweep *out) {
    struct situation thrown = *situation;
    out->points = out->wins = 0;
    for (uint8_t high = 1; high <= 6; high++) {
        for (uint8_t low = 1; low <= high; low++) {
            thrown.dice[0] = high;
            thrown.dice[1] = low;
            int index = sweep_index(thrown.dice);
            out->best[index] = sweep_throw(net, rules, &thrown, room);
            out->points += (int64_t)sweep_weight(index) * out->best[index].points;
            out->wins += (int64_t)sweep_weight(index) * out->best[index].wins;
        }
    }
}
