#include "arena/standings.h"
#include "arena/tournament.h"
#include "arena_kit.h"

#include <time.h>

/* How many tables each bot has left, and how often it was asked. */
struct rooms {
    int left[256];
    long asked;
};

static bool may_play(void *owner, int entrant) {
    struct rooms *rooms = owner;
    rooms->asked++;
    return rooms->left[entrant] > 0;
}

static void fill(struct rooms *rooms, int tables) {
    rooms->asked = 0;
    for (int i = 0; i < 256; i++) {
        rooms->left[i] = tables;
    }
}

static void sit(struct rooms *rooms, const struct assignment *what, int sign) {
    rooms->left[what->entrant[SIDE_X]] -= sign;
    rooms->left[what->entrant[SIDE_Y]] -= sign;
}

static void finish(struct tournament *tournament, const struct assignment *what) {
    struct match_row row = kit_match(what->unit.number, what->leg, what->entrant[SIDE_X],
                                     what->entrant[SIDE_Y], SIDE_X, 1);
    tournament_add_match(tournament, &row);
}

static void test_order(void) {
    struct event event;
    struct rooms rooms;
    struct assignment what;
    kit_event(&event, 4, 3, PAIRING_MIRRORED);
    struct tournament *tournament = tournament_new(&event);
    fill(&rooms, 1000);
    bool good = true;
    for (uint64_t number = 1; number <= tournament_matches(tournament); number++) {
        good = good && tournament_next(tournament, may_play, &rooms, &what) &&
               schedule_match_number(&event, what.unit.number, what.leg) == number &&
               what.entrant[SIDE_X] == schedule_entrant(&what.unit, what.leg, SIDE_X) &&
               !what.begun;
    }
    CHECK(good, "with room for all, matches come in schedule order, legs adjacent");
    CHECK(!tournament_next(tournament, may_play, &rooms, &what), "and then no more");
    CHECK_INT(tournament_running(tournament), 36, "all of them run");
    tournament_put_back(tournament, 4, 2);
    tournament_put_back(tournament, 2, 1);
    CHECK(tournament_next(tournament, may_play, &rooms, &what) && what.unit.number == 2 &&
              what.leg == 1,
          "what was put back comes again, the first one first");
    CHECK(tournament_next(tournament, may_play, &rooms, &what) && what.unit.number == 4 &&
              what.leg == 2,
          "then the other");
    CHECK(!tournament_next(tournament, may_play, &rooms, &what), "and nothing twice");
    tournament_free(tournament);
    event_clear(&event);
}

/* One table a bot, two matches at once: the second leg follows when the first is over. */
/* A room grows while it is played, and is rebuilt from what was drawn. */
static void test_room(void) {
    struct event event;
    struct fail fail;
    struct rooms rooms;
    struct assignment what;
    event_init_room(&event);
    CHECK(event_seal(&event, &fail) == 0, "a room needs no bots: %s", fail.text);
    struct tournament *tournament = tournament_new(&event);
    fill(&rooms, 1);
    CHECK(!tournament_next(tournament, may_play, &rooms, &what) && tournament_over(tournament),
          "an empty room has nothing to play");
    bool good = true;
    for (int i = 0; i < 600; i++) {
        char x[16], y[16];
        snprintf(x, sizeof x, "x%d", i % 100);
        snprintf(y, sizeof y, "X%d", (i + 7) % 100); /* the same bots: case does not count */
        good = good && event_draw(&event, x, y, &fail) == 0;
        tournament_grow(tournament);
        good = good && tournament_next(tournament, may_play, &rooms, &what) &&
               what.unit.number == (uint32_t)i + 1 && what.unit.legs == 1 &&
               what.entrant[SIDE_X] == event.drawn[i].player[SIDE_X] &&
               what.entrant[SIDE_Y] == event.drawn[i].player[SIDE_Y];
        if (i % 3 != 0) {
            finish(tournament, &what);
        } else {
            tournament_put_back(tournament, what.unit.number, what.leg);
        }
        if (i % 3 == 0) {
            good = good && tournament_next(tournament, may_play, &rooms, &what) &&
                   what.unit.number == (uint32_t)i + 1;
            finish(tournament, &what);
        }
    }
    CHECK(good, "what is drawn comes next, also when it was put back");
    CHECK_INT(event.entrant_count, 100, "each bot is entered once");
    CHECK(tournament_over(tournament) && tournament_finished(tournament) == 600, "all is played");
    const struct standings *standings = tournament_standings(tournament);
    int64_t won = 0, met = 0;
    for (int i = 0; i < standings->count; i++) {
        won += standings->standing[i].won;
        for (int other = 0; other < standings->count; other++) {
            met += standings_encounter(standings, i, other)->matches;
        }
    }
    CHECK(standings->count == 100 && won == 600 && met == 1200,
          "growing has kept every total: %d bots, %lld won, %lld met", standings->count,
          (long long)won, (long long)met);
    CHECK_INT(standings_encounter(standings, 0, event.drawn[0].player[SIDE_Y])->won, 6,
              "and who beat whom");
    tournament_free(tournament);
    event_clear(&event);

    event_init_room(&event);
    for (int i = 0; i < EVENT_ENTRANTS_MAX / 2; i++) {
        char x[16], y[16];
        snprintf(x, sizeof x, "x%d", i);
        snprintf(y, sizeof y, "y%d", i);
        good = good && event_draw(&event, x, y, &fail) == 0;
    }
    CHECK(good && event_draw(&event, "x1", "one-more", &fail) != 0, "a room has a ceiling: %s",
          fail.text);
    event_clear(&event);
}

