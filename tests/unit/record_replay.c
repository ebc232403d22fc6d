#include "check.h"
#include "sim/make_record.h"

#include "base/alloc.h"
#include "record/verify.h"
#include "record/writer.h"

#include <stdlib.h>

enum { SEEDS = 12, RECORD_ROOM = 16 << 20 };

/* Findings, joined. */
static void note(void *owner, const struct verify_finding *finding) {
    struct bytes *notes = owner;
    bytes_print(notes, "line %" PRIu64 ": %s; ", finding->line, finding->text);
}

static enum verify_outcome verify(struct bytes *record, const char *seed, struct bytes *notes,
                                  struct verify_report *report) {
    const struct verify_known known = {.seed = seed};
    bytes_drop(notes, notes->length);
    return verify_record(record->data, record->length, &known, note, notes, report);
}

static struct make_record spec_of(enum variant_id variant, int length, const char *seed) {
    struct make_record spec = {.seed = seed, .leg = 1};
    rules_init(&spec.rules, variant_row(variant));
    spec.rules.value[OPTION_MATCH] = length;
    spec.rules.value[OPTION_GAMES] = length == 0 ? 7 : 1;
    sign_key_fresh(&spec.key);
    return spec;
}

/* Every whole match that the rules can produce is read and proven. */
static void test_whole(enum variant_id variant, int length, unsigned extras) {
    struct bytes record;
    struct bytes notes;
    bytes_init(&notes, 1 << 16);
    int good = 0;
    for (int i = 0; i < SEEDS; i++) {
        char seed[24], why[160];
        snprintf(seed, sizeof seed, "whole %d", i);
        struct make_record spec = spec_of(variant, length, seed);
        spec.leg = i % 2 + 1;
        spec.faults = (extras & 1U) != 0;
        spec.voids = (extras & 2U) != 0;
        spec.left = (extras & 4U) != 0 ? 1 : 0;
        if ((extras & 8U) != 0) {
            spec.rules.value[OPTION_NEXT_STARTER] = i % 4;
            spec.rules.value[OPTION_OPENING] = i % 2;
        }
        if ((extras & 16U) != 0) {
            spec.rules.value[OPTION_VIDO] = i % 4 < 3;
            spec.rules.value[OPTION_RESIGN] = i % 2;
            spec.rules.value[OPTION_VIDO_MAX] = i % 4 == 0 ? 2 : 64;
        }
        if ((extras & 16U) != 0 && length == 0) {
            spec.rules.value[OPTION_BEAVERS] = i % 3;
            spec.rules.value[OPTION_AUTO_DOUBLES] = i % 2 * 2;
            spec.rules.value[OPTION_JACOBY] = i % 5 < 3;
        }
        spec.rules.value[OPTION_CRAWFORD] = length == 0 || i % 6 < 4 || (extras & 16U) == 0;
        bool fits = rules_check(&spec.rules, why) == 0;
        if (!fits) {
            rules_init(&spec.rules, variant_row(variant));
            spec.rules.value[OPTION_MATCH] = length;
            spec.rules.value[OPTION_RESIGN] = 1;
        }
        bytes_init(&record, RECORD_ROOM);
        make_record(&spec, &record);
        struct verify_report report;
        if (verify(&record, seed, &notes, &report) == VERIFY_PROVEN && report.seed_open &&
            report.signature_holds && report.throws >= report.plies / 2 && report.plies > 0) {
            good++;
        } else {
            printf("# %s\n", bytes_text(&notes));
        }
        bytes_clear(&record);
    }
    CHECK(good == SEEDS, "%s to %d, extras %u: every record is proven", variant_row(variant)->name,
          length, extras);
    bytes_clear(&notes);
}

