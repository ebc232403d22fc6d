/* The notations of positions: ids that others have published, round trips of random
 * positions in random matches, what is refused with which sentence, and bytes that
 * were changed on the way. */
#include "check.h"

#include "rules/fibs.h"
#include "rules/gnu_id.h"
#include "rules/notation.h"
#include "rules/ogid.h"
#include "rules/result.h"
#include "rules/xgid.h"

enum { ROUNDS = 20000, CHANGES = 40000 };

static const struct fibs_view view_of_x = {SIDE_X, {"white", "black"}};
static const struct fibs_view view_of_y = {SIDE_Y, {"white", "black"}};

/* Splitmix64: the same positions in every run. */
static uint64_t next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int below(uint64_t *state, int limit) {
    return (int)(next(state) % (uint64_t)limit);
}

static struct rules rules_of(const char *name) {
    struct rules rules;
    rules_init(&rules, variant_find(name, strlen(name)));
    return rules;
}

/* Some checkers of each side anywhere that the other one is not. */
static void random_board(uint64_t *state, const struct rules *rules, struct board *board) {
    enum path path = rules->variant->path;
    int spread = 1 + below(state, 25);
    memset(board, 0, sizeof *board);
    for (int man = 0; man < 2 * rules->variant->checkers; man++) {
        uint8_t *own = board->men[man % 2], *other = board->men[1 - man % 2];
        int place = below(state, 12) == 0 ? below(state, 26) : 1 + below(state, spread);
        if (place == POINT_BAR && !rules->variant->hits) {
            place = POINT_OFF;
        }
        if (place != POINT_OFF && place != POINT_BAR && other[point_mirror(path, place)] > 0) {
            place = POINT_OFF;
        }
        own[place]++;
    }
}

static void random_cube(uint64_t *state, struct match_position *position) {
    bool dead = position->crawford;
    position->cube_log = (uint8_t)below(state, dead ? 1 : 10);
    position->cube_owner = (int8_t)(position->cube_log > 0 ? below(state, 3) - 1 : CUBE_CENTRED);
    position->cube_limit = (uint8_t)below(state, 16);
    if (position->dice[0] == 0 && !dead && below(state, 3) == 0 &&
        position->cube_owner != (int)side_other(position->mover)) {
        position->pending = PENDING_DOUBLE;
        position->decider = side_other(position->mover);
    }
}

/* Everything that can be, a resignation and beavers on offer included. */
static struct match_position random_position(uint64_t *state, const struct rules *rules) {
    struct match_position position;
    match_position_init(&position, rules);
    random_board(state, rules, &position.board);
    position.mover = below(state, 2) == 0 ? SIDE_X : SIDE_Y;
    position.decider = position.mover;
    if (below(state, 2) == 0) {
        position.dice[0] = (uint8_t)(1 + below(state, 6));
        position.dice[1] = (uint8_t)(1 + below(state, 6));
    }
    position.length = below(state, 4) == 0 ? 0 : 1 + below(state, 64);
    for (int side = 0; side < SIDE_COUNT; side++) {
        int limit = position.length == 0 ? 100 : position.length;
        position.score[side] = below(state, limit) * POINT_HALVES;
    }
    if (position.length == 0) {
        position.jacoby = below(state, 2) == 0;
        position.beavers = below(state, 2) == 0;
    } else if (position.length > 1 && below(state, 3) == 0) {
        position.score[below(state, 2)] = (position.length - 1) * POINT_HALVES;
        position.crawford = position.score[0] != position.score[1] && below(state, 2) == 0;
    }
    random_cube(state, &position);
    return position;
}

static bool match_equal(const struct match_position *a, const struct match_position *b) {
    return board_equal(&a->board, &b->board) && a->mover == b->mover && a->decider == b->decider &&
           a->dice[0] == b->dice[0] && a->dice[1] == b->dice[1] && a->cube_log == b->cube_log &&
           a->cube_owner == b->cube_owner && a->cube_limit == b->cube_limit &&
           a->pending == b->pending && a->resigning == b->resigning && a->phase == b->phase &&
           a->length == b->length && a->score[0] == b->score[0] && a->score[1] == b->score[1] &&
           a->crawford == b->crawford && a->jacoby == b->jacoby && a->beavers == b->beavers;
}

