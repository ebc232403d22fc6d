#include "base/alloc.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/check_opponent.h"
#include "cli/command.h"
#include "dice/scheme.h"
#include "record/writer.h"
#include "referee/referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_PRESET = 100, PAIRS_MAX = 2000 };

/* A match that was played here, by the seats: the players are named by their place, 0 and 1. */
struct played {
    uint32_t table;
    int seat_of_first; /* where player 0 sat */
    int margin;        /* points of X less those of Y, in halves */
    struct hash told;  /* chain over its record's lines, their times and digits apart */
    bool over;
};

/* Two built-in players at a referee of their own, with no clock that runs. */
struct world {
    struct referee *referee;
    struct opponent player[2];
    uint32_t session[2];
    const struct rules *rules;
    struct played *played;
    int count;
};

static struct played *find_played(struct world *world, uint32_t table) {
    int i = world->count - 1;
    while (i > 0 && (world->played[i].table != table || world->played[i].over)) {
        i--;
    }
    return &world->played[i];
}

/* Takes in what was recorded: a line up to its times, or to its digits. */
static void on_game(void *owner, const struct game_facts *facts) {
    struct played *played = find_played(owner, facts->table);
    const char *line = facts->record;
    const char *end = line + facts->record_length;
    while (line < end) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        const char *digits = next - RECORD_CHAIN_DIGITS;
        const char *times = memmem(line, (size_t)(digits - line), " ms=", 4);
        size_t length = (size_t)((times != NULL ? times : digits) - line);
        played->told = hash_link(&played->told, (struct hash_field){line, length});
        line = next + 1;
    }
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct played *played = find_played(owner, facts->table);
    played->margin = facts->score[SIDE_X] - facts->score[SIDE_Y];
    played->over = true;
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    (void)owner, (void)session;
    fail_fatal("selftest: a built-in player was dismissed: %s", why);
}

/* Carries what was said to and fro until nobody has anything to say. */
static void world_run(struct world *world) {
    bool moved = true;
    while (moved) {
        moved = false;
        for (int i = 0; i < 2; i++) {
            const char *data;
            size_t length = referee_output(world->referee, world->session[i], &data);
            struct bytes *said = &world->player[i].out;
            if (length > 0) {
                opponent_hear(&world->player[i], data, length);
                referee_sent(world->referee, world->session[i], length, 0);
            }
            moved = moved || length > 0 || said->length > 0;
            referee_input(world->referee, world->session[i], said->data, said->length, 0);
            bytes_drop(said, said->length);
        }
        moved = moved || referee_next_deadline(world->referee) <= 0; /* it goes on by itself */
        referee_tick(world->referee, 0);
        referee_sweep(world->referee);
    }
    while (referee_next_dirty(world->referee) != 0) {
    }
}

static void world_open(struct world *world, const struct rules *rules, enum temper temper,
                       int matches) {
    const struct referee_hooks hooks = {.owner = world,
                                        .game = on_game,
                                        .match = on_match,
                                        .gone = on_gone};
    struct hash master = dice_open_master("selftest");
    struct referee_limits limits;
    referee_limits_init(&limits);
    *world = (struct world){.rules = rules,
                            .played = alloc_zeroed((size_t)matches, sizeof *world->played)};
    world->referee = referee_new(&limits, &hooks);
    for (int i = 0; i < 2; i++) {
        opponent_init(&world->player[i], temper, &master);
        world->session[i] = referee_open(world->referee, "selftest", 0);
    }
    world_run(world); /* they say hello */
}

static void world_close(struct world *world) {
    for (int i = 0; i < 2; i++) {
        opponent_clear(&world->player[i]);
    }
    referee_free(world->referee);
    free(world->played);
}

/* Seats a match of a unit; player `first` has seat X. */
static void seat(struct world *world, int unit, int leg, int first, const char *seed) {
    static const uint8_t no_key[SIGN_PUBLIC_BYTES];
    static const char *const names[2] = {"one", "two"};
    struct played *played = &world->played[world->count++];
    struct match_spec match = {
        .source = DICE_SEEDED,
        .leg = leg,
        .pairing = "mirrored",
        .rules = *world->rules,
        .server = "hakem/" HAKEM_VERSION,
        .public_key = no_key,
        .date = "2026-01-01T00:00:00Z",
        .name = {names[first], names[1 - first]},
        .session = {world->session[first], world->session[1 - first]},
    };
    char name[UNIT_NAME_MAX], why[160];
    struct hash master = dice_open_master(seed);
    snprintf(name, sizeof name, "U%06d", unit);
    unit_dice_init(&match.dice, &master, "selftest#5c1f", name, 0);
    match.master_commitment = dice_master_commitment(&master, "selftest#5c1f");
    played->seat_of_first = first;
    played->table = referee_seat(world->referee, &match, 0, why);
    if (played->table == 0) {
        fail_fatal("selftest: %s", why);
    }
}

/* What player 0 made of a match, in half points. */
static int score_of_first(const struct played *played) {
    return played->seat_of_first == 0 ? played->margin : -played->margin;
}

/* Whether every match came to its end. */
static bool all_over(const struct world *world) {
    for (int i = 0; i < world->count; i++) {
        if (!world->played[i].over) {
            return false;
        }
    }
    return true;
}