/* A record that stops between games says where to go on. */
static void test_standing(void) {
    struct make_record spec = spec_of(VARIANT_TAVLA, 5, "standing");
    struct record_standing standing;
    struct bytes record;
    char why[160] = "";
    spec.opens = true;
    bytes_init(&record, RECORD_ROOM);
    make_record(&spec, &record);
    CHECK(record_standing(record.data, record.length, &standing, why) == 0,
          "an unfinished record stands somewhere (%s)", why);
    CHECK_INT(standing.game, 2, "its next game is the second");
    CHECK_INT(standing.attempt, 0, "which has not been tried");
    CHECK_INT(standing.match.games, 1, "one game is finished");
    CHECK(standing.match.score[SIDE_X] + standing.match.score[SIDE_Y] > 0, "and it is scored");
    CHECK(standing.answers[SIDE_X] > 0 && standing.paid[SIDE_X] > 0, "time was charged");

    struct record_writer writer;
    record_init(&writer);
    CHECK(record_resume(&writer, record.data, record.length) == 0, "its chain goes on");
    struct message message;
    message_init(&message, MESSAGE_VOID);
    message_set_int(&message, FIELD_TABLE, 1);
    message_set_int(&message, FIELD_GAME, 2);
    message_set_int(&message, FIELD_ATTEMPT, 0);
    record_add(&writer, &message);
    bytes_add(&record, writer.text.data, writer.text.length);
    CHECK(record_standing(record.data, record.length, &standing, why) == 0,
          "a void of the game that was to come is taken (%s)", why);
    CHECK_INT(standing.game, 2, "it is the second game again");
    CHECK_INT(standing.attempt, 1, "as its next attempt");
    record_clear(&writer);
    CHECK(record_resume(&writer, record.data, record.length - 1) != 0,
          "a record whose last line is cut off is not gone on with");
    CHECK(record_standing(record.data, record.length - 1, &standing, why) != 0, "nor read");
    CHECK_TEXT(why, "the last line of the record is cut off", "and the reason is given");
    record_clear(&writer);
    bytes_clear(&record);
}

/* A record cut after any line proves its prefix and nothing else. */
static void test_prefix(void) {
    struct make_record spec = spec_of(VARIANT_UZUN, 3, "prefix");
    struct bytes record;
    struct bytes notes;
    struct verify_report report;
    bytes_init(&record, RECORD_ROOM);
    bytes_init(&notes, 1 << 16);
    make_record(&spec, &record);
    int lines = 0;
    int prefixes = 0;
    for (size_t at = 0; at + 1 < record.length; at++) {
        if (record.data[at] != '\n') {
            continue;
        }
        struct bytes part = {.data = record.data, .length = at + 1};
        lines++;
        prefixes += verify(&part, NULL, &notes, &report) == VERIFY_PREFIX &&
                    report.lines == (uint64_t)lines && !report.signature_holds;
    }
    CHECK_INT(prefixes, lines, "a record cut after any line is only a prefix");
    struct bytes part = {.data = record.data, .length = record.length - 30};
    CHECK(verify(&part, NULL, &notes, &report) == VERIFY_PREFIX, "so is one cut within a line");
    bytes_add_text(&record, "more");
    CHECK(verify(&record, NULL, &notes, &report) == VERIFY_REFUSED,
          "bytes behind the signature are refused");
    bytes_drop(&record, record.length);
    CHECK(verify(&record, NULL, &notes, &report) == VERIFY_REFUSED, "an empty file is no record");
    bytes_clear(&record);
    bytes_clear(&notes);
}

/* What is known from elsewhere binds. */
static void test_known(void) {
    struct make_record spec = spec_of(VARIANT_WESTERN, 3, "the seed");
    struct bytes record;
    struct bytes notes;
    struct verify_report report;
    bytes_init(&record, RECORD_ROOM);
    bytes_init(&notes, 1 << 16);
    make_record(&spec, &record);
    CHECK(verify(&record, "another seed", &notes, &report) == VERIFY_REFUSED,
          "another open seed is refused");
    CHECK(strstr(bytes_text(&notes), "line 1: master=") != NULL, "by the master commitment");
    struct verify_known known = {.key = spec.key.public_key};
    CHECK(verify_record(record.data, record.length, &known, note, &notes, &report) == VERIFY_PROVEN,
          "the signer's key is accepted");
    struct sign_key other;
    sign_key_fresh(&other);
    known.key = other.public_key;
    CHECK(verify_record(record.data, record.length, &known, note, &notes, &report) ==
              VERIFY_REFUSED,
          "another one is not");
    bytes_clear(&record);
    bytes_clear(&notes);
}

/* A record that was changed, and signed again by who may sign. */
struct forgery {
    const char *what;
    int keep;          /* lines of the made record that stay, then */
    const char *extra; /* bare lines; S, O the seat that starts and the other one, D, P what it
                          threw and played, each behind a $ */
    const char *from, *to; /* what is put in place of what in all of it, NULL: nothing */
    uint64_t line;     /* the one that is refused, 0: proven */
};

