#include "lib/hakem.h"

#include "rules/cube.h"
#include "rules/notation.h"
#include "rules/play.h"
#include "rules/result.h"
#include "rules/words.h"

#include <string.h>

/* The structs and numbers of the library that are those of rules/ by another name,
 * so that a list is written straight into the caller's room. */
_Static_assert(sizeof(struct hakem_leg) == sizeof(struct step), "a leg is a step");
_Static_assert(sizeof(struct hakem_final) == sizeof(struct option_play), "a final is a play");
_Static_assert(offsetof(struct hakem_final, leg) == offsetof(struct option_play, play), "legs");
_Static_assert(offsetof(struct hakem_final, legs) == offsetof(struct option_play, play.count),
               "number of legs");
_Static_assert(offsetof(struct hakem_leg, hit) == offsetof(struct step, hit), "hit");
_Static_assert(sizeof((struct hakem_position){0}.men) == sizeof(struct board), "men");
_Static_assert((int)HAKEM_ROOM == PLAYS_MAX && (int)HAKEM_PLAY_MAX == PLAY_TEXT_MAX, "room");
_Static_assert((int)HAKEM_TEXT_MAX == NOTATION_TEXT_MAX, "text");
_Static_assert((int)HAKEM_OPTIONS_MAX >= OPTION_COUNT && sizeof(int) == 4, "options");
_Static_assert((int)HAKEM_NOTATION_FIBS == NOTATION_FIBS && NOTATION_KINDS == NOTATION_FIBS + 1,
               "notations");
_Static_assert((int)HAKEM_ROLL == ACT_ROLL && (int)HAKEM_DOUBLE == ACT_DOUBLE &&
                   (int)HAKEM_PLAY == ACT_PLAY && (int)HAKEM_TAKE == ACT_TAKE &&
                   (int)HAKEM_DROP == ACT_DROP && (int)HAKEM_BEAVER == ACT_BEAVER &&
                   (int)HAKEM_RESIGN == ACT_RESIGN && (int)HAKEM_ACCEPT == ACT_ACCEPT &&
                   (int)HAKEM_REJECT == ACT_REJECT,
               "acts");
_Static_assert((int)HAKEM_AMBIGUOUS == JUDGED_AMBIGUOUS, "judgements");

int hakem_abi(void) {
    return HAKEM_ABI;
}

const char *hakem_version(void) {
    return HAKEM_VERSION;
}

const char *hakem_variant(int number) {
    return number >= 0 && number < VARIANT_COUNT ? variant_row((enum variant_id)number)->name
                                                 : NULL;
}

const char *hakem_option(int number) {
    return number >= 0 && number < OPTION_COUNT ? option_row((enum option)number)->name : NULL;
}

const char *hakem_option_sentence(int number) {
    return number >= 0 && number < OPTION_COUNT ? option_row((enum option)number)->sentence : NULL;
}

/* Rules as rules/ has them; false when they were never initialised. */
static bool rules_of(const struct hakem_rules *from, struct rules *rules) {
    if (from->variant < 0 || from->variant >= VARIANT_COUNT) {
        return false;
    }
    rules->variant = variant_row((enum variant_id)from->variant);
    memcpy(rules->value, from->value, sizeof rules->value);
    return true;
}

static void write_rules(const struct rules *rules, struct hakem_rules *out) {
    *out = (struct hakem_rules){.variant = (int32_t)rules->variant->id};
    memcpy(out->value, rules->value, sizeof rules->value);
}

/* Says that the rules were never initialised; returns -1. */
static int refuse_rules(char why[HAKEM_WHY_MAX]) {
    struct words words = words_begin(why, HAKEM_WHY_MAX);
    words_add(&words, "the rules hold no variant: call hakem_rules_init first");
    return -1;
}

int hakem_rules_init(struct hakem_rules *rules, const char *variant) {
    const struct variant *row = variant_find(variant, strlen(variant));
    struct rules preset;
    if (row == NULL) {
        *rules = (struct hakem_rules){.variant = -1};
        return -1;
    }
    rules_init(&preset, row);
    write_rules(&preset, rules);
    return 0;
}

int hakem_rules_set(struct hakem_rules *rules, const char *option, const char *value,
                    char why[HAKEM_WHY_MAX]) {
    struct rules changed;
    if (!rules_of(rules, &changed)) {
        return refuse_rules(why);
    }
    if (rules_set(&changed, option, value, why) != 0) {
        return -1;
    }
    write_rules(&changed, rules);
    return 0;
}

int hakem_rules_get(const struct hakem_rules *rules, const char *option,
                    char value[HAKEM_WORD_MAX]) {
    struct rules read;
    int found = option_find(option, strlen(option));
    value[0] = '\0';
    if (found < 0 || !rules_of(rules, &read) ||
        !variant_has_option(read.variant, (enum option)found)) {
        return -1;
    }
    option_write((enum option)found, read.value[found], value);
    return 0;
}

