/* What two players add to the dice of a pair: every combination of commit, open and none, with
 * every misdeed at every step, on a referee with two bots that obey a script. Whoever keeps its
 * word plays both legs, whose records prove themselves; whoever does not loses both of them. */
#include "check.h"

#include "base/bytes.h"
#include "record/mix.h"
#include "record/verify.h"
#include "record/writer.h"
#include "referee/referee.h"

#include <stdlib.h>

enum { LEGS = 2, ROOM = 1 << 22 };

enum mix_part { STEP_COMMIT, STEP_OPEN, STEP_REVEAL, STEPS };

enum deed {
    HONEST,
    SILENT,    /* never answers the step */
    WRONG,     /* answers it with something else */
    NO_HEX,    /* with something that is no value at all */
    CHANGES,   /* answers it, then once more otherwise */
    REPEATS,   /* answers it twice: that is fine */
    RETURNS,   /* its line breaks before the answer, and it comes back */
    RETURNED,  /* it answers, breaks, comes back and repeats itself */
    VANISHES,  /* its line breaks before the answer, and it never comes back */
    DECLINES,  /* gives the match up instead */
    SAYS_BYE,  /* leaves */
    DEEDS
};

static const char *const deed_names[DEEDS] = {
    "is honest", "is silent", "lies", "sends no value", "changes its mind", "repeats itself",
    "comes back and answers", "comes back and repeats itself", "vanishes", "declines", "says bye"};
static const char *const step_names[STEPS] = {"commit", "open", "reveal"};

struct player {
    uint32_t session;
    char secret[128];
    enum contribute way;
    enum deed deed;
    enum mix_part at;
    bool done;             /* of the misdeed */
    bool gone;             /* says nothing any more */
    int heard[STEPS + 1];  /* how often each step was told; the last one is `mix` */
    int order;             /* steps in the right order so far, -1: not */
    int receipts;
    struct bytes in;
};

struct world {
    struct referee *referee;
    int64_t now;
    struct unit_dice dice;
    struct sign_key key;
    struct player player[PLAYERS];
    uint32_t table[LEGS];
    struct bytes record[LEGS];
    struct match_facts match[LEGS];
    int ended, mixed, games;
    bool disk;             /* a mix waits for it */
    struct hash digest;
    bool played_early;     /* a game began before the mix was on disk */
};

static int leg_of(const struct world *world, uint32_t table) {
    return table == world->table[1] ? 1 : 0;
}

static void on_mixed(void *owner, const struct mix_facts *facts) {
    struct world *world = owner;
    world->mixed++;
    world->disk = true;
    world->digest = facts->digest;
    bytes_add(&world->record[leg_of(world, facts->table)], facts->record, facts->record_length);
}

static void on_game(void *owner, const struct game_facts *facts) {
    struct world *world = owner;
    world->games++;
    bytes_add(&world->record[leg_of(world, facts->table)], facts->record, facts->record_length);
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct world *world = owner;
    int leg = leg_of(world, facts->table);
    world->ended++;
    world->match[leg] = *facts;
    bytes_add(&world->record[leg], facts->record, facts->record_length);
}

static void on_vacant(void *owner, uint32_t table, enum side side) {
    (void)owner, (void)table, (void)side;
}

static void on_swapped(void *owner, uint32_t session, uint32_t other) {
    struct world *world = owner;
    for (int i = 0; i < PLAYERS; i++) {
        struct player *player = &world->player[i];
        player->session = player->session == session ? other
                          : player->session == other ? session
                                                     : player->session;
    }
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    (void)owner, (void)session, (void)why;
}

static void say(struct world *world, struct player *player, const char *line) {
    referee_input(world->referee, player->session, line, strlen(line), world->now);
    referee_input(world->referee, player->session, "\n", 1, world->now);
}

