/* A small world around a referee: bots that speak text, answer one request after
 * the other and take their time for each, and a clock that is a number. For tests
 * of clocks and of many tables; the same calls give the same world. */
#ifndef HAKEM_TESTS_REFEREE_WORLD_H
#define HAKEM_TESTS_REFEREE_WORLD_H

#include "base/alloc.h"
#include "base/bytes.h"
#include "check.h"
#include "referee/referee.h"

#include <stdlib.h>

enum { WORLD_BOTS = 8, WORLD_LINE = 4096 };

struct world_bot {
    uint32_t session;
    struct bytes in;      /* told, not looked at yet */
    struct bytes asked;   /* requests that wait: lines */
    int64_t busy_until;   /* while the first of them is thought about, else -1 */
    int64_t think;        /* ms for each answer */
    int64_t spread;       /* up to so much more, by chance */
    bool silent;          /* answers nothing */
    long writes, answers; /* pieces of output taken; answers given */
    long lines[128];      /* told, by the first letter of the line */
    bool gone;
};

struct world {
    struct referee *referee;
    int64_t now;
    uint64_t chance;
    struct world_bot bot[WORLD_BOTS];
    int bots;
    int64_t ms[2];     /* of all games, by side: time charged, */
    long turns[2];     /* answers asked, */
    long games, ended; /* games and matches */
    long reasons[REASON_COUNT];
    const struct referee_lag *lag; /* of every turn; NULL: it is never late */
    struct bytes record;
    bool keep;         /* the lines of the records, in `record`, */
    uint32_t kept;     /* of this table; 0: of all */
    const struct bytes *goes_on; /* the record that the next match goes on from, or NULL */
    void (*heard)(struct world *world, int bot, const char *line); /* NULL: nobody listens */
    /* What a bot answers; NULL: the first play, `roll`, the first word of `may`. */
    bool (*answer)(struct world *world, int bot, const char *request, char out[WORLD_LINE]);
};

__attribute__((unused)) static uint64_t world_chance(struct world *world) { /* splitmix64 */
    uint64_t z = world->chance += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

static bool world_on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                           struct hello_refusal *refusal) {
    (void)owner, (void)session, (void)refusal;
    return facts->tables >= 1;
}

static void world_on_game(void *owner, const struct game_facts *facts) {
    struct world *world = owner;
    world->games++;
    world->reasons[facts->reason]++;
    for (int side = 0; side < 2; side++) {
        world->ms[side] += facts->ms[side];
        world->turns[side] += facts->turns[side];
    }
    if (world->keep && (world->kept == 0 || world->kept == facts->table)) {
        bytes_add(&world->record, facts->record, facts->record_length);
    }
}

static void world_on_match(void *owner, const struct match_facts *facts) {
    struct world *world = owner;
    world->ended++;
    if (world->keep && (world->kept == 0 || world->kept == facts->table)) {
        bytes_add(&world->record, facts->record, facts->record_length);
    }
}

static void world_on_vacant(void *owner, uint32_t table, enum side side) {
    (void)owner, (void)table, (void)side;
}

static void world_on_gone(void *owner, uint32_t session, const char *why) {
    struct world *world = owner;
    (void)why;
    for (int i = 0; i < world->bots; i++) {
        world->bot[i].gone = world->bot[i].gone || world->bot[i].session == session;
    }
}

__attribute__((unused)) static void world_open(struct world *world,
                                               const struct referee_limits *limits) {
    struct referee_limits own;
    memset(world, 0, sizeof *world);
    referee_limits_init(&own);
    const struct referee_hooks hooks = {.owner = world,
                                        .hello = world_on_hello,
                                        .game = world_on_game,
                                        .match = world_on_match,
                                        .vacant = world_on_vacant,
                                        .gone = world_on_gone};
    world->referee = referee_new(limits != NULL ? limits : &own, &hooks);
    world->now = 1000;
    bytes_init(&world->record, (size_t)1 << 28);
}

__attribute__((unused)) static void world_close(struct world *world) {
    referee_free(world->referee);
    bytes_clear(&world->record);
    for (int i = 0; i < world->bots; i++) {
        bytes_clear(&world->bot[i].in);
        bytes_clear(&world->bot[i].asked);
    }
}

__attribute__((unused)) static void world_say(struct world *world, int bot, const char *text) {
    referee_input(world->referee, world->bot[bot].session, text, strlen(text), world->now);
}

/* A bot that dials in with that hello (its fields behind hakem=1). */
__attribute__((unused)) static int world_join(struct world *world, const char *hello) {
    struct world_bot *bot = &world->bot[world->bots];
    char line[256];
    *bot = (struct world_bot){.busy_until = -1};
    bytes_init(&bot->in, (size_t)1 << 28);
    bytes_init(&bot->asked, (size_t)1 << 24);
    bot->session = referee_open(world->referee, "world", world->now);
    snprintf(line, sizeof line, "hello hakem=1 %s\n", hello);
    world_say(world, world->bots, line);
    return world->bots++;
}

/* Seats two bots for a match on dice of that seed; `more` (or NULL) may change the rest. */
__attribute__((unused)) static uint32_t world_seat(struct world *world, int x, int y,
                                                   const struct rules *rules,
                                                   const struct clock_rule *clock,
                                                   const char *seed) {
    static const uint8_t key[SIGN_PUBLIC_BYTES];
    struct hash master = dice_open_master(seed);
    struct match_spec spec = {.source = DICE_SEEDED,
                              .leg = 1,
                              .pairing = "independent",
                              .rules = *rules,
                              .clock = *clock,
                              .master_commitment = dice_master_commitment(&master, "world#0"),
                              .server = "hakem/world",
                              .public_key = key,
                              .date = "2026-11-30T00:00:00Z",
                              .name = {"ayse", "bora"},
                              .session = {world->bot[x].session, world->bot[y].session}};
    char why[160] = "";
    unit_dice_init(&spec.dice, &master, "world#0", "U000001", 0);
    if (world->goes_on != NULL) {
        spec.record = world->goes_on->data;
        spec.record_length = world->goes_on->length;
    }
    uint32_t table = referee_seat(world->referee, &spec, world->now, why);
    if (table == 0) {
        CHECK(false, "the match could not be seated: %s", why);
    }
    return table;
}

