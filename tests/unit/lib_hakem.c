/* libhakem as another program sees it: the public header alone, the shared library;
 * beside it rules/ itself, which must say the same. */
#include "check.h"
#include "lib/hakem.h"

#include "rules/play.h"

enum { GAMES = 12, TURNS = 120, SPOILT = 20000 };

static struct hakem_final list[HAKEM_ROOM];
static struct play_room room;
static uint64_t seed = 20261201;

static int pick(int count) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int)((seed >> 20) % (uint64_t)count);
}

static struct hakem_rules rules_of(const char *variant) {
    struct hakem_rules rules;
    CHECK(hakem_rules_init(&rules, variant) == 0, "%s has rules", variant);
    return rules;
}

/* ABI 0: whoever was built against it relies on these. */
static void test_abi(void) {
    CHECK_INT(hakem_abi(), 0, "the ABI");
    CHECK_TEXT(hakem_version(), HAKEM_VERSION, "the version");
    CHECK_INT(sizeof(struct hakem_rules), 256, "size of the rules");
    CHECK_INT(sizeof(struct hakem_position), 80, "size of a position");
    CHECK_INT(offsetof(struct hakem_position, length), 68, "where the length is");
    CHECK_INT(sizeof(struct hakem_final), 65, "size of a final");
    CHECK_INT(sizeof(struct hakem_verdict), 236, "size of a verdict");
    CHECK_INT(sizeof(struct hakem_result), 12, "size of a result");
}

static void test_rules(void) {
    struct hakem_rules rules = rules_of("tavla");
    char why[HAKEM_WHY_MAX], value[HAKEM_WORD_MAX];
    int options = 0, variants = 0;
    while (hakem_option(options) != NULL && hakem_option_sentence(options) != NULL) {
        options++;
    }
    while (hakem_variant(variants) != NULL) {
        variants++;
    }
    CHECK_INT(options, OPTION_COUNT, "every option is named");
    CHECK_INT(variants, VARIANT_COUNT, "every variant is named");
    CHECK(hakem_option(-1) == NULL && hakem_option_sentence(options) == NULL &&
              hakem_variant(-1) == NULL,
          "and nothing beyond");
    CHECK(hakem_rules_get(&rules, "must_max", value) == 0, "an option is read");
    CHECK_TEXT(value, "true", "its value");
    CHECK(hakem_rules_set(&rules, "must_max", "false", why) == 0 &&
              hakem_rules_get(&rules, "must_max", value) == 0,
          "and set");
    CHECK_TEXT(value, "false", "its other value");
    CHECK(hakem_rules_set(&rules, "must_max", "maybe", why) == -1 && strlen(why) > 10,
          "a value there is none of is refused: %s", why);
    CHECK(hakem_rules_set(&rules, "wall", "step", why) == -1 && strlen(why) > 10,
          "so is an option of another variant: %s", why);
    CHECK(hakem_rules_get(&rules, "wall", value) == -1 && value[0] == '\0', "which is not read");
    CHECK(hakem_rules_init(&rules, "chess") == -1, "a variant there is none of is refused");
    CHECK(hakem_rules_set(&rules, "must_max", "true", why) == -1 && strlen(why) > 10,
          "and leaves rules that refuse: %s", why);
    CHECK(hakem_kind(&rules, 2) == NULL, "everything");
}

static void test_notation(void) {
    static const char id[] = "4HPwATDgc/ABMA",
                      xgid[] = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10";
    struct hakem_rules rules = rules_of("western");
    struct hakem_position position, before;
    char why[HAKEM_WHY_MAX], text[HAKEM_TEXT_MAX];
    CHECK(hakem_position_init(&rules, &position) == 0, "the opening position");
    CHECK(hakem_position_check(&rules, &position, why) == 0, "it can occur");
    CHECK(position.first_turn == 1 && position.cube_owner == -1, "nobody has moved or doubled");
    CHECK_INT(hakem_pips_left(&position, 1), 167, "pips");
    CHECK_INT(hakem_pips_left(&position, 2), -1, "pips of no side");
    CHECK(hakem_position_write(&rules, &position, HAKEM_NOTATION_GNU_POSITION, text, why) == 0,
          "it is written");
    CHECK_TEXT(text, id, "as a GNU position id");
    CHECK(hakem_position_write(&rules, &position, 99, text, why) == -1 && strlen(why) > 10,
          "not in a notation there is none of: %s", why);
    CHECK_INT(hakem_position_read(&rules, xgid, strlen(xgid), &position, why), HAKEM_NOTATION_XGID,
              "an XGID is read");
    CHECK(position.dice[0] == 3 && position.dice[1] == 1 && position.length == 7 &&
              position.score[0] == 4 && position.score[1] == 6,
          "with dice, length and score");
    CHECK(hakem_position_write(&rules, &position, HAKEM_NOTATION_XGID, text, why) == 0,
          "and written");
    CHECK_TEXT(text, xgid, "as it was");
    before = position;
    CHECK(hakem_position_read(&rules, "W 24:2 | B 25", 13, &position, why) == -1 &&
              strlen(why) > 10,
          "a bad text is refused: %s", why);
    CHECK(memcmp(&before, &position, sizeof before) == 0, "and changes nothing");
    position.phase = 9;
    CHECK(hakem_position_check(&rules, &position, why) == -1 && strlen(why) > 10,
          "a number out of range is refused: %s", why);
}

