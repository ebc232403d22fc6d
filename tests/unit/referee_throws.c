/* Matches on recorded dice: thrown as their file has them, proven with it, aborted where it
 * ends, taken up again where a record stops. */
#include "check.h"

#include "record/verify.h"
#include "unit/referee_world.h"

static const struct clock_rule ten_seconds = {.move_time = 10000, .margin = 50};

/* A text of so many throws of one unit, by a fixed chance. */
static void make_throws(struct throws *throws, uint64_t chance, int count) {
    struct world die = {.chance = chance};
    struct bytes text;
    char why[THROWS_WHY_MAX] = "";
    bytes_init(&text, 1 << 20);
    for (int i = 0; i < count; i++) {
        bytes_print(&text, "%d%d\n", (int)(world_chance(&die) % 6) + 1,
                    (int)(world_chance(&die) % 6) + 1);
    }
    CHECK(throws_read(throws, text.data, text.length, why) == 0, "throws are read: %s", why);
    bytes_clear(&text);
}

static struct rules rules_of(enum variant_id variant, const char *opening) {
    struct rules rules;
    char why[160];
    rules_init(&rules, variant_row(variant));
    rules.value[OPTION_MATCH] = 5;
    CHECK(rules_set(&rules, "opening", opening, why) == 0, "opening=%s", opening);
    return rules;
}

static uint32_t seat(struct world *world, const struct rules *rules, const struct throws *throws) {
    static const uint8_t key[SIGN_PUBLIC_BYTES];
    char seed[HASH_HEX];
    char why[160] = "";
    throws_seed(throws, seed);
    struct hash master = dice_open_master(seed);
    struct match_spec spec = {.source = DICE_RECORDED,
                              .leg = 1,
                              .pairing = "independent",
                              .rules = *rules,
                              .clock = ten_seconds,
                              .master_commitment = dice_master_commitment(&master, "world#0"),
                              .throws_hash = &throws->hash,
                              .server = "hakem/world",
                              .public_key = key,
                              .date = "2026-11-30T00:00:00Z",
                              .name = {"ayse", "bora"},
                              .session = {world->bot[0].session, world->bot[1].session}};
    unit_dice_init(&spec.dice, &master, "world#0", "U000001", 0);
    spec.throws = throws_of_unit(throws, 1, &spec.throw_count);
    if (world->goes_on != NULL) {
        spec.record = world->goes_on->data;
        spec.record_length = world->goes_on->length;
    }
    uint32_t table = referee_seat(world->referee, &spec, world->now, why);
    CHECK(table != 0, "the match is seated: %s", why);
    return table;
}

/* Plays a match; its record is kept in the world. */
static void play(struct world *world, const struct rules *rules, const struct throws *throws,
                 const struct bytes *goes_on) {
    world_open(world, NULL);
    world->keep = true;
    world->goes_on = goes_on;
    world_join(world, "name=ayse tables=1");
    world_join(world, "name=bora tables=1");
    world_flush(world);
    seat(world, rules, throws);
    CHECK(world_run(world, 1, 100000), "the match ends");
}

static char first_finding[400];

static void take_finding(void *owner, const struct verify_finding *finding) {
    (void)owner;
    if (first_finding[0] == '\0') {
        snprintf(first_finding, sizeof first_finding, "%s", finding->text);
    }
}

static enum verify_outcome prove(const struct bytes *record, const struct throws *throws,
                                 struct verify_report *report) {
    const struct verify_known known = {.throws = throws};
    first_finding[0] = '\0';
    return verify_record(record->data, record->length, &known, take_finding, NULL, report);
}

/* Every throw of the match is that of the file: as the record has it, and as replay counts. */
static void test_match(enum variant_id variant, const char *opening) {
    struct throws throws;
    struct rules rules = rules_of(variant, opening);
    struct world world;
    struct verify_report report;
    make_throws(&throws, 7, 5000);
    play(&world, &rules, &throws, NULL);
    CHECK(world.games > 1, "%ld games", world.games);
    CHECK(prove(&world.record, &throws, &report) == VERIFY_PREFIX, "it holds: %s", first_finding);
    CHECK(report.throws_known && report.ended, "with the file");
    CHECK(report.throws > report.plies / 2, "%u throws are those of the file", report.throws);
    CHECK(prove(&world.record, NULL, &report) == VERIFY_PREFIX && !report.throws_known &&
              report.throws == 0,
          "without the file no throw is checked: %s", first_finding);
    struct throws other;
    make_throws(&other, 8, 5000);
    CHECK(prove(&world.record, &other, &report) == VERIFY_REFUSED, "another file is refused");
    CHECK_TEXT(first_finding, "throws= is not the hash of the file of throws that was given",
               "with a sentence");
    other.hash = throws.hash;
    CHECK(prove(&world.record, &other, &report) == VERIFY_REFUSED &&
              strstr(first_finding, "is not that of the file: number 1 of the unit is") != NULL,
          "another throw too: %s", first_finding);
    throws_clear(&other);
    throws_clear(&throws);
    world_close(&world);
}

