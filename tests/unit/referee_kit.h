/* A referee with two peers at one table, for tests that say and hear single lines.
 * What the referee writes to a peer is kept in `heard`; the record is kept whole. */
#ifndef HAKEM_TESTS_REFEREE_KIT_H
#define HAKEM_TESTS_REFEREE_KIT_H

#include "check.h"

#include "base/bytes.h"
#include "referee/referee.h"

#include <stdlib.h>

enum { KIT_HEARD_MAX = 1 << 22 };

struct kit {
    struct referee *referee;
    int64_t now;
    uint32_t table;
    uint32_t session[SIDE_COUNT]; /* of the last connection dialled in, */
    uint32_t former[SIDE_COUNT];  /* and of the one before it */
    struct bytes heard[SIDE_COUNT];
    struct bytes record;
    int games, matches, vacancies, gone;
    struct match_facts match;
    enum reason last; /* of the last game */
    int offender;
};

/* What a match of a test is. */
struct kit_match {
    const char *variant;
    const char *options[4][2]; /* name, value */
    struct clock_rule clock;
    const char *seed;
};

static bool kit_hello(void *owner, uint32_t session, const struct session_facts *facts,
                      struct hello_refusal *refusal) {
    (void)owner, (void)session, (void)facts, (void)refusal;
    return true;
}

static void kit_game(void *owner, const struct game_facts *facts) {
    struct kit *kit = owner;
    kit->games++;
    kit->last = facts->reason;
    kit->offender = facts->offender;
    bytes_add(&kit->record, facts->record, facts->record_length);
}

static void kit_match_over(void *owner, const struct match_facts *facts) {
    struct kit *kit = owner;
    kit->matches++;
    kit->match = *facts;
    bytes_add(&kit->record, facts->record, facts->record_length);
}

static void kit_vacant(void *owner, uint32_t table, enum side side) {
    struct kit *kit = owner;
    (void)table, (void)side;
    kit->vacancies++;
}

static void kit_swapped(void *owner, uint32_t session, uint32_t other) {
    struct kit *kit = owner;
    uint32_t *held[] = {&kit->session[SIDE_X], &kit->session[SIDE_Y], &kit->former[SIDE_X],
                        &kit->former[SIDE_Y]};
    for (int i = 0; i < 4; i++) {
        *held[i] = *held[i] == session ? other : *held[i] == other ? session : *held[i];
    }
}

static void kit_gone(void *owner, uint32_t session, const char *why) {
    struct kit *kit = owner;
    (void)session, (void)why;
    kit->gone++;
}

__attribute__((unused)) static void kit_open(struct kit *kit) {
    struct referee_limits limits;
    referee_limits_init(&limits);
    memset(kit, 0, sizeof *kit);
    kit->now = 5000;
    const struct referee_hooks hooks = {.owner = kit,
                                        .hello = kit_hello,
                                        .game = kit_game,
                                        .match = kit_match_over,
                                        .vacant = kit_vacant,
                                        .swapped = kit_swapped,
                                        .gone = kit_gone};
    static const struct hash key = {{7}};
    kit->referee = referee_new(&limits, &hooks);
    referee_set_key(kit->referee, &key);
    bytes_init(&kit->record, KIT_HEARD_MAX);
    bytes_init(&kit->heard[SIDE_X], KIT_HEARD_MAX);
    bytes_init(&kit->heard[SIDE_Y], KIT_HEARD_MAX);
}

__attribute__((unused)) static void kit_close(struct kit *kit) {
    referee_free(kit->referee);
    bytes_clear(&kit->record);
    bytes_clear(&kit->heard[SIDE_X]);
    bytes_clear(&kit->heard[SIDE_Y]);
}

/* The kernel takes everything; what a peer hears is added to `heard`. */
__attribute__((unused)) static void kit_flush(struct kit *kit) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        const char *data;
        size_t length = referee_output(kit->referee, kit->session[side], &data);
        if (length > 0) {
            bytes_add(&kit->heard[side], data, length);
            referee_sent(kit->referee, kit->session[side], length, kit->now);
        }
    }
    while (referee_next_dirty(kit->referee) != 0) {
    }
    referee_sweep(kit->referee);
}

/* Says a line (its LF is added); returns all that this side has heard since it last spoke. */
__attribute__((unused)) static const char *kit_say(struct kit *kit, enum side side,
                                                   const char *line) {
    bytes_drop(&kit->heard[side], kit->heard[side].length);
    referee_input(kit->referee, kit->session[side], line, strlen(line), kit->now);
    referee_input(kit->referee, kit->session[side], "\n", 1, kit->now);
    kit_flush(kit);
    return bytes_text(&kit->heard[side]);
}

/* Dials in and says hello; a connection before it is not closed by that. */
__attribute__((unused)) static const char *kit_dial(struct kit *kit, enum side side,
                                                    const char *hello) {
    kit->former[side] = kit->session[side];
    kit->session[side] = referee_open(kit->referee, side == SIDE_X ? "peer x" : "peer y", kit->now);
    referee_allow_return(kit->referee, kit->session[side]);
    return kit_say(kit, side, hello);
}

/* Lets time pass; deadlines on the way take effect when they are due. */
__attribute__((unused)) static void kit_pass(struct kit *kit, int64_t ms) {
    int64_t until = kit->now + ms;
    int64_t next;
    while ((next = referee_next_deadline(kit->referee)) <= until) {
        kit->now = next > kit->now ? next : kit->now;
        referee_tick(kit->referee, kit->now);
        kit_flush(kit);
    }
    kit->now = until;
}

__attribute__((unused)) static void kit_seat(struct kit *kit, const struct kit_match *match) {
    static const uint8_t key[SIGN_PUBLIC_BYTES];
    struct hash master = dice_open_master(match->seed);
    char why[160] = "";
    struct match_spec spec = {.source = DICE_SEEDED,
                              .leg = 1,
                              .pairing = "independent",
                              .clock = match->clock,
                              .master_commitment = dice_master_commitment(&master, "kit#0"),
                              .server = "hakem/kit",
                              .public_key = key,
                              .date = "2026-11-30T00:00:00Z",
                              .name = {"ayse", "bora"},
                              .session = {kit->session[SIDE_X], kit->session[SIDE_Y]}};
    rules_init(&spec.rules, variant_find(match->variant, strlen(match->variant)));
    for (int i = 0; i < 4 && match->options[i][0] != NULL; i++) {
        CHECK(rules_set(&spec.rules, match->options[i][0], match->options[i][1], why) == 0, "%s",
              why);
    }
    unit_dice_init(&spec.dice, &master, "kit#0", "U000001", 0);
    kit->table = referee_seat(kit->referee, &spec, kit->now, why);
    CHECK(kit->table != 0, "the match is seated: %s", why);
    kit_flush(kit);
}

/* The last line that begins with this word, cut out of what a side has heard; "" for none. */
__attribute__((unused)) static const char *kit_last(struct kit *kit, enum side side,
                                                    const char *word) {
    static char line[8192];
    const char *text = bytes_text(&kit->heard[side]), *found = NULL;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        if (strncmp(at, word, strlen(word)) == 0) {
            found = at;
        }
    }
    snprintf(line, sizeof line, "%.*s", found == NULL ? 0 : (int)strcspn(found, "\n"),
             found == NULL ? "" : found);
    return line;
}

#endif