/* The value behind ` key=` of a line, as a number; -1 when it is not there. */
__attribute__((unused)) static long world_value(const char *line, const char *key) {
    char word[40];
    snprintf(word, sizeof word, " %s=", key);
    const char *at = strstr(line, word);
    return at == NULL ? -1 : strtol(at + strlen(word), NULL, 10);
}

static bool world_is_request(const char *line) {
    return strncmp(line, "turn ", 5) == 0 || strncmp(line, "cube ", 5) == 0 ||
           strncmp(line, "offer ", 6) == 0;
}

static void world_line(struct world *world, int i, const char *line) {
    struct world_bot *bot = &world->bot[i];
    bot->lines[(unsigned char)line[0] & 127]++;
    if (world->heard != NULL) {
        world->heard(world, i, line);
    }
    if (strncmp(line, "match ", 6) == 0 && !bot->silent) {
        char ready[64];
        snprintf(ready, sizeof ready, "ready %ld\n", strtol(line + 6, NULL, 10));
        world_say(world, i, ready);
    } else if (world_is_request(line) && !bot->silent) {
        bytes_print(&bot->asked, "%s\n", line);
    }
}

/* Everything that is queued is taken by the kernel and read; whether there was any. */
__attribute__((unused)) static bool world_flush(struct world *world) {
    bool any = false;
    for (int i = 0; i < world->bots; i++) {
        struct world_bot *bot = &world->bot[i];
        const char *data = NULL;
        size_t length = referee_output(world->referee, bot->session, &data);
        if (length > 0) {
            any = true;
            bot->writes++;
            bytes_add(&bot->in, data, length);
            referee_sent(world->referee, bot->session, length, world->now);
        }
        const char *text = bytes_text(&bot->in);
        size_t at = 0;
        for (const char *end; (end = strchr(text + at, '\n')) != NULL;) {
            char line[WORLD_LINE];
            snprintf(line, sizeof line, "%.*s", (int)(end - text - (ptrdiff_t)at), text + at);
            at = (size_t)(end - text) + 1;
            world_line(world, i, line);
        }
        bytes_drop(&bot->in, at);
    }
    while (referee_next_dirty(world->referee) != 0) {
    }
    referee_sweep(world->referee);
    return any;
}

static void world_first_answer(const char *request, char out[WORLD_LINE]) {
    char kind[16];
    long table, serial;
    if (sscanf(request, "%15s %ld %ld", kind, &table, &serial) != 3) {
        snprintf(out, WORLD_LINE, "note\n");
    } else if (strcmp(kind, "turn") == 0) {
        snprintf(out, WORLD_LINE, "play %ld %ld #0\n", table, serial);
    } else {
        const char *may = strstr(request, " may=") + 5;
        snprintf(out, WORLD_LINE, "%.*s %ld %ld\n", (int)strcspn(may, ", "), may, table, serial);
    }
}

/* The bot has thought: its answer to the first request that waits. */
static void world_answer(struct world *world, int i) {
    struct world_bot *bot = &world->bot[i];
    char request[WORLD_LINE], out[WORLD_LINE];
    const char *text = bytes_text(&bot->asked);
    size_t length = strcspn(text, "\n");
    snprintf(request, sizeof request, "%.*s", (int)length, text);
    bytes_drop(&bot->asked, length + 1);
    if (world->answer == NULL || !world->answer(world, i, request, out)) {
        world_first_answer(request, out);
    }
    bot->busy_until = -1;
    bot->answers++;
    world_say(world, i, out);
}

static void world_think(struct world *world, struct world_bot *bot) {
    if (bot->busy_until < 0 && bot->asked.length > 0) {
        int64_t more =
            bot->spread > 0 ? (int64_t)(world_chance(world) % (uint64_t)(bot->spread + 1)) : 0;
        bot->busy_until = world->now + bot->think + more;
    }
}

/* One turn: all is written, time passes to the next thing that happens, and it happens.
 * False when nothing will ever happen again. */
__attribute__((unused)) static bool world_turn(struct world *world) {
    while (world_flush(world)) {
    }
    int64_t next = referee_next_deadline(world->referee);
    for (int i = 0; i < world->bots; i++) {
        struct world_bot *bot = &world->bot[i];
        world_think(world, bot);
        next = bot->busy_until >= 0 && bot->busy_until < next ? bot->busy_until : next;
    }
    if (next == INT64_MAX) {
        return false;
    }
    world->now = next > world->now ? next : world->now;
    if (world->lag != NULL) {
        referee_heard(world->referee, world->lag);
    }
    for (int i = 0; i < world->bots; i++) {
        while (world->bot[i].busy_until >= 0 && world->bot[i].busy_until <= world->now) {
            world_answer(world, i);
            if (world->bot[i].think == 0 && world->bot[i].spread == 0) {
                world_think(world, &world->bot[i]);
            }
        }
    }
    referee_tick(world->referee, world->now);
    return true;
}

/* Turns until so many matches have ended, at most `turns` of them. */
__attribute__((unused)) static bool world_run(struct world *world, long matches, long turns) {
    while (world->ended < matches && turns-- > 0 && world_turn(world)) {
    }
    return world->ended >= matches;
}

#endif
