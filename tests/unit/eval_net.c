/* The evaluator: the nets that are compiled in, what is refused as a net, and what a sweep
 * promises. The golden figures hold on every machine and compiler. */
#include "check.h"

#include "base/file.h"
#include "eval/net_inside.h"
#include "eval/sweep.h"

#include <stdlib.h>

static const enum variant_id ids[] = {VARIANT_TAVLA, VARIANT_UZUN, VARIANT_WESTERN};
static struct play_room room;
static uint64_t seed = 4711;

static void throw_dice(uint8_t dice[2]) {
    for (int i = 0; i < 2; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        dice[i] = (uint8_t)((seed >> 20) % 6 + 1);
    }
}

/* The same position with the sides changed is worth the same to who is to throw; and the
 * luck of the throws of a position sums up to nothing. */
static void check_games(const struct net *net, const struct rules *rules) {
    struct situation at = {.mover = SIDE_X, .first_turn = true};
    int odd = 0, unequal = 0, beyond = 0;
    board_init(&at.board, rules);
    for (int ply = 0; ply < 120; ply++) {
        struct sweep sweep;
        int64_t sum = 0;
        sweep_all(net, rules, &at, &room, &sweep);
        for (int i = 0; i < SWEEP_THROWS; i++) {
            sum += sweep_weight(i) * (SWEEP_WEIGHT * (int64_t)sweep.best[i].points - sweep.points);
            beyond += sweep.best[i].points > 3 * NET_ONE || sweep.best[i].points < -3 * NET_ONE ||
                      sweep.best[i].wins < 0 || sweep.best[i].wins > NET_ONE;
        }
        unequal += sum != 0;
        struct board turned = at.board;
        memcpy(turned.men[SIDE_X], at.board.men[SIDE_Y], POINT_COUNT);
        memcpy(turned.men[SIDE_Y], at.board.men[SIDE_X], POINT_COUNT);
        struct net_value value = net_value(net, &at.board, at.mover);
        struct net_value other = net_value(net, &turned, side_other(at.mover));
        odd += value.points != other.points || value.wins != other.wins;
        throw_dice(at.dice);
        size_t count = plays_list(rules, &at, room.list, PLAYS_MAX), place = 0;
        sweep_pick(net, &at, room.list, count, &place);
        at.board = room.list[place].final;
        if (at.board.men[at.mover][POINT_OFF] == CHECKERS_MAX) {
            board_init(&at.board, rules);
        }
        at.mover = side_other(at.mover);
        at.first_turn = ply < 1;
    }
    CHECK_INT(unequal, 0, "the luck of the throws of a position sums up to 0");
    CHECK_INT(odd, 0, "the sides are alike");
    CHECK_INT(beyond, 0, "no value is beyond what can be won");
}

/* The rough net keeps the side that waits: hit, moved or neither, it must be looked at anew. */
static void check_rough(const struct net *net, const struct rules *rules) {
    struct net_rough kept = {{0}, {0}};
    struct board board;
    int unequal = 0, before = 0, moved = 0;
    board_init(&board, rules);
    for (int n = 0; n < 60; n++) {
        enum side side = n % 3 == 0 ? SIDE_X : SIDE_Y;
        int from = 1 + n % 24, to = 1 + n * 7 % 24;
        if (board.men[side][from] > 0) {
            board.men[side][from]--;
            board.men[side][to]++;
        }
        struct net_rough fresh = {{0}, {0}};
        int points = net_rough_points(net, &board, SIDE_X, &kept);
        unequal += points != net_rough_points(net, &board, SIDE_X, &fresh);
        moved += points != before;
        before = points;
    }
    CHECK_INT(unequal, 0, "what the rough net has kept changes nothing");
    CHECK(moved > 3, "in positions that differ: %d", moved);
}

static void check_finished(const struct net *net, const struct rules *rules) {
    struct board board = {.men = {[SIDE_X] = {[POINT_OFF] = 15}, [SIDE_Y] = {[3] = 15}}};
    CHECK_INT(net_value(net, &board, SIDE_Y).points, -2 * NET_ONE, "a mars is worth 2 exactly");
    struct net_rough last = {{0}, {0}};
    CHECK_INT(net_rough_points(net, &board, SIDE_X, &last), 2 * NET_ONE, "to the rough net too");
    board.men[SIDE_Y][3] = 14;
    board.men[SIDE_Y][POINT_OFF] = 1;
    CHECK_INT(net_value(net, &board, SIDE_X).points, NET_ONE, "a single game 1");
    board = (struct board){
        .men = {[SIDE_X] = {[1] = 1, [POINT_OFF] = 14}, [SIDE_Y] = {[1] = 1, [POINT_OFF] = 14}}};
    struct net_value value = net_value(net, &board, SIDE_X);
    CHECK(value.points > -NET_ONE && value.points <= NET_ONE, "%s: both have borne off, so %d",
          rules->variant->name, (int)value.points);
    CHECK(abs(2 * value.wins - NET_ONE - value.points) <= 2, "only single games can happen there");
}

/* A sum over all hidden units of 16 bits must not leave them: the worst placing of fifteen
 * checkers of each side, and every dense feature at its worst. */