static void test_list(void) {
    struct hakem_rules rules = rules_of("western");
    struct hakem_position position;
    char text[HAKEM_PLAY_MAX];
    size_t sum = 0;
    hakem_position_init(&rules, &position);
    CHECK_INT(hakem_list(&rules, &position, list, HAKEM_ROOM), 0, "no dice, no list");
    for (int a = 1; a <= 6; a++) {
        for (int b = 1; b <= a; b++) {
            position.dice[0] = (uint8_t)a;
            position.dice[1] = (uint8_t)b;
            sum += hakem_list(&rules, &position, list, HAKEM_ROOM);
        }
    }
    CHECK_INT(sum, 447, "finals of the 21 throws from the start");
    CHECK_INT(hakem_play_write(&list[0], text), 21, "a play is written");
    CHECK_TEXT(text, "24/18 24/18 13/7 13/7", "as text");
    list[0].legs = 200;
    CHECK_INT(hakem_play_write(&list[0], text), 21, "more than four legs are four");
    CHECK_INT(hakem_list(&rules, &position, list, HAKEM_ROOM - 1), 0, "less room, no list");
    position.mover = 2;
    CHECK_INT(hakem_list(&rules, &position, list, HAKEM_ROOM), 0, "no such side, no list");
    position.mover = 0;
    position.men[0][24] = 90;
    CHECK_INT(hakem_list(&rules, &position, list, HAKEM_ROOM), 0, "ninety checkers, no list");
}

static void test_judge(void) {
    struct hakem_rules rules = rules_of("tavla");
    struct hakem_position position;
    struct hakem_verdict verdict;
    hakem_position_init(&rules, &position);
    CHECK_INT(hakem_judge(&rules, &position, "", 0, list, HAKEM_ROOM, &verdict), -1,
              "no dice, no verdict");
    position.dice[0] = 3;
    position.dice[1] = 1;
    CHECK(hakem_judge(&rules, &position, "6/5 8/5", 7, list, HAKEM_ROOM, &verdict) == 0 &&
              verdict.judgement == HAKEM_LEGAL && verdict.final.legs == 2 &&
              verdict.final.men[0][5] == 2 && verdict.reason[0] == '\0',
          "a legal play, and where it leads");
    CHECK(hakem_judge(&rules, &position, "8/5 13/12/11", 12, list, HAKEM_ROOM, &verdict) == 0 &&
              verdict.judgement == HAKEM_ILLEGAL && verdict.bad_word == 2 &&
              verdict.reason[0] != '\0',
          "an illegal one: %s", verdict.reason);
    CHECK(hakem_judge(&rules, &position, "e2e4", 4, list, HAKEM_ROOM, &verdict) == 0 &&
              verdict.judgement == HAKEM_MALFORMED && verdict.bad_word == 1,
          "one that is none: %s", verdict.reason);
}

static void test_result(void) {
    static const char won[] = "W off:15 | B 24:2 13:13";
    struct hakem_rules rules = rules_of("western");
    struct hakem_position position;
    struct hakem_result result;
    char why[HAKEM_WHY_MAX];
    hakem_position_init(&rules, &position);
    CHECK(hakem_position_result(&rules, &position, &result) == 0 && result.winner == -1,
          "nobody has won yet");
    CHECK(hakem_position_read(&rules, won, strlen(won), &position, why) >= 0, "a won game");
    CHECK(hakem_position_result(&rules, &position, &result) == 0 && result.winner == 0 &&
              result.kind == 3 && result.points == 3,
          "is a backgammon");
    CHECK_TEXT(hakem_kind(&rules, result.kind), "backgammon", "and called so");
    CHECK(hakem_kind(&rules, 4) == NULL && hakem_kind(&rules, 0) == NULL, "no fourth kind");
}

