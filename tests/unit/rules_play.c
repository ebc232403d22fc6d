/* Claims read and refused, plays written, and the counts of the opening. */
#include "check.h"

#include "rules/play.h"
#include "rules/position.h"

static struct play_room room;
static struct verdict verdict;

struct claim_case {
    const char *variant, *option, *value; /* option NULL: the defaults */
    const char *position;                 /* NULL: the start */
    const char *dice, *claim;
    const char *expected; /* the play, or '!' and the reason */
};

#define BEHIND   "W 6:1 5:3 off:11 | B 24:2 18:13"
#define ENTER    "W 24:1 13:5 8:3 6:5 bar:1 | B 24:2 13:5 8:3 6:5"
#define HITTER   "W 10:1 1:14 | B 20:1 6:14"
#define ONE_BLOT "W 24:1 2:14 | B 7:1 3:14"

static const struct claim_case claims[] = {
    {"tavla", NULL, NULL, NULL, "31", "8/5 6/5", "8/5 6/5"},
    {"tavla", NULL, NULL, NULL, "31", "6/5 8/5", "6/5 8/5"},
    {"tavla", NULL, NULL, NULL, "13", "  8-5,6-5\r\n", "8/5 6/5"},
    {"tavla", NULL, NULL, NULL, "31", "8/5* 6/5**", "8/5 6/5"},
    {"tavla", NULL, NULL, NULL, "31", "24/20", "24/21 21/20"},
    {"tavla", NULL, NULL, NULL, "31", "24/23/20", "24/23 23/20"},
    {"tavla", NULL, NULL, NULL, "65", "24/13", "24/18 18/13"},
    {"tavla", NULL, NULL, NULL, "22", "13/11(2) 6/4(2)", "13/11 13/11 6/4 6/4"},
    {"tavla", NULL, NULL, NULL, "22", "13/11*(2)*,6/4(2)", "13/11 13/11 6/4 6/4"},
    {"tavla", NULL, NULL, NULL, "22", "24/20(2)", "24/22 22/20 24/22 22/20"},
    {"tavla", NULL, NULL, NULL, "11", "8/7/6(2)", "8/7 7/6 8/7 7/6"},
    {"tavla", NULL, NULL, ENTER, "31", "BAR/22 24/23", "bar/22 24/23"},
    {"tavla", NULL, NULL, ENTER, "31", "25/22 24/23", "bar/22 24/23"},
    {"tavla", NULL, NULL, ENTER, "31", "bar/21", "bar/22 22/21"},
    {"tavla", NULL, NULL, BEHIND, "65", "6/Off 5/HOME", "6/off 5/off"},
    {"tavla", NULL, NULL, BEHIND, "51", "5/0 6/5", "5/off 6/5"},
    {"tavla", NULL, NULL, HITTER, "53", "10/5 5/2", "10/5* 5/2"},
    {"tavla", NULL, NULL, HITTER, "53", "10/2", "10/7 7/2"},
    {"tavla", NULL, NULL, HITTER, "53", "10/5*/2", "10/5* 5/2"},
    {"tavla", NULL, NULL, HITTER, "66", "", "!0 of 4 dice played; 4 can be"},
    {"tavla", NULL, NULL, "W 7:2 off:13 | B 24:15", "66", "pass", ""},
    {"tavla", NULL, NULL, "W 7:2 off:13 | B 24:15", "66", "PASS ", ""},
    {"tavla", NULL, NULL, "W 7:2 off:13 | B 24:15", "66", "", ""},
    {"tavla", NULL, NULL, "W 7:2 off:13 | B 24:15", "66", "7/1", "!7/1: point 1 is closed"},

    /* a collapsed leg is played to its end before the next one begins (B7) */
    {"tavla", NULL, NULL, "W 13:13 bar:2 | B 8:15", "11", "bar/24 bar/23 13/12",
     "bar/24 bar/24 24/23 13/12"},
    {"tavla", NULL, NULL, "W 13:13 bar:2 | B 8:15", "11", "bar/23 bar/24 13/12",
     "!bar/23: a checker on the bar must enter first"},
    {"tavla", "play_check", "final", "W 13:13 bar:2 | B 8:15", "11", "bar/23 bar/24 13/12",
     "bar/24 bar/24 24/23 13/12"},
    {"uzun", NULL, NULL, "W 13:1 10:1 2:8 1:5 | B 24:15", "66", "10/off 13/1",
     "!10/off: not all checkers are home, one stands on 13"},
    {"uzun", NULL, NULL, "W 13:1 10:1 2:8 1:5 | B 24:15", "66", "13/1 10/off",
     "13/7 7/1 10/4 4/off"},

    /* under play_check=final the steps come in any order, but they are the dice's steps */
    {"tavla", "play_check", "final", NULL, "31", "24/22 22/20",
     "!24/22: the dice left do not make 2"},
    {"tavla", "play_check", "final", NULL, "31", "8/7 7/6 6/5 6/5",
     "!7/6: the die left is a 3"},
    {"uzun", "play_check", "final", "W 3:1 2:1 1:1 off:12 | B 24:15", "23",
     "3/1 2/off 1/off", "!1/off: no die is left for it"},
    {"uzun", "play_check", "final", "W 3:1 2:1 1:1 off:12 | B 24:15", "23", "2/off 3/1",
     "3/1 2/off"},

    {"tavla", NULL, NULL, NULL, "31", "", "!0 of 2 dice played; 2 can be"},
    {"tavla", NULL, NULL, NULL, "31", "8/5", "!only 1 of 2 dice played; 2 can be"},
    {"tavla", NULL, NULL, NULL, "31", "8/5 9/8", "!9/8: no checker on 9"},
    {"tavla", NULL, NULL, NULL, "31", "bar/22 8/7", "!bar/22: no checker on the bar"},
    {"tavla", NULL, NULL, NULL, "31", "8/5 6/5 6/5", "!6/5: no die is left for it"},
    {"tavla", NULL, NULL, NULL, "31", "8/5 6/4", "!6/4: the die left is a 1"},
    {"tavla", NULL, NULL, NULL, "31", "13/8", "!13/8: the dice left do not make 5"},
    {"tavla", NULL, NULL, NULL, "55", "24/14", "!24/14: the way is closed in between"},
    {"tavla", NULL, NULL, NULL, "51", "24/19 8/7", "!24/19: point 19 is closed"},
    {"tavla", NULL, NULL, NULL, "31", "5/8 8/7",
     "!5/8: a checker moves from a higher point to a lower one"},
    {"tavla", NULL, NULL, NULL, "31", "off/bar",
     "!off/bar: a checker moves from a higher point to a lower one"},
    {"tavla", NULL, NULL, NULL, "31", "6/off 8/7",
     "!6/off: not all checkers are home, one stands on 24"},
    {"tavla", NULL, NULL, NULL, "11", "8/7(9)", "!8/7: no checker on 8"},
    {"tavla", NULL, NULL, ENTER, "31", "24/21 bar/24",
     "!24/21: a checker on the bar must enter first"},
    {"tavla", NULL, NULL, BEHIND, "61", "5/off 6/5", "!5/off: a checker stands behind on 6"},
    {"tavla", NULL, NULL, BEHIND, "31", "5/off", "!5/off: no die left is 5 or more"},
    {"tavla", NULL, NULL, BEHIND, "41", "6/5 5/off", "!5/off: no die left is 5 or more"},
    {"tavla", "hit_and_run", "home_forbidden", HITTER, "53", "10/5* 5/2",
     "!5/2: hit and run: the checker that hit here may not go on in this turn"},
    {"tavla", NULL, NULL, ONE_BLOT, "65", "24/13", "24/19 19/13"},
    {"tavla", NULL, NULL, ONE_BLOT, "65", "24/18/13", "24/18* 18/13"},
    {"uzun", NULL, NULL, NULL, "65", "24/13", "24/18 18/13"},
    {"uzun", NULL, NULL, NULL, "65", "24/18 24/19",
     "!24/19: no more than 1 may leave the head in this turn"},
    {"uzun", NULL, NULL, "W 9:1 2:14 | B 24:14 13:1", "53", "9/6",
     "!the larger die is due: play the 5"},
    {"uzun", "larger_die", "false", "W 9:1 2:14 | B 24:14 13:1", "53", "9/6", "9/6"},
    {"uzun", "must_max", "false", NULL, "65", "24/18", "24/18"},
    {"uzun", "wall", "turn_end", "W 10:10 9:1 8:1 7:1 5:1 4:1 | B 24:15", "41", "10/6 6/5",
     "10/6 6/5"},
    {"uzun", "wall", "turn_end", "W 10:10 9:1 8:1 7:1 5:1 4:1 | B 24:15", "41", "10/6 10/9",
     "!a wall of six stands at the end with no opposing checker to allow it"},

    {"fevga", NULL, NULL, "W 24:14 18:1 | B 24:15", "31", "24/23 18/15",
     "!24/23: one checker must pass 12 before another may move"},
    {"fevga", NULL, NULL, "W 24:14 14:1 | B 24:15", "53", "14/9 24/21", "14/9 24/21"},
    {"fevga", NULL, NULL, "W 24:9 23:1 22:1 21:1 20:1 5:2 | B 3:5 2:10", "51", "24/19 5/4",
     "!a wall of six stands at the end: the starting quarter full, or the opponent locked in"},

    {"tavla", "play_check", "final", "W 5:1 4:1 off:13 | B 18:15", "64", "4/off 5/1", "5/1 4/off"},
    {"tavla", "play_check", "final", ENTER, "31", "24/23 bar/22", "bar/22 24/23"},
    {"tavla", "play_check", "final", "W 24:1 2:14 | B 3:14 6:1", "65", "24/18 18/13",
     "24/18 18/13"},
    {"tavla", "play_check", "final", "W 24:1 2:14 | B 3:14 6:1", "65", "18/13 24/18",
     "24/18 18/13"},
    {"tavla", "play_check", "final", NULL, "31", "8/5", "!only 1 of 2 dice played; 2 can be"},
    {"tavla", "play_check", "final", NULL, "31", "5/8 8/5",
     "!5/8: a checker moves from a higher point to a lower one"},
    {"tavla", "bearoff", "literal000", "W 6:2 off:13 | B 23:2 20:13", "44", "6/off 6/0",
     "6/off 6/off"},

    {"tavla", NULL, NULL, NULL, "31", "8/5 foo",
     "?word 2, \"foo\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, NULL, "31", "8/26",
     "?word 1, \"8/26\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, NULL, "31", "pass8/5",
     "?word 1, \"pass8/5\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, NULL, "31", "pass 8/5",
     "?word 1, \"pass\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, NULL, "31", "8/",
     "?word 1, \"8/\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, NULL, "31", "8/5(0)",
     "?word 1, \"8/5(0)\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, NULL, "31", "8",
     "?word 1, \"8\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, NULL, "31", "\xff/5",
     "?word 1, \"?/5\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, NULL, "31", "8/5/4/3/2/1/0",
     "?word 1, \"8/5/4/3/2/1/0\", is no step; steps look like 8/5, bar/20, 6/off, 13/8(2)"},
    {"tavla", NULL, NULL, "W 24:1 2:14 | B 7:1 6:1 3:13", "65", "24/18*/13", "24/18* 18/13"},
};

