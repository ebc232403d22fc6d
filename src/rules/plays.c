#include "rules/play.h"

#include "rules/turn.h"

#include <string.h>

/* Four equal dice lead to 3,060 finals at most: as many as there are ways to give
 * four steps to fifteen checkers. Plays that have dice left number 816: 1 + 15 +
 * 120 + 680. Two different dice lead to 450. */
enum {
    EARLY_AT = 4096,    /* where plays with dice left are listed, beyond all finals */
    EARLY_MAX = 1024,   /* room for them, and for those that are sifted out */
    SLOTS_MAX = 8192,   /* slots of the positions seen, a power of two */
    SLOTS_MIXED = 1024, /* as many as two different dice need */
    ROUNDS_MAX = 5
};

/* The plays that have used the same dice, as a stretch of the list. */
struct round {
    size_t first, count;
    uint8_t dice;       /* dice used */
    uint8_t single_die; /* the die where just one of two was used, else 0 */
};

/* The list under construction. Positions are listed after every number of dice:
 * those with dice left behind, the start first, those with all dice used in front,
 * where mostly they are the answer. */
struct lister {
    const struct turn *turn;
    struct option_play *list;
    size_t count; /* where the next entry goes */
    struct round rounds[ROUNDS_MAX];
    int round_count;
    bool unique;                  /* what is listed now can not come twice */
    uint32_t standing[EARLY_MAX]; /* where the mover stands after a play with dice left */
    uint16_t slots[SLOTS_MAX];    /* positions seen: index + 1 by hash, 0 free */
    size_t slot_count;            /* slots in use, a power of two */
};

static void forget_seen(struct lister *lister, size_t slot_count) {
    lister->slot_count = slot_count;
    memset(lister->slots, 0, slot_count * sizeof lister->slots[0]);
}

/* A number for each point, chosen by chance. */
static const uint32_t point_key[POINT_COUNT] = {
    0xb65c1c28u, 0x62032801u, 0xd6fd1d9bu, 0x9530fcd9u, 0x2ebe5794u, 0x37e06c7bu, 0xff8f735cu,
    0x2ad61d54u, 0x31b03dd5u, 0x2b5c138bu, 0xabbf3b84u, 0xae80b07au, 0x177f53c2u, 0xb4b4e566u,
    0xc1fb0cf7u, 0xffada062u, 0x26bb9d18u, 0xce6f291au, 0xb4e16c74u, 0x488b09acu, 0xb97582c6u,
    0xec13f9abu, 0xc414d39du, 0x0341123cu, 0x70fe21e4u, 0x77bf23b9u};

/* Mixes what the steps of a play have changed: plays of one turn that end alike get the same,
 * whatever they hit. */
static size_t hash_play(const struct play *play) {
    uint32_t hash = 0;
    for (int i = 0; i < play->count; i++) {
        hash += point_key[play->step[i].to] - point_key[play->step[i].from];
    }
    return hash;
}

