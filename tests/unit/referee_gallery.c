/* Spectators: what they are shown, when, and how little a slow one can do to anybody. One
 * match between two bots of the test, watched by viewers that read as the test says. */
#include "check.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "record/chain.h"
#include "referee/referee.h"
#include "wire/spelling.h"

#include <stdlib.h>

enum { VIEWERS = 4, HEARD_MAX = 8 << 20 };

struct world {
    struct referee *referee;
    int64_t now;
    uint32_t bot[SIDE_COUNT], viewer[VIEWERS], table;
    struct bytes heard[VIEWERS]; /* what each viewer has read */
    struct bytes record;         /* as the outside gets it */
    struct unit_dice dice;
    int over, welcomed, gone;
};

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    (void)owner, (void)session, (void)refusal;
    CHECK(facts->tables > 0, "only players are asked for");
    return true;
}

static void on_welcomed(void *owner, uint32_t session) {
    struct world *world = owner;
    (void)session;
    world->welcomed++;
}

static void on_game(void *owner, const struct game_facts *facts) {
    struct world *world = owner;
    bytes_add(&world->record, facts->record, facts->record_length);
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct world *world = owner;
    bytes_add(&world->record, facts->record, facts->record_length);
    world->over++;
}

static void on_vacant(void *owner, uint32_t table, enum side side) {
    (void)owner, (void)table, (void)side;
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    struct world *world = owner;
    (void)session, (void)why;
    world->gone++;
}

static void world_open(struct world *world, size_t queue) {
    struct referee_limits limits;
    memset(world, 0, sizeof *world);
    const struct referee_hooks hooks = {.owner = world,
                                        .hello = on_hello,
                                        .welcomed = on_welcomed,
                                        .game = on_game,
                                        .match = on_match,
                                        .vacant = on_vacant,
                                        .gone = on_gone};
    referee_limits_init(&limits);
    limits.spectators = VIEWERS;
    limits.queue = queue > 0 ? queue : limits.queue;
    world->referee = referee_new(&limits, &hooks);
    world->now = 1000;
    bytes_init(&world->record, HEARD_MAX);
    for (int i = 0; i < VIEWERS; i++) {
        bytes_init(&world->heard[i], HEARD_MAX);
    }
}

static void world_close(struct world *world) {
    referee_free(world->referee);
    bytes_clear(&world->record);
    for (int i = 0; i < VIEWERS; i++) {
        bytes_clear(&world->heard[i]);
    }
}

static void say(struct world *world, uint32_t session, const char *text) {
    referee_input(world->referee, session, text, strlen(text), world->now);
}

static void viewer_join(struct world *world, int i, const char *hello) {
    world->viewer[i] = referee_open(world->referee, "viewer", world->now);
    say(world, world->viewer[i], hello);
}

/* One viewer reads `most` bytes of what waits for it. */
static size_t viewer_reads(struct world *world, int i, size_t most) {
    const char *data;
    size_t size = referee_output(world->referee, world->viewer[i], &data);
    size = size < most ? size : most;
    bytes_add(&world->heard[i], data, size);
    referee_sent(world->referee, world->viewer[i], size, world->now);
    return size;
}

/* Reads until nothing comes any more. */
static void viewer_reads_all(struct world *world, int i) {
    for (int idle = 0; idle < 3; idle++) {
        referee_tick(world->referee, ++world->now);
        idle = viewer_reads(world, i, SIZE_MAX) > 0 ? -1 : idle;
    }
}

/* Answers what a bot has been asked; false when nothing is asked of it. */
static bool bot_answers(struct world *world, uint32_t session) {
    const char *data;
    size_t size = referee_output(world->referee, session, &data);
    char *text = alloc_zeroed(size + 1, 1);
    bool asked = false;
    memcpy(text, size > 0 ? data : "", size);
    referee_sent(world->referee, session, size, world->now);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        int table, serial;
        char answer[64];
        if (sscanf(line, "match %d", &table) == 1) {
            snprintf(answer, sizeof answer, "ready %d\n", table);
        } else if (sscanf(line, "turn %d %d", &table, &serial) == 2) {
            snprintf(answer, sizeof answer, "play %d %d #0\n", table, serial);
        } else {
            continue;
        }
        say(world, session, answer);
        asked = true;
    }
    free(text);
    return asked;
}

