/* The items of whole games at the real referee, of many tables, and of being
 * reproducible. */
#include "cli/check.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/check_match.h"

#include <stdlib.h>

enum {
    GAMES_PACE = 25000,       /* us of the time for games for which there is a match at most */
    MANY_TABLES = 6,
    BATCH_TABLES = 256,       /* requests in one write */
    MEMORY_TIMES = 2,         /* the time for games */
    SEED_MATCHES = 2,
    SEED_BUDGET = 2000000,    /* us: both plays must come as far */
    SAID_MAX = 1 << 20,
    QUIET = 30000,            /* us */
};

static struct check_games games_of(const struct rules *rules, int matches, int64_t budget) {
    return (struct check_games){
        .rules = rules, .matches = matches, .tables = 1, .budget = budget, .seed = "hakem check"};
}

/* As many matches as fit into so many times the time for games, a slow bot at least one. */
static struct check_games timed_games(const struct check *check, const struct rules *rules,
                                      int times) {
    int64_t budget = times * check->time;
    return games_of(rules, (int)(budget / GAMES_PACE) + 1, budget);
}

/* What there is to say of good games. */
static void tell_games(struct check *check, const struct check_games *games) {
    if (games->declined) {
        check_skip(check, N_("it declines a match by these rules"));
    } else {
        check_fact(check, N_("%d games"), games->games);
    }
}

static void run_games(struct check *check, const struct rules *rules, int detail) {
    struct rules single = *rules;
    (void)detail;
    single.value[OPTION_MATCH] = 3;
    struct check_games games = timed_games(check, &single, 1);
    if (check_play(&check->talk, &games)) {
        tell_games(check, &games);
    }
}

static void run_cube_games(struct check *check, const struct rules *rules, int detail) {
    struct rules cube = *rules;
    (void)detail;
    cube.value[OPTION_VIDO] = 1;
    cube.value[OPTION_RESIGN] = 1;
    cube.value[OPTION_MATCH] = 5;
    struct check_games games = timed_games(check, &cube, 1);
    if (check_play(&check->talk, &games)) {
        tell_games(check, &games);
    }
}

/* A money session of western, with all that goes with it. */
static void run_money(struct check *check, const struct rules *rules, int detail) {
    struct rules money = *rules;
    (void)detail;
    money.value[OPTION_VIDO] = 1;
    money.value[OPTION_RESIGN] = 1;
    money.value[OPTION_MATCH] = 0;
    money.value[OPTION_GAMES] = 3;
    money.value[OPTION_BEAVERS] = 3;
    money.value[OPTION_AUTO_DOUBLES] = 1;
    struct check_games games = timed_games(check, &money, 1);
    if (check_play(&check->talk, &games)) {
        tell_games(check, &games);
    }
}

static void run_many(struct check *check, const struct rules *rules, int detail) {
    struct rules single = *rules;
    (void)detail;
    single.value[OPTION_MATCH] = 1;
    struct check_games games = timed_games(check, &single, 1);
    games.tables = check->talk.hello.tables < MANY_TABLES ? (int)check->talk.hello.tables
                                                          : MANY_TABLES;
    if (check_play(&check->talk, &games)) {
        tell_games(check, &games);
    }
}

/* Matches at so many tables, then their games and turns, each of it in one write. */
static void play_batch(struct check *check, const struct rules *rules, struct seat *seat,
                       int tables) {
    struct talk *talk = &check->talk;
    for (int i = 0; i < tables; i++) {
        seat_init(&seat[i], talk, rules, i % 2 == 0 ? SIDE_X : SIDE_Y);
        seat_offer(&seat[i]);
    }
    if (!talk_hear(talk)) {
        return;
    }
    int asked = talk->asks;
    if (talk->ask[asked - 1].answer == MESSAGE_DECLINE) {
        check_skip(check, N_("it declines a match by these rules"));
        return;
    }
    for (int i = 0; i < tables; i++) {
        seat_begin(&seat[i], (unsigned)i + 1);
        seat_skip(&seat[i], seat[i].side == seat[i].at.starter ? 1 : 2);
        if (seat_asks(&seat[i])) {
            seat_turn(&seat[i]);
        }
    }
    asked = talk->asks - asked;
    if (!talk_hear(talk)) {
        return;
    }
    for (int i = 0; i < tables; i++) {
        seat_leave(&seat[i]);
    }
    if (talk_quiet(talk, QUIET)) {
        check_fact(check, N_("%d turns at once"), asked);
    }
}