/* What may be done, at places that XGIDs describe: the option row, then the answer. */
static void test_may(void) {
    static const struct {
        const char *xgid, *option, *value;
        int may;
        const char *name;
    } rows[] = {
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "vido", "off", HAKEM_ROLL,
         "no cube"},
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "vido", "on",
         HAKEM_ROLL | HAKEM_DOUBLE, "a cube in the middle"},
        {"XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:7:10", "vido", "on", HAKEM_ROLL,
         "the other side's cube"},
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:3:1:7:10", "vido", "on", HAKEM_ROLL,
         "the Crawford game"},
        {"XGID=-b----E-C---eE---c-e----B-:1:1:1:00:5:3:0:7:10", "vido", "on", HAKEM_ROLL,
         "a dead cube"},
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "vido", "on", HAKEM_PLAY,
         "a throw"},
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10", "vido", "on",
         HAKEM_TAKE | HAKEM_DROP, "a double"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hakem_rules rules = rules_of("western");
        struct hakem_position position;
        char why[HAKEM_WHY_MAX] = "";
        hakem_position_init(&rules, &position);
        position.first_turn = 0;
        CHECK(hakem_rules_set(&rules, rows[i].option, rows[i].value, why) == 0, "%s", why);
        CHECK(hakem_position_read(&rules, rows[i].xgid, strlen(rows[i].xgid), &position, why) >= 0,
              "%s %s", rows[i].xgid, why);
        CHECK_INT(hakem_may(&rules, &position), rows[i].may, rows[i].name);
    }
    struct hakem_rules rules = {.variant = -1};
    struct hakem_position position = {.mover = 0};
    CHECK_INT(hakem_may(&rules, &position), -1, "rules that were never initialised");
}

/* Whether rules/ lists the same, byte for byte. */
static bool lists_agree(const struct rules *rules, const struct hakem_position *position,
                        size_t count) {
    struct situation situation = {.mover = (enum side)position->mover,
                                  .dice = {position->dice[0], position->dice[1]},
                                  .first_turn = position->first_turn != 0};
    memcpy(&situation.board, position->men, sizeof situation.board);
    return plays_list(rules, &situation, room.list, PLAYS_MAX) == count &&
           memcmp(room.list, list, count * sizeof list[0]) == 0;
}

/* Random games: each listed play is judged legal and leads where the list says. */
static void test_games(int variant) {
    struct hakem_rules rules = rules_of(hakem_variant(variant));
    struct rules inner;
    struct hakem_position position;
    struct hakem_verdict verdict;
    char text[HAKEM_PLAY_MAX];
    int bad = 0;
    rules_init(&inner, variant_row((enum variant_id)variant));
    for (int n = 0; n < GAMES * TURNS; n++) {
        if (n % TURNS == 0) {
            hakem_position_init(&rules, &position);
        }
        position.dice[0] = (uint8_t)(1 + pick(6));
        position.dice[1] = (uint8_t)(1 + pick(6));
        size_t count = hakem_list(&rules, &position, list, HAKEM_ROOM);
        bad += count == 0 || !lists_agree(&inner, &position, count);
        struct hakem_final played = list[pick((int)count)];
        size_t length = hakem_play_write(&played, text);
        bad += hakem_judge(&rules, &position, text, length, list, HAKEM_ROOM, &verdict) != 0 ||
               verdict.judgement != HAKEM_LEGAL ||
               memcmp(verdict.final.men, played.men, sizeof played.men) != 0;
        memcpy(position.men, played.men, sizeof played.men);
        position.mover ^= 1;
        position.first_turn = n % TURNS < 1;
    }
    CHECK_INT(bad, 0, hakem_variant(variant));
}

/* Values no honest caller would give are refused or answered, never followed astray. */
static void test_spoilt(void) {
    struct hakem_rules rules = rules_of("tavla");
    int listed = 0, refused = 0;
    for (int n = 0; n < SPOILT; n++) {
        struct hakem_position position;
        char why[HAKEM_WHY_MAX], text[HAKEM_TEXT_MAX];
        hakem_rules_init(&rules, hakem_variant(pick(VARIANT_COUNT)));
        hakem_position_init(&rules, &position);
        position.dice[0] = (uint8_t)(1 + pick(6));
        position.dice[1] = (uint8_t)(1 + pick(6));
        for (int i = pick(4); i > 0; i--) {
            ((uint8_t *)&position)[pick((int)sizeof position)] = (uint8_t)pick(256);
        }
        if (pick(10) == 0) {
            rules.variant = pick(1000) - 500;
        }
        size_t count = hakem_list(&rules, &position, list, HAKEM_ROOM);
        listed += count > 0;
        refused += hakem_position_write(&rules, &position, pick(9) - 1, text, why) != 0;
    }
    CHECK(listed > SPOILT / 10 && refused > SPOILT / 10,
          "%d listed, %d refused of %d spoilt values", listed, refused, SPOILT);
}

int main(void) {
    test_abi();
    test_rules();
    test_notation();
    test_list();
    test_judge();
    test_result();
    test_may();
    for (int variant = 0; hakem_variant(variant) != NULL; variant++) {
        test_games(variant);
    }
    test_spoilt();
    return check_done();
}
