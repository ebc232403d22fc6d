/* Many tables on one connection: what is due leaves in one write, answers come in one read, and
 * what happens at one table happens to no other. */
#include "check.h"

#include "referee/inside.h"
#include "referee/table.h"
#include "unit/referee_world.h"

static const struct clock_rule ten_seconds = {.move_time = 10000, .margin = 50};

static struct rules rules_of(enum variant_id variant, int match) {
    struct rules rules;
    rules_init(&rules, variant_row(variant));
    rules.value[OPTION_MATCH] = match;
    return rules;
}

static void join_two(struct world *world, int tables, const char *more) {
    char hello[96];
    world_open(world, NULL);
    for (int i = 0; i < 2; i++) {
        snprintf(hello, sizeof hello, "name=%s tables=%d%s", i == 0 ? "ayse" : "bora", tables, more);
        world_join(world, hello);
    }
    world_flush(world);
}

static void seat_many(struct world *world, const struct rules *rules, int matches) {
    for (int i = 0; i < matches; i++) {
        char seed[24];
        snprintf(seed, sizeof seed, "table %d", i);
        world_seat(world, 0, 1, rules, &ten_seconds, seed);
    }
}

/* As many as a connection may have: every one is played to its end. */
static void test_most(void) {
    enum { TABLES = 4096 };
    struct rules rules = rules_of(VARIANT_HYPERGAMMON, 1);
    struct world world;
    join_two(&world, 100000, "");
    CHECK_INT(referee_free_tables(world.referee, world.bot[0].session), TABLES,
              "who says more plays 4,096 tables");
    seat_many(&world, &rules, TABLES);
    CHECK_INT(referee_free_tables(world.referee, world.bot[0].session), 0, "all are taken");
    while (world_flush(&world)) {
    }
    long asked = world.bot[0].lines['t'] + world.bot[1].lines['t'];
    CHECK_INT(asked, TABLES, "each table asks one of its sides");
    CHECK_INT(world.bot[0].lines['m'], TABLES, "after a match of its own");
    CHECK(world.bot[0].writes <= 4, "in %ld writes: hello, matches, games with their first turns",
          world.bot[0].writes);
    CHECK(world_run(&world, TABLES, 1000000), "every match ends");
    CHECK_INT(world.reasons[REASON_NORMAL], TABLES, "as it should");
    CHECK_INT(referee_free_tables(world.referee, world.bot[0].session), TABLES,
              "and every table is free again");
    long answers = world.bot[0].answers + world.bot[1].answers;
    long writes = world.bot[0].writes + world.bot[1].writes;
    CHECK(writes * 100 < answers, "%ld answers took %ld writes", answers, writes);
    world_close(&world);
}

static uint64_t last_handle[64]; /* by place */
static long repeats, handles;

static void watch_handles(struct world *world, int bot, const char *line) {
    (void)world;
    if (bot == 0 && strncmp(line, "match ", 6) == 0) {
        uint64_t handle = strtoull(line + 6, NULL, 10);
        uint64_t place = (handle - 1) % 64;
        repeats += handle <= last_handle[place];
        last_handle[place] = handle;
        handles++;
    }
}

static void test_handles(void) {
    struct rules rules = rules_of(VARIANT_HYPERGAMMON, 1);
    struct world world;
    join_two(&world, 64, "");
    world.heard = watch_handles;
    int seated = 0;
    for (; seated < 64; seated++) {
        seat_many(&world, &rules, 1);
    }
    while (world.ended < 1000 && world_turn(&world)) {
        while (seated - world.ended < 64) {
            seat_many(&world, &rules, 1);
            seated++;
        }
    }
    CHECK(handles >= 1000 && repeats == 0, "a handle never comes again (%ld matches)", handles);
    world_close(&world);
}

/* One bad answer among 256 that come in one read. */
enum misdeed { FAULT_ILLEGAL, FAULT_MALFORMED, FAULT_SPOILT, FAULT_SILENT, FAULT_COUNT };
static enum misdeed fault;
static long bad_table;

static bool answer_badly(struct world *world, int bot, const char *request, char out[WORLD_LINE]) {
    long table, serial;
    (void)world;
    if (bot != 0 || sscanf(request, "turn %ld %ld", &table, &serial) != 2) {
        return false;
    }
    bad_table = bad_table == 0 ? table : bad_table;
    if (table != bad_table) {
        return false;
    }
    static const char *const words[FAULT_COUNT] = {"1/24 24/1", "hello there", "%zz", NULL};
    if (words[fault] == NULL) {
        snprintf(out, WORLD_LINE, "note text=thinking\n");
    } else {
        snprintf(out, WORLD_LINE, "play %ld %ld %s\n", table, serial, words[fault]);
    }
    return true;
}

