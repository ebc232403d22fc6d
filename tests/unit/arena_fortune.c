/* A pool of bots of known strengths whose games have luck in them: the ratings and points that
 * are left without it hold the truth as often as they say, agree with those as played, and are
 * surer. What luck.csv keeps is read back whole, or up to where it is torn. */
#include "arena/fortune.h"
#include "arena_kit.h"

#include <string.h>

enum { BOTS = 5, PAIRS = 12, EVENTS = 400 };

static const double elo[BOTS] = {60, 25, 0, -25, -60}; /* mean 0 */

struct world {
    struct kit_chance chance;
    struct event event;
    struct tournament *tournament;
    struct fortune fortune;
};

static double win_chance(double lead) {
    return 1 / (1 + pow(10, -lead / 400));
}

/* A game that x wins by skill, by luck of one sign or the other, and by what is left of chance. */
static void play_leg(struct world *world, const struct unit *unit, int leg, double sign) {
    int x = schedule_entrant(unit, leg, SIDE_X), y = schedule_entrant(unit, leg, SIDE_Y);
    double luck = sign * (0.29 + 0.04 * kit_uniform(&world->chance)); /* in wins */
    double p = win_chance(elo[x] - elo[y]) + luck;
    int winner = kit_uniform(&world->chance) < p ? SIDE_X : SIDE_Y;
    struct match_row row = kit_match(unit->number, leg, x, y, winner, 1);
    const struct fortune_game game = {.unit = unit->number,
                                      .leg = leg,
                                      .luck = {.game = 1,
                                               .winner = winner,
                                               .net = row.score[SIDE_X] - row.score[SIDE_Y],
                                               .points = (int64_t)(2 * luck * LUCK_ONE),
                                               .wins = (int64_t)(luck * LUCK_ONE)}};
    tournament_load_match(world->tournament, &row);
    fortune_add(&world->fortune, &game);
}

/* Often the same dice favour X in both legs, and so once either bot. */
static void play_event(struct world *world) {
    world->tournament = tournament_new(&world->event);
    fortune_init(&world->fortune, &world->event);
    for (uint32_t number = 1; number <= schedule_units(&world->event); number++) {
        struct unit unit = schedule_unit(&world->event, number);
        double sign = kit_uniform(&world->chance) < 0.5 ? 1 : -1;
        play_leg(world, &unit, 1, sign);
        play_leg(world, &unit, 2, kit_uniform(&world->chance) < 0.6 ? sign : -sign);
    }
}

static void clear(struct world *world) {
    tournament_free(world->tournament);
    fortune_clear(&world->fortune);
}

/* Points a game against all others, each met as often. */
static double true_points(int bot) {
    double sum = 0;
    for (int other = 0; other < BOTS; other++) {
        sum += other != bot ? 2 * win_chance(elo[bot] - elo[other]) - 1 : 0;
    }
    return sum / (BOTS - 1);
}

struct hold {
    int inside;
    double off, width;
};

static void count(struct hold *hold, double value, double margin, double truth) {
    hold->inside += fabs(value - truth) <= margin;
    hold->off += (value - truth) * (truth > 0 ? 1 : -1);
    hold->width += margin;
}

static void check_hold(const struct hold *hold, const char *name, const char *reading) {
    double share = 100.0 * hold->inside / (EVENTS * BOTS);
    CHECK(share >= 93 && share <= 97, "%s, %s: %.1f %% of the intervals hold the truth", name,
          reading, share);
    CHECK(fabs(hold->off) < 0.1 * hold->width, "%s, %s: off by %+.3f on average, of %.3f", name,
          reading, hold->off / (EVENTS * BOTS), hold->width / (EVENTS * BOTS));
}

static void test_pool(void) {
    struct world world = {.chance = {77}};
    struct hold raw = {.inside = 0}, ratings = {.inside = 0}, points = {.inside = 0};
    double squares = 0, expected = 0;
    kit_event(&world.event, BOTS, PAIRS, PAIRING_MIRRORED);
    world.event.rules.value[OPTION_MATCH] = 1;
    for (int event = 0; event < EVENTS; event++) {
        struct fortune_survey survey;
        struct fortune_bot bots[BOTS];
        struct rating played[BOTS];
        play_event(&world);
        fortune_survey(&world.fortune, &world.event, world.tournament, &survey);
        fortune_rate(&survey, bots);
        rating_of_standings(tournament_standings(world.tournament), -1, played);
        for (int i = 0; i < BOTS; i++) {
            count(&raw, played[i].elo, played[i].plus_minus, elo[i]);
            count(&ratings, bots[i].rating.elo, bots[i].rating.plus_minus, elo[i]);
            count(&points, bots[i].points.value, bots[i].points.margin, true_points(i));
        }
        struct fortune_luck luck = fortune_luck(&survey);
        squares += luck.squares;
        expected += luck.expected;
        fortune_survey_clear(&survey);
        clear(&world);
    }
    check_hold(&raw, "ratings of a pool", "raw");
    check_hold(&ratings, "ratings of a pool", "fitted");
    check_hold(&points, "points in a pool", "fitted");
    CHECK(ratings.width < 0.9 * raw.width, "without luck they are surer: %.1f of %.1f Elo",
          ratings.width / (EVENTS * BOTS), raw.width / (EVENTS * BOTS));
    CHECK(fabs(squares / expected - 1) < 0.1, "the squares of luck t are as expected: %.2f of it",
          squares / expected);
    event_clear(&world.event);
}