/* Pairs in which player 0 did not end level with player 1; -1 when a match did not end. */
static int uneven_pairs(struct world *world, int pairs, const char *second_seed) {
    int uneven = 0;
    for (int unit = 1; unit <= pairs; unit++) {
        seat(world, unit, 1, 0, "selftest");
        seat(world, unit, 2, 1, second_seed);
        world_run(world);
    }
    for (int i = 0; i + 1 < world->count; i += 2) {
        uneven += score_of_first(&world->played[i]) + score_of_first(&world->played[i + 1]) != 0;
    }
    return all_over(world) ? uneven : -1;
}

/* A player without chance against itself in mirrored pairs: nothing but 0, and something else with
 * other dice in the second leg, so that the test itself is seen to work. */
static bool prove_mirror(const struct rules *rules, int pairs) {
    struct world world;
    world_open(&world, rules, TEMPER_FIRST, 2 * pairs);
    int uneven = uneven_pairs(&world, pairs, "selftest");
    world_close(&world);
    world_open(&world, rules, TEMPER_FIRST, 2 * pairs);
    int control = uneven_pairs(&world, pairs, "other dice");
    world_close(&world);
    bool good = uneven == 0 && control > 0;
    printf(_("%-12s a player without chance against itself: %d of %d mirrored pairs differ from 0 "
             "(with other dice in the second leg %d): %s\n"),
           rules->variant->name, uneven, pairs, control, good ? _("good") : _("BAD"));
    return good;
}

/* Two random players, the seats by turns: who is listed first gains nothing. */
static bool prove_order(const struct rules *rules, int pairs) {
    struct world world;
    int uneven = 0;
    int decided = 0;
    world_open(&world, rules, TEMPER_SEEDED, 2 * pairs);
    for (int unit = 1; unit <= pairs; unit++) {
        for (int first = 0; first < 2; first++) {
            seat(&world, unit, 1, first, "selftest");
            world_run(&world);
        }
        const struct played *played = &world.played[world.count - 2];
        uneven += score_of_first(&played[0]) + score_of_first(&played[1]) != 0;
        decided += played[0].margin != 0;
    }
    bool good = uneven == 0 && decided > 0 && all_over(&world);
    printf(_("%-12s two random players in both orders: %d of %d pairs do not cancel: %s\n"),
           rules->variant->name, uneven, pairs, good ? _("good") : _("BAD"));
    world_close(&world);
    return good;
}

/* The same matches one by one and all at once: the same records. */
static bool prove_concurrency(const struct rules *rules, int pairs) {
    struct world alone, crowd;
    int differ = 0;
    world_open(&alone, rules, TEMPER_FIRST, pairs);
    world_open(&crowd, rules, TEMPER_FIRST, pairs);
    for (int unit = 1; unit <= pairs; unit++) {
        seat(&alone, unit, 1, 0, "selftest");
        world_run(&alone);
        seat(&crowd, unit, 1, 0, "selftest");
    }
    world_run(&crowd);
    for (int i = 0; i < pairs; i++) {
        const struct hash *one = &alone.played[i].told;
        differ += memcmp(one, &crowd.played[i].told, sizeof *one) != 0;
    }
    bool good = differ == 0 && all_over(&alone) && all_over(&crowd);
    printf(_("%-12s %d matches one by one and all at once: %d records differ: %s\n"),
           rules->variant->name, pairs, differ, good ? _("good") : _("BAD"));
    world_close(&alone);
    world_close(&crowd);
    return good;
}

/* All three, with the cube where there is one. */
static bool prove_variant(const struct variant *variant, int pairs) {
    struct rules rules;
    bool cube = variant->school == SCHOOL_WESTERN;
    rules_init(&rules, variant);
    rules.value[OPTION_VIDO] = cube;
    rules.value[OPTION_MATCH] = cube ? 5 : 1;
    bool mirror = prove_mirror(&rules, pairs);
    bool order = prove_order(&rules, pairs);
    bool concurrency = prove_concurrency(&rules, pairs);
    fflush(stdout);
    return mirror && order && concurrency;
}

static int run(int argc, char **argv) {
    long pairs = PAIRS_PRESET;
    const struct arg_row rows[] = {{"pairs", ARG_NUMBER, 2, PAIRS_MAX, &pairs}};
    struct args args = {.rows = rows, .row_count = 1};
    struct fail fail;
    bool good = true;
    if (args_read(&args, argc, argv, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    if (args.positional_count > 0) {
        fail_set(&fail, EXIT_CODE_USAGE, _("\"%s\" is too much: selftest takes options only"),
                 args.positional[0]);
        return args_refuse(argv[0], &fail);
    }
    for (int id = 0; id < VARIANT_COUNT; id++) {
        good = prove_variant(variant_row((enum variant_id)id), (int)pairs) && good;
    }
    printf("%s\n", good ? _("the referee favours neither player, neither seat and no order")
                        : _("hakem is not fair on this machine: please report it"));
    return good ? EXIT_CODE_DONE : EXIT_CODE_BUG;
}

const struct command command_selftest = {
    .name = "selftest",
    .usage = N_("[--pairs N]"),
    .summary = N_("proves that the referee itself is fair"),
    .help = N_(
        "Built-in players meet themselves in every variant, and what has to be exactly so is\n"
        "shown:\n"
        "a player without chance ends every mirrored pair at 0; two random players in both orders\n"
        "cancel; records do not depend on how many matches run at once.\n"
        "  --pairs N   of each (default 100)\n"
        "Exit code 1 when anything differs.\n"
        "Example: hakem selftest --pairs 20\n"),
    .run = run,
};
