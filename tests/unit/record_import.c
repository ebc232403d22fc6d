/* Matches of other programs: tests/corpus is read with the games and scores that GNU Backgammon
 * 1.07 sees in it (tests/corpus/README.md); what we write ourselves comes back as it was; and
 * nothing that is cut or spoilt does harm. */
#include "check.h"
#include "sim/make_record.h"

#include "base/alloc.h"
#include "base/file.h"
#include "record/export.h"
#include "record/import.h"
#include "record/mat_read.h"
#include "record/sgf_read.h"

#include <stdlib.h>

enum { ROOM = 64 << 20, SEEDS = 6, SPOILT = 400 };

typedef void reader(const char *text, size_t length, struct sheet *sheet);
typedef int writer(const char *text, size_t length, struct bytes *out, struct fail *fail);

/* What a sheet became. */
struct taken {
    enum import_outcome outcome;
    int games;
    int score[SIDE_COUNT]; /* half points */
    size_t findings;
    unsigned plays;        /* plies with a throw */
    enum replay_state state;
    uint64_t bad_line;     /* of the record, 0: every line holds */
};

static struct play_room *room;

static void read_back(const struct bytes *record, struct taken *taken) {
    struct replay replay;
    struct message message;
    char why[RECORD_WHY_MAX];
    const char *line;
    size_t length;
    size_t at = 0;
    replay_init(&replay, room);
    while (replay_cut(record->data, record->length, &at, &line, &length) > 0) {
        if (replay_line(&replay, line, length, &message, why) != 0) {
            taken->bad_line = replay.lines;
            printf("# line %" PRIu64 ": %s\n", replay.lines, why);
            return;
        }
        taken->plays += message.kind == MESSAGE_DID && replay.ply.act == ACT_PLAY;
    }
    taken->games = replay.match.games;
    taken->score[SIDE_X] = replay.match.score[SIDE_X];
    taken->score[SIDE_Y] = replay.match.score[SIDE_Y];
    taken->state = replay.state;
}

static struct taken take(reader *read, const char *text, size_t length) {
    struct sheet sheet;
    struct bytes record;
    struct taken taken = {.games = 0};
    struct hash hash = hash_bytes(text, length);
    sheet_init(&sheet);
    bytes_init(&record, ROOM);
    read(text, length, &sheet);
    taken.outcome = import_match(&sheet, &hash, &record);
    taken.findings = sheet.findings.count;
    read_back(&record, &taken);
    sheet_clear(&sheet);
    bytes_clear(&record);
    return taken;
}

static void load(const char *name, struct bytes *out) {
    struct fail fail;
    char *path = alloc_print("%s/tests/corpus/%s", getenv("HAKEM_SOURCE"), name);
    bytes_init(out, ROOM);
    if (!CHECK(file_read(path, out, &fail) == 0, "%s is there", name)) {
        printf("# %s\n", fail.text);
    }
    free(path);
}

static reader *reader_of(const char *name) {
    return strstr(name, ".sgf") != NULL ? sgf_read : mat_read;
}

/* Games and final score as GNU Backgammon has them; `findings`: what we say is wrong. */
static const struct {
    const char *name;
    int games, x, y;
    size_t findings;
} corpus[] = {
    {"bgstudio/studio-01.txt", 2, 0, 13, 1}, /* "Wins 4016 point" with the cube at 4 */
    {"bgstudio/studio-03.txt", 5, 5, 3, 0},
    {"bgstudio/studio-04.txt", 10, 3, 23, 1}, /* the same */
    {"bgstudio/studio-08.txt", 8, 13, 4, 0},
    {"galaxy/match1033127.txt", 4, 1, 8, 0},
    {"galaxy/match1495872.txt", 1, 2, 0, 0},
    {"galaxy/match5846141.txt", 3, 1, 3, 0},
    {"galaxy/match7986278.txt", 1, 48, 0, 0},
    {"galaxy/match8062348.txt", 1, 2, 0, 0},
    {"galaxy/match8771518.txt", 1, 16, 0, 0},
    {"galaxy/match8862630.txt", 1, 0, 4, 0},
    {"galaxy/match9107366.txt", 13, 8, 18, 0},
    {"gnubg/gnubg-selfplay-7pt.mat", 4, 9, 2, 0},
    {"gnubg/gnubg-selfplay-7pt.sgf", 4, 9, 2, 0},
    {"own/own-external-3pt.mat", 1, 4, 0, 0},
    {"own/own-external-3pt.sgf", 1, 4, 0, 0},
    {"own/own-external-5pt-snowie.txt", 2, 5, 0, 0},
    {"own/own-external-5pt.mat", 2, 5, 0, 0},
    {"own/own-external-5pt.sgf", 2, 5, 0, 0},
    {"own/own-gnubg-1pt.mat", 1, 0, 1, 0},
    {"own/own-gnubg-1pt.sgf", 1, 0, 1, 0},
    {"own/own-gnubg-7pt-snowie.txt", 3, 1, 10, 0},
    {"own/own-gnubg-7pt.mat", 3, 1, 10, 0},
    {"own/own-gnubg-7pt.sgf", 3, 1, 10, 0},
    {"own/own-gnubg-money.gam", 1, 4, 0, 0},
    {"own/own-gnubg-money.mat", 1, 4, 0, 0},
    {"own/own-gnubg-money.sgf", 1, 4, 0, 0},
    {"xg/xg-7pt-bom-crlf.mat", 7, 7, 4, 0},
    {"xg/xg-transcribed-1.txt", 4, 1, 7, 0},
};

