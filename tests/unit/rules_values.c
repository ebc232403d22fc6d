/* Options, variants, positions as text and as counts, results, matches. */
#include "check.h"

#include "rules/play.h"
#include "rules/position.h"
#include "rules/result.h"

static struct rules rules_of(const char *variant) {
    struct rules rules;
    rules_init(&rules, variant_find(variant, strlen(variant)));
    return rules;
}

static struct board board_of(const struct rules *rules, const char *text) {
    struct board board;
    char why[160] = "";
    CHECK(position_read(rules, text, strlen(text), &board, why) == 0, "%s %s", text, why);
    return board;
}

static uint64_t seed = 4711;

static int pick(int count) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)count);
}

static void check_options(void) {
    for (int option = 0; option < OPTION_COUNT; option++) {
        const struct option_row *row = option_row((enum option)option);
        CHECK_INT(option_find(row->name, strlen(row->name)), option, row->name);
        CHECK(row->schools != 0 && row->sentence != NULL && strchr("BF", row->rule[0]) != NULL,
              "%s is explained", row->name);
        int last = row->max;
        if (row->words[0] != NULL) {
            for (last = 0; last + 1 < OPTION_WORDS_MAX && row->words[last + 1] != NULL;) {
                last++;
            }
        }
        for (int value = row->words[0] == NULL ? row->min : 0; value <= last; value++) {
            if (row->powers && (value & (value - 1)) != 0) {
                continue;
            }
            const char *meaning = option_meaning((enum option)option, value);
            char text[16];
            CHECK(meaning != NULL && (strstr(meaning, "{}") != NULL) == (row->words[0] == NULL),
                  "%s: value %d says something", row->name, value);
            option_write((enum option)option, value, text);
            CHECK_INT(option_read((enum option)option, text, strlen(text)), value, text);
        }
        CHECK_INT(option_read((enum option)option, "nonesuch", 8), -1, "no such value");
    }
    CHECK_INT(option_find("wal", 3), -1, "half a name");
    CHECK_INT(option_find("wallet", 6), -1, "more than a name");
    static const char *const bad[] = {"00", "100", "05",  "5 ",
                                      "",  "-1",  "5.0", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(option_read(OPTION_MATCH, bad[i], strlen(bad[i])) == -1, "match is not \"%s\"",
              bad[i]);
    }
}

/* rules.md B, last columns: what each variant lives by unless told otherwise. */
static void check_presets(void) {
    struct rules tavla = rules_of("tavla"), uzun = rules_of("uzun"), western = rules_of("western");
    CHECK(tavla.value[OPTION_OPENING] == OPENING_REROLL &&
              uzun.value[OPTION_OPENING] == OPENING_DECIDING &&
              western.value[OPTION_OPENING] == OPENING_DECIDING,
          "opening");
    CHECK(tavla.value[OPTION_WIN_ENDS_TURN] && uzun.value[OPTION_WIN_ENDS_TURN] &&
              !western.value[OPTION_WIN_ENDS_TURN],
          "win_ends_turn");
    CHECK(uzun.value[OPTION_WALL] == WALL_STEP && tavla.value[OPTION_WALL] == WALL_OFF, "wall");
    CHECK(tavla.value[OPTION_MATCH] == 5 && tavla.value[OPTION_FORFEIT_POINTS] == 2, "numbers");
    CHECK(variant_find("tavl", 4) == NULL && variant_find("tavlaa", 6) == NULL, "no such variant");
}

static void check_set(void) {
    struct rules rules = rules_of("tavla");
    char why[160];
    CHECK(rules_set(&rules, "match", "7", why) == 0 && rules.value[OPTION_MATCH] == 7, "match=7");
    CHECK(rules_differs(&rules, OPTION_MATCH) && !rules_differs(&rules, OPTION_OPENING), "differs");
    CHECK(rules_set(&rules, "match", "100", why) == -1, "match=100");
    CHECK_TEXT(why, "option match takes 0 to 99, not \"100\"", "why not 100");
    CHECK(rules_set(&rules, "bearoff", "wild", why) == -1, "bearoff=wild");
    CHECK_TEXT(why, "option bearoff takes exact, literal000, not \"wild\"", "why not wild");
    CHECK(rules_set(&rules, "wall", "step", why) == -1, "wall in tavla");
    CHECK_TEXT(why, "option wall does not exist in tavla", "why not wall");
    CHECK(rules_set(&rules, "cube\n\xff", "1", why) == -1, "cube");
    CHECK_TEXT(why, "there is no option \"cube??\"", "why not cube");
}