/* Both bots play on, for `answers` answers or to the end of the match. */
static void play(struct world *world, int answers) {
    while (answers > 0 && world->over == 0) {
        bool any = false;
        for (int side = 0; side < SIDE_COUNT; side++) {
            world->now++;
            any = bot_answers(world, world->bot[side]) || any;
            answers--;
        }
        if (!any && world->over == 0) {
            CHECK(false, "the game goes on");
            return;
        }
    }
}

static void start(struct world *world, const char *event, const char *unit, int match) {
    struct match_spec spec = {.source = DICE_SEEDED, .leg = 1, .pairing = "independent"};
    static const uint8_t key[SIGN_PUBLIC_BYTES] = {1};
    struct hash master = dice_open_master("gallery");
    char why[160];
    unit_dice_init(&spec.dice, &master, event, unit, 0);
    world->dice = spec.dice;
    rules_init(&spec.rules, variant_row(VARIANT_TAVLA));
    spec.rules.value[OPTION_MATCH] = match;
    spec.server = "hakem/test";
    spec.public_key = key;
    spec.date = "2026-11-30T18:49:49Z";
    for (int side = 0; side < SIDE_COUNT; side++) {
        spec.name[side] = side == 0 ? "ayse" : "bora";
        if (world->bot[side] == 0) {
            char hello[64];
            snprintf(hello, sizeof hello, "hello hakem=1 name=%s tables=9\n", spec.name[side]);
            world->bot[side] = referee_open(world->referee, "bot", world->now);
            say(world, world->bot[side], hello);
        }
        spec.session[side] = world->bot[side];
    }
    world->table = referee_seat(world->referee, &spec, world->now, why);
    CHECK(world->table != 0, "a match starts");
}

/* The records that a text viewer has read, put together again: those lines `at` that match,
 * without what names it, the digits at their end. */
static void assemble(const struct bytes *heard, enum spelling spelling, const char *at,
                     struct bytes *out) {
    static struct message message;
    char why[160];
    for (size_t i = 0; i < heard->length;) {
        const char *line = heard->data + i;
        size_t length = (size_t)((const char *)memchr(line, '\n', heard->length - i) - line);
        i += length + 1;
        if (spelling_decode(spelling, line, length, KEPT_IN_RECORD, &message, why) !=
                DECODED_MESSAGE ||
            strcmp(message_text(&message, FIELD_AT), at) != 0) {
            continue;
        }
        char digits[CHAIN_DIGITS + 1];
        snprintf(digits, sizeof digits, "%s", message_text(&message, FIELD_DIGITS));
        message.fields[FIELD_AT / 64] &= ~(UINT64_C(1) << FIELD_AT % 64);
        message.fields[FIELD_DIGITS / 64] &= ~(UINT64_C(1) << FIELD_DIGITS % 64);
        spelling_encode_bare(SPELLING_TEXT, &message, out);
        bytes_print(out, " %s\n", digits);
    }
}