/* The index of the first entry with the position of entry `index`, which is noted if new. */
static size_t first_seen(struct lister *lister, size_t index) {
    const struct board *final = &lister->list[index].final;
    size_t slot = hash_play(&lister->list[index].play);
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

/* Writes what `die` makes of a play, one for each source; returns behind the last. */
static struct option_play *write_children(const struct turn *restrict turn,
                                          const struct option_play *restrict parent, int die,
                                          uint32_t sources, struct option_play *restrict child) {
    int used = parent->play.count;
    for (; sources != 0; child++) {
        int from = highest_of(sources);
        sources ^= point_bit(from);
        child->play = parent->play;
        child->play.step[used] = turn_step(turn, &parent->final, from, die, &child->final);
        child->play.count = (uint8_t)(used + 1);
    }
    return child;
}

/* Keeps of the entries from `first` those that the walls allow, and each but once. */
static void sift(struct lister *lister, size_t first) {
    size_t kept = first;
    for (size_t i = first; i < lister->count; i++) {
        if (turn_goes_on(lister->turn, &lister->list[i].final)) {
            lister->list[kept] = lister->list[i];
            kept += lister->unique || first_seen(lister, kept) == kept;
        }
    }
    lister->count = kept;
}

/* Notes where the mover stands after the entries from `first`: before their last
 * step he stood on `standing`. */
static void note_standing(struct lister *lister, size_t first, uint32_t standing) {
    for (size_t i = first; i < lister->count; i++) {
        const struct option_play *entry = &lister->list[i];
        const struct step *step = &entry->play.step[entry->play.count - 1];
        bool left = entry->final.men[lister->turn->mover][step->from] == 0;
        uint32_t landed = point_bit(step->to) & ~point_bit(POINT_OFF);
        lister->standing[i - EARLY_AT] = (standing & ~((uint32_t)left << step->from)) | landed;
    }
}

/* Lists what `die` makes of one entry, from the points of `among`. */
static void grow_entry(struct lister *lister, size_t index, int die, uint32_t among) {
    const struct turn *turn = lister->turn;
    const struct option_play *parent = &lister->list[index];
    uint32_t standing = lister->standing[index - EARLY_AT];
    uint32_t sources = turn_sources(turn, &parent->final, standing, die) & among;
    size_t first = lister->count;
    struct option_play *end = write_children(turn, parent, die, sources, &lister->list[first]);
    lister->count = (size_t)(end - lister->list);
    if (!lister->unique || turn->step_walls > 0) {
        sift(lister, first);
    }
    if (first >= EARLY_AT) {
        note_standing(lister, first, standing);
    }
}

/* Four equal dice. The same steps taken from the highest point down are legal
 * whenever they are legal in any order, unless order matters; and a final tells
 * its steps. So only falling orders are followed, and nothing comes twice. */
static void list_double(struct lister *lister) {
    const struct turn *turn = lister->turn;
    lister->unique = !turn->order_matters;
    for (int n = 0; n < turn->dice_count; n++) {
        struct round before = lister->rounds[n];
        size_t first = n + 1 < turn->dice_count ? lister->count : 0;
        lister->count = first;
        if (!lister->unique) {
            forget_seen(lister, SLOTS_MAX);
        }
        for (size_t i = before.first; i < before.first + before.count; i++) {
            const struct play *play = &lister->list[i].play;
            bool falling = lister->unique && n > 0;
            uint32_t among = falling ? (point_bit(play->step[n - 1].from) << 1) - 1 : ~0u;
            grow_entry(lister, i, turn->dice[0], among);
        }
        add_round(lister, first, n + 1, 0);
    }
}

/* Whether a checker may pass `point` and leaves no trace there. */
static bool is_free(const struct turn *turn, int point) {
    return point > 0 && (turn->open & ~turn->blots & point_bit(point)) != 0;
}

/* Whether a final after two different dice can not come twice. */
static bool is_unique(const struct turn *turn) {
    bool bears_off = __builtin_popcount(turn->standing >> (HOME_POINTS + 1)) < 2;
    return !turn->order_matters && !bears_off;
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
    size_t a_start = lister->count;
    lister->unique = true;
    grow_entry(lister, EARLY_AT, a, ~0u);
    add_round(lister, a_start, 1, a);
    size_t b_start = lister->count;
    grow_entry(lister, EARLY_AT, b, ~0u);
    add_round(lister, b_start, 1, b);
    size_t b_end = lister->count;
    lister->count = 0;
    lister->unique = is_unique(turn);
    if (!lister->unique) {
        forget_seen(lister, SLOTS_MIXED);
    }
    for (size_t i = a_start; i < b_start; i++) {
        int up = lister->list[i].play.step[0].from + b;
        uint32_t known = lister->unique && is_free(turn, up - a) ? point_bit(up) : 0;
        grow_entry(lister, i, b, ~known);
    }
    for (size_t i = b_start; i < b_end; i++) {
        const struct step *step = &lister->list[i].play.step[0];
        bool round = lister->unique && !step->hit && is_free(turn, step->from - a);
        uint32_t known = a_first | (round ? point_bit(step->to) : 0);
        grow_entry(lister, i, a, turn->order_matters ? ~0u : ~known);
    }
    add_round(lister, 0, 2, 0);
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

/* Whether a play that uses every die is always legal, and no shorter one beside it. */
static bool all_dice_are_enough(const struct turn *turn) {
    const int *value = turn->rules->value;
    int off = turn->start->board.men[turn->mover][POINT_OFF];
    bool may_win =
        value[OPTION_WIN_ENDS_TURN] && off + turn->dice_count >= turn->rules->variant->checkers;
    return value[OPTION_MUST_MAX] && !may_win && turn->step_walls == turn->wall_count;
}

/* Moves the last round behind the others, in the order in which they are chosen. */
static void move_last_back(struct lister *lister) {
    const struct round *before = &lister->rounds[lister->round_count - 2];
    struct round *last = &lister->rounds[lister->round_count - 1];
    last->first = before->first + before->count;
    memmove(&lister->list[last->first], lister->list, last->count * sizeof lister->list[0]);
}

static size_t pass(const struct situation *situation, struct option_play *out) {
    out[0] = (struct option_play){situation->board, {.count = 0}};
    return 1;
}

size_t plays_list(const struct rules *rules, const struct situation *situation,
                  struct option_play *out, size_t room) {
    struct turn turn;
    struct lister lister;
    if (room < PLAYS_MAX) {
        return 0;
    }
    turn_init(&turn, rules, situation);
    lister.turn = &turn;
    lister.list = out;
    lister.round_count = 0;
    lister.standing[0] = turn.standing;
    lister.count = EARLY_AT + pass(situation, &out[EARLY_AT]);
    add_round(&lister, EARLY_AT, 0, 0);
    if (turn.dice_count == 2) {
        list_mixed(&lister);
    } else {
        list_double(&lister);
    }
    size_t count = lister.rounds[lister.round_count - 1].count;
    if (count == 0 || !all_dice_are_enough(&turn)) {
        move_last_back(&lister);
        count = choose(&lister);
    }
    return count > 0 ? count : pass(situation, out);
}

/* A step is a legal play, or begins one, wherever no wall may have to be undone. */
bool plays_any(const struct rules *rules, const struct situation *situation,
               struct option_play *out, size_t room) {
    struct turn turn;
    turn_init(&turn, rules, situation);
    uint32_t sources =
        turn_sources(&turn, &situation->board, turn.standing, turn.dice[0]) |
        turn_sources(&turn, &situation->board, turn.standing, turn.dice[turn.dice_count - 1]);
    if (sources == 0 || turn.wall_count == 0) {
        return sources != 0;
    }
    return plays_list(rules, situation, out, room) > 0 && out[0].play.count > 0;
}

int plays_dice_used(const struct option_play *list, size_t count) {
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        most = list[i].play.count > most ? list[i].play.count : most;
    }
    return most;
}
