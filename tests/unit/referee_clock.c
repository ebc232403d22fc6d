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

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    test_goes_on(&(struct clock_rule){.reserve = 900000, .increment = 150, .margin = 50},
                 "increment");
    test_goes_on(&(struct clock_rule){.reserve = 900000, .delay = 450, .margin = 50}, "delay");
    test_goes_on(&(struct clock_rule){.reserve = 900000, .delay = 250, .move_time = 590},
                 "delay and moves that are over");
    return check_done();
}
