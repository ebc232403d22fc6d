#include "rules/play.h"

#include "rules/claim.h"
#include "rules/plain.h"
#include "rules/refusal.h"
#include "rules/turn.h"

#include <string.h>

/* A claim under judgement. A collapsed leg may be read in several ways; all of
 * them are followed. */
struct trial {
    const struct turn *turn;
    const struct claim *claim;
    struct option_play *list; /* the legal finals, once they are needed */
    size_t listed;            /* 0 until then */
    struct reading accepted;  /* the legal reading with the fewest hits */
    int accepted_hits;        /* -1 while there is none */
    bool ambiguous;           /* another legal reading hits as few, elsewhere */
    struct reading complete;  /* a reading to the end that is no legal turn */
    bool has_complete;        /* whether there is one */
    struct reading stuck;     /* the first that came to the farthest leg */
    int stuck_leg;            /* that leg; -1 before the first */
};

static int count_hits(const struct play *play) {
    int hits = 0;
    for (int i = 0; i < play->count; i++) {
        hits += play->step[i].hit;
    }
    return hits;
}

static void list_legal(struct trial *trial) {
    if (trial->listed == 0) {
        trial->listed = plays_list(trial->turn->rules, trial->turn->start, trial->list, PLAYS_MAX);
    }
}

/* A play of legal steps that uses every die is a legal turn if it may end there;
 * a shorter one has to be among the legal finals. */
static bool is_legal_turn(struct trial *trial, const struct reading *reading) {
    if (reading->dice_left == 0) {
        return turn_ends(trial->turn, &reading->board);
    }
    list_legal(trial);
    for (size_t i = 0; i < trial->listed; i++) {
        if (board_equal(&trial->list[i].final, &reading->board)) {
            return true;
        }
    }
    return false;
}

static void accept(struct trial *trial, const struct reading *reading) {
    int hits = count_hits(&reading->play);
    if (trial->accepted_hits < 0 || hits < trial->accepted_hits) {
        trial->accepted = *reading;
        trial->accepted_hits = hits;
        trial->ambiguous = false;
    } else if (hits == trial->accepted_hits &&
               !board_equal(&reading->board, &trial->accepted.board)) {
        trial->ambiguous = true;
    }
}

/* Moves the checker that is on its way along `leg` by die `i`, not beyond the leg's
 * end; false when the rules or the leg forbid it. */
static bool take_step(const struct trial *trial, struct reading *reading, const struct leg *leg,
                      int i) {
    int die = reading->dice[i];
    uint32_t standing = turn_standing(trial->turn, &reading->board);
    uint32_t sources = turn_sources(trial->turn, &reading->board, standing, die);
    if (!(sources & point_bit(reading->at))) {
        return false;
    }
    struct board before = reading->board;
    struct step step = turn_step(trial->turn, &before, reading->at, die, &reading->board);
    if (step.to < leg->to || !turn_goes_on(trial->turn, &reading->board)) {
        return false;
    }
    reading->play.step[reading->play.count++] = step;
    reading->dice[i] = reading->dice[--reading->dice_left];
    reading->at = step.to;
    return true;
}

/* Whether one die left is as long as the way to `to`, or as the bear-off takes. */
static bool fits_one_die(const struct reading *reading, int from, int to) {
    for (int i = 0; i < reading->dice_left; i++) {
        int beyond = reading->dice[i] - (from - to);
        if (beyond == 0 || (beyond > 0 && to == POINT_OFF)) {
            return true;
        }
    }
    return false;
}

/* Remembers the first reading that came to a leg. */
static void note_progress(struct trial *trial, const struct reading *reading, int leg) {
    if (leg > trial->stuck_leg) {
        trial->stuck = *reading;
        trial->stuck_leg = leg;
    }
}

/* The whole claim was read. */
static void note_complete(struct trial *trial, const struct reading *reading) {
    if (is_legal_turn(trial, reading)) {
        accept(trial, reading);
    } else if (!trial->has_complete) {
        trial->complete = *reading;
        trial->has_complete = true;
    }
}