static void test_legs(void) {
    struct event event;
    struct rooms rooms;
    struct assignment a, b, c;
    kit_event(&event, 4, 2, PAIRING_MIRRORED);
    struct tournament *tournament = tournament_new(&event);
    fill(&rooms, 1);
    CHECK(tournament_next(tournament, may_play, &rooms, &a) && a.unit.number == 1, "unit 1");
    sit(&rooms, &a, 1);
    CHECK(tournament_next(tournament, may_play, &rooms, &b) && b.unit.number == 2 && b.leg == 1,
          "its second leg has no room: unit 2 begins");
    sit(&rooms, &b, 1);
    CHECK(!tournament_next(tournament, may_play, &rooms, &c), "then everybody plays");
    sit(&rooms, &a, -1);
    finish(tournament, &a);
    struct hash heads[SIDE_COUNT];
    CHECK(!tournament_unit_over(tournament, 1, heads), "one leg is not the unit");
    CHECK(tournament_next(tournament, may_play, &rooms, &c) && c.unit.number == 1 && c.leg == 2,
          "the second leg comes as soon as it can");
    finish(tournament, &c);
    CHECK(tournament_unit_over(tournament, 1, heads) && heads[0].byte[1] == 1 &&
              heads[1].byte[1] == 2,
          "both legs are, with their heads in order");
    CHECK(tournament_match(tournament, 1, 2) != NULL && tournament_match(tournament, 2, 1) == NULL,
          "only finished matches are given out");
    tournament_free(tournament);
    event_clear(&event);
}

/* Plays an event to its end with some tables a bot, some matches at once, stopping
 * after `stop` matches; every match exactly once. */
static bool play_all(struct tournament *tournament, struct rooms *rooms, int at_once,
                     struct kit_chance *chance, uint64_t stop, bool *seen) {
    struct assignment running[64];
    int count = 0;
    bool good = true;
    while (tournament_finished(tournament) < stop) {
        while (count < at_once && tournament_next(tournament, may_play, rooms, &running[count])) {
            uint64_t number =
                (uint64_t)running[count].unit.number * 2 + (uint64_t)running[count].leg - 3;
            good = good && !seen[number] && rooms->left[running[count].entrant[SIDE_X]] > 0;
            seen[number] = true;
            sit(rooms, &running[count], 1);
            count++;
        }
        if (count == 0) {
            return false;
        }
        int over = (int)(kit_uniform(chance) * count);
        sit(rooms, &running[over], -1);
        if (kit_uniform(chance) < 0.05) {
            tournament_put_back(tournament, running[over].unit.number, running[over].leg);
            seen[(uint64_t)running[over].unit.number * 2 + (uint64_t)running[over].leg - 3] = false;
        } else {
            finish(tournament, &running[over]);
        }
        running[over] = running[--count];
    }
    /* What still runs would be lost with the process. */
    for (int i = 0; i < count; i++) {
        seen[(uint64_t)running[i].unit.number * 2 + (uint64_t)running[i].leg - 3] = false;
    }
    return good;
}

/* Resumed from what the first half left: the rest is played once, the table agrees. */
static void test_resume(void) {
    struct kit_chance chance = {7};
    bool good = true;
    for (int round = 0; round < 60 && good; round++) {
        struct event event;
        struct rooms rooms;
        int count = 2 + (int)(kit_uniform(&chance) * 7);
        kit_event(&event, count, 1 + (int)(kit_uniform(&chance) * 9), PAIRING_MIRRORED);
        struct tournament *first = tournament_new(&event);
        uint64_t matches = tournament_matches(first);
        bool *seen = calloc(matches, sizeof *seen);
        fill(&rooms, 1 + round % 3);
        uint64_t stop = (uint64_t)(kit_uniform(&chance) * (double)matches);
        good = play_all(first, &rooms, 1 + round % 5, &chance, stop, seen);
        struct tournament *second = tournament_new(&event);
        for (uint64_t number = matches; number > 0; number--) {
            uint32_t unit;
            int leg;
            schedule_match_at(&event, number, &unit, &leg);
            const struct match_row *row = tournament_match(first, unit, leg);
            if (row != NULL) {
                tournament_load_match(second, row);
            }
        }
        good = good && tournament_finished(second) == tournament_finished(first);
        fill(&rooms, 1 + round % 3);
        good = good && play_all(second, &rooms, 1 + round % 5, &chance, matches, seen);
        good = good && tournament_over(second) && tournament_running(second) == 0;
        const struct standings *standings = tournament_standings(second);
        for (int i = 0; i < count; i++) {
            good = good && standings->standing[i].matches == (int64_t)event.pairs * 2 * (count - 1);
        }
        free(seen);
        tournament_free(first);
        tournament_free(second);
        event_clear(&event);
    }
    CHECK(good, "60 events cut short and resumed: every match once, with put-backs and busy bots");
}