static void set_up(const struct claim_case *row, struct rules *rules, struct situation *situation) {
    char why[160] = "";
    rules_init(rules, variant_find(row->variant, strlen(row->variant)));
    if (row->option != NULL) {
        CHECK(rules_set(rules, row->option, row->value, why) == 0, "%s=%s %s", row->option,
              row->value, why);
    }
    *situation = (struct situation){.mover = SIDE_X};
    board_init(&situation->board, rules);
    if (row->position != NULL) {
        CHECK(position_read(rules, row->position, strlen(row->position), &situation->board, why) ==
                  0,
              "%s %s", row->position, why);
    }
    situation->dice[0] = (uint8_t)(row->dice[0] - '0');
    situation->dice[1] = (uint8_t)(row->dice[1] - '0');
}

static void check_claim(const struct claim_case *row) {
    struct rules rules;
    struct situation situation;
    char text[PLAY_TEXT_MAX], name[256];
    set_up(row, &rules, &situation);
    play_judge(&rules, &situation, row->claim, strlen(row->claim), &room, &verdict);
    snprintf(name, sizeof name, "claim %d, %s %s: %s", (int)(row - claims), row->variant, row->dice,
             row->expected);
    switch (verdict.judgement) {
    case JUDGED_LEGAL:
        play_write(&verdict.play, ' ', true, text);
        CHECK_TEXT(text, row->expected, name);
        play_apply(&rules, SIDE_X, &verdict.play, &situation.board);
        CHECK(board_equal(&situation.board, &verdict.final), "%s: the final is the play's", name);
        break;
    case JUDGED_ILLEGAL:
    case JUDGED_AMBIGUOUS:
        CHECK(row->expected[0] == '!', "%s is illegal", name);
        CHECK_TEXT(verdict.reason, row->expected + 1, name);
        CHECK(verdict.legal > 0, "%s: the legal plays were counted", name);
        break;
    case JUDGED_MALFORMED:
        CHECK(row->expected[0] == '?', "%s is malformed", name);
        CHECK_TEXT(verdict.reason, row->expected + 1, name);
        break;
    }
}

