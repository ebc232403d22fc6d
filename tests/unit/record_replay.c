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
    CHECK(standing.answers[SIDE_X] > 0 && standing.charged[SIDE_X] > 0, "time was charged");

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
    return check_done();
}