/* Reads on with leg number `leg`, whose checker stands at `reading->at`: the legs in
 * the order written (B7), each to its end before the next begins. A way as long as
 * one die means that die; a longer one is collapsed, and every way is followed. */
static void follow(struct trial *trial, const struct reading *reading, int leg) {
    if (leg == trial->claim->count) {
        note_complete(trial, reading);
        return;
    }
    const struct leg *now = &trial->claim->leg[leg];
    bool whole = fits_one_die(reading, reading->at, now->to);
    note_progress(trial, reading, leg);
    for (int i = 0; i < reading->dice_left; i++) {
        struct reading next = *reading;
        bool tried = i > 0 && reading->dice[i] == reading->dice[i - 1];
        if (tried || !take_step(trial, &next, now, i) || (whole && next.at != now->to)) {
            continue;
        }
        bool arrived = next.at == now->to;
        if (arrived && leg + 1 < trial->claim->count) {
            next.at = now[1].from;
        }
        follow(trial, &next, arrived ? leg + 1 : leg);
    }
}

/* Whether every leg goes forward, so that its end can be summed in any order. */
static bool all_forward(const struct claim *claim) {
    for (int i = 0; i < claim->count; i++) {
        if (claim->leg[i].from <= claim->leg[i].to) {
            return false;
        }
    }
    return true;
}

/* Whether some leg needs more than one die. */
static bool is_collapsed(const struct trial *trial) {
    int a = trial->turn->dice[0], b = trial->turn->dice[1];
    for (int i = 0; i < trial->claim->count; i++) {
        const struct leg *leg = &trial->claim->leg[i];
        int distance = leg->from - leg->to;
        bool one_off =
            leg->to == POINT_OFF && (trial->turn->shakes_down || distance < a || distance < b);
        if (distance != a && distance != b && !one_off) {
            return true;
        }
    }
    return false;
}

static bool lands_on(const struct claim *claim, int point) {
    for (int i = 0; i < claim->count; i++) {
        if (claim->leg[i].to == point) {
            return true;
        }
    }
    return false;
}

/* Whether the mover's counts after all legs, taken in no order, are those of `final`. */
static bool moves_like(const struct trial *trial, const struct board *final) {
    enum side mover = trial->turn->mover;
    int men[POINT_COUNT];
    for (int point = 0; point < POINT_COUNT; point++) {
        men[point] = trial->turn->start->board.men[mover][point];
    }
    for (int i = 0; i < trial->claim->count; i++) {
        men[trial->claim->leg[i].from]--;
        men[trial->claim->leg[i].to]++;
    }
    for (int point = 0; point < POINT_COUNT; point++) {
        if (men[point] != final->men[mover][point]) {
            return false;
        }
    }
    return true;
}

/* Whether `final` has the hits of every leg's end, and others only if `on_the_way`. */
static bool hits_like(const struct trial *trial, const struct board *final, bool on_the_way) {
    const struct turn *turn = trial->turn;
    for (int point = 1; point < POINT_BAR; point++) {
        int other = point_mirror(turn->path, point);
        int before = turn->start->board.men[turn->other][other];
        bool hit = before > final->men[turn->other][other];
        bool lands = before == 1 && lands_on(trial->claim, point);
        if (hit != lands && !(hit && on_the_way)) {
            return false;
        }
    }
    return true;
}

/* Whether each leg from number `leg` on can be made of some of the dice left, and
 * none is left over: a leg is as long as its dice together, or ends off the board
 * where its last die may carry further. */
static bool made_of_dice(const struct claim *claim, int leg, int way, const struct reading *left) {
    if (leg == claim->count) {
        return left->dice_left == 0;
    }
    for (int i = 0; i < left->dice_left; i++) {
        struct reading next = *left;
        int rest = way - left->dice[i];
        next.dice[i] = next.dice[--next.dice_left];
        bool arrived = rest == 0 || (rest < 0 && claim->leg[leg].to == POINT_OFF);
        const struct leg *after = &claim->leg[leg + 1];
        int following = leg + 1 < claim->count ? after->from - after->to : 0;
        if (arrived ? made_of_dice(claim, leg + 1, following, &next)
                    : rest > 0 && made_of_dice(claim, leg, rest, &next)) {
            return true;
        }
    }
    return false;
}

