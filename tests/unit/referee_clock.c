/* Clocks at a table: what is charged, what the record says of it, and what a match
 * that goes on has left. */
#include "check.h"

#include "record/replay.h"
#include "referee/inside.h"
#include "referee/table.h"
#include "unit/referee_world.h"

static struct rules rules_of(const char *variant, const char *const *pairs) {
    struct rules rules;
    char why[160] = "";
    rules_init(&rules, variant_find(variant, strlen(variant)));
    for (int i = 0; pairs != NULL && pairs[i] != NULL; i += 2) {
        CHECK(rules_set(&rules, pairs[i], pairs[i + 1], why) == 0, "%s %s", pairs[i], why);
    }
    return rules;
}

/* Doubles now and then, and resigns what is refused, so that plies of every kind are charged. */
static bool answer_lively(struct world *world, int bot, const char *request, char out[WORLD_LINE]) {
    long table, serial;
    (void)bot;
    if (sscanf(request, "%*s %ld %ld", &table, &serial) != 2) {
        return false;
    }
    bool may_double = strstr(request, "double") != NULL && strncmp(request, "cube", 4) == 0;
    if (may_double && world_chance(world) % 30 == 0) {
        snprintf(out, WORLD_LINE, "double %ld %ld\n", table, serial);
        return true;
    }
    if (strncmp(request, "turn", 4) == 0 && world_chance(world) % 12 == 0) {
        snprintf(out, WORLD_LINE, "play %ld %ld 1/24 24/1\n", table, serial); /* asked again */
        return true;
    }
    return false;
}

/* What the record bears out of a clock is what the clock has: a match that goes on after a
 * crash has the reserve that it had. */
static void test_goes_on(const struct clock_rule *rule, const char *name) {
    static const char *const options[] = {"match", "25",        "vido",  "on", "resign", "on",
                                          "illegal", "retry", NULL};
    struct rules rules = rules_of("tavla", options);
    struct world world;
    world_open(&world, NULL);
    world.keep = true;
    world.answer = answer_lively;
    for (int i = 0; i < 2; i++) {
        world_join(&world, i == 0 ? "name=ayse" : "name=bora");
        world.bot[i].think = 200;
        world.bot[i].spread = 400;
    }
    world_flush(&world);
    uint32_t id = world_seat(&world, 0, 1, &rules, rule, "goes on");
    long games = 0, compared = 0, same = 0;
    char why[160] = "";
    while (world.ended == 0 && world_turn(&world)) {
        struct table *table = referee_find_table(world.referee, id);
        struct record_standing standing;
        if (world.games == games || table == NULL || world.ended > 0) {
            continue;
        }
        games = world.games;
        if (record_standing(world.record.data, world.record.length, &standing, why) != 0) {
            CHECK(false, "%s", why);
            break;
        }
        for (int side = 0; side < SIDE_COUNT; side++) {
            struct clock clock;
            clock_init(&clock, rule);
            clock_resume(&clock, (enum side)side, standing.answers[side], standing.paid[side]);
            compared++;
            same += clock.left[side] == table->clock.left[side];
        }
    }
    CHECK(world.ended == 1 && world.reasons[REASON_ILLEGAL] == 0, "%s: the match ended %s", name,
          why);
    CHECK(compared > 6 && same == compared, "%s: %ld of %ld reserves are what the record says",
          name, same, compared);
    world_close(&world);
}

/* The clock of a match is that of its record, also when the event has another one by now. */
static void test_keeps_clock(void) {
    static const struct clock_rule rule = {.reserve = 900000, .delay = 450, .margin = 70,
                                           .wall = true};
    static const struct clock_rule other = {.move_time = 99000, .margin = 50};
    static const char *const options[] = {"match", "7", NULL};
    struct rules rules = rules_of("tavla", options);
    struct world world;
    struct bytes record;
    world_open(&world, NULL);
    world.keep = true;
    for (int i = 0; i < 2; i++) {
        world_join(&world, i == 0 ? "name=ayse" : "name=bora");
        world.bot[i].think = 500;
    }
    world_flush(&world);
    uint32_t id = world_seat(&world, 0, 1, &rules, &rule, "keeps");
    while (world.games == 0 && world_turn(&world)) {
    }
    bytes_init(&record, 1 << 20);
    bytes_add(&record, world.record.data, world.record.length);
    referee_forfeit(world.referee, id, SIDE_X, REASON_ABORTED, world.now);
    world_flush(&world);
    world.goes_on = &record;
    struct table *table =
        referee_find_table(world.referee, world_seat(&world, 0, 1, &rules, &other, "keeps"));
    CHECK(table != NULL && table->clock.rule.reserve == rule.reserve &&
              table->clock.rule.delay == rule.delay && table->clock.rule.margin == rule.margin &&
              table->clock.rule.move_time == 0 && table->clock.rule.wall,
          "a match that goes on keeps the clock that its record states");
    bytes_clear(&record);
    world_close(&world);
}