static void test_corpus(void) {
    for (size_t i = 0; i < sizeof corpus / sizeof corpus[0]; i++) {
        struct bytes text;
        load(corpus[i].name, &text);
        struct taken taken = take(reader_of(corpus[i].name), text.data, text.length);
        bool good = taken.outcome == IMPORT_WHOLE && taken.games == corpus[i].games &&
                    taken.score[SIDE_X] == corpus[i].x * POINT_HALVES &&
                    taken.score[SIDE_Y] == corpus[i].y * POINT_HALVES &&
                    taken.findings == corpus[i].findings && taken.bad_line == 0;
        if (!CHECK(good, "%s: %d games, %d - %d", corpus[i].name, corpus[i].games, corpus[i].x,
                   corpus[i].y)) {
            printf("# %d games, %d - %d half points, %zu findings\n", taken.games,
                   taken.score[SIDE_X], taken.score[SIDE_Y], taken.findings);
        }
        bytes_clear(&text);
    }
}

/* What we write comes back: the same games, scores and plays; `option` NULL: by the usual rules. */
static void test_round_trip(enum variant_id variant, int length, const char *option,
                            const char *value, writer *write, reader *read) {
    int good = 0;
    char why[160];
    for (int i = 0; i < SEEDS; i++) {
        struct bytes record, text;
        struct fail fail;
        struct taken first = {.games = 0};
        char seed[24];
        snprintf(seed, sizeof seed, "import %d", i);
        struct make_record spec = {.seed = seed, .leg = 1};
        rules_init(&spec.rules, variant_row(variant));
        spec.rules.value[OPTION_MATCH] = length;
        spec.rules.value[OPTION_GAMES] = length == 0 ? 5 : 1;
        spec.rules.value[OPTION_VIDO] = variant == VARIANT_WESTERN && i % 3 < 2;
        spec.rules.value[OPTION_RESIGN] = variant == VARIANT_WESTERN && i % 2;
        good -= option != NULL && rules_set(&spec.rules, option, value, why) != 0;
        sign_key_fresh(&spec.key);
        bytes_init(&record, ROOM);
        bytes_init(&text, ROOM);
        make_record(&spec, &record);
        read_back(&record, &first);
        bool written = write(record.data, record.length, &text, &fail) == 0;
        struct taken again = take(read, text.data, text.length);
        good += written && again.outcome == IMPORT_WHOLE && again.findings == 0 &&
                again.games == first.games && again.plays == first.plays &&
                memcmp(again.score, first.score, sizeof first.score) == 0;
        bytes_clear(&record);
        bytes_clear(&text);
    }
    CHECK_INT(good, SEEDS, option != NULL ? option : variant_row(variant)->name);
}