static bool same(const struct bytes *a, const struct bytes *b) {
    return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

/* What a viewer has pieced together is the record. */
static void check_record(struct world *world, int i, enum spelling spelling, const char *at) {
    struct bytes again;
    bytes_init(&again, HEARD_MAX);
    assemble(&world->heard[i], spelling, at, &again);
    CHECK(same(&again, &world->record), "viewer %d has the record, %zu of %zu bytes", i,
          again.length, world->record.length);
    bytes_clear(&again);
}

static void test_whole_match(void) {
    struct world world;
    world_open(&world, 0);
    viewer_join(&world, 0, "hello hakem=1 name=early tables=0\nwatch *\n");
    viewer_join(&world, 1, "{\"type\":\"hello\",\"hakem\":1,\"name\":\"early\",\"tables\":0}\n"
                           "{\"type\":\"watch\",\"what\":\"my cup/U000007\"}\n");
    CHECK_INT(world.welcomed, 0, "the outside hears of no spectator");
    start(&world, "my cup#0123", "U000007", 3);
    play(&world, 60);
    viewer_reads_all(&world, 0);
    CHECK(strstr(bytes_text(&world.heard[0]), "did 1 9 ") != NULL, "plies are seen live");
    CHECK(strstr(bytes_text(&world.heard[0]), " at=my%20cup/U000007/1 digits=") != NULL,
          "lines say whose they are");
    CHECK(strstr(bytes_text(&world.heard[0]), " seed=") == NULL, "no seed is among them");
    viewer_join(&world, 2, "hello hakem=1 name=late tables=0\nwatch my%20cup/U000007/1\n");
    viewer_join(&world, 3, "hello hakem=1 name=other tables=0\nwatch my%20cup/U00000\n");
    play(&world, 1 << 20);
    CHECK_INT(world.over, 1, "the match ends");
    static const char seal[] = "reveal U000007 seed=0000000000000000000000000000000000000000000000"
                               "000000000000000000 0123456789abcdef\n";
    referee_seal_show(world.referee, &world.dice, 1, seal, sizeof seal - 1);
    bytes_add(&world.record, seal, sizeof seal - 1);
    for (int i = 0; i < VIEWERS; i++) {
        viewer_reads_all(&world, i);
    }
    check_record(&world, 0, SPELLING_TEXT, "my cup/U000007/1");
    check_record(&world, 1, SPELLING_JSON, "my cup/U000007/1");
    check_record(&world, 2, SPELLING_TEXT, "my cup/U000007/1");
    CHECK(strstr(bytes_text(&world.heard[3]), "note text=") != NULL &&
              strstr(bytes_text(&world.heard[3]), "did ") == NULL,
          "half a name is no name");
    CHECK_INT(world.gone, 0, "and nobody is gone");
    world_close(&world);
}

static void test_delay(void) {
    struct world world;
    world_open(&world, 0);
    viewer_join(&world, 0, "hello hakem=1 name=live tables=0\nwatch *\n");
    viewer_join(&world, 1, "hello hakem=1 name=late tables=0\nwatch * delay=6\n");
    start(&world, "cup#0123", "U000001", 1);
    for (int step = 0; step < 20; step++) {
        int plies[2] = {0, 0};
        play(&world, 2);
        for (int i = 0; i < 2; i++) {
            viewer_reads_all(&world, i);
            const char *at = bytes_text(&world.heard[i]);
            while ((at = strstr(at, "\ndid ")) != NULL) {
                plies[i]++;
                at++;
            }
        }
        CHECK_INT(plies[1], plies[0] > 6 ? plies[0] - 6 : 0, "six plies behind");
    }
    play(&world, 1 << 20);
    viewer_reads_all(&world, 0);
    viewer_reads_all(&world, 1);
    CHECK(strstr(bytes_text(&world.heard[1]), "\nend ") != NULL, "the end opens the rest");
    check_record(&world, 0, SPELLING_TEXT, "cup/U000001/1");
    check_record(&world, 1, SPELLING_TEXT, "cup/U000001/1");
    world_close(&world);
}

static void test_wishes(void) {
    static const struct {
        const char *said, *answer;
    } rows[] = {
        {"watch\n", "error malformed"},
        {"unwatch *\n", "error not-allowed"},
        {"watch * delay=201\n", "error not-allowed"},
        {"watch cup\n", "note text="},
        {"unwatch cup\n", ""},
        {"unwatch cup\n", "error not-allowed"},
        {"ready 1\n", "error unexpected"},
        {"ping id=3\n", "pong id=3"},
    };
    struct world world;
    world_open(&world, 0);
    viewer_join(&world, 0, "hello hakem=1 name=me tables=0\n");
    viewer_reads(&world, 0, SIZE_MAX);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        world.now += 1000;
        bytes_drop(&world.heard[0], world.heard[0].length);
        say(&world, world.viewer[0], rows[i].said);
        viewer_reads(&world, 0, SIZE_MAX);
        CHECK(strncmp(bytes_text(&world.heard[0]), rows[i].answer, strlen(rows[i].answer)) == 0,
              "%.20s: %s", rows[i].said, bytes_text(&world.heard[0]));
    }
    for (int i = 0; i < 33; i++) {
        char watch[40];
        snprintf(watch, sizeof watch, "watch event%d\n", i);
        world.now += 1000;
        bytes_drop(&world.heard[0], world.heard[0].length);
        say(&world, world.viewer[0], watch);
        viewer_reads(&world, 0, SIZE_MAX);
    }
    CHECK(strstr(bytes_text(&world.heard[0]), "error not-allowed") != NULL,
          "the 33rd watch is refused: %s", bytes_text(&world.heard[0]));
    for (int i = 1; i < VIEWERS; i++) {
        viewer_join(&world, i, "hello hakem=1 name=me tables=0\n");
    }
    uint32_t more = referee_open(world.referee, "one more", world.now);
    say(&world, more, "hello hakem=1 name=me tables=0\n");
    CHECK(referee_closing(world.referee, more), "one spectator too many is refused");
    referee_closed(world.referee, world.viewer[2], world.now);
    referee_sweep(world.referee);
    viewer_join(&world, 2, "hello hakem=1 name=me tables=0\n");
    CHECK(!referee_closing(world.referee, world.viewer[2]), "a place that is free again is taken");
    for (int i = 0; i < 40; i++) {
        say(&world, world.viewer[2], "watch *\nunwatch *\n");
    }
    CHECK(referee_closing(world.referee, world.viewer[2]), "wishes without end close");
    start(&world, "cup#0123", "U000001", 1);
    const char *data;
    say(&world, world.bot[0], "watch *\n");
    referee_output(world.referee, world.bot[0], &data);
    CHECK(strstr(data, "error unexpected") != NULL, "a player does not watch");
    world_close(&world);
}

