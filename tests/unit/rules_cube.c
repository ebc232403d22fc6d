/* The cube: who may do what in every combination of state, and where each act leads. */
#include "check.h"

#include "rules/cube.h"
#include "rules/position.h"

static struct rules rules_of(enum variant_id variant, const char *options) {
    struct rules rules;
    char text[200], why[160];
    rules_init(&rules, variant_row(variant));
    snprintf(text, sizeof text, "%s", options);
    for (char *word = text; *word != '\0';) {
        char *end = strchr(word, ' ');
        char *equals = strchr(word, '=');
        if (end != NULL) {
            *end = '\0';
        }
        *equals = '\0';
        CHECK(rules_set(&rules, word, equals + 1, why) == 0, "%s=%s %s", word, equals + 1, why);
        word = end != NULL ? end + 1 : strchr(equals + 1, '\0');
    }
    CHECK(rules_check(&rules, why) == 0, "%s: %s", options, why);
    return rules;
}

static struct match match_at(const struct rules *rules, int x, int y) {
    struct match match;
    match_init(&match, rules);
    if (x > 0) {
        match_add(&match, SIDE_X, x * POINT_HALVES, SIDE_X);
    }
    if (y > 0) {
        match_add(&match, SIDE_Y, y * POINT_HALVES, SIDE_X);
    }
    return match;
}

/* ---- every combination */

/* One state, told by what the rules speak of and nothing else. */
struct state {
    struct rules rules;
    struct match match;
    struct decision decision;
};

/* The same question, asked the other way round: for each act the reasons against it. */
static bool is_barred(const struct state *state, enum act act) {
    const struct decision *now = &state->decision;
    const int *option = state->rules.value;
    int most = state->rules.variant->id == VARIANT_WESTERN || option[OPTION_KOKS] == 3 ? 3 : 2;
    bool money = option[OPTION_MATCH] == 0;
    int needs = option[OPTION_MATCH] - state->match.score[now->side] / POINT_HALVES;
    switch (act) {
    case ACT_ROLL:
        return now->phase != PHASE_THROW;
    case ACT_PLAY:
        return now->phase != PHASE_THROWN;
    case ACT_DOUBLE:
        return now->phase != PHASE_THROW || option[OPTION_VIDO] == 0 || now->first ||
               now->cube.owner == (int)side_other(now->side) ||
               now->cube.value * 2 > option[OPTION_VIDO_MAX] ||
               (!money && (now->cube.value >= needs || state->match.crawford == CRAWFORD_NOW));
    case ACT_TAKE:
    case ACT_DROP:
        return now->phase != PHASE_DOUBLED;
    case ACT_BEAVER:
        return now->phase != PHASE_DOUBLED || !money ||
               now->cube.beavers >= option[OPTION_BEAVERS] ||
               now->cube.offer * 2 > option[OPTION_VIDO_MAX];
    case ACT_RESIGN:
        return now->phase == PHASE_DOUBLED || now->phase == PHASE_RESIGNED ||
               option[OPTION_RESIGN] == 0 || now->resigned || now->rejected[now->side] >= most;
    case ACT_ACCEPT:
    case ACT_REJECT:
        return now->phase != PHASE_RESIGNED;
    }
    return true;
}

static int states, wrong, empty;

static void ask(const struct state *state) {
    unsigned may = cube_may(&state->rules, &state->match, &state->decision);
    states++;
    empty += may == 0;
    for (int bit = 0; bit < ACT_COUNT; bit++) {
        enum act act = (enum act)(1u << bit);
        bool allowed = (may & 1u << bit) != 0;
        if (allowed == is_barred(state, act) && wrong++ == 0) {
            printf("# %s phase %d side %d value %d owner %d\n", act_name(act),
                   (int)state->decision.phase, (int)state->decision.side,
                   state->decision.cube.value, state->decision.cube.owner);
        }
    }
}

