/* solid: looks one play ahead and judges each position it could leave by hand-made
 * rules of thumb. In tavla and western and their like it counts shots at its blots,
 * made points, primes, anchors and the race; in uzun and fevga, where nothing is hit,
 * it hems the opponent in, keeps its own men free and hands out the first pile.
 * All values are in pips, or in what a pip is thought to be worth. */
#include "hakem_bot.h"

/* Where the men still meet, in pips of worth: from where on to double, and to take. */
enum { DOUBLE_WORTH = 30, TAKE_WORTH = -40 };

/* A position as the evaluation wants it: counts of each side, own numbering.
 * him[0] is the opponent's bar, me[25] ours. */
struct view {
    int me[26], him[26];
    int my_pips, his_pips;
    int my_back, his_back; /* hindmost man of each, in our numbering (tavla) */
};

static void look(const struct hakem_board *board, enum hakem_variant variant, struct view *view) {
    memset(view, 0, sizeof *view);
    view->his_back = 26;
    for (int p = 25; p >= 0; p--) {
        int men = board->point[p];
        view->me[p] = men > 0 ? men : 0;
        view->him[p] = men < 0 ? -men : 0;
        if (men > 0 && view->my_back == 0) {
            view->my_back = p;
        }
        if (men < 0) {
            view->his_back = p;
        }
    }
    view->my_pips = hakem_pips(board);
    view->his_pips = hakem_their_pips(board, variant);
}

/* ---- tavla, western and their like: the men meet head on; he moves up through our numbers */

/* Whether his man can go from `from` to `to` by steps of `die`, stopping nowhere on
 * a point of ours. */
static bool reaches(const struct view *view, int from, int to, int die) {
    for (int p = from + die; p < to; p += die) {
        if (view->me[p] >= 2) {
            return false;
        }
    }
    return true;
}

/* Whether the throw (a, b) hits our blot on `blot`. Men on his bar come in first;
 * with two or more there, only they can hit (the rare double apart). */
static bool throw_hits(const struct view *view, int blot, int a, int b) {
    const int *him = view->him;
    int bar = him[0];
    if (bar > 0 && (blot == a || blot == b)) {
        return true;
    }
    if (bar > 1 || (bar == 1 && view->me[a] >= 2 && view->me[b] >= 2)) {
        return false;
    }
    if (a == b) {
        for (int steps = 1; steps <= 4 - bar && blot - steps * a >= 1; steps++) {
            if (him[blot - steps * a] > 0 && reaches(view, blot - steps * a, blot, a)) {
                return true;
            }
        }
        return bar == 1 && blot % a == 0 && blot / a <= 4 && reaches(view, 0, blot, a);
    }
    if (bar == 1) { /* one die enters, the other hits, with this man or another */
        return (view->me[a] < 2 && blot > b && (him[blot - b] > 0 || blot == a + b)) ||
               (view->me[b] < 2 && blot > a && (him[blot - a] > 0 || blot == a + b));
    }
    return (blot > a && him[blot - a] > 0) || (blot > b && him[blot - b] > 0) ||
           (blot > a + b && him[blot - a - b] > 0 &&
            (view->me[blot - a] < 2 || view->me[blot - b] < 2));
}

/* Throws of the 36 that hit the blot. */
static int shots(const struct view *view, int blot) {
    int count = 0;
    for (int a = 1; a <= 6; a++) {
        for (int b = a; b <= 6; b++) {
            count += throw_hits(view, blot, a, b) ? (a == b ? 1 : 2) : 0;
        }
    }
    return count;
}

/* Points that `men` holds among the six from `low` up. */
static int points_held(const int *men, int low) {
    int held = 0;
    for (int p = low; p < low + 6; p++) {
        held += p >= 1 && p <= 24 && men[p] >= 2;
    }
    return held;
}

/* What our blots may cost: chance of the hit times what is lost by it. The way lost
 * counts only from far behind (a man hit on our 20 has hardly moved yet, and men back
 * there have their uses); a strong home of his makes the way back in harder. */
static double danger(const struct view *view) {
    static const double shut_out[7] = {0, 1, 2.5, 5, 9, 16, 30};
    double back_in = shut_out[points_held(view->him, 19)];
    double sum = 0;
    for (int p = 1; p <= 24; p++) {
        if (view->me[p] == 1 && p > view->his_back) {
            double lost = 18 - p + back_in;
            sum += lost > 0 ? shots(view, p) / 36.0 * lost : 0;
        }
    }
    return sum;
}

/* How much each man behind a wall suffers: by points closed among the six before it. */
static const double hemmed[7] = {0, 0.4, 1.2, 2.6, 5, 9, 14};

/* Gain from his men behind our points minus the loss from ours behind his. */
static double walls(const struct view *view) {
    double sum = 0;
    for (int p = 0; p <= 18; p++) {
        int men = view->him[p] < 3 ? view->him[p] : 3;
        sum += men > 0 ? hemmed[points_held(view->me, p + 1)] * men : 0;
    }
    for (int p = 7; p <= 25; p++) {
        int men = view->me[p] < 3 ? view->me[p] : 3;
        sum -= men > 0 ? hemmed[points_held(view->him, p - 6)] * men : 0;
    }
    return sum;
}

/* Made points are worth more where they block; an anchor is a safe place to land;
 * men piled up or buried are out of play. */