static void check_bad_step(void) {
    struct rules rules;
    struct situation situation = {.mover = SIDE_X, .dice = {3, 1}};
    rules_init(&rules, variant_row(VARIANT_TAVLA));
    board_init(&situation.board, &rules);
    play_judge(&rules, &situation, "8/5 9/8", 7, &room, &verdict);
    CHECK_INT(verdict.bad_step, 2, "the second word is the bad one");
    play_judge(&rules, &situation, "8/5", 3, &room, &verdict);
    CHECK_INT(verdict.bad_step, 0, "no word is bad where one is missing");
    CHECK_INT(verdict.legal, 16, "sixteen legal plays");
    play_judge(&rules, &situation, "8/5 x", 5, &room, &verdict);
    CHECK_INT(verdict.bad_step, 2, "the second word is no step");
}

/* Blots on both ways and no way round: the claim does not say which was hit. */
static void check_ambiguity(void) {
    struct rules rules;
    struct situation situation = {.mover = SIDE_X, .dice = {6, 5}};
    const char *position = "W 24:1 2:14 | B 7:1 6:1 3:13";
    char why[160];
    rules_init(&rules, variant_row(VARIANT_TAVLA));
    CHECK(position_read(&rules, position, strlen(position), &situation.board, why) == 0, "%s", why);
    play_judge(&rules, &situation, "24/13", 5, &room, &verdict);
    CHECK(verdict.judgement == JUDGED_AMBIGUOUS, "24/13 may hit on 18 or on 19");
    CHECK_TEXT(verdict.reason,
               "it is open which checker is hit on the way; write every step of 24/13",
               "the reason asks for the steps");
}