/* Whether the legs are the steps of as many dice as a legal play uses. */
static bool steps_like(const struct trial *trial, const struct play *play) {
    const struct claim *claim = trial->claim;
    struct reading dice = {.dice_left = play->count};
    for (int i = 0; i < play->count; i++) {
        dice.dice[i] = trial->turn->dice[i];
    }
    int way = claim->count > 0 ? claim->leg[0].from - claim->leg[0].to : 0;
    if (play->count == 1 && trial->turn->dice_count == 2) { /* either die may be the one */
        struct reading other = {.dice = {trial->turn->dice[1]}, .dice_left = 1};
        return made_of_dice(claim, 0, way, &dice) || made_of_dice(claim, 0, way, &other);
    }
    return made_of_dice(claim, 0, way, &dice);
}

/* play_check=final (B7): the steps in any order, if they end on a legal final. */
static void try_final(struct trial *trial) {
    bool on_the_way = is_collapsed(trial);
    list_legal(trial);
    for (size_t i = 0; i < trial->listed && all_forward(trial->claim); i++) {
        const struct option_play *entry = &trial->list[i];
        if (moves_like(trial, &entry->final) && hits_like(trial, &entry->final, on_the_way) &&
            steps_like(trial, &entry->play)) {
            accept(trial, &(struct reading){.board = entry->final, .play = entry->play});
        }
    }
}

/* Writes the outcome of a claim that could be read. */
static void conclude(struct trial *trial, struct verdict *verdict) {
    if (trial->accepted_hits >= 0 && !trial->ambiguous) {
        verdict->judgement = JUDGED_LEGAL;
        verdict->play = trial->accepted.play;
        verdict->final = trial->accepted.board;
        return;
    }
    list_legal(trial);
    if (trial->ambiguous) {
        verdict->judgement = JUDGED_AMBIGUOUS;
        refusal_of_ambiguity(trial->claim, verdict->reason);
        return;
    }
    verdict->judgement = JUDGED_ILLEGAL;
    if (trial->has_complete) {
        int most = plays_dice_used(trial->list, trial->listed);
        refusal_of_turn(trial->turn, &trial->complete, most, verdict->reason);
    } else {
        const struct leg *leg = &trial->claim->leg[trial->stuck_leg];
        verdict->bad_step = leg->word;
        refusal_of_step(trial->turn, &trial->stuck, leg, verdict->reason);
    }
}

void verdict_init(struct verdict *verdict) {
    verdict->judgement = JUDGED_MALFORMED;
    verdict->bad_step = 0;
    verdict->legal = 0;
    verdict->reason[0] = '\0';
}

void play_judge(const struct rules *rules, const struct situation *situation, const char *claim,
                size_t length, struct play_room *room, struct verdict *verdict) {
    struct turn turn;
    struct claim read;
    struct trial trial = {
        .turn = &turn, .claim = &read, .list = room->list, .accepted_hits = -1, .stuck_leg = -1};
    verdict_init(verdict);
    turn_init(&turn, rules, situation);
    if (plain_judge(&turn, claim, length, &verdict->play, &verdict->final)) {
        verdict->judgement = JUDGED_LEGAL;
        return;
    }
    if (claim_read(claim, length, &read)) {
        struct reading start = {.board = situation->board,
                                .dice_left = turn.dice_count,
                                .at = read.count > 0 ? read.leg[0].from : POINT_OFF};
        memcpy(start.dice, turn.dice, sizeof turn.dice);
        follow(&trial, &start, 0);
        if (trial.accepted_hits < 0 && rules->value[OPTION_PLAY_CHECK] == PLAY_CHECK_FINAL) {
            try_final(&trial);
        }
        conclude(&trial, verdict);
    } else {
        list_legal(&trial);
        verdict->bad_step = read.bad_word;
        refusal_of_word(&read, verdict->reason);
    }
    verdict->legal = trial.listed;
}