static void ask_cubes(struct state *state) {
    struct decision *now = &state->decision;
    for (int value = 1; value <= 64; value *= 2) {
        for (int owner = CUBE_MIDDLE; owner <= SIDE_Y; owner++) {
            for (int beavers = 0; beavers <= 3; beavers++) {
                bool doubled = now->phase == PHASE_DOUBLED;
                now->cube = (struct cube){.value = value, .owner = owner};
                if (doubled) {
                    now->cube.offer = (value * 2) << beavers;
                    now->cube.beavers = beavers;
                    now->cube.doubler = beavers % 2 == 0 ? side_other(now->side) : now->side;
                }
                if (doubled || beavers == 0) {
                    ask(state);
                }
            }
        }
    }
}

static void ask_decisions(struct state *state) {
    for (int bits = 0; bits < 1 << 5; bits++) {
        for (int rejected = 0; rejected <= 3; rejected++) {
            struct decision *now = &state->decision;
            *now = (struct decision){.phase = (enum phase)(bits & 3),
                                     .side = (enum side)(bits >> 2 & 1),
                                     .first = (bits >> 3 & 1) != 0,
                                     .resigned = (bits >> 4 & 1) != 0};
            now->rejected[now->side] = rejected;
            now->kind = now->phase == PHASE_RESIGNED ? 1 : 0;
            ask_cubes(state);
        }
    }
}