static void check_width(const struct net_weights *weights, bool hits) {
    int worst = 0;
    for (int h = 0; h < NET_HIDDEN; h++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            int64_t sum = sign * weights->bias[h] / 8;
            for (int side = 0; side < SIDE_COUNT; side++) {
                int64_t best[CHECKERS_MAX + 1] = {0};
                for (int n = 1; n <= CHECKERS_MAX; n++) {
                    best[n] = INT32_MIN;
                }
                for (int p = 0; p < POINT_COUNT; p++) {
                    for (int n = CHECKERS_MAX; n > 0; n--) {
                        for (int here = 1; here <= n; here++) {
                            int16_t units[FEATURES_UNITS];
                            int64_t row = 0;
                            features_units(hits, p, here, units);
                            for (int u = 0; u < FEATURES_UNITS; u++) {
                                int at = (side * POINT_COUNT + p) * FEATURES_UNITS + u;
                                row += units[u] * weights->units[at][h];
                            }
                            int64_t way = best[n - here] + sign * row / 256;
                            best[n] = way > best[n] ? way : best[n];
                        }
                    }
                }
                sum += best[CHECKERS_MAX];
            }
            for (int f = 0; f < FEATURES_DENSE; f++) {
                sum += abs(weights->dense[f][h]) * 2 / 8; /* none is beyond 2.0 in play */
            }
            worst = sum > worst ? (int)sum : worst;
        }
    }
    CHECK(worst < 32768, "no sum leaves 16 bits: %d at most", worst);
}

static void check_refused(const struct variant *variant, const char *text, size_t length,
                          const char *want, const char *name) {
    char why[NET_WHY_MAX] = "it was taken";
    struct net *net = net_new(variant, text, length, why);
    CHECK(net == NULL && strstr(why, want) != NULL, "%s: %s", name, why);
    net_free(net);
}

/* The file of the tavla net, and what may befall it. */
static void check_text(void) {
    const struct variant *tavla = variant_row(VARIANT_TAVLA);
    const char *source = getenv("HAKEM_SOURCE");
    char path[512], why[NET_WHY_MAX];
    struct bytes text;
    struct fail fail;
    snprintf(path, sizeof path, "%s/src/eval/tavla.inc", source != NULL ? source : ".");
    bytes_init(&text, NET_TEXT_MAX);
    if (!CHECK(file_read(path, &text, &fail) == 0, "the file of the net is there")) {
        return;
    }
    struct net *net = net_new(tavla, text.data, text.length, why);
    struct net *own = net_new_built_in(tavla);
    CHECK(net != NULL, "the file is read as it is");
    CHECK_TEXT(net == NULL ? why : net_name(net), net_name(own), "and is what is compiled in");
    net_free(net);
    net_free(own);
    check_refused(variant_row(VARIANT_WESTERN), text.data, text.length, "another game's",
                  "another game's net is refused");
    check_refused(tavla, text.data, text.length / 2, "damaged", "half a net");
    check_refused(tavla, text.data, 0, "damaged", "an empty file");
    check_refused(tavla, "hakem-net 9\n", 12, "another version", "another version");
    char *digit = text.data + text.length / 2;
    *digit = *digit == '0' ? '1' : '0';
    check_refused(tavla, text.data, text.length, "damaged", "one wrong digit");
    *digit = 'x';
    check_refused(tavla, text.data, text.length, "damaged", "what is no digit");
    bytes_clear(&text);
}

static void check_weights(enum variant_id id) {
    const char *source = getenv("HAKEM_SOURCE");
    char path[512];
    struct bytes text;
    struct fail fail;
    struct net_weights weights;
    char why[NET_WHY_MAX];
    const struct variant *variant = variant_row(id);
    snprintf(path, sizeof path, "%s/src/eval/%s.inc", source != NULL ? source : ".", variant->name);
    bytes_init(&text, NET_TEXT_MAX);
    if (CHECK(file_read(path, &text, &fail) == 0 &&
                  net_read_weights(variant, text.data, text.length, &weights, why) == 0,
              "%s: its weights are read", variant->name)) {
        check_width(&weights, variant->hits);
    }
    bytes_clear(&text);
}

static void check_known(const struct net *net) {
    struct rules rules;
    const char *option;
    char why[160];
    rules_init(&rules, net_variant(net));
    CHECK(net_knows(net, &rules, &option), "a net knows its game");
    CHECK(rules_set(&rules, "match", "7", why) == 0 && net_knows(net, &rules, &option),
          "however long the match");
    CHECK(rules_set(&rules, "must_max", "false", why) == 0 && !net_knows(net, &rules, &option) &&
              strcmp(option, "must_max") == 0,
          "but not with other plays");
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct rules rules;
        rules_init(&rules, variant_row(ids[i]));
        struct net *net = net_new_built_in(rules.variant);
        struct board start;
        board_init(&start, &rules);
        struct net_value value = net_value(net, &start, SIDE_X);
        printf("# %s: the start is worth %d, %d\n", net_name(net), (int)value.points,
               (int)value.wins);
        CHECK(value.points > 0 && value.points < NET_ONE / 2, "%s: to start is an edge",
              rules.variant->name);
        check_games(net, &rules);
        check_finished(net, &rules);
        check_rough(net, &rules);
        check_known(net);
        net_free(net);
        check_weights(ids[i]);
    }
    CHECK(net_new_built_in(variant_row(VARIANT_FEVGA)) == NULL, "fevga has no net");
    check_text();
    return check_done();
}