static void dial(struct world *world, struct player *player, bool again) {
    char line[256];
    int number = (int)(player - world->player);
    player->session = referee_open(world->referee, "sim", world->now);
    referee_allow_return(world->referee, player->session);
    snprintf(line, sizeof line, "hello hakem=1 name=player%d tables=2 contribute=%s%s%s", number,
             contribute_name(player->way), again ? " resume=" : "", again ? player->secret : "");
    say(world, player, line);
}

/* What the player adds, or (lie) something else. */
static void bytes_of(int number, bool lie, uint8_t out[DICE_CONTRIBUTION]) {
    memset(out, 0x11 * (number + 1) + (lie ? 1 : 0), DICE_CONTRIBUTION);
}

static void answer(struct world *world, struct player *player, enum mix_part step, bool lie) {
    int number = (int)(player - world->player);
    uint8_t bytes[DICE_CONTRIBUTION];
    char hex[HASH_HEX];
    char line[160];
    bytes_of(number, lie, bytes);
    if (step == STEP_COMMIT) {
        struct hash hash = unit_dice_contribution(&world->dice, number + 1, bytes);
        hash_hex(&hash, hex);
        snprintf(line, sizeof line, "commit U000001 commit=%s", hex);
    } else {
        text_hex(bytes, sizeof bytes, hex);
        snprintf(line, sizeof line, "%s U000001 bytes=%s", step_names[step], hex);
    }
    say(world, player, line);
}

static void misdo(struct world *world, struct player *player, enum mix_part step) {
    player->done = true;
    switch (player->deed) {
    case SILENT:
        break;
    case WRONG: /* a commitment to something else is only found out when it is opened */
        answer(world, player, step, true);
        break;
    case NO_HEX:
        say(world, player, step == STEP_COMMIT ? "commit U000001 commit=12"
                           : step == STEP_OPEN ? "open U000001 bytes=12"
                                               : "reveal U000001");
        break;
    case CHANGES:
    case REPEATS:
        answer(world, player, step, false);
        answer(world, player, step, player->deed == CHANGES);
        break;
    case RETURNS:
    case RETURNED:
        if (player->deed == RETURNED) {
            answer(world, player, step, false);
        }
        referee_closed(world->referee, player->session, world->now);
        dial(world, player, true);
        if (player->deed == RETURNED) {
            answer(world, player, step, false);
        }
        break;
    case VANISHES:
        player->gone = true;
        referee_closed(world->referee, player->session, world->now);
        break;
    case DECLINES:
        say(world, player, "decline 1");
        say(world, player, "decline 2");
        break;
    case SAYS_BYE:
        player->gone = true;
        say(world, player, "bye");
        break;
    case HONEST:
    case DEEDS:
        break;
    }
}

static bool has_to(const struct player *player, enum mix_part step) {
    return player->way == (step == STEP_OPEN ? CONTRIBUTE_OPEN : CONTRIBUTE_COMMIT) &&
           player->way != CONTRIBUTE_NONE;
}

static void hear_step(struct world *world, struct player *player, enum mix_part step) {
    bool again = player->heard[step]++ > 0;
    player->order = player->order == (int)step || (again && player->order == (int)step + 1)
                        ? (int)step + 1
                        : -1;
    if (!has_to(player, step)) {
        return;
    }
    if (player->deed != HONEST && player->at == step && !player->done) {
        misdo(world, player, step);
    } else if (player->deed != SILENT || player->at != step) {
        answer(world, player, step, false);
    }
}