/* A position as rules/ has it; false when a number is out of its enumeration. */
static bool match_of(const struct hakem_position *from, struct match_position *position) {
    if (from->mover >= SIDE_COUNT || from->decider >= SIDE_COUNT ||
        from->pending > PENDING_RACCOON || from->phase > GAME_DROPPED) {
        return false;
    }
    *position = (struct match_position){
        .mover = (enum side)from->mover,
        .decider = (enum side)from->decider,
        .dice = {from->dice[0], from->dice[1]},
        .cube_log = from->cube_log,
        .cube_owner = from->cube_owner,
        .cube_limit = from->cube_limit,
        .pending = (enum pending_double)from->pending,
        .resigning = from->resigning,
        .phase = (enum game_phase)from->phase,
        .length = from->length,
        .score = {from->score[0], from->score[1]},
        .crawford = from->crawford != 0,
        .jacoby = from->jacoby != 0,
        .beavers = from->beavers != 0,
    };
    memcpy(&position->board, from->men, sizeof position->board);
    return true;
}

/* The first turn is no part of any notation and stays as it is. */
static void write_match(const struct match_position *position, struct hakem_position *out) {
    *out = (struct hakem_position){
        .mover = (uint8_t)position->mover,
        .dice = {position->dice[0], position->dice[1]},
        .first_turn = out->first_turn,
        .decider = (uint8_t)position->decider,
        .cube_log = position->cube_log,
        .cube_limit = position->cube_limit,
        .cube_owner = position->cube_owner,
        .pending = (uint8_t)position->pending,
        .resigning = position->resigning,
        .phase = (uint8_t)position->phase,
        .crawford = position->crawford,
        .jacoby = position->jacoby,
        .beavers = position->beavers,
        .length = position->length,
        .score = {position->score[0], position->score[1]},
    };
    memcpy(out->men, &position->board, sizeof out->men);
}

/* A question about a position, as rules/ has it. */
struct question {
    struct rules rules;
    struct match_position position;
};

static int question_of(const struct hakem_rules *rules, const struct hakem_position *position,
                       struct question *question, char why[HAKEM_WHY_MAX]) {
    if (!rules_of(rules, &question->rules)) {
        return refuse_rules(why);
    }
    if (!match_of(position, &question->position)) {
        struct words words = words_begin(why, HAKEM_WHY_MAX);
        words_add(&words, "mover and decider are 0 or 1, pending 0 to 3, phase 0 to 4");
        return -1;
    }
    return 0;
}

int hakem_position_init(const struct hakem_rules *rules, struct hakem_position *position) {
    struct rules known;
    struct match_position opening;
    if (!rules_of(rules, &known)) {
        return -1;
    }
    match_position_init(&opening, &known);
    position->first_turn = 1;
    write_match(&opening, position);
    return 0;
}

int hakem_position_check(const struct hakem_rules *rules, const struct hakem_position *position,
                         char why[HAKEM_WHY_MAX]) {
    struct question asked;
    if (question_of(rules, position, &asked, why) != 0) {
        return -1;
    }
    return match_position_check(&asked.position, &asked.rules, why);
}

int hakem_position_read(const struct hakem_rules *rules, const char *text, size_t length,
                        struct hakem_position *position, char why[HAKEM_WHY_MAX]) {
    struct question asked;
    if (question_of(rules, position, &asked, why) != 0) {
        return -1;
    }
    int notation = notation_read(&asked.rules, text, length, &asked.position, why);
    if (notation >= 0) {
        write_match(&asked.position, position);
    }
    return notation;
}

int hakem_position_write(const struct hakem_rules *rules, const struct hakem_position *position,
                         int notation, char text[HAKEM_TEXT_MAX], char why[HAKEM_WHY_MAX]) {
    struct question asked;
    text[0] = '\0';
    if (question_of(rules, position, &asked, why) != 0) {
        return -1;
    }
    if (notation < 0 || notation >= NOTATION_KINDS) {
        struct words words = words_begin(why, HAKEM_WHY_MAX);
        words_add(&words, "there is no notation of that number");
        return -1;
    }
    if (match_position_check(&asked.position, &asked.rules, why) != 0) {
        return -1;
    }
    return notation_write(&asked.rules, &asked.position, (enum notation)notation, text, why);
}

int hakem_pips_left(const struct hakem_position *position, int side) {
    struct board board;
    if (side < 0 || side >= SIDE_COUNT) {
        return -1;
    }
    memcpy(&board, position->men, sizeof board);
    return board_pips(&board, (enum side)side);
}

/* A throw to be played. */
struct throw {
    struct rules rules;
    struct situation situation;
};