static void check_text(void) {
    struct rules tavla = rules_of("tavla"), uzun = rules_of("uzun");
    struct board board;
    char text[POSITION_TEXT_MAX], why[160];
    board_init(&board, &tavla);
    position_write(&board, text);
    CHECK_TEXT(text, "W 24:2 13:5 8:3 6:5 | B 24:2 13:5 8:3 6:5", "the start of tavla");
    CHECK_INT(board_pips(&board, SIDE_X), 167, "its pips");
    board = board_of(&tavla, " w 19:1 13:13   bar:1|b 24:2 11:11 3:2 ");
    position_write(&board, text);
    CHECK_TEXT(text, "W 19:1 13:13 bar:1 | B 24:2 11:11 3:2", "read and written");
    board = board_of(&tavla, "W 5:1 | B 18:15");
    CHECK_INT(board.men[SIDE_X][POINT_OFF], 14, "who is named nowhere is off");
    static const char *const bad[] = {"",
                                      "W",
                                      "W 5:1",
                                      "B 5:15 | W 5:15",
                                      "W 5:1 off:3 | B 18:15",
                                      "W 5:16 | B 18:15",
                                      "W 25:1 | B 18:15",
                                      "W 0:1 | B 18:15",
                                      "W 5:1 5:1 | B 18:15",
                                      "W 5:15 | B 20:15",
                                      "W 5:15 | B 18:15 x",
                                      "W 5:15 | B 18:15 | W",
                                      "W 5 | B 18:15",
                                      "W 5:115:2 | B 18:15",
                                      "W 5:15 6:1 | B 18:15"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        why[0] = '\0';
        CHECK(position_read(&tavla, bad[i], strlen(bad[i]), &board, why) == -1 && why[0] != '\0',
              "refused: %s (%s)", bad[i], why);
    }
    CHECK(position_read(&uzun, "W 5:14 bar:1 | B 5:15", 21, &board, why) == -1, "no bar in uzun");
    CHECK(position_read(&uzun, "W 5:15 | B 17:15", 16, &board, why) == -1, "W 5 is B 17 in uzun");
}

/* A random board of any kind that can occur. */
static struct board random_board(const struct rules *rules) {
    struct board board = {{{0}}};
    for (int side = 0; side < SIDE_COUNT; side++) {
        for (int i = 0; i < rules->variant->checkers; i++) {
            int point = pick(rules->variant->hits ? 26 : 25);
            bool taken = point >= 1 && point <= 24 &&
                         board.men[1 - side][point_mirror(rules->variant->path, point)] > 0;
            board.men[side][taken ? 0 : point]++;
        }
    }
    return board;
}

static void check_round_trips(void) {
    for (int id = 0; id < VARIANT_COUNT; id++) {
        struct rules rules;
        int good = 0;
        rules_init(&rules, variant_row((enum variant_id)id));
        for (int n = 0; n < 1000; n++) {
            struct board board = random_board(&rules), read, counted;
            char text[POSITION_TEXT_MAX], why[160];
            int8_t counts[POINT_COUNT];
            enum side frame = (enum side)pick(2);
            size_t length = position_write(&board, text);
            position_counts(&rules, &board, frame, counts);
            good += position_read(&rules, text, length, &read, why) == 0 &&
                    board_equal(&board, &read) && length == strlen(text) &&
                    position_from_counts(&rules, counts, frame, &counted, why) == 0 &&
                    board_equal(&board, &counted);
        }
        CHECK(good == 1000, "%s: text and counts go round", rules.variant->name);
    }
}

static void check_counts(void) {
    struct rules tavla = rules_of("tavla"), uzun = rules_of("uzun");
    struct board board = board_of(&tavla, "W 13:14 bar:1 | B 24:1 5:13 bar:1"), read;
    int8_t counts[POINT_COUNT];
    char why[160];
    position_counts(&tavla, &board, SIDE_Y, counts);
    CHECK(counts[0] == -1 && counts[25] == 1 && counts[24] == 1 && counts[12] == -14 &&
              counts[5] == 13,
          "the other side's frame in tavla");
    board = board_of(&uzun, "W 24:15 | B 24:15");
    position_counts(&uzun, &board, SIDE_X, counts);
    CHECK(counts[24] == 15 && counts[12] == -15, "heads in uzun");
    counts[0] = 1;
    CHECK(position_from_counts(&uzun, counts, SIDE_X, &read, why) == -1, "count 0 is the other's");
    CHECK_TEXT(why, "count 0 cannot be 1", "why");
    counts[0] = 0;
    counts[12] = -128;
    CHECK(position_from_counts(&uzun, counts, SIDE_X, &read, why) == -1, "too many");
    counts[12] = -15;
    counts[13] = -1;
    CHECK(position_from_counts(&uzun, counts, SIDE_X, &read, why) == -1, "sixteen");
}

