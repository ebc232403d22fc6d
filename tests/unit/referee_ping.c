/* Pings: who is far away and silent is asked whether it is there; nobody is dropped for it. */
#include "check.h"

#include "unit/referee_world.h"

static long pings;
static char last_ping[64];

static void hear_pings(struct world *world, int bot, const char *line) {
    (void)world, (void)bot;
    if (strncmp(line, "ping ", 5) == 0) {
        pings++;
        snprintf(last_ping, sizeof last_ping, "%s", line + 5);
    }
}

/* Lets time pass; what is due happens, and all that is written is read. */
static void pass(struct world *world, int64_t ms) {
    int64_t until = world->now + ms;
    int64_t next;
    while ((next = referee_next_deadline(world->referee)) <= until) {
        world->now = next > world->now ? next : world->now;
        referee_tick(world->referee, world->now);
        world_flush(world);
    }
    world->now = until;
}

static void join_one(struct world *world, bool far) {
    world_open(world, NULL);
    pings = 0;
    world->heard = hear_pings;
    world_join(world, "name=ayse");
    if (far) {
        referee_allow_pings(world->referee, world->bot[0].session);
    }
    world_flush(world);
}

static void test_silent(void) {
    struct world world;
    char pong[80];
    join_one(&world, true);
    const struct session_facts *facts =
        referee_session(world.referee, world.bot[0].session);
    CHECK_INT(facts->round_trip, -1, "nothing is known at first");
    pass(&world, 14999);
    CHECK_INT(pings, 0, "no ping within 15 s");
    pass(&world, 1);
    CHECK_INT(pings, 1, "one after that");
    world.now += 42;
    world_say(&world, 0, "pong id=99\n");
    CHECK_INT(facts->round_trip, -1, "another id does not answer it");
    snprintf(pong, sizeof pong, "pong %s\n", last_ping);
    world_say(&world, 0, pong);
    CHECK_INT(facts->round_trip, 42, "its pong tells the round trip");
    world.now += 1000;
    world_say(&world, 0, pong);
    CHECK_INT(facts->round_trip, 42, "once");
    pass(&world, 14000);
    CHECK_INT(pings, 1, "who was heard of is not silent");
    pass(&world, 600 * 1000);
    CHECK(pings > 35 && pings < 45, "who never answers is pinged on (%ld)", pings);
    CHECK(!world.bot[0].gone, "and stays");
    world_close(&world);
    join_one(&world, false);
    pass(&world, 600 * 1000);
    CHECK_INT(pings, 0, "a child process is not pinged");
    world_close(&world);
}

/* Who is asked something is not pinged: its clock runs, and it may think as long as that. */
static void test_on_turn(void) {
    static const struct clock_rule clock = {.move_time = 300 * 1000};
    struct rules rules;
    struct world world;
    rules_init(&rules, variant_row(VARIANT_TAVLA));
    join_one(&world, true);
    world_join(&world, "name=bora");
    referee_allow_pings(world.referee, world.bot[1].session);
    world.bot[0].think = world.bot[1].think = INT64_C(1) << 40;
    world_flush(&world);
    world_seat(&world, 0, 1, &rules, &clock, "ping");
    while (world_flush(&world)) {
    }
    pass(&world, 100 * 1000);
    CHECK(pings >= 6 && pings <= 7, "only the one that waits is pinged (%ld)", pings);
    CHECK_INT(world.reasons[REASON_TIMEOUT] + world.games, 0, "nothing else happens");
    world_close(&world);
}

/* Unread output still has its deadline. */
static void test_unread(void) {
    struct world world;
    join_one(&world, true);
    for (int i = 0; i < 100; i++) {
        world_say(&world, 0, "ping id=1\n");
    }
    referee_sent(world.referee, world.bot[0].session, 0, world.now);
    referee_tick(world.referee, world.now + 9999);
    CHECK(!world.bot[0].gone, "ten seconds to read");
    referee_tick(world.referee, world.now + 10000);
    CHECK(world.bot[0].gone, "and no more, pinged or not");
    world_close(&world);
}

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    test_silent();
    test_on_turn();
    test_unread();
    return check_done();
}