static void hear(struct world *world, struct player *player, const char *line) {
    char word[16];
    unsigned table;
    unsigned serial;
    char reply[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " "), line);
    const char *secret = strstr(line, "resume=");
    if (strcmp(word, "welcome") == 0 && secret != NULL) {
        snprintf(player->secret, sizeof player->secret, "%.*s", (int)strcspn(secret + 7, " "),
                 secret + 7);
    } else if (strcmp(word, "match") == 0 && sscanf(line, "match %u", &table) == 1) {
        snprintf(reply, sizeof reply, "ready %u", table);
        if (player->deed != DECLINES) {
            say(world, player, reply);
        }
    } else if (sscanf(line, "turn %u %u", &table, &serial) == 2) {
        snprintf(reply, sizeof reply, "play %u %u #0", table, serial);
        say(world, player, reply);
    } else if (strcmp(word, "game") == 0) {
        world->played_early = world->played_early || world->disk;
    } else if (strcmp(word, "mix") == 0) {
        player->heard[STEPS]++;
        player->receipts += strstr(line, " receipt=") != NULL;
        player->order = player->order == STEPS ? STEPS : -1;
    } else {
        for (int step = 0; step < STEPS; step++) {
            if (strcmp(word, step_names[step]) == 0) {
                hear_step(world, player, (enum mix_part)step);
            }
        }
    }
}

/* Everybody reads; true when there was something. */
static bool read_all(struct world *world) {
    bool news = false;
    for (int i = 0; i < PLAYERS; i++) {
        struct player *player = &world->player[i];
        const char *data;
        size_t length = referee_output(world->referee, player->session, &data);
        if (length > 0) {
            bytes_add(&player->in, data, length);
            referee_sent(world->referee, player->session, length, world->now);
        }
        while (player->in.length > 0) {
            char line[4096];
            const char *text = bytes_text(&player->in);
            size_t size = strcspn(text, "\n");
            snprintf(line, sizeof line, "%.*s", (int)size, text);
            bytes_drop(&player->in, size + 1);
            news = true;
            if (!player->gone) {
                hear(world, player, line);
            }
        }
    }
    while (referee_next_dirty(world->referee) != 0) {
    }
    referee_sweep(world->referee);
    return news;
}

static void seat(struct world *world) {
    char why[160] = "";
    struct hash master = {{3}};
    static const char *const names[PLAYERS] = {"player0", "player1"};
    unit_dice_init(&world->dice, &master, "sim#0", "U000001", 0);
    for (int leg = 1; leg <= LEGS; leg++) {
        struct match_spec spec = {.dice = world->dice,
                                  .source = DICE_AUDITABLE,
                                  .leg = leg,
                                  .pairing = "mirrored",
                                  .master_commitment = dice_master_commitment(&master, "sim#0"),
                                  .server = "hakem/sim",
                                  .public_key = world->key.public_key,
                                  .date = "2026-12-01T00:00:00Z",
                                  .contributions = true,
                                  .mate = world->table[0]};
        rules_init(&spec.rules, variant_find("tavla", 5));
        CHECK(rules_set(&spec.rules, "match", "1", why) == 0, "a single game %s", why);
        for (int side = 0; side < SIDE_COUNT; side++) {
            int player = mix_player(leg, (enum side)side);
            spec.name[side] = names[player];
            spec.session[side] = world->player[player].session;
        }
        world->table[leg - 1] = referee_seat(world->referee, &spec, world->now, why);
    }
}

static void open_world(struct world *world, const struct player players[PLAYERS]) {
    struct referee_limits limits;
    static const struct hash key = {{9}};
    memset(world, 0, sizeof *world);
    world->now = 1000;
    referee_limits_init(&limits);
    const struct referee_hooks hooks = {.owner = world,
                                        .mixed = on_mixed,
                                        .game = on_game,
                                        .match = on_match,
                                        .vacant = on_vacant,
                                        .swapped = on_swapped,
                                        .gone = on_gone};
    world->referee = referee_new(&limits, &hooks);
    referee_set_key(world->referee, &key);
    sign_key_fresh(&world->key);
    for (int i = 0; i < LEGS; i++) {
        bytes_init(&world->record[i], ROOM);
        world->player[i] = players[i];
        bytes_init(&world->player[i].in, ROOM);
        dial(world, &world->player[i], false);
    }
    read_all(world);
    seat(world);
}