/* A unit of which a bot gave up the second leg is a sample like any other: what was not played
 * of it is lost, and there is no luck in that. One that was called off is none. */
static void test_given_up(void) {
    struct world world = {.chance = {5}};
    struct estimate_unit sample;
    kit_event(&world.event, 2, 2, PAIRING_MIRRORED);
    world.event.rules.value[OPTION_MATCH] = 1;
    world.tournament = tournament_new(&world.event);
    fortune_init(&world.fortune, &world.event);
    for (uint32_t number = 1; number <= 2; number++) {
        struct unit unit = schedule_unit(&world.event, number);
        int x = schedule_entrant(&unit, 2, SIDE_X);
        play_leg(&world, &unit, 1, 1);
        CHECK(fortune_sample(&world.fortune, &world.event, world.tournament, number, &sample) ==
                  FORTUNE_MISSING,
              "a unit with one leg to go is no sample yet");
        struct match_row row = kit_match(number, 2, x, 1 - x, -1, 0);
        row.games = 0;
        row.reason = REASON_ABORTED;
        if (number == 1) {
            row.winner = x == 0 ? SIDE_Y : SIDE_X; /* bot 0 declined */
            row.offender = x == 0 ? SIDE_X : SIDE_Y;
        }
        tournament_load_match(world.tournament, &row);
    }
    double first = tournament_match(world.tournament, 1, 1)->winner == SIDE_X ? 1 : -1;
    enum fortune_state state =
        fortune_sample(&world.fortune, &world.event, world.tournament, 1, &sample);
    CHECK(state == FORTUNE_KNOWN && sample.matches == 2 &&
              fabs(sample.score - (first > 0 ? 1 : 0)) < 1e-9 &&
              fabs(sample.points - (first - 2)) < 1e-9 && fabs(sample.games - 2) < 1e-9,
          "declined: lost, for %g points in %d games", sample.points, (int)sample.games);
    CHECK(fortune_sample(&world.fortune, &world.event, world.tournament, 2, &sample) ==
              FORTUNE_NONE,
          "called off: nothing");
    clear(&world);
    event_clear(&world.event);
}

/* What is written is read; of what is torn, whatever is whole. */
static void test_file(void) {
    struct world world = {.chance = {3}};
    struct fortune read;
    struct bytes text;
    bytes_init(&text, 1 << 20);
    kit_event(&world.event, 2, 3, PAIRING_MIRRORED);
    fortune_init(&world.fortune, &world.event);
    strncpy(world.fortune.declared, "one#1", sizeof world.fortune.declared - 1);
    strncpy(world.fortune.evaluator, "two#2", sizeof world.fortune.evaluator - 1);
    world.fortune.since = 7;
    fortune_write_head(&world.fortune, &text);
    size_t head = text.length;
    for (unsigned game = 1; game <= 3; game++) {
        const struct fortune_game row = {
            .unit = 2, .leg = 1, .luck = {.game = game, .net = -4, .points = -5, .wins = 6}};
        fortune_write_game(&row, &text);
    }
    bool held = true;
    for (size_t length = 0; length <= text.length; length++) {
        fortune_init(&read, &world.event);
        size_t whole = fortune_read(&read, text.data, length);
        size_t lines = 0;
        for (size_t i = head; i < length; i++) {
            lines += text.data[i] == '\n';
        }
        held = held && whole <= length && (length < head) == (whole == 0) &&
               (size_t)fortune_known(&read, 2, 1) == lines;
        if (length < text.length) {
            fortune_clear(&read);
        }
    }
    CHECK(held, "cut anywhere, the lines before are read");
    CHECK(strcmp(read.declared, "one#1") == 0 && strcmp(read.evaluator, "two#2") == 0 &&
              read.since == 7 && read.leg[2].points == -15 && read.leg[2].wins == 18,
          "and they say what was written");
    const struct fortune_game again = {.unit = 2, .leg = 1, .luck = {.game = 2}};
    CHECK(!fortune_add(&read, &again), "a game counts once");
    fortune_clear(&read);
    fortune_clear(&world.fortune);
    bytes_clear(&text);
    event_clear(&world.event);
}

int main(void) {
    test_pool();
    test_given_up();
    test_file();
    return check_done();
}
