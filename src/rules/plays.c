#include "rules/play.h"

#include "rules/turn.h"

#include <string.h>

/* Slots for the positions of one round, powers of two with room to spare: fifteen
 * checkers share four equal dice in 3,060 ways, two different dice in 450. */
enum { SLOTS_MAX = 16384, SLOTS_MIXED = 1024, ROUNDS_MAX = 5 };

/* The plays that have used the same dice, as a stretch of the list. */
struct round {
    size_t first, count;
    uint8_t dice;       /* dice used */
    uint8_t single_die; /* the die where just one of two was used, else 0 */
};

/* The list under construction. Every position is listed after every number of
 * dice, the start first; what the rules take is chosen at the end. */
struct lister {
    const struct turn *turn;
    struct option_play *list;
    size_t count, room;
    struct round rounds[ROUNDS_MAX];
    int round_count;
    uint16_t slots[SLOTS_MAX]; /* positions seen: index + 1 by hash, 0 free */
    size_t slot_count;         /* slots in use, a power of two */
};

static void forget_seen(struct lister *lister, size_t slot_count) {
    lister->slot_count = slot_count;
    memset(lister->slots, 0, slot_count * sizeof lister->slots[0]);
}

/* Mixes the mover's counts; positions that differ in hits alone share a slot. */
static size_t hash_men(const uint8_t men[POINT_COUNT]) {
    uint64_t part[4] = {0}, hash = 0;
    memcpy(part, men, POINT_COUNT);
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ part[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (size_t)(hash >> 17);
}

/* The index of the first entry with the position of entry `index`, which is noted if new. */
static size_t first_seen(struct lister *lister, size_t index) {
    const struct board *final = &lister->list[index].final;
    size_t slot = hash_men(final->men[lister->turn->mover]);
    for (;; slot++) {
        uint16_t *entry = &lister->slots[slot & (lister->slot_count - 1)];
        if (*entry == 0) {
            *entry = (uint16_t)(index + 1);
            return index;
        }
        if (board_equal(&lister->list[*entry - 1u].final, final)) {
            return *entry - 1u;
        }
    }
}

static void add_round(struct lister *lister, size_t first, int dice, int single_die) {
    lister->rounds[lister->round_count++] =
        (struct round){first, lister->count - first, (uint8_t)dice, (uint8_t)single_die};
}

/* Where the mover stands after a play. */
static uint32_t standing_after(const struct turn *turn, const struct option_play *entry) {
    const uint8_t *men = entry->final.men[turn->mover];
    uint32_t standing = turn->standing;
    for (int i = 0; i < entry->play.count; i++) {
        standing |= point_bit(entry->play.step[i].to) & ~point_bit(POINT_OFF);
    }
    for (int i = 0; i < entry->play.count; i++) {
        int from = entry->play.step[i].from;
        standing &= ~((uint32_t)(men[from] == 0) << from);
    }
    return standing;
}

/* Lists what `die` makes of one entry, from the points of `among`. */
static void grow_entry(struct lister *lister, size_t index, int die, uint32_t among, bool unique) {
    const struct turn *turn = lister->turn;
    const struct option_play *parent = &lister->list[index];
    uint32_t standing = standing_after(turn, parent);
    uint32_t sources = turn_sources(turn, &parent->final, standing, die) & among;
    while (sources != 0 && lister->count < lister->room) {
        struct option_play *child = &lister->list[lister->count];
        int from = highest_of(sources);
        sources ^= point_bit(from);
        *child = *parent;
        child->play.step[child->play.count++] = turn_step(turn, &child->final, from, die);
        if (turn_goes_on(turn, &child->final) &&
            (unique || first_seen(lister, lister->count) == lister->count)) {
            lister->count++;
        }
    }
}

/* Four equal dice. The same steps taken from the highest point down are legal
 * whenever they are legal in any order, unless order matters; and a final tells
 * its steps. So only falling orders are followed, and nothing comes twice. */
static void list_double(struct lister *lister) {
    const struct turn *turn = lister->turn;
    for (int n = 0; n < turn->dice_count; n++) {
        struct round before = lister->rounds[n];
        size_t first = lister->count;
        if (turn->order_matters) {
            forget_seen(lister, SLOTS_MAX);
        }
        for (size_t i = before.first; i < before.first + before.count; i++) {
            const struct play *play = &lister->list[i].play;
            bool falling = !turn->order_matters && n > 0;
            uint32_t among = falling ? (point_bit(play->step[n - 1].from) << 1) - 1 : ~0u;
            grow_entry(lister, i, turn->dice[0], among, !turn->order_matters);
        }
        add_round(lister, first, n + 1, 0);
    }
}

/* Whether a checker may pass `point` and leaves no trace there. */
static bool is_free(const struct turn *turn, int point) {
    return point > 0 && (turn->open & ~turn->blots & point_bit(point)) != 0;
}

/* Two different dice, first a then b, then b then a. Of the second order only
 * the steps that could not have come first are new. And a checker that goes two
 * dice ends the same over either point if it hits on neither: the way over b's
 * is left out when a's is free. It shows as b's step going on with a, or as b's
 * step up to a checker that made room with a. Unless order matters, or checkers
 * may be borne off, that is all that comes twice; else each final is looked up. */
static void list_mixed(struct lister *lister) {
    const struct turn *turn = lister->turn;
    int a = turn->dice[0], b = turn->dice[1];
    uint32_t a_first = turn_sources(turn, &turn->start->board, turn->standing, a);
    bool bears_off = __builtin_popcount(turn->standing >> (HOME_POINTS + 1)) < 2;
    bool unique = !turn->order_matters && !bears_off;
    grow_entry(lister, 0, a, ~0u, true);
    add_round(lister, 1, 1, a);
    size_t b_start = lister->count;
    grow_entry(lister, 0, b, ~0u, true);
    add_round(lister, b_start, 1, b);
    size_t first = lister->count;
    if (!unique) {
        forget_seen(lister, SLOTS_MIXED);
    }
    for (size_t i = 1; i < b_start; i++) {
        int up = lister->list[i].play.step[0].from + b;
        uint32_t known = unique && is_free(turn, up - a) ? point_bit(up) : 0;
        grow_entry(lister, i, b, ~known, unique);
    }
    for (size_t i = b_start; i < first; i++) {
        const struct step *step = &lister->list[i].play.step[0];
        bool round = unique && !step->hit && is_free(turn, step->from - a);
        uint32_t known = a_first | (round ? point_bit(step->to) : 0);
        grow_entry(lister, i, a, turn->order_matters ? ~0u : ~known, unique);
    }
    add_round(lister, first, 2, 0);
}

/* Whether a round holds a play that may be the whole turn. */
static bool has_end(const struct lister *lister, const struct round *round) {
    for (size_t i = round->first; i < round->first + round->count; i++) {
        if (turn_ends(lister->turn, &lister->list[i].final)) {
            return true;
        }
    }
    return false;
}

/* What the rules ask of a play as a whole. */
struct demand {
    int most;      /* dice that can be played */
    int larger;    /* the die that is due when only one can be played, else 0 (B4) */
    bool must_max; /* fewer than `most` will not do (B3, B5) */
    bool win_ends; /* but a winning play will (B6) */
};

static struct demand find_demand(const struct lister *lister) {
    const int *value = lister->turn->rules->value;
    struct demand demand = {0, 0, value[OPTION_MUST_MAX] != 0, value[OPTION_WIN_ENDS_TURN] != 0};
    for (int i = 1; i < lister->round_count; i++) {
        const struct round *round = &lister->rounds[i];
        if (!has_end(lister, round)) {
            continue;
        }
        demand.most = round->dice > demand.most ? round->dice : demand.most;
        demand.larger = round->single_die > demand.larger ? round->single_die : demand.larger;
    }
    if (demand.most > 1 || !value[OPTION_LARGER_DIE]) {
        demand.larger = 0;
    }
    return demand;
}

/* Whether a play of this round is enough by its dice. */
static bool is_enough(const struct demand *demand, const struct round *round) {
    return (round->dice == demand->most || !demand->must_max) &&
           (demand->larger == 0 || round->single_die == demand->larger);
}

/* Whether a play of this round may have won, which is always enough (B6). */
static bool may_win(const struct lister *lister, const struct demand *demand,
                    const struct round *round) {
    const struct turn *turn = lister->turn;
    return demand->win_ends && turn->start->board.men[turn->mover][POINT_OFF] + round->dice >=
                                   turn->rules->variant->checkers;
}

/* Moves the legal plays of one round to the end of those kept. With `seen`, of
 * two plays with one final the later, which is the longer, stays. */
static size_t keep_round(struct lister *lister, const struct round *round, bool enough, bool seen,
                         size_t kept) {
    for (size_t i = round->first; i < round->first + round->count; i++) {
        const struct board *final = &lister->list[i].final;
        if ((!enough && !turn_won(lister->turn, final)) || !turn_ends(lister->turn, final)) {
            continue;
        }
        lister->list[kept] = lister->list[i];
        size_t known = seen ? first_seen(lister, kept) : kept;
        lister->list[known] = lister->list[kept];
        kept += known == kept;
    }
    return kept;
}

/* Moves the legal plays to the front of the list; returns their number. */
static size_t choose(struct lister *lister) {
    struct demand demand = find_demand(lister);
    int candidates = 0;
    size_t kept = 0;
    for (int n = 1; n < lister->round_count; n++) {
        const struct round *round = &lister->rounds[n];
        candidates += is_enough(&demand, round) || may_win(lister, &demand, round);
    }
    if (candidates > 1) {
        forget_seen(lister, SLOTS_MAX);
    }
    for (int n = 1; n < lister->round_count; n++) {
        const struct round *round = &lister->rounds[n];
        bool enough = is_enough(&demand, round);
        if (enough || may_win(lister, &demand, round)) {
            kept = keep_round(lister, round, enough, candidates > 1, kept);
        }
    }
    return kept;
}

size_t plays_list(const struct rules *rules, const struct situation *situation,
                  struct option_play *out, size_t room) {
    struct turn turn;
    struct lister lister;
    turn_init(&turn, rules, situation);
    lister.turn = &turn;
    lister.list = out;
    lister.room = room;
    lister.count = 1;
    lister.round_count = 0;
    out[0] = (struct option_play){situation->board, {.count = 0}};
    add_round(&lister, 0, 0, 0);
    if (turn.dice_count == 2) {
        list_mixed(&lister);
    } else {
        list_double(&lister);
    }
    size_t count = choose(&lister);
    if (count == 0) {
        out[0] = (struct option_play){situation->board, {.count = 0}};
        count = 1;
    }
    return count;
}

int plays_dice_used(const struct option_play *list, size_t count) {
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        most = list[i].play.count > most ? list[i].play.count : most;
    }
    return most;
}