static void test_alone(enum misdeed which, enum reason reason, const char *name) {
    struct rules rules = rules_of(VARIANT_TAVLA, 1);
    struct world world;
    fault = which;
    bad_table = 0;
    join_two(&world, 256, "");
    world.answer = answer_badly;
    seat_many(&world, &rules, 256);
    CHECK(world_run(&world, 256, 1000000) && !world.bot[0].gone, "%s: all matches end", name);
    CHECK(world.reasons[reason] == 1 && world.reasons[REASON_NORMAL] == 255,
          "%s: one game is lost, the other 255 are played out (%ld)", name,
          world.reasons[REASON_NORMAL]);
    world_close(&world);
}

/* Answers in any order, all in one piece, cut anywhere. */
static void test_batch(void) {
    struct rules rules = rules_of(VARIANT_TAVLA, 1);
    struct bytes whole;
    struct world world;
    join_two(&world, 64, "");
    world.bot[0].think = world.bot[1].think = INT64_C(1) << 40;
    seat_many(&world, &rules, 64);
    while (world_flush(&world)) {
    }
    bytes_init(&whole, 1 << 20);
    const char *asked = bytes_text(&world.bot[0].asked);
    int count = 0;
    char line[64][64];
    while (*asked != '\0' && count < 64) {
        long table, serial;
        sscanf(asked, "turn %ld %ld", &table, &serial);
        snprintf(line[count++], sizeof line[0], "play %ld %ld #0\n", table, serial);
        asked += strcspn(asked, "\n") + 1;
    }
    for (int i = count - 1; i >= 0; i--) {
        bytes_add_text(&whole, line[i]);
    }
    long before = world.bot[1].writes;
    for (size_t at = 0; at < whole.length; at += 7) {
        size_t piece = whole.length - at < 7 ? whole.length - at : 7;
        referee_input(world.referee, world.bot[0].session, whole.data + at, piece, world.now);
    }
    world_flush(&world);
    CHECK_INT(world.bot[0].lines['e'], 0, "answers in another order, in pieces, are all good");
    CHECK(count > 10 && world.bot[1].lines['t'] + world.bot[0].lines['t'] >= 64 + count,
          "and %d tables go on", count);
    CHECK_INT(world.bot[1].writes - before, 1, "with one write to the other side");
    bytes_clear(&whole);
    world_close(&world);
}

/* A kernel that takes a write in pieces starts the clocks of those requests that it has whole. */
static void test_pieces(void) {
    struct rules rules = rules_of(VARIANT_TAVLA, 1);
    struct world world;
    join_two(&world, 16, "");
    world.bot[0].silent = world.bot[1].silent = true;
    seat_many(&world, &rules, 16);
    world_flush(&world);
    for (int bot = 0; bot < 2; bot++) {
        for (int handle = 1; handle <= 16; handle++) {
            char ready[32];
            snprintf(ready, sizeof ready, "ready %d\n", handle);
            world_say(&world, bot, ready);
        }
    }
    bool good = true;
    const char *data;
    struct session *session = referee_find_session(world.referee, world.bot[0].session);
    for (size_t left = referee_output(world.referee, session->id, &data); left > 0;) {
        size_t piece = left < 37 ? left : 37;
        int whole = 0, started = 0;
        referee_sent(world.referee, session->id, piece, world.now);
        left = referee_output(world.referee, session->id, &data);
        for (int place = 0; place < 16; place++) {
            const struct table *table =
                referee_find_table(world.referee, session->seats[place].table);
            if (table->decision.side == SIDE_X) {
                whole += table->request.end <= session->sent;
                started += table->request.started_at >= 0;
            }
        }
        good = good && whole == started;
    }
    CHECK(good, "exactly the requests that the kernel has taken whole have begun");
    CHECK_INT(session->unsent_count - session->unsent_first, 0, "none is left");
    world_close(&world);
}

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    test_most();
    test_handles();
    test_batch();
    test_pieces();
    test_alone(FAULT_ILLEGAL, REASON_ILLEGAL, "an illegal play");
    test_alone(FAULT_MALFORMED, REASON_MALFORMED, "an answer that is no play");
    test_alone(FAULT_SPOILT, REASON_MALFORMED, "a line that cannot be read");
    test_alone(FAULT_SILENT, REASON_TIMEOUT, "no answer in time");
    return check_done();
}