static double structure(const struct view *view) {
    static const double made[25] = {0, 0.2, 0.8, 2, 3.5, 4.5, 4, 4,   2.2, 1.2, 0.8, 0.6, 0.5,
                                    0, 0.6, 0.8, 1, 1.2, 1.8, 2, 3.5, 4,   3,   2,   1};
    double sum = 0;
    for (int p = 1; p <= 24; p++) {
        int men = view->me[p];
        sum += men >= 2 ? made[p] : 0;
        sum -= men > 3 ? men - 3 : 0;
        sum -= p <= 2 ? 0.8 * men : 0;
    }
    return sum;
}

/* No man can meet any more: get home, then off, without gaps. */
static double race(const struct view *view, const struct hakem_board *board) {
    double value = view->his_pips - view->my_pips + 6 * board->off[0];
    for (int p = 1; p <= 6; p++) {
        value -= view->me[p] == 0 ? 0.5 : 0;
        value -= p <= 3 && view->me[p] > 2 ? 0.5 * (view->me[p] - 2) : 0;
    }
    for (int p = 7; p <= 24; p++) {
        value -= 2.0 * view->me[p]; /* the last man home decides when to begin */
    }
    return value;
}

static double worth_tavla(const struct hakem_board *board, enum hakem_variant variant) {
    struct view view;
    look(board, variant, &view);
    if (view.my_back < view.his_back) {
        return race(&view, board);
    }
    double value = 0.8 * (view.his_pips - view.my_pips) + 2.0 * board->off[0];
    return value + structure(&view) + 1.6 * walls(&view) - danger(&view);
}

/* ---- uzun and fevga: both run the same way, one man closes a point */

/* Points closed by `wall` among the six that a man on `point` has before it. Both
 * arrays are in our numbering; `end` is where that man's path ends. */
static int closed_ahead(const int *wall, int point, int end) {
    int closed = 0;
    for (int step = 1; step <= 6 && point != end; step++) {
        point = point == 1 ? 24 : point - 1;
        closed += wall[point] > 0;
    }
    return closed;
}

/* How our men stand before his, and his before ours. His path ends on our 13. */
static double uzun_walls(const struct view *view) {
    double sum = 0;
    for (int p = 1; p <= 24; p++) {
        int his = view->him[p] < 3 ? view->him[p] : 3;
        int mine = view->me[p] < 3 ? view->me[p] : 3;
        sum += his > 0 ? hemmed[closed_ahead(view->me, p, 13)] * his : 0;
        sum -= mine > 0 ? hemmed[closed_ahead(view->him, p, 1)] * mine : 0;
    }
    return sum;
}

static double worth_uzun(const struct hakem_board *board, enum hakem_variant variant) {
    struct view view;
    look(board, variant, &view);
    double value = view.his_pips - view.my_pips + 6 * board->off[0];
    for (int p = 1; p < 24; p++) {
        value += view.me[p] > 0 ? 4 : 0;                      /* each man closes a point */
        value -= view.me[p] > 2 ? 2.5 * (view.me[p] - 1) : 0; /* a pile closes only one */
    }
    /* in uzun one man a turn leaves the head: never waste one */
    value -= (variant == HAKEM_UZUN ? 2.0 : 1.0) * view.me[24];
    return value + 0.7 * uzun_walls(&view);
}

static int choose(struct hakem_bot *bot, struct hakem_turn *turn) {
    enum hakem_variant variant = turn->table->variant;
    double best = 0;
    int chosen = 0;
    (void)bot;
    for (int i = 0; i < turn->count; i++) {
        struct hakem_board after = hakem_after(turn, i);
        double value =
            hakem_is_parallel(variant) ? worth_uzun(&after, variant) : worth_tavla(&after, variant);
        if (i == 0 || value > best) {
            best = value;
            chosen = i;
        }
    }
    return chosen;
}

/* ---- the cube */

/* Our lead in the race, in percent of the pips that we need. */
static int lead(const struct view *view) {
    int mine = view->my_pips > 0 ? view->my_pips : 1;
    return 100 * (view->his_pips - view->my_pips) / mine;
}

/* Whether the men have still to pass each other. */
static bool meets(const struct view *view, enum hakem_variant variant) {
    return variant != HAKEM_UZUN && view->my_back > view->his_back;
}

static bool doubles(struct hakem_bot *bot, const struct hakem_turn *turn) {
    enum hakem_variant variant = turn->table->variant;
    struct view view;
    (void)bot;
    look(&turn->board, variant, &view);
    if (meets(&view, variant)) {
        return worth_tavla(&turn->board, variant) > DOUBLE_WORTH;
    }
    return lead(&view) >= (turn->owner == 0 ? 8 : 9); /* the old rule of eight, nine, twelve */
}

static bool takes(struct hakem_bot *bot, const struct hakem_turn *turn) {
    enum hakem_variant variant = turn->table->variant;
    struct view view;
    (void)bot;
    look(&turn->board, variant, &view);
    if (meets(&view, variant)) {
        return worth_tavla(&turn->board, variant) > TAKE_WORTH;
    }
    return 100 * (view.my_pips - view.his_pips) <= 12 * view.his_pips;
}

int main(int argc, char **argv) {
    static struct hakem_bot bot = {.name = "solid",
                                   .version = "1",
                                   .tables = 32,
                                   .choose = choose,
                                   .doubles = doubles,
                                   .takes = takes};
    return hakem_run(&bot, argc, argv);
}