/* The disk is as slow as can be: it is done when nothing else happens. */
static void play_out(struct world *world) {
    for (int turns = 0; turns < 20000 && world->ended < LEGS; turns++) {
        if (read_all(world)) {
            continue;
        }
        if (world->disk) {
            uint8_t receipt[SIGN_BYTES];
            world->disk = false;
            sign_receipt(&world->key, &world->digest, receipt);
            referee_mixed(world->referee, world->table[0], receipt, world->now);
            referee_mixed(world->referee, world->table[1], receipt, world->now);
            continue;
        }
        int64_t next = referee_next_deadline(world->referee);
        if (next == INT64_MAX) {
            return;
        }
        world->now = next > world->now ? next : world->now;
        referee_tick(world->referee, world->now);
    }
    read_all(world);
}

static void close_world(struct world *world) {
    referee_free(world->referee);
    for (int i = 0; i < LEGS; i++) {
        bytes_clear(&world->record[i]);
        bytes_clear(&world->player[i].in);
    }
}

static void say_finding(void *owner, const struct verify_finding *finding) {
    (void)owner;
    printf("# line %d: %s\n", (int)finding->line, finding->text);
}

/* Seals a leg's record and proves it. */
static bool is_proven(struct world *world, int leg, struct verify_report *report) {
    struct record_writer writer;
    struct message message;
    char seed[HASH_HEX];
    record_init(&writer);
    if (record_resume(&writer, world->record[leg].data, world->record[leg].length) != 0) {
        record_clear(&writer);
        return false;
    }
    message_init(&message, MESSAGE_REVEAL);
    message_set(&message, FIELD_UNIT, "U000001");
    hash_hex(&world->dice.seed, seed);
    message_set(&message, FIELD_SEED, seed);
    record_add(&writer, &message);
    record_sign(&writer, &world->key);
    struct bytes whole;
    bytes_init(&whole, ROOM);
    bytes_add(&whole, world->record[leg].data, world->record[leg].length);
    bytes_add(&whole, writer.text.data, writer.text.length);
    const struct verify_known known = {.key = world->key.public_key};
    bool proven = verify_record(whole.data, whole.length, &known, say_finding, NULL, report) ==
                  VERIFY_PROVEN;
    bytes_clear(&whole);
    record_clear(&writer);
    return proven;
}

static void say_case(const struct player players[PLAYERS], char out[120]) {
    int size = snprintf(out, 120, "%s/%s", contribute_name(players[0].way),
                        contribute_name(players[1].way));
    for (int i = 0; i < PLAYERS; i++) {
        if (players[i].deed != HONEST) {
            size += snprintf(out + size, 120 - (size_t)size, ", player %d %s at %s", i + 1,
                             deed_names[players[i].deed], step_names[players[i].at]);
        }
    }
}

static bool keeps(const struct player *player) {
    return player->deed == HONEST || player->deed == REPEATS || player->deed == RETURNS ||
           player->deed == RETURNED;
}

/* Who leaves before it has committed only leaves: it has heard nothing. */
static bool only_leaves(const struct player *player) {
    return player->at == STEP_COMMIT && (player->deed == VANISHES || player->deed == DECLINES ||
                                         player->deed == SAYS_BYE);
}

static void check_kept(struct world *world, const struct player players[PLAYERS],
                       const char *name) {
    bool silent = players[0].way == CONTRIBUTE_NONE && players[1].way == CONTRIBUTE_NONE;
    struct verify_report report[LEGS] = {0};
    bool good = is_proven(world, 0, &report[0]) && is_proven(world, 1, &report[1]);
    good = good && world->mixed == 1 && world->games == LEGS && !world->played_early;
    for (int i = 0; i < PLAYERS; i++) {
        const struct player *player = &world->player[i];
        good = good && world->match[i].reason == REASON_NORMAL && report[i].mixed &&
               report[i].throws > 10;
        good = good && (silent ? player->heard[STEPS] == 0 && player->order == 0
                               : player->receipts > 0 &&
                                     (player->order == STEPS || player->deed == RETURNED));
        for (int leg = 0; leg < LEGS; leg++) {
            const struct contribution *of = &report[leg].of[i];
            good = good && of->committed == (players[i].way == CONTRIBUTE_COMMIT) &&
                   of->given == (players[i].way != CONTRIBUTE_NONE) && !of->withheld;
        }
    }
    CHECK(good, "%s: both legs are played on what both added, and proven", name);
}