/* The first ply of the made record: "did 1 1 X 21 13/11 6/5 ms=3". */
struct first_ply {
    char seat[2], other[2], dice[3], play[PLAY_TEXT_MAX];
};

static struct first_ply read_first(const char *record) {
    struct first_ply first = {.seat = ""};
    const char *did = strstr(record, "\ndid 1 1 ") + 9;
    snprintf(first.seat, sizeof first.seat, "%.1s", did);
    snprintf(first.other, sizeof first.other, "%s", did[0] == 'X' ? "Y" : "X");
    snprintf(first.dice, sizeof first.dice, "%.2s", did + 2);
    snprintf(first.play, sizeof first.play, "%.*s", (int)(strstr(did, " ms=") - did - 5), did + 5);
    for (char *blank = first.play; (blank = strchr(blank, ' ')) != NULL;) {
        *blank = ','; /* as another blank would be percent-encoded */
    }
    return first;
}

static void add_extra(struct bytes *out, const char *extra, const struct first_ply *first) {
    for (const char *at = extra; *at != '\0'; at++) {
        if (*at == '$') {
            at++;
            bytes_add_text(out, *at == 'S'   ? first->seat
                                : *at == 'O' ? first->other
                                : *at == 'D' ? first->dice
                                             : first->play);
        } else if (*at == '\n') {
            bytes_add_text(out, " 0123456789abcdef\n");
        } else {
            bytes_add(out, at, 1);
        }
    }
}

static void replace(struct bytes *text, const char *from, const char *to) {
    const char *at = strstr(bytes_text(text), from);
    size_t before = (size_t)(at - text->data);
    char *rest = alloc_print("%s%s", to, at + strlen(from));
    text->length = before;
    bytes_add_text(text, rest);
    free(rest);
}

/* Makes the forgery of a record, chained and signed anew. */
static void forge(const struct bytes *made, const struct forgery *forgery,
                  const struct sign_key *key, struct bytes *out) {
    struct bytes text;
    struct record_writer writer;
    struct first_ply first = read_first(made->data);
    const char *at = made->data;
    bytes_init(&text, RECORD_ROOM);
    for (int i = 0; i < forgery->keep; i++) {
        at = strchr(at, '\n') + 1;
    }
    bytes_add(&text, made->data, (size_t)(at - made->data));
    add_extra(&text, forgery->extra, &first);
    const char *reveal = strstr(made->data, "\nreveal ") + 1;
    bytes_add(&text, reveal, strcspn(reveal, "\n") + 1);
    if (forgery->from != NULL) {
        replace(&text, forgery->from, forgery->to);
    }
    make_record_chain(text.data, text.length, out);
    record_init(&writer);
    CHECK(record_resume(&writer, out->data, out->length) == 0, "%s: chained", forgery->what);
    record_sign(&writer, key);
    bytes_add(out, writer.text.data, writer.text.length);
    record_clear(&writer);
    bytes_clear(&text);
}

#define LOST_END(got)                                                                              \
    "fault 1 1 $S code=illegal dice=$D got=" got " reason=so ms=1\n"                               \
    "result 1 1 winner=$O reason=illegal kind=mars points=2 score=2,0\n"                           \
    "fault 1 0 X code=stall reason=so\nend 1 winner=Y score=2,0 reason=stall\n"
#define LEFT(words, winner, reason)                                                                \
    "fault 1 " words "\nend 1 winner=" winner " score=0,0 reason=" reason "\n"
#define END(winner, reason) "end 1 winner=" winner " score=0,0 reason=" reason "\n"
#define BIG "9007199254740991"
#define GAME_CAP "result 1 1 winner=none reason=cap points=0 score=0,0\n"