/* Many matches are caught up in bounded steps, and each line comes once. */
static void test_catch_up(void) {
    struct world world;
    world_open(&world, 0);
    for (int match = 0; match < 9; match++) {
        char unit[16];
        snprintf(unit, sizeof unit, "U%06d", match + 1);
        start(&world, "cup#0123", unit, 99);
    }
    play(&world, 2000);
    viewer_join(&world, 0, "hello hakem=1 name=me tables=0\nwatch *\n");
    size_t most = 0, turns = 0, before = 0;
    for (int idle = 0; idle < 3; idle++) {
        referee_tick(world.referee, ++world.now);
        size_t size = viewer_reads(&world, 0, SIZE_MAX);
        size_t lines = 0;
        const struct bytes *heard = &world.heard[0];
        for (; before < heard->length; before++) {
            lines += heard->data[before] == '\n';
        }
        most = lines > most ? lines : most;
        turns++;
        idle = size > 0 ? -1 : idle;
    }
    CHECK(most <= 257 && turns > 20, "%zu lines at most in one of %zu turns", most, turns);
    play(&world, 200);
    viewer_reads_all(&world, 0);
    int headers = 0;
    for (const char *at = bytes_text(&world.heard[0]); (at = strstr(at, "record 1 ")) != NULL;
         at++) {
        headers++;
    }
    CHECK_INT(headers, 9, "each match once");
    CHECK_INT(world.over, 0, "they go on");
    for (int i = 0; i < 3; i++) { /* three viewers who read nothing while it goes on */
        world.now += 3000;
        say(&world, world.viewer[0], "unwatch *\nwatch *\n");
    }
    const char *data;
    play(&world, 1000);
    CHECK(referee_output(world.referee, world.viewer[0], &data) <= 160 * 1024,
          "its queue stays within half of its limit");
    world_close(&world);
}