/* Whether there is such a throw, and room to list its plays. */
static bool throw_of(const struct hakem_rules *rules, const struct hakem_position *position,
                     size_t room, struct throw *throw) {
    char why[HAKEM_WHY_MAX];
    if (room < HAKEM_ROOM || position->mover >= SIDE_COUNT || !rules_of(rules, &throw->rules)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (position->dice[i] < 1 || position->dice[i] > 6) {
            return false;
        }
    }
    throw->situation.mover = (enum side)position->mover;
    memcpy(throw->situation.dice, position->dice, sizeof throw->situation.dice);
    throw->situation.first_turn = position->first_turn != 0;
    memcpy(&throw->situation.board, position->men, sizeof throw->situation.board);
    return board_check(&throw->situation.board, &throw->rules, why) == 0;
}

size_t hakem_list(const struct hakem_rules *rules, const struct hakem_position *position,
                  struct hakem_final *list, size_t room) {
    struct throw asked;
    if (!throw_of(rules, position, room, &asked)) {
        return 0;
    }
    return plays_list(&asked.rules, &asked.situation, (struct option_play *)(void *)list, room);
}

size_t hakem_play_write(const struct hakem_final *play, char text[HAKEM_PLAY_MAX]) {
    struct play steps = {.count = play->legs < PLAY_STEPS_MAX ? play->legs : PLAY_STEPS_MAX};
    for (int i = 0; i < steps.count; i++) {
        const struct hakem_leg *leg = &play->leg[i];
        steps.step[i] = (struct step){leg->from, leg->to, leg->hit != 0};
    }
    return play_write(&steps, ' ', true, text);
}

static void write_final(const struct board *board, const struct play *play,
                        struct hakem_final *out) {
    struct option_play entry = {*board, *play};
    memcpy(out, &entry, sizeof *out);
}

int hakem_judge(const struct hakem_rules *rules, const struct hakem_position *position,
                const char *play, size_t length, struct hakem_final *list, size_t room,
                struct hakem_verdict *verdict) {
    struct throw asked;
    struct verdict judged;
    if (!throw_of(rules, position, room, &asked)) {
        return -1;
    }
    play_judge(&asked.rules, &asked.situation, play, length, (struct play_room *)(void *)list,
               &judged);
    *verdict =
        (struct hakem_verdict){.judgement = (int32_t)judged.judgement, .bad_word = judged.bad_step};
    memcpy(verdict->reason, judged.reason, sizeof verdict->reason);
    if (judged.judgement == JUDGED_LEGAL) {
        write_final(&judged.final, &judged.play, &verdict->final);
    }
    return 0;
}

/* The place in the game that a position is. Nobody has thrown yet where the mover is in his
 * first turn and both sides stand as they started. */
static struct decision decision_of(const struct match_position *position, bool opening) {
    int value = 1 << position->cube_log;
    enum side other = side_other(position->decider);
    struct decision decision = {
        .phase = position->resigning != 0 ? PHASE_RESIGNED
                 : position->pending != 0 ? PHASE_DOUBLED
                 : position->dice[0] != 0 ? PHASE_THROWN
                                          : PHASE_THROW,
        .side = position->decider,
        .first = opening,
        .cube = {.value = value, .owner = position->cube_owner},
        .kind = position->resigning,
    };
    if (position->pending != PENDING_NONE) { /* a beaver comes back to the first doubler */
        decision.cube.offer = value << position->pending;
        decision.cube.doubler = position->pending == PENDING_BEAVER ? position->decider : other;
        decision.cube.beavers = (int)position->pending - 1;
    }
    return decision;
}

int hakem_may(const struct hakem_rules *rules, const struct hakem_position *position) {
    struct rules known;
    struct match_position place;
    struct board start;
    char why[HAKEM_WHY_MAX];
    if (!rules_of(rules, &known) || !match_of(position, &place) ||
        match_position_check(&place, &known, why) != 0 || place.phase != GAME_PLAYING) {
        return -1;
    }
    known.value[OPTION_MATCH] = (int)place.length;
    known.value[OPTION_VIDO] = known.value[OPTION_VIDO] && place.cube_limit > 0;
    struct match match = {.length = (int)place.length,
                          .score = {(int)place.score[0], (int)place.score[1]},
                          .crawford = place.crawford ? CRAWFORD_NOW : CRAWFORD_NEVER};
    board_init(&start, &known);
    bool opening = position->first_turn != 0 && board_equal(&start, &place.board);
    struct decision decision = decision_of(&place, opening);
    return (int)cube_may(&known, &match, &decision);
}

int hakem_position_result(const struct hakem_rules *rules, const struct hakem_position *position,
                          struct hakem_result *result) {
    struct rules known;
    struct board board;
    char why[HAKEM_WHY_MAX];
    memcpy(&board, position->men, sizeof board);
    if (!rules_of(rules, &known) || board_check(&board, &known, why) != 0) {
        return -1;
    }
    struct outcome outcome = board_outcome(&known, &board);
    *result = (struct hakem_result){outcome.over ? (int32_t)outcome.winner : -1, outcome.kind,
                                    outcome.points};
    return 0;
}

const char *hakem_kind(const struct hakem_rules *rules, int kind) {
    struct rules known;
    return kind >= 1 && kind <= 3 && rules_of(rules, &known) ? known.variant->kind[kind - 1] : NULL;
}