static const struct forgery forgeries[] = {
    {"left between games", 1, LEFT("0 X code=stall reason=so", "Y", "stall"), NULL, NULL, 0},
    {"neither came", 1, END("none", "disconnect"), NULL, NULL, 0},
    {"an illegal answer", 2, LOST_END("24/1"), NULL, NULL, 0},
    {"an illegal answer with an escape", 2, LOST_END("24/1\\\\"), "=illegal", "=malformed", 4},
    {"a cap at once", 2, GAME_CAP END("none", "cap"), NULL, NULL, 3},
    {"a cap after a ply", 3, GAME_CAP END("none", "cap"), NULL, NULL, 4},
    {"an end by nothing, X", 1, END("X", "illegal"), NULL, NULL, 2},
    {"an end by timeout, X", 1, END("X", "timeout"), NULL, NULL, 2},
    {"an end by disconnect, Y", 1, END("Y", "disconnect"), NULL, NULL, 2},
    {"nobody's illegal", 1, END("none", "illegal"), NULL, NULL, 2},
    {"nobody's stall", 1, END("none", "stall"), NULL, NULL, 2},
    {"nobody's, with a fault", 1, LEFT("0 X code=stall reason=so", "none", "stall"), NULL, NULL, 3},
    {"illegal between games", 1, LEFT("0 X code=illegal reason=so", "Y", "illegal"), NULL, NULL, 2},
    {"malformed between games", 1, LEFT("0 X code=malformed reason=so", "Y", "malformed"), NULL,
     NULL, 2},
    {"a ply between games", 1, LEFT("1 X code=stall reason=so", "Y", "stall"), NULL, NULL, 2},
    {"dice between games", 1, LEFT("0 X code=stall dice=31 reason=so", "Y", "stall"), NULL, NULL,
     2},
    {"time between games", 1, LEFT("0 X code=stall reason=so ms=4", "Y", "stall"), NULL, NULL, 2},
    {"a legal play said to be illegal", 2, LOST_END("$P"), NULL, NULL, 3},
    {"a legal play and three dots", 2, LOST_END("$P..."), "code=illegal", "code=illegal", 3},
    {"a backslash that is no escape", 2, LOST_END("24/1\\q"), NULL, NULL, 3},
    {"an escape that needs none", 2, LOST_END("24/1\\x20"), NULL, NULL, 3},
    {"a move far beyond the clock", 3, END("none", "disconnect"), " ms=", " ms=7000", 3},
    {"a move beyond the margin that is written", 3, END("none", "disconnect"), "move_time=5000",
     "move_time=1 margin=5", 3},
    {"a margin of more than a minute", 1, END("none", "disconnect"), "move_time=5000",
     "move_time=5000 margin=60001", 1},
    {"a delay of ages", 1, END("none", "disconnect"), "move_time=5000",
     "reserve=5,5 increment=0 delay=" BIG, 1},
    {"a good delay", 1, END("none", "disconnect"), "move_time=5000",
     "reserve=5,5 increment=0 delay=2", 0},
    {"a move time of ages", 1, END("none", "disconnect"), "move_time=5000", "move_time=" BIG, 1},
    {"a reserve of ages", 1, END("none", "disconnect"), "move_time=5000",
     "reserve=" BIG "," BIG " increment=1", 1},
    {"two reserves", 1, END("none", "disconnect"), "move_time=5000", "reserve=5,6 increment=1", 1},
    {"an increment of ages", 1, END("none", "disconnect"), "move_time=5000",
     "reserve=5,5 increment=" BIG, 1},
    {"a good reserve", 1, END("none", "disconnect"), "move_time=5000", "reserve=5,5 increment=1",
     0},
    {"ages for a fault", 2, LOST_END("24/1"), "reason=so ms=1", "reason=so ms=" BIG, 3},
    {"two blanks", 1, END("none", "disconnect"), "end 1 ", "end 1  ", 2},
    {"an unknown field", 1, END("none", "disconnect"), "=disconnect", "=disconnect moon=full", 2},
    {"fields in another order", 1, "end 1 score=0,0 winner=none reason=disconnect\n", NULL, NULL,
     2},
};

/* Whoever holds the key can sign what never happened; the rules of the record stay. */
static void test_forged(void) {
    struct make_record spec = spec_of(VARIANT_TAVLA, 5, "forged");
    struct bytes made;
    struct bytes notes;
    bytes_init(&made, RECORD_ROOM);
    bytes_init(&notes, 1 << 16);
    make_record(&spec, &made);
    bytes_text(&made);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        const struct forgery *forgery = &forgeries[i];
        struct bytes record;
        struct verify_report report;
        char where[32];
        bytes_init(&record, RECORD_ROOM);
        forge(&made, forgery, &spec.key, &record);
        enum verify_outcome outcome = verify(&record, "forged", &notes, &report);
        snprintf(where, sizeof where, "line %" PRIu64 ": ", forgery->line);
        bool good = forgery->line == 0
                        ? outcome == VERIFY_PROVEN
                        : outcome == VERIFY_REFUSED &&
                              strncmp(bytes_text(&notes), where, strlen(where)) == 0;
        CHECK(good, "%s (%s)", forgery->what, bytes_text(&notes));
        bytes_clear(&record);
    }
    bytes_clear(&made);
    bytes_clear(&notes);
}