struct result_case {
    const char *variant, *option, *value, *position, *expected;
};

static const struct result_case results[] = {
    {"tavla", NULL, NULL, "W 5:1 | B 18:15", "none 0"},
    {"tavla", NULL, NULL, "W off:15 | B 18:15", "W mars 2"},
    {"tavla", NULL, NULL, "W 1:14 | B off:15", "B single 1"},
    {"tavla", "katmerli", "3", "W off:15 | B 18:14 bar:1", "W katmerli 3"},
    {"tavla", "katmerli", "3", "W off:15 | B 19:1 18:14", "W katmerli 3"},
    {"tavla", "katmerli", "3", "W off:15 | B 18:15", "W mars 2"},
    {"tavla", "katmerli", "3", "W off:15 | B 18:13 bar:1 off:1", "W single 1"},
    {"western", NULL, NULL, "W off:15 | B 18:14 bar:1", "W backgammon 3"},
    {"western", NULL, NULL, "W off:15 | B 18:15", "W gammon 2"},
    {"uzun", NULL, NULL, "W off:15 | B 24:14 off:1", "W oin 1"},
    {"uzun", NULL, NULL, "W off:15 | B 24:15", "W koks 3"},
    {"uzun", "koks", "2", "W off:15 | B 24:15", "W mars 2"},
    {"uzun", "koks_test", "any", "W off:15 | B 19:1 18:14", "W koks 3"},
    {"uzun", "koks_test", "any", "W off:15 | B 18:15", "W mars 2"},
    {"uzun", NULL, NULL, "W off:15 | B 6:15", "W mars 2"},
    {"uzun", "home_mars", "10", "W off:15 | B 6:15", "W mars 10"},
    {"uzun", "home_mars", "10", "W off:15 | B 7:1 6:14", "W mars 2"},
};

static void check_results(void) {
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        const struct result_case *row = &results[i];
        struct rules rules = rules_of(row->variant);
        char why[160], got[64];
        if (row->option != NULL) {
            CHECK(rules_set(&rules, row->option, row->value, why) == 0, "%s", row->option);
        }
        struct board board = board_of(&rules, row->position);
        struct outcome outcome = board_outcome(&rules, &board);
        snprintf(got, sizeof got, "%s%s %d",
                 !outcome.over              ? ""
                 : outcome.winner == SIDE_X ? "W "
                                            : "B ",
                 kind_name(&rules, outcome.kind), outcome.points);
        CHECK_TEXT(got, row->expected, row->position);
    }
}