static void check_every_state(void) {
    static const struct {
        enum variant_id variant;
        const char *options;
    } rows[] = {
        {VARIANT_TAVLA, "match=3"},
        {VARIANT_TAVLA, "match=5 vido=on resign=on"},
        {VARIANT_TAVLA, "match=5 vido=on vido_max=2"},
        {VARIANT_UZUN, "match=7 vido=on crawford=false resign=on"},
        {VARIANT_UZUN, "match=3 resign=on koks=2"},
        {VARIANT_WESTERN, "match=5 vido=on resign=on"},
        {VARIANT_WESTERN, "match=1 vido=on"},
        {VARIANT_WESTERN, "match=0 games=5 resign=on"},
        {VARIANT_WESTERN, "match=0 vido=on resign=on"},
        {VARIANT_WESTERN, "match=0 vido=on beavers=1 vido_max=8"},
        {VARIANT_WESTERN, "match=0 vido=on beavers=3 vido_max=1024 jacoby=false"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct state state = {.rules = rules_of(rows[i].variant, rows[i].options)};
        int last = state.rules.value[OPTION_MATCH] > 0 ? state.rules.value[OPTION_MATCH] - 1 : 0;
        for (int x = 0; x <= last; x++) {
            for (int y = 0; y <= last; y++) {
                state.match = match_at(&state.rules, x, y);
                int crawfords = state.rules.value[OPTION_MATCH] > 0 ? CRAWFORD_PAST : CRAWFORD_NEVER;
                for (int c = CRAWFORD_NEVER; c <= crawfords; c++) {
                    state.match.crawford = (enum crawford)c;
                    ask_decisions(&state);
                }
            }
        }
    }
    CHECK(states > 500000, "%d states asked", states);
    CHECK_INT(wrong, 0, "every act is allowed just where nothing bars it");
    CHECK_INT(empty, 0, "there is always something to do");
}

/* ---- where acts lead */

static void check_doubles(void) {
    struct rules rules = rules_of(VARIANT_WESTERN, "match=0 vido=on beavers=2");
    struct match match = match_at(&rules, 0, 0);
    struct decision now;
    decision_init(&now, &rules, SIDE_X, 0);
    CHECK_INT(cube_may(&rules, &match, &now), ACT_ROLL, "no double before the very first throw");
    cube_do(&now, ACT_ROLL, 0);
    cube_do(&now, ACT_PLAY, 0);
    CHECK(now.side == SIDE_Y && now.phase == PHASE_THROW, "the other side's throw");
    CHECK_INT(cube_may(&rules, &match, &now), ACT_ROLL | ACT_DOUBLE, "which may double");
    cube_do(&now, ACT_DOUBLE, 0);
    CHECK(now.side == SIDE_X && now.cube.offer == 2 && now.cube.value == 1, "offered at 2");
    CHECK_INT(cube_surrender(&rules, &now, ACT_DROP).points, 1, "a drop costs the value before");
    CHECK(cube_surrender(&rules, &now, ACT_DROP).winner == SIDE_Y, "to the doubler");
    cube_do(&now, ACT_BEAVER, 0);
    CHECK(now.side == SIDE_Y && now.cube.offer == 4, "beavered to 4");
    CHECK(cube_surrender(&rules, &now, ACT_DROP).points == 2 &&
              cube_surrender(&rules, &now, ACT_DROP).winner == SIDE_X,
          "which the doubler may drop for 2");
    struct decision raccoon = now;
    cube_do(&raccoon, ACT_BEAVER, 0);
    CHECK(raccoon.side == SIDE_X && raccoon.cube.offer == 8, "a raccoon to 8");
    CHECK_INT(cube_may(&rules, &match, &raccoon), ACT_TAKE | ACT_DROP, "and no further");
    cube_do(&raccoon, ACT_TAKE, 0);
    CHECK(raccoon.cube.owner == SIDE_X && raccoon.cube.value == 8 && raccoon.side == SIDE_Y &&
              raccoon.phase == PHASE_THROWN,
          "the cube goes to whom the first double was offered, the doubler throws");
    cube_do(&now, ACT_TAKE, 0);
    CHECK(now.cube.owner == SIDE_X && now.cube.value == 4 && now.side == SIDE_Y,
          "so it does after a beaver");
    cube_do(&now, ACT_PLAY, 0);
    cube_do(&now, ACT_ROLL, 0);
    cube_do(&now, ACT_PLAY, 0);
    CHECK_INT(cube_may(&rules, &match, &now), ACT_ROLL, "who does not own it cannot double");
}

static void check_resignations(void) {
    struct rules rules = rules_of(VARIANT_TAVLA, "vido=on resign=on katmerli=3");
    struct match match = match_at(&rules, 0, 0);
    struct decision now;
    decision_init(&now, &rules, SIDE_Y, 0);
    cube_do(&now, ACT_ROLL, 0);
    CHECK_INT(cube_may(&rules, &match, &now), ACT_PLAY | ACT_RESIGN, "on the throw");
    cube_do(&now, ACT_RESIGN, 1);
    CHECK(now.side == SIDE_X && now.phase == PHASE_RESIGNED, "offered");
    CHECK(cube_surrender(&rules, &now, ACT_ACCEPT).winner == SIDE_X, "who accepts has won");
    cube_do(&now, ACT_REJECT, 0);
    CHECK(now.side == SIDE_Y && now.phase == PHASE_THROWN, "rejected: the same throw again");
    CHECK_INT(cube_may(&rules, &match, &now), ACT_PLAY, "but not twice on a turn");
    cube_do(&now, ACT_PLAY, 0);
    CHECK(resign_may(&rules, &now, 1), "the other side is not bound by it");
    cube_do(&now, ACT_ROLL, 0);
    cube_do(&now, ACT_PLAY, 0);
    CHECK(!resign_may(&rules, &now, 1) && resign_may(&rules, &now, 2) &&
              resign_may(&rules, &now, 3) && !resign_may(&rules, &now, 4),
          "the next one has to be higher");
    now.cube.value = 4;
    cube_do(&now, ACT_RESIGN, 2);
    struct outcome outcome = cube_surrender(&rules, &now, ACT_ACCEPT);
    CHECK(outcome.kind == 2 && outcome.points == 8 && outcome.winner == SIDE_X, "a mars at 4");
    cube_do(&now, ACT_REJECT, 0);
    CHECK(now.phase == PHASE_THROW && now.side == SIDE_Y, "rejected before the throw");
}

static void check_prices(void) {
    static const char mars[] = "W off:15 | B 24:2 13:5 8:3 6:5";
    static const struct {
        enum variant_id variant;
        const char *options;
        int value, owner, kind, points;
    } rows[] = {
        {VARIANT_TAVLA, "vido=on", 1, CUBE_MIDDLE, 2, 2}, /* B26: no Jacoby */
        {VARIANT_TAVLA, "vido=on", 2, SIDE_X, 2, 4},      /* R0.36 */
        {VARIANT_WESTERN, "vido=on", 4, SIDE_Y, 3, 12},
        {VARIANT_WESTERN, "match=0 vido=on", 1, CUBE_MIDDLE, 1, 1},
        {VARIANT_WESTERN, "match=0 vido=on auto_doubles=2", 4, CUBE_MIDDLE, 1, 4},
        {VARIANT_WESTERN, "match=0 vido=on", 2, SIDE_Y, 3, 6},
        {VARIANT_WESTERN, "match=0 vido=on jacoby=false", 1, CUBE_MIDDLE, 3, 3},
        {VARIANT_WESTERN, "match=0", 1, CUBE_MIDDLE, 3, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rules rules = rules_of(rows[i].variant, rows[i].options);
        struct board board;
        struct decision now;
        char why[160];
        CHECK(position_read(&rules, mars, strlen(mars), &board, why) == 0, "%s", mars);
        decision_init(&now, &rules, SIDE_X, 0);
        now.cube = (struct cube){.value = rows[i].value, .owner = rows[i].owner};
        struct outcome outcome = cube_outcome(&rules, &now, board_outcome(&rules, &board));
        CHECK_INT(outcome.kind, rows[i].kind, rows[i].options);
        CHECK_INT(outcome.points, rows[i].points, "and its points");
    }
}

static void check_forfeits(void) {
    struct rules rules = rules_of(VARIANT_TAVLA, "vido=on");
    struct decision now;
    struct board board;
    char why[160];
    static const char oneoff[] = "W 1:14 off:1 | B 1:14 off:1";
    decision_init(&now, &rules, SIDE_X, 0);
    board_init(&board, &rules);
    CHECK_INT(cube_forfeit(&rules, &now, &board, SIDE_X).points, 2, "a mars at 1");
    now.cube.value = 4;
    CHECK_INT(cube_forfeit(&rules, &now, &board, SIDE_X).points, 8, "a mars at 4");
    CHECK(position_read(&rules, oneoff, strlen(oneoff), &board, why) == 0, "%s", oneoff);
    CHECK_INT(cube_forfeit(&rules, &now, &board, SIDE_X).points, 4, "a single at 4");
    now.cube.value = 1;
    CHECK_INT(cube_forfeit(&rules, &now, &board, SIDE_X).points, 2, "forfeit_points at least");
    now.cube.offer = 8;
    CHECK_INT(cube_forfeit(&rules, &now, &board, SIDE_X).points, 4, "a drop at least");
}

static void check_auto_doubles(void) {
    struct rules rules = rules_of(VARIANT_WESTERN, "match=0 vido=on auto_doubles=2");
    struct decision now;
    static const int values[] = {1, 2, 4, 4};
    for (int ties = 0; ties < 4; ties++) {
        decision_init(&now, &rules, SIDE_X, ties);
        CHECK_INT(now.cube.value, values[ties], "equal opening throws");
    }
    rules.value[OPTION_VIDO_MAX] = 2;
    decision_init(&now, &rules, SIDE_X, 3);
    CHECK_INT(now.cube.value, 2, "within the limit of the cube");
    rules.value[OPTION_MATCH] = 5;
    decision_init(&now, &rules, SIDE_X, 3);
    CHECK_INT(now.cube.value, 1, "money only");
}

static void check_crawford(void) {
    struct rules rules = rules_of(VARIANT_WESTERN, "match=3 vido=on");
    struct match match = match_at(&rules, 0, 0);
    CHECK(match.crawford == CRAWFORD_AHEAD, "ahead");
    match_add(&match, SIDE_X, 2 * POINT_HALVES, SIDE_X);
    CHECK(match.crawford == CRAWFORD_NOW, "1 away: the Crawford game");
    match_add(&match, SIDE_Y, 2 * POINT_HALVES, SIDE_X);
    CHECK(match.crawford == CRAWFORD_PAST, "it comes once, also when the other side is 1 away");
    rules = rules_of(VARIANT_WESTERN, "match=3 vido=on crawford=false");
    match = match_at(&rules, 2, 2);
    CHECK(match.crawford == CRAWFORD_NEVER, "crawford=false");
    match = match_at(&(struct rules){.variant = variant_row(VARIANT_TAVLA),
                                     .value = {[OPTION_MATCH] = 3, [OPTION_CRAWFORD] = 1}},
                     2, 0);
    CHECK(match.crawford == CRAWFORD_NEVER, "no cube, no Crawford game");
}

static void check_money(void) {
    struct rules rules = rules_of(VARIANT_WESTERN, "match=0 games=3");
    struct match match = match_at(&rules, 0, 0);
    int winner;
    match_add(&match, SIDE_X, 3 * POINT_HALVES, SIDE_X);
    match_add(&match, SIDE_Y, 1 * POINT_HALVES, SIDE_X);
    CHECK(!match_over(&match, &winner) && match_away(&match, SIDE_X) == -1, "two games of three");
    struct match even = match;
    match_add(&match, SIDE_Y, 1 * POINT_HALVES, SIDE_X);
    CHECK(match_over(&match, &winner) && winner == SIDE_X, "the higher total");
    match_add(&even, SIDE_Y, 2 * POINT_HALVES, SIDE_X);
    CHECK(match_over(&even, &winner) && winner == -1, "or nobody");
}

static void check_refusals(void) {
    static const struct {
        enum variant_id variant;
        enum option option;
        int value, vido, match;
        const char *why;
    } rows[] = {
        {VARIANT_TAVLA, OPTION_MATCH, 0, 0, 0,
         "match=0 is a money session, played in western only"},
        {VARIANT_TAVLA, OPTION_VIDO_MAX, 2, 0, 5, "vido_max=2 says nothing without vido=on"},
        {VARIANT_UZUN, OPTION_CRAWFORD, 0, 0, 5, "crawford=false says nothing without vido=on"},
        {VARIANT_WESTERN, OPTION_BEAVERS, 1, 0, 0, "beavers=1 says nothing without vido=on"},
        {VARIANT_WESTERN, OPTION_BEAVERS, 1, 1, 5, "beavers=1 is for a money session: match=0"},
        {VARIANT_WESTERN, OPTION_JACOBY, 0, 1, 5, "jacoby=false is for a money session: match=0"},
        {VARIANT_WESTERN, OPTION_AUTO_DOUBLES, 2, 1, 5,
         "auto_doubles=2 is for a money session: match=0"},
        {VARIANT_WESTERN, OPTION_GAMES, 9, 0, 5, "games=9 is for a money session: match=0"},
        {VARIANT_WESTERN, OPTION_CRAWFORD, 0, 1, 0,
         "crawford=false is for a match, not for a money session"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rules rules;
        char why[160];
        rules_init(&rules, variant_row(rows[i].variant));
        rules.value[OPTION_VIDO] = rows[i].vido;
        rules.value[OPTION_MATCH] = rows[i].match;
        CHECK(rules_check(&rules, why) == (i == 0 ? -1 : 0), "without it: %s", why);
        rules.value[rows[i].option] = rows[i].value;
        CHECK(rules_check(&rules, why) == -1, "with it");
        CHECK_TEXT(why, rows[i].why, "and the sentence");
    }
    struct rules rules;
    char why[160];
    rules_init(&rules, variant_row(VARIANT_WESTERN));
    CHECK(rules_set(&rules, "vido_max", "48", why) == -1, "no power of two");
    CHECK_TEXT(why, "option vido_max takes 2 to 1024, powers of two, not \"48\"", "its sentence");
    CHECK(!rules_states(&rules, OPTION_VIDO) && rules_states(&rules, OPTION_OPENING), "late rows");
    rules.value[OPTION_VIDO] = 1;
    CHECK(rules_states(&rules, OPTION_VIDO), "are stated where they differ");
}

int main(void) {
    for (int bit = 0; bit < ACT_COUNT; bit++) {
        const char *word = act_name((enum act)(1u << bit));
        CHECK_INT(act_find(word, strlen(word)), 1u << bit, "a word of an act");
    }
    CHECK_INT(act_find("double", 5) | act_find("doubles", 7) | act_find("", 0), 0, "no word of an act");
    check_every_state();
    check_doubles();
    check_resignations();
    check_prices();
    check_forfeits();
    check_auto_doubles();
    check_crawford();
    check_money();
    check_refusals();
    return check_done();
}
