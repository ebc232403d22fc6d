#include "rules/refusal.h"

#include "rules/words.h"

enum { REASON_MAX = 160 };

static void add_place(struct words *words, int point) {
    if (point == POINT_BAR || point == POINT_OFF) {
        words_add(words, point == POINT_BAR ? "bar" : "off");
    } else {
        words_add_number(words, point);
    }
}

/* Adds text, a number, text. */
static void add_about(struct words *words, const char *before, int number, const char *after) {
    words_add(words, before);
    words_add_number(words, number);
    words_add(words, after);
}

static bool has_die(const struct reading *reading, int die) {
    for (int i = 0; i < reading->dice_left; i++) {
        if (reading->dice[i] == die) {
            return true;
        }
    }
    return false;
}

static int largest_die(const struct reading *reading) {
    int largest = 0;
    for (int i = 0; i < reading->dice_left; i++) {
        largest = reading->dice[i] > largest ? reading->dice[i] : largest;
    }
    return largest;
}

/* Why the checker at `at` may not leave its place at all; false when it may. */
static bool is_kept(const struct turn *turn, const struct reading *reading, struct words *words) {
    uint32_t standing = turn_standing(turn, &reading->board);
    uint32_t at = point_bit(reading->at);
    if (standing & point_bit(POINT_BAR) && reading->at != POINT_BAR) {
        words_add(words, "a checker on the bar must enter first");
    } else if (!(standing & at)) {
        words_add(words, reading->at == POINT_BAR ? "no checker on the bar" : "no checker on ");
        if (reading->at != POINT_BAR) {
            words_add_number(words, reading->at);
        }
    } else if (turn->runner != 0 && !(standing & turn->runner) && standing & (at - 1)) {
        add_about(words, "one checker must pass ", highest_of(turn->runner) + 1,
                  " before another may move");
    } else if (turn->head & at && turn_head_spent(turn, &reading->board)) {
        add_about(words, "no more than ", turn->head_limit, " may leave the head in this turn");
    } else if (turn_held(turn, &reading->board) & at) {
        words_add(words, "hit and run: the checker that hit here may not go on in this turn");
    } else {
        return false;
    }
    return true;
}

/* Adds that a wall stands which may not; `when` says where in the turn. */
static void add_wall(const struct turn *turn, const char *when, struct words *words) {
    words_add(words, "a wall of six ");
    words_add(words, when);
    words_add(words, turn->rules->variant->school == SCHOOL_FEVGA
                         ? ": the starting quarter full, or the opponent locked in"
                         : " with no opposing checker to allow it");
}

/* Why a checker that may move cannot be borne off. */
static void add_not_off(const struct turn *turn, const struct reading *reading,
                        struct words *words) {
    uint32_t standing = turn_standing(turn, &reading->board);
    int highest = highest_of(standing);
    if (highest > HOME_POINTS) {
        add_about(words, "not all checkers are home, one stands on ", highest, "");
    } else if (largest_die(reading) < reading->at) {
        add_about(words, "no die left is ", reading->at, " or more");
    } else if (highest > reading->at) {
        add_about(words, "a checker stands behind on ", highest, "");
    } else {
        add_wall(turn, "stands", words);
    }
}

/* Why a checker that may move does not get to `to` on the board. */
static void add_not_there(const struct turn *turn, const struct reading *reading, int to,
                          struct words *words) {
    int distance = reading->at - to;
    if (has_die(reading, distance) && !(turn->open & point_bit(to))) {
        add_about(words, "point ", to, " is closed");
    } else if (has_die(reading, distance)) {
        add_wall(turn, "would stand", words);
    } else if (reading->dice_left == 1) {
        add_about(words, "the die left is a ", reading->dice[0], "");
    } else {
        bool sums = reading->dice_left == 2 && reading->dice[0] != reading->dice[1]
                        ? distance == reading->dice[0] + reading->dice[1]
                        : distance % reading->dice[0] == 0 &&
                              distance <= reading->dice[0] * reading->dice_left;
        bool waits = reading->at == POINT_BAR && reading->board.men[turn->mover][POINT_BAR] > 1;
        words_add(words, !sums   ? "the dice left do not make "
                         : waits ? "a checker on the bar must enter first"
                                 : "the way is closed in between");
        if (!sums) {
            words_add_number(words, distance);
        }
    }
}

void refusal_of_step(const struct turn *turn, const struct reading *reading, const struct leg *leg,
                     char reason[160]) {
    struct words words = words_begin(reason, REASON_MAX);
    add_place(&words, leg->from);
    words_add_char(&words, '/');
    add_place(&words, leg->to);
    words_add(&words, ": ");
    if (leg->from <= leg->to) {
        words_add(&words, "a checker moves from a higher point to a lower one");
    } else if (reading->dice_left == 0) {
        words_add(&words, "no die is left for it");
    } else if (is_kept(turn, reading, &words)) {
        return;
    } else if (leg->to == POINT_OFF) {
        add_not_off(turn, reading, &words);
    } else {
        add_not_there(turn, reading, leg->to, &words);
    }
}

void refusal_of_turn(const struct turn *turn, const struct reading *reading, int most,
                     char reason[160]) {
    struct words words = words_begin(reason, REASON_MAX);
    int played = reading->play.count;
    if (played < most) {
        add_about(&words, played == 0 ? "" : "only ", played, " of ");
        add_about(&words, "", turn->dice_count, " dice played; ");
        add_about(&words, "", most, " can be");
    } else if (!turn_ends(turn, &reading->board)) {
        add_wall(turn, "stands at the end", &words);
    } else {
        bool first_larger = turn->dice[0] > turn->dice[1];
        add_about(&words, "the larger die is due: play the ", turn->dice[first_larger ? 0 : 1], "");
    }
}

void refusal_of_word(const struct claim *claim, char reason[160]) {
    struct words words = words_begin(reason, REASON_MAX);
    add_about(&words, "word ", claim->bad_word, ", ");
    words_add_quoted(&words, claim->bad, claim->bad_length);
    words_add(&words, ", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)");
}

void refusal_of_ambiguity(const struct claim *claim, char reason[160]) {
    struct words words = words_begin(reason, REASON_MAX);
    words_add(&words, "it is open which checker is hit on the way; write every step of ");
    for (int i = 0; i < claim->count; i++) {
        words_add(&words, i == 0 ? "" : " ");
        add_place(&words, claim->leg[i].from);
        words_add_char(&words, '/');
        add_place(&words, claim->leg[i].to);
    }
}