static void check_broken(struct world *world, const struct player players[PLAYERS],
                         const char *name) {
    bool bad[PLAYERS] = {!keeps(&players[0]), !keeps(&players[1])};
    bool good = world->games == 0 && world->ended == LEGS;
    for (int leg = 1; leg <= LEGS; leg++) {
        const struct match_facts *match = &world->match[leg - 1];
        int winner = bad[0] && bad[1] ? -1 : bad[0] ? 1 : 0;
        int side = winner < 0                                    ? -1
                   : mix_player(leg, SIDE_X) == winner ? SIDE_X
                                                                 : SIDE_Y;
        struct verify_report report;
        good = good && match->reason == REASON_WITHHELD && match->winner == side;
        good = good && is_proven(world, leg - 1, &report);
        good = good && report.of[0].withheld == bad[0] && report.of[1].withheld == bad[1];
    }
    CHECK(good, "%s: both legs are lost by it", name);
}

static void run_case(const struct player players[PLAYERS]) {
    static struct world world;
    char name[120];
    say_case(players, name);
    open_world(&world, players);
    play_out(&world);
    if (keeps(&players[0]) && keeps(&players[1])) {
        check_kept(&world, players, name);
    } else if (only_leaves(&players[0]) || only_leaves(&players[1])) {
        bool good = world.ended == LEGS && world.games == 0;
        for (int leg = 0; leg < LEGS; leg++) {
            good = good && (world.match[leg].reason == REASON_DISCONNECT ||
                            world.match[leg].reason == REASON_ABORTED);
        }
        CHECK(good, "%s: both legs are over without a throw", name);
    } else {
        check_broken(&world, players, name);
    }
    close_world(&world);
}

/* One player misdoes, at every step at which it has something to bring. */
static void run_misdeeds(enum contribute first, enum contribute second) {
    for (int who = 0; who < PLAYERS; who++) {
        for (int step = 0; step < STEPS; step++) {
            for (int deed = SILENT; deed < DEEDS; deed++) {
                struct player players[PLAYERS] = {{.way = first}, {.way = second}};
                players[who].deed = (enum deed)deed;
                players[who].at = (enum mix_part)step;
                /* open bytes and a commitment can be anything */
                bool free_choice = (deed == WRONG && step != STEP_REVEAL) ||
                                   (deed == CHANGES && step != STEP_COMMIT);
                if (has_to(&players[who], (enum mix_part)step) && !free_choice) {
                    run_case(players);
                }
            }
        }
    }
}

/* Both hold back in the same step: nobody wins. */
static void run_both(enum contribute way, enum mix_part step) {
    struct player players[PLAYERS] = {{.way = way, .deed = SILENT, .at = step},
                                      {.way = way, .deed = SILENT, .at = step}};
    run_case(players);
}

int main(void) {
    CHECK(dice_init() == 0, "the library is ready");
    for (int first = 0; first < CONTRIBUTE_WAYS; first++) {
        for (int second = 0; second < CONTRIBUTE_WAYS; second++) {
            struct player players[PLAYERS] = {{.way = (enum contribute)first},
                                              {.way = (enum contribute)second}};
            run_case(players);
            run_misdeeds((enum contribute)first, (enum contribute)second);
        }
    }
    run_both(CONTRIBUTE_COMMIT, STEP_COMMIT);
    run_both(CONTRIBUTE_COMMIT, STEP_REVEAL);
    run_both(CONTRIBUTE_OPEN, STEP_OPEN);
    return check_done();
}