/* What is left of a position that was written in a notation. */
static struct match_position held(const struct match_position *position, enum notation notation) {
    struct match_position left = *position;
    if (notation != NOTATION_XGID) {
        left.cube_limit = CUBE_LIMIT_USUAL;
        left.beavers = false;
    }
    if (notation == NOTATION_OGID || notation == NOTATION_FIBS) {
        left.jacoby = false;
    }
    if (notation == NOTATION_GNU_ID && left.dice[0] < left.dice[1]) {
        left.dice[0] = position->dice[1];
        left.dice[1] = position->dice[0];
    }
    return left;
}

/* Writes, reads and writes again; says what failed. */
static bool goes_round(const struct rules *rules, const struct match_position *position,
                       enum notation notation) {
    char text[NOTATION_TEXT_MAX] = "", again[NOTATION_TEXT_MAX] = "", why[160] = "";
    struct match_position read = *position, want = held(position, notation);
    memset(&read.board, 0, sizeof read.board);
    bool good = notation_write(rules, position, notation, text, why) == 0 &&
                notation_read(rules, text, strlen(text), &read, why) == (int)notation &&
                notation_write(rules, &read, notation, again, why) == 0 &&
                (notation_says_match(notation) ? match_equal(&read, &want)
                                               : board_equal(&read.board, &position->board)) &&
                strcmp(text, again) == 0;
    if (!good) {
        printf("# %s: %s\n# again: %s\n# %s\n", notation_name(notation), text, again, why);
    }
    return good;
}

static void test_round_trips(const char *name) {
    struct rules rules = rules_of(name);
    enum notation last = rules.variant->path == PATH_OPPOSED ? NOTATION_FIBS : NOTATION_COUNTS;
    for (int notation = NOTATION_TEXT; notation <= (int)last; notation++) {
        uint64_t state = 1;
        int good = 0;
        while (good < ROUNDS) {
            struct match_position position = random_position(&state, &rules);
            if (!goes_round(&rules, &position, (enum notation)notation)) {
                break;
            }
            good++;
        }
        CHECK(good == ROUNDS, "%s as %s: %d random positions come back", name,
              notation_name((enum notation)notation), good);
    }
}

/* What only one notation holds: a resignation and what follows a game in a GNU match
 * id, beavers in an XGID, the other side's view in a FIBS board string. */
static void test_rare_states(void) {
    struct rules rules = rules_of("western");
    uint64_t state = 2;
    char text[NOTATION_TEXT_MAX], why[160] = "";
    int resigned = 0, ended = 0, beavers = 0, views = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct match_position position = random_position(&state, &rules), read, want;
        position.resigning = (uint8_t)(1 + below(&state, 3));
        position.decider = below(&state, 2) == 0 ? SIDE_X : SIDE_Y;
        resigned += goes_round(&rules, &position, NOTATION_GNU_ID);
        position.phase = (enum game_phase)below(&state, GAME_DROPPED + 1);
        ended += goes_round(&rules, &position, NOTATION_GNU_ID);

        position = random_position(&state, &rules);
        want = held(&position, NOTATION_FIBS);
        want.mover = side_other(position.mover);
        want.decider = side_other(position.decider);
        for (int side = 0; side < SIDE_COUNT; side++) {
            memcpy(want.board.men[side], position.board.men[1 - side], POINT_COUNT);
            want.score[side] = position.score[1 - side];
        }
        want.cube_owner =
            (int8_t)(position.cube_owner < 0 ? CUBE_CENTRED : 1 - position.cube_owner);
        views += fibs_write(&rules, &position, &view_of_y, text, why) == 0 &&
                 fibs_read(&rules, text, strlen(text), &read, why) == 0 &&
                 match_equal(&read, &want);

        match_position_init(&position, &rules);
        random_board(&state, &rules, &position.board);
        position.mover = below(&state, 2) == 0 ? SIDE_X : SIDE_Y;
        position.pending = below(&state, 2) == 0 ? PENDING_BEAVER : PENDING_RACCOON;
        position.decider =
            position.pending == PENDING_BEAVER ? position.mover : side_other(position.mover);
        beavers += goes_round(&rules, &position, NOTATION_XGID);
    }
    CHECK_INT(resigned, ROUNDS, "resignations in GNU match ids");
    CHECK_INT(ended, ROUNDS, "games that are over in GNU match ids");
    CHECK_INT(beavers, ROUNDS, "beavers and raccoons in XGIDs");
    CHECK_INT(views, ROUNDS, "the other side's FIBS board string is the mirrored position");
}