/* Who never reads is told good-bye and goes; the match does not notice. */
static void test_never_reads(void) {
    struct world world;
    world_open(&world, 8192);
    viewer_join(&world, 0, "hello hakem=1 name=deaf tables=0\nwatch *\n");
    viewer_join(&world, 1, "hello hakem=1 name=fine tables=0\nwatch *\n");
    start(&world, "cup#0123", "U000001", 99);
    bool bounded = true;
    for (int i = 0; i < 200 && !referee_closing(world.referee, world.viewer[0]); i++) {
        const char *data;
        play(&world, 20);
        referee_tick(world.referee, world.now += 100);
        viewer_reads_all(&world, 1);
        referee_sent(world.referee, world.viewer[0], 0, world.now);
        bounded = bounded && referee_output(world.referee, world.viewer[0], &data) <= 8192;
    }
    CHECK(bounded, "its queue is bounded");
    CHECK(referee_closing(world.referee, world.viewer[0]), "who does not read goes");
    viewer_reads(&world, 0, SIZE_MAX);
    CHECK(strstr(bytes_text(&world.heard[0]), "\nbye reason=it%20does%20not%20read") != NULL,
          "and could read why");
    play(&world, 1 << 20);
    viewer_reads_all(&world, 1);
    check_record(&world, 1, SPELLING_TEXT, "cup/U000001/1");
    CHECK_INT(world.gone, 0, "the players stay");
    world_close(&world);
}

/* Who reads, but too little, keeps no more than a bounded part of what is over. */
static void test_too_slow(void) {
    struct world world;
    world_open(&world, 8192);
    viewer_join(&world, 0, "hello hakem=1 name=slow tables=0\nwatch *\n");
    viewer_join(&world, 1, "hello hakem=1 name=fine tables=0\nwatch *\n");
    int match = 0;
    while (match < 400 && !referee_closing(world.referee, world.viewer[0])) {
        char unit[16];
        snprintf(unit, sizeof unit, "U%06d", ++match);
        world.over = 0;
        bytes_drop(&world.record, world.record.length);
        bytes_drop(&world.heard[1], world.heard[1].length);
        start(&world, "cup#0123", unit, 9);
        play(&world, 1 << 20);
        referee_seal_show(world.referee, &world.dice, 1, NULL, 0);
        viewer_reads_all(&world, 1);
        viewer_reads(&world, 0, 100);
        referee_sweep(world.referee);
    }
    CHECK(match > 50 && match < 400, "after %d matches the slow one goes", match);
    viewer_reads(&world, 0, SIZE_MAX);
    CHECK(strstr(bytes_text(&world.heard[0]), "\nbye reason=too%20slow") != NULL,
          "and is told why");
    char at[32];
    snprintf(at, sizeof at, "cup/U%06d/1", match);
    check_record(&world, 1, SPELLING_TEXT, at);
    world_close(&world);
}

/* An event that ends without its seals lets its shows go. */
static void test_closed_event(void) {
    struct world world;
    world_open(&world, 0);
    start(&world, "cup#0123", "U000001", 1);
    play(&world, 1 << 20);
    viewer_join(&world, 0, "hello hakem=1 name=me tables=0\nwatch cup\n");
    viewer_reads_all(&world, 0);
    CHECK(strstr(bytes_text(&world.heard[0]), "\nend ") != NULL, "what is not sealed is shown");
    referee_close_shows(world.referee, "cu#0123");
    referee_close_shows(world.referee, "cup#0123");
    viewer_join(&world, 1, "hello hakem=1 name=me tables=0\nwatch cup\n");
    viewer_reads_all(&world, 1);
    CHECK(strstr(bytes_text(&world.heard[1]), "note text=") != NULL, "what is closed is gone");
    world_close(&world);
}

int main(void) {
    CHECK(dice_init() == 0, "chance is there");
    test_whole_match();
    test_delay();
    test_wishes();
    test_catch_up();
    test_never_reads();
    test_too_slow();
    test_closed_event();
    return check_done();
}