/* Long and wild bytes are refused and nothing else. */
static void check_hostile(void) {
    static char claim[65536];
    struct rules rules;
    struct situation situation = {.mover = SIDE_X, .dice = {3, 1}};
    uint32_t state = 1;
    int malformed = 0;
    rules_init(&rules, variant_row(VARIANT_TAVLA));
    board_init(&situation.board, &rules);
    for (int n = 0; n < 200; n++) {
        for (size_t i = 0; i < sizeof claim; i++) {
            state = state * 1664525u + 1013904223u;
            claim[i] =
                n % 2 == 0 ? (char)(state >> 24) : "0123456789/-*() ,barof"[(state >> 24) % 22];
        }
        play_judge(&rules, &situation, claim, sizeof claim, &room, &verdict);
        malformed += verdict.judgement != JUDGED_LEGAL && strlen(verdict.reason) < 160;
    }
    CHECK_INT(malformed, 200, "64 KiB of anything is refused");
    memset(claim, ' ', sizeof claim);
    play_judge(&rules, &situation, claim, sizeof claim, &room, &verdict);
    CHECK(verdict.judgement == JUDGED_ILLEGAL, "64 KiB of blanks are a pass");
}

static void check_writing(void) {
    const struct play play = {{{POINT_BAR, 20, true}, {13, 8, false}, {6, POINT_OFF, false}}, 3};
    struct rules rules;
    char text[PLAY_TEXT_MAX];
    play_write(&play, ' ', true, text);
    CHECK_TEXT(text, "bar/20* 13/8 6/off", "with words");
    CHECK_INT(play_write(&play, ',', false, text), 15, "its length");
    CHECK_TEXT(text, "25/20*,13/8,6/0", "with numbers");
    rules_init(&rules, variant_row(VARIANT_WESTERN));
    play_write_mirrored(&rules, &play, ' ', text);
    CHECK_TEXT(text, "bar/5* 12/17 19/off", "as the other side sees it, head on");
    rules_init(&rules, variant_row(VARIANT_UZUN));
    play_write_mirrored(&rules, &(struct play){{{24, 12, false}}, 1}, ' ', text);
    CHECK_TEXT(text, "12/24", "as the other side sees it, one behind the other");
    play_write(&(struct play){.count = 0}, ' ', true, text);
    CHECK_TEXT(text, "", "the pass");
}

/* The counts of rules.md C, and their sum, the published perft figure 447: the
 * finals of the 21 throws added up. */
static void check_opening(void) {
    static const int expected[21] = {42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8,
                                     8,  9,  9,  4,  10, 14, 14, 14, 7,  11};
    struct rules rules;
    struct situation situation = {.mover = SIDE_X};
    int sum = 0, n = 0;
    rules_init(&rules, variant_row(VARIANT_WESTERN));
    board_init(&situation.board, &rules);
    for (int a = 1; a <= 6; a++) {
        for (int b = 1; b <= a; b++) {
            situation.dice[0] = (uint8_t)a;
            situation.dice[1] = (uint8_t)b;
            size_t count = plays_list(&rules, &situation, room.list, PLAYS_MAX);
            CHECK((int)count == expected[n++], "opening %d%d: %zu", a, b, count);
            sum += (int)count;
        }
    }
    CHECK_INT(sum, 447, "finals of the 21 throws");
}

int main(void) {
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        check_claim(&claims[i]);
    }
    check_bad_step();
    check_ambiguity();
    check_hostile();
    check_writing();
    check_opening();
    return check_done();
}