/* Rules that no other program knows have a header of ours. */
static void test_own_rules(void) {
    static const struct {
        enum variant_id variant;
        const char *option, *value;
    } rows[] = {
        {VARIANT_TAVLA, "katmerli", "3"},         {VARIANT_TAVLA, "must_max", "false"},
        {VARIANT_TAVLA, "bearoff", "literal000"}, {VARIANT_UZUN, "koks", "2"},
        {VARIANT_UZUN, "wall", "off"},            {VARIANT_UZUN, "head_exception", "any_double"},
        {VARIANT_UZUN, "koks_test", "any"},       {VARIANT_FEVGA, "runner", "false"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_round_trip(rows[i].variant, 5, rows[i].option, rows[i].value, mat_write, mat_read);
        test_round_trip(rows[i].variant, 5, rows[i].option, rows[i].value, sgf_write, sgf_read);
    }
}

/* Kinds of files that were met in public collections, in small: all of them are whole. */
static void test_met(void) {
    static const struct {
        const char *text, *what;
        int games, x, y; /* and what comes of them */
    } rows[] = {
        {" 3 point match\n\n Game 1\n a : 0                       b : 0\n"
         "  1) 31: 8/5 6/5                42: 8/4 6/4\n"
         "  2) 43: 24/20 13/10              2)  Losses 2 point            Wins 2 point\n",
         "a row whose line end was forgotten", 1, 0, 2},
        {" 3 point match\n\n Game 1\n a : 0                       b : 0\n"
         "  1) 31: 8/5 6/5                 Doubles => 2\n  2)  Takes\n"
         "                                 Wins 3 point\n",
         "no more points than the match is long", 1, 0, 4},
        {" 0 point match\n\n Game 1\n a : 0                       b : 0\n"
         "  1) 31: 8/5 6/5                42: 8/4 6/4\n      Wins 2 points\n",
         "a gammon without a cube in money play: no Jacoby", 1, 2, 0},
        {" 0 point match\n\n Game 1\n a : 0                       b : 0\n"
         "  1) 31: 8/5 6/5                 Doubles => 4\n  2)  Drops\n"
         "                                 Wins 2 points\n",
         "an automatic double", 1, 0, 2},
        {"; [Variation \"Hypergammon\"]\n 3 point match\n\n Game 1\n"
         " a : 0                       b : 0\n  1) 42: ????\n      Wins 2 points\n",
         "given up while the other side had thrown", 1, 2, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct taken taken = take(mat_read, rows[i].text, strlen(rows[i].text));
        bool good = taken.outcome == IMPORT_WHOLE && taken.findings == 0 &&
                    taken.games == rows[i].games &&
                    taken.score[SIDE_X] == rows[i].x * POINT_HALVES &&
                    taken.score[SIDE_Y] == rows[i].y * POINT_HALVES;
        if (!CHECK(good, "%s", rows[i].what)) {
            printf("# %d games, %d - %d half points, %zu findings\n", taken.games,
                   taken.score[SIDE_X], taken.score[SIDE_Y], taken.findings);
        }
    }
}

/* Cut after each byte: no more games than before, and what is left still reads. */
static void test_cut(const char *name) {
    struct bytes text;
    load(name, &text);
    int bad = 0;
    int games = 0;
    for (size_t length = 0; length <= text.length; length += 1 + length / 400) {
        char *exact = malloc(length > 0 ? length : 1); /* so that a sanitizer sees the end */
        memcpy(exact, text.data, length);
        struct taken taken = take(reader_of(name), exact, length);
        bad += taken.bad_line != 0 || taken.games < games;
        games = taken.games;
        free(exact);
    }
    CHECK_INT(bad, 0, name);
    bytes_clear(&text);
}

static void test_spoilt(const char *name) {
    static const char bytes[] = ":/*()[];\\ \n\r\t\0\x80\xFF" "0123456789WDTxyz";
    struct bytes text;
    load(name, &text);
    int bad = 0;
    unsigned state = 12345;
    for (int i = 0; i < SPOILT; i++) {
        char *copy = malloc(text.length);
        memcpy(copy, text.data, text.length);
        for (int k = 0; k < 4; k++) {
            state = state * 1103515245U + 12345U;
            size_t at = (state >> 8) % text.length;
            state = state * 1103515245U + 12345U;
            copy[at] = bytes[(state >> 16) % (sizeof bytes - 1)];
        }
        bad += take(reader_of(name), copy, text.length).bad_line != 0;
        free(copy);
    }
    CHECK_INT(bad, 0, name);
    bytes_clear(&text);
}

/* A text that is nothing, and one long line of it. */
static void test_rubbish(void) {
    size_t length = 8 << 20;
    char *line = malloc(length);
    static const char *const words[] = {"(;W[31", " 1) 31: 8/5 ", "Game 1 ", "a : 1 ", "((((((", "\r"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t size = strlen(words[i]);
        for (size_t at = 0; at + size <= length; at += size) {
            memcpy(line + at, words[i], size);
        }
        struct taken mat = take(mat_read, line, length);
        struct taken sgf = take(sgf_read, line, length);
        CHECK(mat.outcome == IMPORT_PARTIAL && sgf.outcome == IMPORT_PARTIAL && mat.findings > 0 &&
                  sgf.findings > 0,
              "8 MiB of \"%s\"", words[i][0] == '\r' ? "CR" : words[i]);
    }
    static const char cut[] = "(;GM[6]MI[length:3][game:0]RE[W+1];W[31hefe];B[42qupu]";
    CHECK(take(sgf_read, cut, strlen(cut)).outcome == IMPORT_PARTIAL,
          "a tree that is cut off, whose end is known from its root");
    CHECK(take(mat_read, "", 0).outcome == IMPORT_PARTIAL, "nothing as .mat");
    CHECK(take(sgf_read, "", 0).outcome == IMPORT_PARTIAL, "nothing as .sgf");
    free(line);
}

/* The first finding of a match of two lines. */
static void test_finding(const char *rows, enum finding_kind kind, unsigned line,
                         const char *words) {
    struct sheet sheet;
    struct bytes record;
    char *text = alloc_print(" 5 point match\n\n Game 1\n a : 0        b : 0\n%s", rows);
    struct hash hash = hash_bytes(text, strlen(text));
    sheet_init(&sheet);
    bytes_init(&record, ROOM);
    mat_read(text, strlen(text), &sheet);
    import_match(&sheet, &hash, &record);
    const struct finding *finding = sheet.findings.row;
    bool good = sheet.findings.count > 0 && finding->kind == kind && finding->line == line &&
                strstr(finding->text, words) != NULL;
    if (!CHECK(good, "%s: %s", finding_kind_name(kind), words) && sheet.findings.count > 0) {
        printf("# line %u: %s: %s\n", finding->line, finding_kind_name(finding->kind),
               finding->text);
    }
    sheet_clear(&sheet);
    bytes_clear(&record);
    free(text);
}

static void test_findings(void) {
    test_finding("  1) 31: 8/5 6/5               62: 24/18 13/12\n", FINDING_ILLEGAL, 5, "62: ");
    test_finding("  1) 31: 8/5 6/5               62:\n  2) 52: 13/8 13/11\n", FINDING_ILLEGAL, 5,
                 "nothing was played");
    test_finding("  1) 31: 8/5 6/5\n  2) 52: 13/8 13/11\n", FINDING_INCONSISTENT, 6,
                 "not the turn of the left player");
    test_finding("  1) 31: 8/5 6/5                Takes\n", FINDING_INCONSISTENT, 5, "no double");
    test_finding("  1) 31: 8/5 6/5                Doubles => 8\n  2)  Drops\n",
                 FINDING_INCONSISTENT, 5, "offered at 2, not at 8");
    test_finding("  1) 31: 8/5 6/5                Doubles => 2\n  2)  Drops\n", FINDING_MISSING, 6,
                 "nobody is said to have won");
    test_finding("  1) 31: 8/5 6/5                Doubles => 2\n  2)  Drops      Wins 3 points\n",
                 FINDING_INCONSISTENT, 6, "worth 1, not 3");
    test_finding("  1) 31: 8/5 6/5\n hello\n", FINDING_UNREAD, 6, "hello");
    test_finding("  1) 31: 8/5 6/5\n", FINDING_MISSING, 5, "the last game has no end");
    test_finding("  1) 31: 8/5 6/5\n      Wins 1 point\n\n Game 2\n a : 2   b : 0\n",
                 FINDING_INCONSISTENT, 9, "begins at 1 points for the left, not at 2");
}

int main(void) {
    room = alloc_zeroed(1, sizeof *room);
    if (dice_init() != 0) {
        return 2;
    }
    test_corpus();
    for (int id = 0; id < VARIANT_COUNT; id++) {
        test_round_trip((enum variant_id)id, 5, NULL, NULL, mat_write, mat_read);
        test_round_trip((enum variant_id)id, 5, NULL, NULL, sgf_write, sgf_read);
    }
    test_round_trip(VARIANT_WESTERN, 0, NULL, NULL, mat_write, mat_read);
    test_round_trip(VARIANT_WESTERN, 0, NULL, NULL, sgf_write, sgf_read);
    test_own_rules();
    test_met();
    test_cut("own/own-gnubg-7pt.mat");
    test_cut("gnubg/gnubg-selfplay-7pt.sgf");
    test_cut("xg/xg-7pt-bom-crlf.mat");
    test_spoilt("own/own-external-5pt.mat");
    test_spoilt("own/own-external-5pt.sgf");
    test_spoilt("bgstudio/studio-03.txt");
    test_rubbish();
    test_findings();
    free(room);
    return check_done();
}
