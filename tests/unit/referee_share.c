/* clock=shared: with k requests open, each is charged 1/k of the time that passes. */
#include "check.h"

#include "record/replay.h"
#include "referee/inside.h"
#include "referee/table.h"
#include "unit/referee_world.h"

static struct rules rules_of(enum variant_id variant, int match) {
    struct rules rules;
    rules_init(&rules, variant_row(variant));
    rules.value[OPTION_MATCH] = match;
    return rules;
}

/* The scale alone, against sums that are done the long way. */
static void test_scale(void) {
    enum { MANY = 97 };
    struct share share;
    struct timer flag[MANY];
    double sum = 0; /* ms on the scale */
    int64_t now = 500, off = 0;
    int open = 0;
    uint64_t chance = 1;
    share_init(&share, 1);
    for (int i = 0; i < MANY; i++) {
        flag[i] = (struct timer){.id = (uint32_t)i};
    }
    for (int step = 0; step < 20000; step++) {
        chance = chance * 6364136223846793005U + 1442695040888963407U;
        int passed = (int)(chance >> 40) % 7;
        sum += open > 0 ? (double)passed / open : 0;
        now += passed;
        share_pass(&share, now);
        double far = (double)share.spent / SHARE_MS - sum;
        off += far > 0.01 || far < -0.01 * step - 0.01;
        if ((chance >> 33) % 2 == 0 && open < MANY) {
            share_join(&share, &flag[open], share.spent + 1000);
            open++;
        } else if (open > 0) {
            open--;
            share_leave(&share, &flag[open]);
        }
    }
    CHECK_INT(off, 0, "the scale is the sum of the shares");
    share_clear(&share);

    share_init(&share, 1);
    for (int k = 0; k < MANY; k++) {
        flag[k] = (struct timer){.id = (uint32_t)k};
        share_join(&share, &flag[k], (MANY - k) * SHARE_MS);
    }
    CHECK_INT(share_due(&share), MANY, "the first deadline is k times as far away");
    share_pass(&share, MANY - 1);
    CHECK(share_flag(&share) == NULL, "it is not reached before");
    share_pass(&share, MANY);
    CHECK(share_flag(&share) == &flag[MANY - 1] && share_flag(&share) == NULL, "and then it is");
    share_leave(&share, &flag[MANY - 1]);
    CHECK_INT(share_due(&share), MANY + MANY - 1, "the next one is nearer: there is one less");
    share_clear(&share);
}

/* Serial thinking costs the same by answer, however many tables wait for it. */
static int64_t cost_of(int tables, int64_t think, long matches, long *answers) {
    static const struct clock_rule clock = {.move_time = 1000, .margin = 50};
    struct rules rules = rules_of(VARIANT_TAVLA, 1);
    struct world world;
    char hello[64];
    world_open(&world, NULL);
    snprintf(hello, sizeof hello, "name=ayse tables=%d", tables);
    world_join(&world, hello);
    snprintf(hello, sizeof hello, "name=bora tables=%d", tables);
    world_join(&world, hello);
    world.bot[0].think = think;
    world_flush(&world);
    long seated = 0;
    for (; seated < matches && seated < tables; seated++) {
        snprintf(hello, sizeof hello, "cost %ld", seated);
        world_seat(&world, 0, 1, &rules, &clock, hello);
    }
    while (world.ended < matches && world_turn(&world)) {
        for (; seated < matches && seated - world.ended < tables; seated++) {
            snprintf(hello, sizeof hello, "cost %ld", seated);
            world_seat(&world, 0, 1, &rules, &clock, hello);
        }
    }
    CHECK(world.ended == matches && world.reasons[REASON_NORMAL] == matches,
          "%d tables: %ld matches are played out (%ld timeouts)", tables, world.ended,
          world.reasons[REASON_TIMEOUT]);
    *answers = world.turns[0];
    int64_t ms = world.ms[0];
    world_close(&world);
    return ms;
}

static void test_fair(void) {
    long one_answers, many_answers;
    int64_t one = cost_of(1, 10, 40, &one_answers);
    int64_t many = cost_of(256, 10, 1024, &many_answers);
    double one_each = (double)one / (double)one_answers;
    double many_each = (double)many / (double)many_answers;
    CHECK_INT(one, one_answers * 10, "one table is charged what its bot thinks");
    CHECK(many_each > 0.98 * one_each && many_each < 1.02 * one_each,
          "256 tables are charged the same for each of %ld answers: %.3f and %.3f ms", many_answers,
          one_each, many_each);
    int64_t quick = cost_of(256, 1, 512, &many_answers);
    CHECK(quick > many_answers * 98 / 100 && quick < many_answers * 102 / 100,
          "also where each is less than a millisecond: %.3f ms", (double)quick / (double)many_answers);
}