/* A forfeit costs what the side could still have lost. */
static void check_forfeits(void) {
    static const struct {
        const char *variant, *option, *value, *position;
        int points;
    } rows[] = {
        {"tavla", NULL, NULL, "W 24:2 13:5 8:3 6:5 | B 24:2 13:5 8:3 6:5", 2},
        {"tavla", "forfeit_points", "1", "W 6:14 | B 6:15", 1},
        {"tavla", "forfeit_points", "3", "W 6:14 | B 6:15", 3},
        {"tavla", "katmerli", "3", "W 24:2 13:5 8:3 6:5 | B 24:2 13:5 8:3 6:5", 3},
        {"western", NULL, NULL, "W 24:2 13:5 8:3 6:5 | B 24:2 13:5 8:3 6:5", 3},
        {"western", NULL, NULL, "W 12:15 | B 12:15", 2},
        {"western", NULL, NULL, "W 24:1 12:14 | B 2:15", 3},
        {"uzun", NULL, NULL, "W 24:15 | B 24:15", 3},
        {"uzun", NULL, NULL, "W 24:14 18:1 | B 24:15", 2},
        {"uzun", "koks_test", "any", "W 24:14 18:1 | B 24:15", 3},
        {"uzun", "koks", "2", "W 24:15 | B 24:15", 2},
        {"uzun", "home_mars", "7", "W 24:15 | B 24:15", 7},
        {"uzun", "home_mars", "7", "W 24:14 off:1 | B 24:15", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rules rules = rules_of(rows[i].variant);
        char why[160];
        if (rows[i].option != NULL) {
            CHECK(rules_set(&rules, rows[i].option, rows[i].value, why) == 0, "%s", rows[i].option);
        }
        struct board board = board_of(&rules, rows[i].position);
        CHECK_INT(board_forfeit_points(&rules, &board, SIDE_X), rows[i].points, rows[i].position);
    }
}

/* draw=last_roll: who is done after whose turn, in a game that W began (B39). */
static void check_draws(void) {
    static const struct {
        const char *draw, *position;
        enum side mover;
        const char *expected;
    } rows[] = {
        {"last_roll", "W off:15 | B 3:4 off:11", SIDE_X, "goes on"},
        {"last_roll", "W off:15 | B 3:1 off:14", SIDE_X, "goes on"},
        {"last_roll", "W off:15 | B 3:5 off:10", SIDE_X, "W 2"},
        {"last_roll", "W off:15 | B 24:15", SIDE_X, "W 6"},
        {"last_roll", "W off:15 | B 3:1 off:14", SIDE_Y, "W 2"},
        {"last_roll", "W off:15 | B off:15", SIDE_Y, "draw 1"},
        {"last_roll", "W 3:1 off:14 | B off:15", SIDE_Y, "B 2"},
        {"last_roll", "W 3:1 off:14 | B 3:1 off:14", SIDE_Y, "goes on"},
        {"none", "W off:15 | B 3:1 off:14", SIDE_X, "W 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rules rules = rules_of("uzun");
        char why[160], got[32] = "goes on";
        CHECK(rules_set(&rules, "draw", rows[i].draw, why) == 0, "draw=%s", rows[i].draw);
        struct board board = board_of(&rules, rows[i].position);
        struct outcome outcome = game_outcome(&rules, &board, SIDE_X, rows[i].mover);
        if (outcome.over) {
            snprintf(got, sizeof got, "%s %d",
                     outcome.drawn              ? "draw"
                     : outcome.winner == SIDE_X ? "W"
                                                : "B",
                     outcome_half_points(&rules, &outcome));
        }
        CHECK_TEXT(got, rows[i].expected, rows[i].position);
        CHECK(rules_set(&rules, "draw_points", "1", why) == 0, "draw_points");
        CHECK(!outcome.drawn || outcome_half_points(&rules, &outcome) == 2, "a whole point each");
    }
}

/* Options that are younger than the first records are stated only where they differ. */
static void check_later(void) {
    struct rules uzun = rules_of("uzun"), tavla = rules_of("tavla");
    char why[160];
    CHECK(!rules_states(&uzun, OPTION_DRAW) && rules_states(&uzun, OPTION_WALL), "draw is later");
    CHECK(rules_set(&uzun, "draw", "last_roll", why) == 0 && rules_states(&uzun, OPTION_DRAW),
          "and stated where it differs");
    CHECK(!rules_states(&tavla, OPTION_WALL), "what a game has not is never stated");
}

static void check_match(void) {
    struct rules rules = rules_of("tavla");
    struct match match;
    char score[SCORE_TEXT_MAX], why[160];
    int winner;
    rules_set(&rules, "match", "3", why);
    match_init(&match, &rules);
    CHECK(!match_over(&match, &winner) && match_starter(&match, &rules) == -1, "a new match");
    match_add(&match, SIDE_Y, 2 * POINT_HALVES, SIDE_X);
    match_add(&match, -1, 1, SIDE_Y);
    score_write(match.score[SIDE_Y], score);
    CHECK_TEXT(score, "2.5", "two and a half");
    CHECK(!match_over(&match, &winner) && match.games == 2, "not yet over");
    match_add(&match, SIDE_Y, 2 * POINT_HALVES, SIDE_X);
    score_write(match.score[SIDE_Y], score);
    CHECK_TEXT(score, "4.5", "the surplus stands");
    CHECK(match_over(&match, &winner) && winner == SIDE_Y, "over");
    static const struct {
        const char *word;
        int starter;
    } rows[] = {{"roll", -1}, {"winner", SIDE_Y}, {"loser", SIDE_X}, {"alternate", SIDE_Y}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rules_set(&rules, "next_starter", rows[i].word, why);
        CHECK_INT(match_starter(&match, &rules), rows[i].starter, rows[i].word);
    }
    match_add(&match, -1, 10, SIDE_X);
    CHECK(match_over(&match, &winner) && winner == -1, "both at once");
    rules_set(&rules, "next_starter", "winner", why);
    CHECK_INT(match_starter(&match, &rules), -1, "after a draw the throw decides");
}

int main(void) {
    check_options();
    check_presets();
    check_set();
    check_text();
    check_round_trips();
    check_counts();
    check_results();
    check_forfeits();
    check_draws();
    check_later();
    check_match();
    return check_done();
}