/* As many tables as it takes, up to 256. */
static void run_batch(struct check *check, const struct rules *rules, int detail) {
    int64_t tables = check->talk.hello.tables;
    struct seat *seat = alloc_zeroed(BATCH_TABLES, sizeof *seat);
    (void)detail;
    play_batch(check, rules, seat, tables < BATCH_TABLES ? (int)tables : BATCH_TABLES);
    free(seat);
}

/* The first line in which they differ, for a sentence; 0 when one is the beginning of the other. */
static int first_difference(const struct bytes *a, const struct bytes *b) {
    size_t length = a->length < b->length ? a->length : b->length;
    int line = 1;
    for (size_t i = 0; i < length; i++) {
        if (a->data[i] != b->data[i]) {
            return line;
        }
        line += a->data[i] == '\n';
    }
    return 0;
}

/* The same games twice, each with a connection of its own: the same answers. */
static void run_seed(struct check *check, const struct rules *rules, int detail) {
    struct rules single = *rules;
    struct bytes said[2];
    struct check_games games;
    (void)detail;
    single.value[OPTION_MATCH] = 2;
    bytes_init(&said[0], SAID_MAX);
    bytes_init(&said[1], SAID_MAX);
    for (int i = 0; i < 2; i++) {
        games = games_of(&single, SEED_MATCHES, SEED_BUDGET);
        games.said = &said[i];
        if (!check_meet(check, true)) {
            break;
        }
        check->untouched = false;
        if (!check_play(&check->talk, &games)) {
            break;
        }
    }
    int line = first_difference(&said[0], &said[1]);
    if (line > 0) {
        talk_fault(&check->talk, BLAME_ITEM,
                   N_("with the same seeds and throws its line %d after the hello is another one: "
                      "take all chance from the `seed` of each game"), line);
    } else if (!check->talk.fault.there) {
        tell_games(check, &games);
    }
    bytes_clear(&said[0]);
    bytes_clear(&said[1]);
}

/* Many games by one process; what it holds is looked at. */
static void run_growth(struct check *check, const struct rules *rules, int detail) {
    enum { GROWTH_KIB = 65536 };
    struct rules single = *rules;
    (void)detail;
    single.value[OPTION_MATCH] = 1;
    struct check_games games = timed_games(check, &single, MEMORY_TIMES);
    if (!check_play(&check->talk, &games)) {
        return;
    }
    long first = games.memory[0], last = games.memory[1];
    if (games.declined) {
        tell_games(check, &games);
    } else if (games.games < 2 || first == 0 || last == 0) {
        check_skip(check, N_("its memory could not be seen"));
    } else if (last - first > GROWTH_KIB && last > 2 * first) {
        talk_fault(&check->talk, BLAME_ITEM, N_("it holds %ld MiB after a game, %ld MiB after %d"),
                   first / 1024, last / 1024, games.games);
    } else {
        check_fact(check, N_("%ld MiB after a game, %ld MiB after %d"), first / 1024, last / 1024,
                   games.games);
    }
}

enum { PLAYS = NEEDS_OWN | LEAVES | AT_REFEREE, ALONE = NEEDS_NOBODY | LEAVES | AT_REFEREE };

const struct check_item check_items_games[] = {
    {"games", N_("whole games at the referee"), PLAYS, EVERY_VARIANT, run_games, 0},
    {"cube-games", N_("whole matches with the cube at the referee"), PLAYS, 0, run_cube_games,
     0},
    {"money", N_("whole money sessions: beavers, automatic doubles"), PLAYS, 1 << VARIANT_WESTERN,
     run_money, 0},
    {"interleaved", N_("several tables at once, at the referee"), PLAYS | NEEDS_TABLES, 0,
     run_many, 0},
    {"batch", N_("the turns of all its tables in one write"), NEEDS_TABLES, 0, run_batch, 0},
    {"seed", N_("the same seeds, the same answers"), ALONE, 0, run_seed, 0},
    {"growth", N_("it does not grow from game to game"), PLAYS | NEEDS_CHILD, 0, run_growth, 0},
    {0},
};