/* Two bots of the same habits. */
static void test_same(void) {
    static const struct clock_rule clock = {.reserve = 3600000, .margin = 50};
    struct rules rules = rules_of(VARIANT_WESTERN, 1);
    struct world world;
    world_open(&world, NULL);
    for (int i = 0; i < 2; i++) {
        world_join(&world, i == 0 ? "name=ayse tables=16" : "name=bora tables=16");
        world.bot[i].think = 20;
        world.bot[i].spread = 20;
    }
    world_flush(&world);
    for (int i = 0; i < 64; i++) {
        char seed[24];
        snprintf(seed, sizeof seed, "same %d", i);
        world_seat(&world, i % 2, 1 - i % 2, &rules, &clock, seed);
        if (i % 16 == 15) {
            world_run(&world, i + 1, 1000000);
        }
    }
    double x = (double)world.ms[0] / (double)world.turns[0];
    double y = (double)world.ms[1] / (double)world.turns[1];
    CHECK(world.turns[0] > 1000 && world.turns[1] > 1000 && x < 1.02 * y && y < 1.02 * x,
          "identical bots are charged the same over %ld moves: %.2f and %.2f ms",
          world.turns[0] + world.turns[1], x, y);
    world_close(&world);
}

/* A world in which `tables` requests are open for the first bot, and nobody answers. */
static void open_requests(struct world *world, int tables, const struct clock_rule *clock) {
    struct rules rules = rules_of(VARIANT_TAVLA, 3);
    char hello[64];
    world_open(world, NULL);
    for (int i = 0; i < 2; i++) {
        snprintf(hello, sizeof hello, "name=%s tables=%d", i == 0 ? "ayse" : "bora", tables);
        world_join(world, hello);
        world->bot[i].think = INT64_C(1) << 40;
    }
    world_flush(world);
    for (int i = 0; world->bot[0].lines['t'] < tables && i < 4 * tables; i++) {
        snprintf(hello, sizeof hello, "open %d", i);
        uint32_t table = world_seat(world, 0, 1, &rules, clock, hello);
        while (world_flush(world)) {
        }
        if (world->bot[1].lines['t'] > 0) { /* the other side begins: not this one */
            world->bot[1].lines['t'] = 0;
            referee_forfeit(world->referee, table, SIDE_Y, REASON_ABORTED, world->now);
            bytes_drop(&world->bot[1].asked, world->bot[1].asked.length);
        }
    }
    memset(world->reasons, 0, sizeof world->reasons);
}