static struct match_position read_western(const char *text) {
    struct rules rules = rules_of("western");
    struct match_position position;
    char why[160] = "";
    match_position_init(&position, &rules);
    memset(&position.board, 0, sizeof position.board);
    int notation = notation_read(&rules, text, strlen(text), &position, why);
    CHECK(notation >= 0, "%.40s is read%s%s", text, why[0] != '\0' ? ": " : "", why);
    return position;
}

static void check_written(const struct match_position *position, enum notation notation,
                          const char *want) {
    struct rules rules = rules_of("western");
    char text[NOTATION_TEXT_MAX] = "", why[160] = "";
    bool good = notation_write(&rules, position, notation, text, why) == 0;
    CHECK_TEXT(good ? text : why, want, want);
}

static void test_gnu_ids(void) {
    struct rules rules = rules_of("western");
    struct match_position start, read;
    match_position_init(&start, &rules);
    check_written(&start, NOTATION_GNU_POSITION, "4HPwATDgc/ABMA");
    read = read_western("4HPwATDgc/ABMA");
    CHECK(board_equal(&read.board, &start.board), "4HPwATDgc/ABMA is the start");
    /* 52: 13/8 24/22 by SIDE_X, then SIDE_Y is on roll */
    read = start;
    read.board.men[SIDE_X][13]--;
    read.board.men[SIDE_X][8]++;
    read.board.men[SIDE_X][24]--;
    read.board.men[SIDE_X][22]++;
    read.mover = SIDE_Y;
    read.decider = SIDE_Y;
    check_written(&read, NOTATION_GNU_POSITION, "4PPgASTgc/ABMA");

    read = read_western("4HPwATDgc/ABMA:cInlADAAEAAE");
    CHECK(read.length == 7 && read.score[SIDE_Y] == 3 * POINT_HALVES &&
              read.score[SIDE_X] == 2 * POINT_HALVES && read.mover == SIDE_X && read.dice[0] == 3 &&
              read.dice[1] == 1 && !read.crawford,
          "cInlADAAEAAE is a match to 7 at 3-2, 31 thrown");
    check_written(&read, NOTATION_XGID, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10");
    read = read_western("\t gnubgid=4HPwATDgc/ABMA:8AngAGAAKAAE \t");
    CHECK(read.crawford && read.score[SIDE_Y] == 6 * POINT_HALVES &&
              read.score[SIDE_X] == 5 * POINT_HALVES && read.dice[0] == 0,
          "8AngAGAAKAAE is a Crawford game at 6-5");
    check_written(&read, NOTATION_GNU_ID, "4HPwATDgc/ABMA:8AngAGAAKAAE");
    read = read_western("4HPwATDgc/ABMA:8IhuACAACAAE");
    CHECK(read.phase == GAME_NONE && read.crawford && read.length == 3,
          "8IhuACAACAAE is read though no game was begun");
    check_written(&read, NOTATION_GNU_ID, "4HPwATDgc/ABMA:8IhuACAACAAE");
    read = read_western("4HPwATDgc/ABMA:MIEOAAAAAAAA");
    CHECK(read.jacoby && read.length == 0 && read.mover == SIDE_Y, "money play with Jacoby");
}

static void test_xgids(void) {
    struct match_position read = read_western("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0");
    CHECK(read.jacoby && read.beavers && read.cube_limit == CUBE_LIMIT_USUAL,
          "an XGID without prefix and limit");
    read = read_western(" xgid=-b----E-C---eE---c-e----B-: 2:-1:-1:D:5:3:0:7:8 ");
    CHECK(read.pending == PENDING_DOUBLE && read.mover == SIDE_Y && read.decider == SIDE_X &&
              read.cube_owner == SIDE_Y && read.cube_log == 2 && read.cube_limit == 8,
          "an XGID with a double on offer");
    check_written(&read, NOTATION_XGID, "XGID=-b----E-C---eE---c-e----B-:2:-1:-1:D:5:3:0:7:8");
    read = read_western("XGID=aB-BBBBB---------bbbbbb-b-:0:0:-1:16:0:0:0:3:10");
    CHECK(read.board.men[SIDE_Y][POINT_BAR] == 1 && read.board.men[SIDE_X][POINT_OFF] == 3 &&
              read.board.men[SIDE_Y][1] == 2 && read.dice[0] == 1 && read.dice[1] == 6,
          "bar, men off and the order of the dice");
    read = read_western("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:1:10");
    CHECK(!read.crawford, "a match to one point has no Crawford game");
}

/* Real ids of OpenGammon, the same ply in both notations, as the readers of GammonView
 * publish them. */
static void test_ogids(void) {
    static const char *const pairs[][2] = {
        {"XGID=-aaa-CBBB--AdB---b-cabA-AA:0:0:1:31:0:0:0:5:8",
         "013ccehhiijjkkk:44566688ddddmno:N0N:31:B:R:0:0:5:12"},
        {"XGID=-aaa-CBBB--AdB---b-cabBA--:0:0:-1:52:0:0:0:5:8",
         "233ccehhiijjkkk:44566688ddddmno:N0N:52:W:R:0:0:5:13"},
        {"XGID=--ab-CBBB--AcB---c-cabBA--:0:0:1:54:0:0:0:5:8",
         "233ccehhiijjkkk:445666888dddmmn:N0N:54:B:R:0:0:5:14"},
        {"XGID=--ab-CBBB--AcB---cBcabA---:0:0:-1:41:0:0:0:5:8",
         "377ccehhiijjkkk:445666888dddmmn:N0N:41:W:R:0:0:5:15"},
        {"XGID=--ab-CBBB--AcB---bBbbcA---:0:0:1:51:0:0:0:5:8",
         "377ccehhiijjkkk:444556688dddmmn:N0N:51:B:R:0:0:5:16"},
        {"XGID=--ab-DBBB---cB---bBbbcA---:0:0:-1:65:0:0:0:5:8",
         "377cchhiijjkkkk:444556688dddmmn:N0N:65:W:R:0:0:5:17"},
        {"XGID=-CDbC-D-----A----a-ccbbb--:1:-1:-1:21:2:0:0:5:8",
         "djjjjlllnnnnooo:2233445556668mm:B1N:21:W:R:2:0:5:97"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct match_position xgid = read_western(pairs[i][0]), ogid = read_western(pairs[i][1]);
        xgid.cube_limit = ogid.cube_limit;
        CHECK(match_equal(&xgid, &ogid), "pair %zu of an XGID and an OGID is one position", i + 1);
    }
    struct match_position read = read_western("11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0");
    CHECK(read.mover == SIDE_X && read.dice[0] == 0, "at IW without dice White is on roll");
    check_written(&read, NOTATION_OGID, "11ccccchhhjjjjj:66666888dddddoo:N0N::B:C:0:0:1:0");
    read = read_western("OGID=11ccccchhhjjjjj:66666888dddddoo:N0O::B:D:3:5:7:0");
    CHECK(read.pending == PENDING_DOUBLE && read.mover == SIDE_Y && read.decider == SIDE_X,
          "who acted at state D has doubled");
    read = read_western("00jjj:66ppp:N0N::W");
    CHECK(read.board.men[SIDE_X][POINT_BAR] == 2 && read.board.men[SIDE_Y][POINT_BAR] == 3 &&
              read.board.men[SIDE_X][6] == 3 && read.board.men[SIDE_X][POINT_OFF] == 10 &&
              read.mover == SIDE_X,
          "five fields, both bars, the state that is missing is IW");
}

static void test_fibs(void) {
    /* the example of the FIBS manual: O moves from 24 to 1 and has thrown 62 */
    struct match_position read = read_western(
        "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:"
        "0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0");
    CHECK(read.mover == SIDE_X && read.dice[0] == 6 && read.dice[1] == 2 && read.length == 3 &&
              read.score[SIDE_Y] == POINT_HALVES && !read.crawford,
          "the manual's board");
    check_written(&read, NOTATION_GNU_POSITION, "4HPwATDgc/ABMA");
    /* the first name is X and moves upwards; both have men on the bar */
    read =
        read_western("board:You:other:9999:0:0:-3:12:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-5:"
                     "-7:2:1:0:0:5:4:2:0:1:0:-1:1:25:0:0:0:3:2:0:0:0:0");
    CHECK(read.board.men[SIDE_X][POINT_BAR] == 3 && read.board.men[SIDE_Y][POINT_BAR] == 2 &&
              read.board.men[SIDE_X][2] == 5 && read.board.men[SIDE_X][1] == 7 &&
              read.board.men[SIDE_Y][1] == 12 && read.mover == SIDE_Y && read.dice[0] == 5 &&
              read.cube_owner == SIDE_Y && read.cube_log == 1,
          "a board counted upwards");
}

static void test_refusals(void) {
    static const struct {
        const char *variant, *text, *why;
    } rows[] = {
        {"western", "XGID=-b----F-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
         "W has 16 checkers, bar and off included; there must be 15"},
        {"western", "XGID=-b----E-C---eE---c-e----P-:0:0:1:31:0:0:0:7:10", "count 24 cannot be 16"},
        {"western", "XGID=A------------------------a:0:0:1:31:0:0:0:7:10", "count 0 cannot be 1"},
        {"western", "XGID=-b----E-C---eE---c-e----B-:0:0:1:37:0:0:0:7:10",
         "the dice of an XGID is two dice such as 31, 00, D, B or R, not \"37\""},
        {"western", "XGID=-b----E-C---eE---c-e----B-:0:1:1:31:0:0:0:7:10",
         "a cube of 1 is in the middle, nobody owns it"},
        {"western", "XGID=-b----E-C---eE---c-e----B-:0:0:0:31:0:0:0:7:10",
         "the turn of an XGID is 1 or -1, not \"0\""},
        {"western", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:7:0:0:7:10",
         "a score has reached the length of the match, but a game is played"},
        {"western", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:5:0:1:7:10",
         "the Crawford game is the one that begins with one side a point away"},
        {"western", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31",
         "an XGID has ten fields between colons, not 5"},
        {"uzun", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
         "an XGID cannot hold a game in which both sides run the same way, such as uzun"},
        {"uzun", "4HPwATDgc/ABMA",
         "a GNU position id cannot hold a game in which both sides run the same way, such as uzun"},
        {"western", "4HPwATDgc/ABM!",
         "a GNU position id reads like 4HPwATDgc/ABMA, not \"4HPwATDgc/ABM!\""},
        {"western", "/////wAAAAAAAA", "B has 32 checkers, bar and off included; there must be 15"},
        {"western", "AQAAAAAAAgAAAA", "both sides stand on one point: W 24 is B 1"},
        {"western", "4HPwATDgc/ABMA:cInlADAAEAA",
         "a GNU match id reads like cInlADAAEAAE, not \"cInlADAAEAA\""},
        {"western", "4HPwATDgc/ABMA:IAEAAAAAAAAA",
         "a GNU match id reads like cInlADAAEAAE, not \"IAEAAAAAAAAA\""},
        {"western", "1:2:N0N:31:W", NULL},
        {"western", "1:1z:N0N:31:W",
         "a position reads like \"W 13:2 6:13 | B 24:2 8:12 bar:1\"; this goes wrong at "
         "\"1:1z:N0N:31:W\""},
        {"western", "OGID=1:1z:N0N:31:W",
         "Black's checkers of an OGID is of 1-9 and a-p, one letter for each checker, not "
         "\"1z\""},
        {"western", "OGID=1111111111111111:o:N0N:31:W",
         "W has 16 checkers, bar and off included; there must be 15"},
        {"western", "6:6:N0N:31:W:XX",
         "the state of an OGID is one such as R, C, D or IW, not "
         "\"XX\""},
        {"western", "1:2:N0N:31:W:R:0:0:9G15",
         "the length of an OGID is a number from 0 to 32767, not \"9G15\""},
        {"western", "1:2:N0O:31:W",
         "the dice are thrown and a double waits for its answer: only one can be"},
        {"western", "board:a:b:7:0:0",
         "a FIBS board string begins with \"board:\" and has 42 to 52 fields behind it, not 5"},
        {"western", "0,0,1",
         "a position in counts has 26 numbers, 0,-2,0,0,0,0,5 and so on; this "
         "has 3"},
        {"western", "hello",
         "a position reads like \"W 13:2 6:13 | B 24:2 8:12 bar:1\"; this goes "
         "wrong at \"hello\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rules rules = rules_of(rows[i].variant);
        struct match_position position;
        char why[160] = "";
        match_position_init(&position, &rules);
        int read = notation_read(&rules, rows[i].text, strlen(rows[i].text), &position, why);
        if (rows[i].why == NULL) {
            CHECK(read >= 0, "%s is read", rows[i].text);
        } else {
            CHECK_TEXT(read < 0 ? why : "it was read", rows[i].why, rows[i].text);
        }
    }
}

static void check_no_room(const struct match_position *position, enum notation notation,
                          const char *want) {
    struct rules rules = rules_of("western");
    char text[NOTATION_TEXT_MAX], why[160] = "";
    bool refused = notation_write(&rules, position, notation, text, why) != 0;
    CHECK_TEXT(refused ? why : "it was written", want, want);
}

static void test_no_room(void) {
    struct rules rules = rules_of("western");
    struct match_position position;
    match_position_init(&position, &rules);
    position.resigning = 1;
    check_no_room(&position, NOTATION_XGID, "an XGID cannot hold a resignation");
    position.resigning = 0;
    position.score[SIDE_X] = 1;
    check_no_room(&position, NOTATION_GNU_ID, "a GNU match id cannot hold half points");
    check_no_room(&position, NOTATION_OGID, "an OGID cannot hold half points");
    position.score[SIDE_X] = 0;
    position.pending = PENDING_BEAVER;
    check_no_room(&position, NOTATION_GNU_ID,
                  "a GNU match id cannot hold a beaver that waits for its answer");
    check_no_room(&position, NOTATION_FIBS,
                  "a FIBS board string cannot hold a beaver that waits for its answer");
    position.pending = PENDING_NONE;
    position.cube_log = 10;
    check_no_room(&position, NOTATION_OGID, "an OGID cannot hold a cube above 512");
    position.cube_log = 0;
    position.length = 9999;
    check_no_room(&position, NOTATION_FIBS,
                  "a FIBS board string cannot hold a match to 9999 points");
    position.length = 0;
    position.phase = GAME_DROPPED;
    check_no_room(&position, NOTATION_FIBS,
                  "a FIBS board string cannot hold a game that is not being played");
    position.phase = GAME_PLAYING;
    position.board.men[SIDE_X][6]++;
    check_no_room(&position, NOTATION_XGID,
                  "W has 16 checkers, bar and off included; there must be 15");
}

/* Names are cut and cannot add a field. */
static void test_names(void) {
    struct rules rules = rules_of("western");
    struct match_position position;
    struct fibs_view view = {SIDE_X, {"a:b", "0123456789012345678901234567890123456789"}};
    char text[FIBS_TEXT_MAX], why[160] = "";
    match_position_init(&position, &rules);
    bool good = fibs_write(&rules, &position, &view, text, why) == 0;
    text[44] = '\0';
    CHECK_TEXT(good ? text : why, "board:a_b:01234567890123456789012345678901:9", "names");
    CHECK(fibs_write(&rules, &position, &view_of_x, text, why) == 0 && strlen(text) < 160,
          "an ordinary line is short");
}

/* A text with some bytes changed is refused or means a position that can be. */
static void test_changed_bytes(void) {
    static const char bytes[] = ":-=+/0123456789abcdefghopzABCDEOPZN\t \xff";
    struct rules rules = rules_of("western");
    uint64_t state = 3;
    int bad = 0, refused = 0;
    for (int i = 0; i < CHANGES; i++) {
        struct match_position position = random_position(&state, &rules), read = position;
        enum notation notation = (enum notation)(i % NOTATION_KINDS);
        char text[NOTATION_TEXT_MAX] = "", why[160] = "";
        notation_write(&rules, &position, notation, text, why);
        size_t length = strlen(text);
        for (int change = below(&state, 3); change >= 0; change--) {
            text[next(&state) % length] = bytes[next(&state) % (sizeof bytes - 1)];
        }
        length -= below(&state, 4) == 0 ? next(&state) % length : 0;
        /* without a NUL behind it, so that a reader that looks too far is found */
        char exact[NOTATION_TEXT_MAX];
        memset(exact, '5', sizeof exact);
        memcpy(exact, text, length);
        if (notation_read(&rules, exact, length, &read, why) < 0) {
            refused++;
            bad += why[0] == '\0' || strlen(why) > 158;
        } else {
            bad += match_position_check(&read, &rules, why) != 0;
        }
    }
    CHECK(bad == 0, "%d changed texts are refused with a sentence or mean a position", CHANGES);
    CHECK(refused > CHANGES / 2 && refused < CHANGES, "%d of them were refused", refused);
}

int main(void) {
    test_gnu_ids();
    test_xgids();
    test_ogids();
    test_fibs();
    test_refusals();
    test_no_room();
    test_names();
    for (int id = 0; id < VARIANT_COUNT; id++) {
        test_round_trips(variant_row((enum variant_id)id)->name);
    }
    test_rare_states();
    test_changed_bytes();
    return check_done();
}