static void test_begun(void) {
    struct event event;
    struct rooms rooms;
    struct assignment what;
    kit_event(&event, 2, 3, PAIRING_MIRRORED);
    struct tournament *tournament = tournament_new(&event);
    struct game_row game = kit_game(2, 2, SIDE_X, 1);
    tournament_load_start(tournament, 1);
    tournament_load_game(tournament, &game);
    tournament_load_start(tournament, 999); /* of another event: passed over */
    game.unit = 999;
    tournament_load_game(tournament, &game);
    fill(&rooms, 9);
    bool begun[7];
    for (int i = 1; i <= 6; i++) {
        CHECK(tournament_next(tournament, may_play, &rooms, &what), "match %d", i);
        begun[i] = what.begun;
    }
    CHECK(begun[1] && begun[2], "a start mark makes both legs begun");
    CHECK(!begun[3] && begun[4], "a game row makes its own leg begun");
    CHECK(!begun[5] && !begun[6], "others are fresh");
    CHECK_INT(tournament_standings(tournament)->standing[0].games, 1, "the game counts");
    tournament_free(tournament);
    event_clear(&event);
}

static void test_faults(void) {
    struct event event;
    struct rooms rooms;
    struct assignment what;
    kit_event(&event, 2, 2, PAIRING_MIRRORED);
    struct tournament *tournament = tournament_new(&event);
    struct game_row game = kit_game(1, 1, SIDE_X, 1);
    game.reason = REASON_TIMEOUT;
    game.offender = SIDE_Y;
    struct match_row match = kit_match(1, 1, 0, 1, SIDE_X, 1);
    match.reason = REASON_TIMEOUT;
    match.offender = SIDE_Y;
    fill(&rooms, 9);
    (void)tournament_next(tournament, may_play, &rooms, &what);
    tournament_add_game(tournament, &game);
    tournament_add_match(tournament, &match);
    const struct standing *standing = tournament_standings(tournament)->standing;
    CHECK_INT(standing[1].faults[REASON_TIMEOUT], 1, "a fault that ends game and match is one");
    match = kit_match(1, 2, 1, 0, SIDE_Y, 1);
    match.reason = REASON_DISCONNECT;
    match.offender = SIDE_X;
    tournament_load_match(tournament, &match);
    CHECK_INT(standing[1].faults[REASON_DISCONNECT], 1, "a match lost without a game is one too");
    game = kit_game(1, 2, SIDE_Y, 1);
    game.reason = REASON_DISCONNECT;
    game.offender = SIDE_X;
    tournament_load_game(tournament, &game);
    CHECK_INT(standing[1].faults[REASON_DISCONNECT], 1, "also when its game is told later");
    game = kit_game(2, 1, -1, 0);
    game.reason = REASON_VOID;
    tournament_load_game(tournament, &game);
    CHECK(standing[0].voids == 1 && standing[1].voids == 1 && standing_faults(&standing[0]) == 0,
          "a void is nobody's fault");
    CHECK_INT(standing[0].games, 2, "and no game");
    tournament_free(tournament);
    event_clear(&event);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A large event with one table a bot: what a call looks at must not grow with it. */
static void test_speed(void) {
    struct event event;
    struct rooms rooms;
    struct kit_chance chance = {3};
    kit_event(&event, 100, 20, PAIRING_MIRRORED);
    struct tournament *tournament = tournament_new(&event);
    uint64_t matches = tournament_matches(tournament);
    bool *seen = calloc(matches, sizeof *seen);
    fill(&rooms, 1);
    double start = seconds();
    CHECK(play_all(tournament, &rooms, 8, &chance, matches, seen), "%d matches are played",
          (int)matches);
    double each = (seconds() - start) / (double)matches;
    printf("# %.2f us and %.1f questions a match\n", each * 1e6,
           (double)rooms.asked / (double)matches);
    CHECK(rooms.asked < (long)matches * 64, "few bots are asked for each");
    CHECK(each < 100e-6, "a match costs little to find and count");
    free(seen);
    tournament_free(tournament);
    event_clear(&event);
}

int main(void) {
    setenv("LC_ALL", "C", 1);
    test_order();
    test_room();
    test_legs();
    test_resume();
    test_begun();
    test_faults();
    test_speed();
    return check_done();
}
