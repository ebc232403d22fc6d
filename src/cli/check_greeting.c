/* The items of the first words: hello, and ready for a match. */
#include "cli/check.h"

#include "base/lang.h"
#include "base/text.h"

#include <string.h>

enum { TABLES_MOST = 4096, QUIET = 60000 /* us */ };

static void run_hello(struct check *check, const struct rules *rules, int detail) {
    const struct greeting *hello = &check->talk.hello;
    (void)rules, (void)detail;
    if (check_meet(check, true)) {
        check_fact(check, N_("%s, %s spelling, after %lld ms"), hello->name,
                   hello->spelling == SPELLING_JSON ? "JSON" : "text",
                   (long long)hello->took / 1000);
    }
}

/* A fault of the hello itself, quoted. */
#define HELLO_FAULT(check, ...)                                                                    \
    (talk_note(&(check)->talk, '>', (check)->talk.hello.line, (check)->talk.hello.length),         \
     talk_fault(&(check)->talk, BLAME_ITEM, __VA_ARGS__))

static void run_version(struct check *check, const struct rules *rules, int detail) {
    (void)rules, (void)detail;
    int64_t version = check->talk.hello.version;
    if (version < 1) {
        HELLO_FAULT(check, N_("hakem=%lld, but version 1 is spoken here"), (long long)version);
    } else if (version > 1) {
        check_fact(check, N_("hakem=%lld, it will hear version 1"), (long long)version);
    }
}

static void run_name(struct check *check, const struct rules *rules, int detail) {
    const char *name = check->talk.hello.name;
    (void)rules, (void)detail;
    if (!text_is_name(name, strlen(name))) {
        HELLO_FAULT(check, N_("it is no name: a letter or digit, then up to 31 of A-Z a-z 0-9 . _ "
                              "-, and not one of all any none hakem referee"));
    }
}

static void run_variants(struct check *check, const struct rules *rules, int detail) {
    const struct greeting *hello = &check->talk.hello;
    (void)rules, (void)detail;
    if (hello->variants == 0) {
        HELLO_FAULT(check, N_("none of its variants is known here"));
    } else if (hello->strangers > 0) {
        check_fact(check, N_("%u of its variants are not known here"), hello->strangers);
    }
}

static void run_tables(struct check *check, const struct rules *rules, int detail) {
    int64_t tables = check->talk.hello.tables;
    (void)rules, (void)detail;
    if (tables < 1 || tables > TABLES_MOST) {
        HELLO_FAULT(check, N_("tables=%lld: it is 1 to %d"), (long long)tables, TABLES_MOST);
    }
}

static void run_want(struct check *check, const struct rules *rules, int detail) {
    (void)rules, (void)detail;
    if (!check->talk.hello.nothing_else) {
        check_fact(check, N_("it wants something that is not known here"));
    }
}

static void run_waits(struct check *check, const struct rules *rules, int detail) {
    (void)rules, (void)detail;
    check_welcome(check);
    talk_quiet(&check->talk, QUIET);
}

static void run_ready(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    (void)detail;
    seat_init(&seat, &check->talk, rules, SIDE_X);
    if (seat_open(&seat)) {
        if (seat.declined) {
            talk_fault(&check->talk, BLAME_ITEM, N_("it declines a match by the default rules of a "
                                                    "game that it says it plays"));
        } else {
            seat_leave(&seat);
        }
    }
}

/* Every option another value than the default, as far as they go together. */
static void turn_options(struct rules *rules) {
    char why[160];
    for (int option = 0; option < OPTION_COUNT; option++) {
        const struct option_row *row = option_row((enum option)option);
        int before = rules->value[option];
        if (!variant_has_option(rules->variant, (enum option)option)) {
            continue;
        }
        int low = row->words[0] == NULL ? row->min : 0;
        rules->value[option] = before != low ? low : low + 1;
        if (row->words[0] == NULL && rules->value[option] > row->max) {
            rules->value[option] = before;
        }
        if (rules_check(rules, why) != 0) {
            rules->value[option] = before;
        }
    }
}

static void run_options(struct check *check, const struct rules *rules, int detail) {
    struct rules other = *rules;
    struct seat seat;
    (void)detail;
    turn_options(&other);
    seat_init(&seat, &check->talk, &other, SIDE_Y);
    if (seat_open(&seat)) {
        check_fact(check, seat.declined ? N_("it declines") : N_("it is ready"));
        seat_leave(&seat);
    }
}

static void run_strange_option(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    (void)detail;
    seat_init(&seat, &check->talk, rules, SIDE_X);
    check->talk.manner.strange = true;
    seat_offer(&seat);
    check->talk.manner.strange = false;
    if (talk_hear(&check->talk)) {
        bool declines = check->talk.ask[check->talk.asks - 1].answer == MESSAGE_DECLINE;
        check_fact(check, declines ? N_("it declines") : N_("it is ready"));
        seat_leave(&seat);
    }
}

const struct check_item check_items_greeting[] = {
    {"hello", N_("it says hello first, in time, in one well-formed line"),
     NEEDS_NOBODY | ANY_GAME, 0, run_hello, 0},
    {"waits", N_("it waits once it is welcome"), NEEDS_OWN | ANY_GAME, 0, run_waits, 0},
    {"version", N_("the version in its hello is spoken"), ANY_GAME, 0, run_version, 0},
    {"name", N_("its name is a name"), ANY_GAME, 0, run_name, 0},
    {"variants", N_("it plays a game that is known"), ANY_GAME, 0, run_variants, 0},
    {"tables", N_("the number of tables in its hello"), ANY_GAME, 0, run_tables, 0},
    {"want", N_("what it wants in its hello"), ANY_GAME, 0, run_want, 0},
    {"ready", N_("ready for a match of the game"), 0, EVERY_VARIANT, run_ready, 0},
    {"options", N_("ready for other rules of the game, or declines"), 0, EVERY_VARIANT, run_options,
     0},
    {"strange-option", N_("ready for an option that it cannot know, or declines"), 0, 0,
     run_strange_option, 0},
    {0},
};
