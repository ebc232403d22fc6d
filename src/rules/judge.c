#include "rules/play.h"

#include "rules/claim.h"
#include "rules/refusal.h"
#include "rules/turn.h"

#include <string.h>

/* A checker under way: it has a leg to finish. */
struct checker {
    int leg; /* index in the claim */
    int at;  /* where it stands */
};

/* A reading with what is left of the claim. */
struct course {
    struct reading reading;
    struct checker under_way[CLAIM_LEGS_MAX];
    int count;    /* checkers under way */
    int leg;      /* the first leg that no checker has begun */
    bool delayed; /* some checker waits while a later leg is played */
};

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
    struct reading stuck;     /* the first that came to the farthest leg, word for word */
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

/* Moves checker `k` under way by die `i`, not beyond its leg's end, and lets it go
 * on to the leg that continues; false when the rules or the leg forbid it. */
static bool take_step(const struct trial *trial, struct course *course, int k, int i) {
    struct checker *checker = &course->under_way[k];
    struct reading *reading = &course->reading;
    const struct leg *leg = &trial->claim->leg[checker->leg];
    int die = reading->dice[i];
    uint32_t standing = turn_standing(trial->turn, &reading->board);
    uint32_t sources = turn_sources(trial->turn, &reading->board, standing, die);
    if (!(sources & point_bit(checker->at))) {
        return false;
    }
    struct step step = turn_step(trial->turn, &reading->board, checker->at, die);
    if (step.to < leg->to || !turn_goes_on(trial->turn, &reading->board)) {
        return false;
    }
    reading->play.step[reading->play.count++] = step;
    reading->dice[i] = reading->dice[--reading->dice_left];
    checker->at = step.to;
    if (step.to == leg->to && checker->leg + 1 < trial->claim->count && leg[1].goes_on) {
        checker->leg++;
    } else if (step.to == leg->to) {
        *checker = course->under_way[--course->count];
    }
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

static void follow(struct trial *trial, const struct course *course);

/* Follows each die that takes checker `k` on. A way as long as one die means that
 * die; a longer one is collapsed. */
static void follow_checker(struct trial *trial, const struct course *course, int k) {
    const struct reading *reading = &course->reading;
    const struct checker *checker = &course->under_way[k];
    int to = trial->claim->leg[checker->leg].to;
    bool whole = fits_one_die(reading, checker->at, to);
    for (int i = 0; i < reading->dice_left; i++) {
        struct course next = *course;
        bool tried = i > 0 && reading->dice[i] == reading->dice[i - 1];
        if (!tried && take_step(trial, &next, k, i)) {
            int reached = next.reading.play.step[next.reading.play.count - 1].to;
            if (!whole || reached == to) {
                follow(trial, &next);
            }
        }
    }
}

/* Remembers the first reading that came to a leg, if it took the legs as written. */
static void note_progress(struct trial *trial, const struct course *course, int leg, int at) {
    if (leg > trial->stuck_leg && !course->delayed) {
        trial->stuck = course->reading;
        trial->stuck.at = at;
        trial->stuck_leg = leg;
    }
}

/* Begins the next leg. */
static void begin_leg(struct trial *trial, const struct course *course) {
    struct course next = *course;
    int from = trial->claim->leg[course->leg].from;
    next.delayed = course->delayed || course->count > 0;
    next.under_way[next.count++] = (struct checker){course->leg, from};
    do {
        next.leg++;
    } while (next.leg < trial->claim->count && trial->claim->leg[next.leg].goes_on);
    note_progress(trial, &next, course->leg, from);
    follow_checker(trial, &next, next.count - 1);
}

/* Reads on from here. The legs begin in the order written; a checker that goes
 * several dice may have to wait for later legs ("bar/23 bar/24" on 1-1). */
static void follow(struct trial *trial, const struct course *course) {
    bool all_begun = course->leg == trial->claim->count;
    if (course->count == 0 && all_begun) {
        if (is_legal_turn(trial, &course->reading)) {
            accept(trial, &course->reading);
        } else if (!trial->has_complete) {
            trial->complete = course->reading;
            trial->has_complete = true;
        }
        return;
    }
    for (int k = 0; k < course->count; k++) {
        note_progress(trial, course, course->under_way[k].leg, course->under_way[k].at);
        follow_checker(trial, course, k);
    }
    if (!all_begun) {
        begin_leg(trial, course);
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

/* play_check=final (B7): the legs in any order, if they end on a legal final. */
static void try_final(struct trial *trial) {
    bool on_the_way = is_collapsed(trial);
    list_legal(trial);
    for (size_t i = 0; i < trial->listed && all_forward(trial->claim); i++) {
        const struct option_play *entry = &trial->list[i];
        if (moves_like(trial, &entry->final) && hits_like(trial, &entry->final, on_the_way)) {
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

void play_judge(const struct rules *rules, const struct situation *situation, const char *claim,
                size_t length, struct play_room *room, struct verdict *verdict) {
    struct turn turn;
    struct claim read;
    struct trial trial = {
        .turn = &turn, .claim = &read, .list = room->list, .accepted_hits = -1, .stuck_leg = -1};
    *verdict = (struct verdict){.judgement = JUDGED_MALFORMED};
    turn_init(&turn, rules, situation);
    if (claim_read(claim, length, &read)) {
        struct course start = {.reading = {.board = situation->board}};
        start.reading.dice_left = turn.dice_count;
        memcpy(start.reading.dice, turn.dice, sizeof turn.dice);
        follow(&trial, &start);
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