/* Disagreements of the bots: a few, anywhere, and they prove nothing. */
static void test_disputes(void) {
    static const struct {
        const char *before; /* the line that they come before; NULL: the second ply */
        const char *line;
        int times;
        bool good;
    } rows[] = {
        {NULL, "dispute 1 1 a-word seat=X ply=1", 1, true},
        {NULL, "dispute 1 1 a-word seat=Y ply=1", 3, true},
        {NULL, "dispute 1 1 a-word seat=Y ply=1", 4, false},
        {NULL, "dispute 1 1 a-word seat=X ply=0", 1, false},
        {NULL, "dispute 1 1 a-word seat=Z ply=1", 1, false},
        {NULL, "dispute 1 1 a-word seat=X", 1, false},
        {NULL, "dispute 2 1 a-word seat=X ply=1", 1, false},
        {NULL, "dispute 1 1 a/word seat=X ply=1", 1, false},
        {NULL, "dispute 1 1 a-word seat=X ply=1 at=x", 1, false},
        {"\ngame ", "dispute 1 7 a-word seat=X ply=0", 1, true},
        {"\nend ", "dispute 1 7 a-word seat=X ply=0", 1, true},
        {"\nend ", "dispute 1 7 a-word seat=X ply=1", 1, false},
        {"\nsign ", "dispute 1 7 a-word seat=X ply=0", 1, false},
    };
    struct make_record spec = spec_of(VARIANT_TAVLA, 1, "disputes");
    struct bytes made, text, chained, notes;
    struct verify_report report;
    bytes_init(&made, RECORD_ROOM);
    bytes_init(&text, RECORD_ROOM);
    bytes_init(&chained, RECORD_ROOM);
    bytes_init(&notes, 1 << 16);
    make_record(&spec, &made);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *whole = bytes_text(&made);
        const char *at = strstr(whole, rows[i].before == NULL ? "\ndid 1 2 " : rows[i].before) + 1;
        const char *end = strstr(whole, "\nsign ") + 1; /* it would not hold any more */
        bytes_drop(&text, text.length);
        bytes_drop(&chained, chained.length);
        bytes_add(&text, whole, (size_t)(at - whole));
        for (int k = 0; k < rows[i].times; k++) {
            bytes_print(&text, "%s 0123456789abcdef\n", rows[i].line);
        }
        bytes_add(&text, at, at < end ? (size_t)(end - at) : 0);
        make_record_chain(text.data, text.length, &chained);
        enum verify_outcome outcome = verify(&chained, "disputes", &notes, &report);
        CHECK((outcome == VERIFY_PREFIX) == rows[i].good, "%d times \"%s\" before %s: %s",
              rows[i].times, rows[i].line, rows[i].before == NULL ? "a ply" : rows[i].before + 1,
              bytes_text(&notes));
    }
    bytes_clear(&made);
    bytes_clear(&text);
    bytes_clear(&chained);
    bytes_clear(&notes);
}

int main(void) {
    CHECK(dice_init() == 0, "the dice are ready");
    for (int id = 0; id < VARIANT_COUNT; id++) {
        enum variant_id variant = (enum variant_id)id;
        test_whole(variant, 1, 0);
        test_whole(variant, 5, 0);
        test_whole(variant, 5, 1);
        test_whole(variant, 3, 3);
        test_whole(variant, 5, 4);
        test_whole(variant, 5, 8);
        test_whole(variant, 5, 16);
        test_whole(variant, 3, 16 + 3);
        test_whole(variant, 7, 16 + 8);
    }
    test_whole(VARIANT_WESTERN, 0, 16);
    test_whole(VARIANT_WESTERN, 0, 16 + 3);
    test_standing();
    test_prefix();
    test_known();
    test_forged();
    test_disputes();
    return check_done();
}