static struct play_room room;

/* A match in which each answer is heard late; its record, with one word changed, or NULL when
 * a verifier does not take it. */
struct late {
    int64_t ms, turns; /* charged, and answers, of both sides */
    long lags;         /* plies that state this lag */
    long contended;    /* games that are marked */
    long games;
    bool holds;
};

static struct late run_late(const struct referee_lag *lag, int64_t think) {
    static const struct clock_rule rule = {.move_time = 100, .margin = 50};
    struct rules rules = rules_of("western", NULL);
    struct late late = {.holds = true};
    struct world world;
    struct replay replay;
    size_t at = 0, length;
    const char *line;
    world_open(&world, NULL);
    world.keep = true;
    world.lag = lag;
    for (int i = 0; i < 2; i++) {
        world_join(&world, i == 0 ? "name=ayse" : "name=bora");
        world.bot[i].think = think;
    }
    world_flush(&world);
    world_seat(&world, 0, 1, &rules, &rule, "late");
    world_run(&world, 1, 100000);
    late.ms = world.ms[0] + world.ms[1];
    late.turns = world.turns[0] + world.turns[1];
    late.games = world.games;
    replay_init(&replay, &room);
    while (replay_cut(world.record.data, world.record.length, &at, &line, &length) == 1) {
        struct message message;
        char why[RECORD_WHY_MAX];
        late.holds = late.holds && replay_line(&replay, line, length, &message, why) == 0;
        late.lags += message.kind == MESSAGE_DID && replay.ply.lag > 0;
        late.contended += message.kind == MESSAGE_RESULT && message_has(&message, FIELD_CONTENDED);
    }
    world_close(&world);
    return late;
}

/* What the referee was late is charged to nobody, but stands in the record. */
static void test_lag(void) {
    static const struct referee_lag some = {.old = 10, .fresh = 10}, much = {.old = 30, .fresh = 30},
                                    busy = {.old = 20, .fresh = 10}, still = {.held = 5000};
    struct late late = run_late(&some, 40);
    CHECK(late.holds && late.ms == 30 * late.turns, "a lag of 10 ms is not charged: %lld ms, %lld",
          (long long)late.ms, (long long)late.turns);
    CHECK(late.lags == late.turns && late.contended == 0, "it stands with each answer");
    late = run_late(&much, 40);
    CHECK(late.holds && late.ms == 10 * late.turns && late.contended == late.games,
          "a lag of 30 ms marks the game as contended");
    late = run_late(&much, 20);
    CHECK(late.holds && late.ms == 0 && late.lags == late.turns && late.contended == 0,
          "no more than the answer took is lag: 20 ms are not too much");
    late = run_late(&busy, 40);
    CHECK(late.holds && late.ms > 20 * late.turns && late.ms < 30 * late.turns,
          "less for what was asked just before than for what was asked earlier");
    late = run_late(&still, 40);
    CHECK(late.holds && late.ms == 40 * late.turns && late.contended == late.games,
          "a standstill is out of the clock already, and marks the game");
}

/* An answer that is read before the timer's tick takes effect, and may have come in time. */
static void test_beats_the_timer(void) {
    static const struct clock_rule rule = {.move_time = 100, .margin = 50};
    static const struct referee_lag lag = {.old = 19, .fresh = 19};
    for (int over = 0; over < 2; over++) {
        struct rules rules = rules_of("western", NULL);
        struct world world;
        world_open(&world, NULL);
        world_join(&world, "name=ayse");
        world_join(&world, "name=bora");
        world.bot[0].think = world.bot[1].think = INT64_C(1) << 40;
        world_flush(&world);
        world_seat(&world, 0, 1, &rules, &rule, "late");
        while (world_flush(&world)) {
        }
        world.now += 150 + 19 + over;
        referee_heard(world.referee, &lag);
        world_say(&world, world.bot[0].lines['t'] > 0 ? 0 : 1, "play 1 1 #0\n");
        referee_tick(world.referee, world.now);
        CHECK_INT(world.reasons[REASON_TIMEOUT], over,
                  over ? "one that came later does not"
                       : "an answer that may have come in time wins over the timer");
        world_close(&world);
    }
}

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    test_goes_on(&(struct clock_rule){.reserve = 900000, .increment = 150, .margin = 50},
                 "increment");
    test_goes_on(&(struct clock_rule){.reserve = 900000, .delay = 450, .margin = 50}, "delay");
    test_goes_on(&(struct clock_rule){.reserve = 900000, .delay = 250, .move_time = 590},
                 "delay and moves that are over");
    test_keeps_clock();
    test_lag();
    test_beats_the_timer();
    return check_done();
}
