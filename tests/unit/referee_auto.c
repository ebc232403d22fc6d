/* auto=forced: the referee plays what is no choice, for who asked for it, and the games
 * are the same. */
#include "check.h"

#include "record/replay.h"
#include "unit/referee_world.h"

enum { MATCHES = 6 };

static long listed_once;  /* requests whose only play was listed */
static long listed_count; /* plays listed since the last request of that bot */

/* Counts the plays that come with each turn. */
static void count_plays(struct world *world, int bot, const char *line) {
    (void)world;
    if (bot != 0) {
        return;
    }
    if (strncmp(line, "plays ", 6) == 0) {
        listed_count -= 3; /* T, S and from */
        for (const char *at = line; (at = strchr(at, ' ')) != NULL; at++) {
            listed_count++;
        }
    } else if (strncmp(line, "turn ", 5) == 0) {
        listed_once += listed_count == 1;
        listed_count = 0;
    }
}

/* What a record says but for times: `ms=` words and the digits of the chain. */
static void strip(struct bytes *record) {
    const char *text = bytes_text(record);
    struct bytes out;
    bytes_init(&out, (size_t)1 << 28);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char line[8192];
        snprintf(line, sizeof line, "%.*s", (int)(length < 17 ? length : length - 17), text);
        char *ms = strstr(line, " ms=");
        if (ms != NULL) {
            memmove(ms, ms + 4 + strspn(ms + 4, "0123456789"),
                    strlen(ms + 4 + strspn(ms + 4, "0123456789")) + 1);
        }
        bytes_print(&out, "%s\n", line);
        text += length + (text[length] == '\n');
    }
    bytes_clear(record);
    *record = out;
}

static struct play_room room;

static bool holds(const struct bytes *record, long matches) {
    struct replay replay;
    size_t at = 0, length;
    const char *line;
    char why[RECORD_WHY_MAX];
    long ended = 0;
    replay_init(&replay, &room);
    while (replay_cut(record->data, record->length, &at, &line, &length) == 1) {
        struct message message;
        if (replay_line(&replay, line, length, &message, why) != 0) {
            printf("# %.*s: %s\n", (int)length, line, why);
            return false;
        }
        if (replay.state == REPLAY_ENDED) {
            ended++;
            replay_init(&replay, &room);
        }
    }
    return ended == matches;
}

struct run {
    struct bytes record;
    long turns[2]; /* asked of each side */
    long cubes;    /* `cube` requests */
    long once;     /* requests with a single play */
    bool holds;
};

static struct run run_matches(const struct rules *rules, const char *x, const char *y) {
    static const struct clock_rule clock = {.move_time = 5000, .margin = 50};
    struct run run;
    struct world world;
    world_open(&world, NULL);
    world.keep = true;
    world.heard = count_plays;
    listed_once = 0;
    world_join(&world, x);
    world_join(&world, y);
    world_flush(&world);
    for (int i = 0; i < MATCHES; i++) {
        char seed[24];
        snprintf(seed, sizeof seed, "auto %d", i);
        world_seat(&world, 0, 1, rules, &clock, seed);
        world_run(&world, i + 1, 100000);
    }
    run = (struct run){.record = world.record,
                       .turns = {world.turns[0], world.turns[1]},
                       .cubes = world.bot[0].lines['c'],
                       .once = listed_once,
                       .holds = world.ended == MATCHES && holds(&world.record, MATCHES)};
    strip(&run.record);
    bytes_init(&world.record, 1);
    world_close(&world);
    return run;
}

static void test_variant(const struct rules *rules, const char *name) {
    struct run plain = run_matches(rules, "name=ayse want=plays", "name=bora");
    struct run forced = run_matches(rules, "name=ayse want=plays auto=forced", "name=bora");
    struct run both = run_matches(rules, "name=ayse auto=forced,more", "name=bora auto=forced");
    CHECK(plain.holds && forced.holds && both.holds, "%s: the records hold", name);
    CHECK(strcmp(bytes_text(&plain.record), bytes_text(&forced.record)) == 0 &&
              strcmp(bytes_text(&plain.record), bytes_text(&both.record)) == 0,
          "%s: the games are the same", name);
    bool resign = rules->value[OPTION_RESIGN] == 1;
    CHECK_INT(forced.once == 0, !resign, "a turn with one play is asked where one may resign only");
    CHECK_INT(forced.turns[0], resign ? plain.turns[0] : plain.turns[0] - plain.once,
              "exactly such turns are not asked");
    CHECK_INT(forced.turns[1], plain.turns[1], "the other bot is asked as before");
    CHECK(plain.once > 0 && both.turns[0] == forced.turns[0] &&
              (both.turns[1] < plain.turns[1]) == !resign,
          "and each bot chooses for itself (%ld turns with one play)", plain.once);
    CHECK(plain.cubes == forced.cubes && (plain.cubes > 0) == (rules->value[OPTION_VIDO] == 1),
          "who may double is asked all the same (%ld times)", plain.cubes);
    bytes_clear(&plain.record);
    bytes_clear(&forced.record);
    bytes_clear(&both.record);
}

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    for (int v = 0; v < VARIANT_COUNT; v++) {
        struct rules rules;
        rules_init(&rules, variant_row((enum variant_id)v));
        rules.value[OPTION_MATCH] = 3;
        test_variant(&rules, rules.variant->name);
    }
    struct rules rules;
    rules_init(&rules, variant_row(VARIANT_WESTERN));
    rules.value[OPTION_VIDO] = 1;
    test_variant(&rules, "with a cube");
    rules.value[OPTION_OPENING] = OPENING_REROLL;
    test_variant(&rules, "with a throw of its own for the first turn");
    rules.value[OPTION_RESIGN] = 1;
    test_variant(&rules, "with resigning");
    return check_done();
}