/* For every length of the file the match ends, and what was played is proven. */
static void test_runs_out(void) {
    struct rules rules = rules_of(VARIANT_HYPERGAMMON, "deciding");
    int aborted = 0;
    int between = 0;
    for (int count = 1; count < 160; count++) {
        struct throws throws;
        struct world world;
        struct verify_report report;
        make_throws(&throws, 7, count);
        play(&world, &rules, &throws, NULL);
        CHECK(prove(&world.record, &throws, &report) == VERIFY_PREFIX && report.ended,
              "%d throws: what was played holds: %s", count, first_finding);
        bool ran_out = strstr(bytes_text(&world.record), " reason=aborted ") != NULL;
        bool is_void = strstr(bytes_text(&world.record), "\nvoid ") != NULL;
        aborted += ran_out;
        between += ran_out && !is_void;
        CHECK(report.winner == -1 || !ran_out, "nobody wins by it");
        throws_clear(&throws);
        world_close(&world);
    }
    CHECK(aborted > 20 && aborted < 159, "%d of 159 matches are aborted", aborted);
    CHECK(between > 0, "%d of them before a game's opening is decided", between);
}

/* An interrupted match goes on with the throw that comes next. */
static void test_goes_on(void) {
    struct throws throws;
    struct rules rules = rules_of(VARIANT_HYPERGAMMON, "reroll");
    struct world whole;
    make_throws(&throws, 9, 5000);
    play(&whole, &rules, &throws, NULL);
    const char *text = bytes_text(&whole.record);
    const char *first = strstr(text, "\nresult ");
    CHECK(first != NULL, "there is a first game");
    size_t length = (size_t)(first + 1 - text) + strcspn(first + 1, "\n") + 1;
    struct bytes part;
    bytes_init(&part, 1 << 20);
    bytes_add(&part, text, length);
    struct world rest;
    struct verify_report report;
    play(&rest, &rules, &throws, &part);
    bytes_add(&part, rest.record.data, rest.record.length);
    CHECK(prove(&part, &throws, &report) == VERIFY_PREFIX && report.ended, "it holds: %s",
          first_finding);
    CHECK_TEXT(bytes_text(&part), text, "and is the undisturbed one");
    bytes_clear(&part);
    world_close(&whole);
    world_close(&rest);
    throws_clear(&throws);
}

/* A side resigns, times out or plays what is illegal with a throw in force: it is used up. */
static int misdeeds;

static bool answer_badly(struct world *world, int bot, const char *request, char out[WORLD_LINE]) {
    long table, serial;
    (void)bot;
    if (sscanf(request, "turn %ld %ld", &table, &serial) != 2 || world_chance(world) % 8 != 0) {
        return false;
    }
    misdeeds++;
    if (misdeeds % 2 == 0) {
        snprintf(out, WORLD_LINE, "resign %ld %ld kind=1\n", table, serial);
    } else {
        snprintf(out, WORLD_LINE, "play %ld %ld 1/24 24/1\n", table, serial);
    }
    return true;
}

static void test_in_force(void) {
    static const char *const openings[] = {"deciding", "reroll"};
    for (uint64_t chance = 1; chance <= 40; chance++) {
        struct throws throws;
        struct rules rules = rules_of(VARIANT_HYPERGAMMON, openings[chance % 2]);
        struct world world;
        struct verify_report report;
        make_throws(&throws, chance, 5000);
        world_open(&world, NULL);
        world.keep = true;
        world.chance = chance;
        world.answer = answer_badly;
        world_join(&world, "name=ayse tables=1");
        world_join(&world, "name=bora tables=1");
        world_flush(&world);
        seat(&world, &rules, &throws);
        CHECK(world_run(&world, 1, 100000), "the match ends");
        CHECK(prove(&world.record, &throws, &report) == VERIFY_PREFIX && report.ended,
              "%d: it holds: %s", (int)chance, first_finding);
        throws_clear(&throws);
        world_close(&world);
    }
    CHECK(misdeeds > 40, "%d answers were resignations or faults", misdeeds);
}

int main(void) {
    CHECK(dice_init() == 0, "the library is ready");
    test_match(VARIANT_TAVLA, "reroll");
    test_match(VARIANT_TAVLA, "deciding");
    test_match(VARIANT_HYPERGAMMON, "deciding");
    test_runs_out();
    test_goes_on();
    test_in_force();
    return check_done();
}