static void test_flags(void) {
    static const struct {
        struct clock_rule clock;
        int tables;
        int64_t falls; /* ms after the request */
        const char *name;
    } rows[] = {
        {{.move_time = 1000, .margin = 50}, 1, 1051, "one request: the wall's time"},
        {{.move_time = 1000, .margin = 50}, 4, 4204, "four requests: four times as long"},
        {{.move_time = 1000, .margin = 50, .wall = true}, 4, 1051, "clock=wall: not longer"},
        {{.move_time = 60000}, 64, 600000, "ten minutes by the wall at most"},
        {{.move_time = 900000}, 1, 900001, "unless the clock itself gives more"},
        {{.reserve = 2000, .delay = 500}, 3, 7503, "reserve and delay are shared as well"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct world world;
        open_requests(&world, rows[i].tables, &rows[i].clock);
        int64_t begun = world.now;
        while (world.reasons[REASON_TIMEOUT] == 0 && world_turn(&world)) {
        }
        CHECK_INT(world.now - begun, rows[i].falls, rows[i].name);
        world_close(&world);
    }
}

/* The answer of the first request that is open, `at` ms after the beginning. */
static void answer_at(struct world *world, int64_t begun, int64_t at, long table) {
    char line[64];
    world->now = begun + at;
    referee_tick(world->referee, world->now);
    snprintf(line, sizeof line, "play %ld 1 #0\n", table);
    world_say(world, 0, line);
    world_flush(world);
}

/* What was charged to the first bot at one of its tables. */
static int64_t charged(struct world *world, int index) {
    const struct session *session = referee_find_session(world->referee, world->bot[0].session);
    int found = 0;
    for (int place = 0; place < session->facts.tables; place++) {
        struct table *table = referee_find_table(world->referee, session->seats[place].table);
        if (table != NULL && found++ == index) {
            return table->seat[SIDE_X].ms;
        }
    }
    return -1;
}

static uint32_t table_of(struct world *world, long handle) {
    struct session *session = referee_find_session(world->referee, world->bot[0].session);
    return session_find_seat(session, (uint64_t)handle)->table;
}

static long handle_of(struct world *world, int index) {
    const struct session *session = referee_find_session(world->referee, world->bot[0].session);
    int found = 0;
    for (int place = 0; place < session->facts.tables; place++) {
        if (session->seats[place].table != 0 && found++ == index) {
            return (long)session->seats[place].handle;
        }
    }
    return -1;
}

static void test_shares(void) {
    static const struct clock_rule clock = {.move_time = 10000, .margin = 50};
    struct world world;
    open_requests(&world, 2, &clock);
    int64_t begun = world.now;
    long first = handle_of(&world, 0), second = handle_of(&world, 1);
    answer_at(&world, begun, 100, first);
    CHECK_INT(charged(&world, 0), 50, "two requests halve 100 ms");
    answer_at(&world, begun, 300, second);
    CHECK_INT(charged(&world, 1), 250, "and who is left pays for itself");
    world_close(&world);

    open_requests(&world, 2, &clock);
    begun = world.now;
    first = handle_of(&world, 0), second = handle_of(&world, 1);
    world.now = begun + 100;
    referee_pause(world.referee, table_of(&world, first), "coffee", world.now);
    world.now = begun + 300;
    referee_resume(world.referee, table_of(&world, first), world.now);
    answer_at(&world, begun, 400, first);
    answer_at(&world, begun, 400, second);
    CHECK_INT(charged(&world, 0), 100, "a paused table is no open request");
    CHECK_INT(charged(&world, 1), 300, "and its session's time is the other's alone");
    world_close(&world);
}

static struct play_room room;

/* The lines of one table among several say what was shared, and the record holds. */
static void test_record(void) {
    static const struct clock_rule clock = {.reserve = 600000, .increment = 10, .margin = 50};
    struct rules rules = rules_of(VARIANT_UZUN, 1);
    struct world world;
    struct replay replay;
    long shared = 0;
    size_t at = 0, length;
    const char *line;
    char why[RECORD_WHY_MAX] = "";
    static const struct referee_lag lag = {.old = 20, .fresh = 20};
    world_open(&world, NULL);
    world.keep = true;
    world.lag = &lag; /* not more than what was shared may be left of it */
    world_join(&world, "name=ayse tables=9");
    world_join(&world, "name=bora tables=9");
    for (int i = 0; i < 2; i++) {
        world.bot[i].think = 7;
        world.bot[i].spread = 40;
    }
    world_flush(&world);
    for (int i = 0; i < 9; i++) {
        char seed[24];
        snprintf(seed, sizeof seed, "record %d", i);
        uint32_t table = world_seat(&world, 0, 1, &rules, &clock, seed);
        world.kept = i == 0 ? table : world.kept;
    }
    CHECK(world_run(&world, 9, 100000), "nine matches at once end");
    replay_init(&replay, &room);
    while (replay_cut(world.record.data, world.record.length, &at, &line, &length) == 1) {
        struct message message;
        if (replay_line(&replay, line, length, &message, why) != 0) {
            break;
        }
        shared += message.kind == MESSAGE_DID && replay.ply.open > 1 &&
                  replay.ply.passed > replay.ply.ms;
    }
    CHECK(replay.state == REPLAY_ENDED, "and the record of one of them holds %s", why);
    CHECK(shared > 20, "%ld of its plies say that their time was shared", shared);
    world_close(&world);
}

/* With one table there is nothing to share: both clocks are the same. */
static void test_alone(void) {
    struct bytes record[2];
    for (int wall = 0; wall < 2; wall++) {
        struct clock_rule clock = {.reserve = 600000, .delay = 10, .margin = 50, .wall = wall != 0};
        struct rules rules = rules_of(VARIANT_WESTERN, 3);
        struct world world;
        rules.value[OPTION_VIDO] = 1;
        world_open(&world, NULL);
        world.keep = true;
        for (int i = 0; i < 2; i++) {
            world_join(&world, i == 0 ? "name=ayse" : "name=bora");
            world.bot[i].think = 5;
            world.bot[i].spread = 20;
        }
        world_flush(&world);
        world_seat(&world, 0, 1, &rules, &clock, "alone");
        CHECK(world_run(&world, 1, 100000), "a match ends");
        record[wall] = world.record;
        bytes_init(&world.record, 1);
        world_close(&world);
    }
    const char *shared = bytes_text(&record[0]), *walled = bytes_text(&record[1]);
    size_t lines = 0, same = 0;
    while (*shared != '\0' && *walled != '\0') { /* the digits of the chain apart */
        size_t a = strcspn(shared, "\n"), b = strcspn(walled, "\n");
        same += a == b && memcmp(shared, walled, a - 16) == 0;
        lines++;
        shared += a + 1;
        walled += b + 1;
    }
    CHECK(strstr(bytes_text(&record[1]), " clock=wall ") != NULL, "the header names the clock");
    CHECK(lines > 30 && same == lines - 1, "%zu of %zu lines are the same, all but the header", same,
          lines);
    bytes_clear(&record[0]);
    bytes_clear(&record[1]);
}

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    test_scale();
    test_shares();
    test_flags();
    test_alone();
    test_record();
    test_same();
    test_fair();
    return check_done();
}
