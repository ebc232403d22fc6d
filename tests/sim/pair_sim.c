/* Two legs of a pair on the same dice, and a player that would like to copy. It stalls, looks on
 * as a spectator, and resigns for show, to see what its opponent plays with the same dice in the
 * other leg. In lockstep it never sees that in time, `mirrored` it does: so the test can fail.
 * Then many worlds with chance, faults and lost lines: none of them may stand still. */
#include "check.h"

#include "base/bytes.h"
#include "record/mix.h"
#include "record/replay.h"
#include "referee/referee.h"

#include <stdlib.h>

enum { LEGS = 2, ROOM = 1 << 22, ASKED_MAX = 4, PATIENCE = 4000, MOVE_TIME = 10000 };

/* What somebody has seen of one leg. */
struct sight {
    unsigned game;         /* that runs, 0: none */
    int turns[SIDE_COUNT]; /* that were played in it */
};

struct asked {
    char line[256];
    int64_t due; /* when it answers */
};

struct bot {
    uint32_t session;
    char secret[128];
    struct bytes in;
    int leg[8];              /* by T */
    struct sight sight[LEGS];
    struct asked asked[ASKED_MAX];
    int open;
    bool copies;             /* holds its answers back as long as it learns something by it */
    unsigned resigned[LEGS]; /* the game in which it has done so, for show */
    long plays, learned;     /* answers; those for which it had seen what the other one did */
};

struct world {
    struct referee *referee;
    int64_t now;
    uint64_t chance;
    bool wild;                 /* faults, lost lines, pauses */
    struct bot bot[PLAYERS];
    uint32_t spectator;
    struct bytes shown;        /* not read by the spectator yet */
    struct sight sight[LEGS];  /* what it has seen */
    uint32_t table[LEGS];
    int ended, games;
};

static uint64_t chance(struct world *world, uint64_t below) { /* splitmix64 */
    uint64_t z = world->chance += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return (z ^ z >> 31) % below;
}

static void on_game(void *owner, const struct game_facts *facts) {
    struct world *world = owner;
    (void)facts;
    world->games++;
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct world *world = owner;
    (void)facts;
    world->ended++;
}

static void on_vacant(void *owner, uint32_t table, enum side side) {
    (void)owner, (void)table, (void)side;
}

static void on_swapped(void *owner, uint32_t session, uint32_t other) {
    struct world *world = owner;
    for (int i = 0; i < PLAYERS; i++) {
        uint32_t *own = &world->bot[i].session;
        *own = *own == session ? other : *own == other ? session : *own;
    }
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    (void)owner, (void)session, (void)why;
}

static void say(struct world *world, uint32_t session, const char *line) {
    referee_input(world->referee, session, line, strlen(line), world->now);
    referee_input(world->referee, session, "\n", 1, world->now);
}

static void dial(struct world *world, struct bot *bot, bool again) {
    char line[256];
    bot->session = referee_open(world->referee, "sim", world->now);
    referee_allow_return(world->referee, bot->session);
    snprintf(line, sizeof line, "hello hakem=1 name=bot%d tables=2%s%s",
             (int)(bot - world->bot), again ? " resume=" : "", again ? bot->secret : "");
    say(world, bot->session, line);
}

/* Takes in a line about a leg, as a player or a spectator reads it. */
static void see(struct sight *sight, const char *line) {
    unsigned table, number;
    char seat, deed[16];
    if (sscanf(line, "game %u %u", &table, &number) == 2) {
        *sight = (struct sight){.game = number};
    } else if (strncmp(line, "result ", 7) == 0 || strncmp(line, "end ", 4) == 0) {
        sight->game = 0;
    } else if (sscanf(line, "did %u %u %c %15s", &table, &number, &seat, deed) == 4 &&
               deed[0] >= '1' && deed[0] <= '6') {
        sight->turns[seat == 'X' ? SIDE_X : SIDE_Y]++;
    }
}

/* The seat of a player in a leg (0, 1). */
static enum side seat_of(int player, int leg) {
    return mix_player(leg + 1, SIDE_X) == player ? SIDE_X : SIDE_Y;
}

/* Whether what the other player did with this very throw in the other leg, which still runs, is
 * known to a bot that is asked for a play in this one. */
static bool knows(const struct world *world, int player, int leg) {
    const struct bot *bot = &world->bot[player];
    const struct sight *here[] = {&bot->sight[leg], &world->sight[leg]};
    const struct sight *there[] = {&bot->sight[1 - leg], &world->sight[1 - leg]};
    enum side seat = seat_of(player, leg);
    unsigned game = here[0]->game;
    int played = here[0]->turns[seat], seen = 0; /* a bot that was cut off has missed some */
    if (here[1]->game == game && here[1]->turns[seat] > played) {
        played = here[1]->turns[seat];
    }
    for (int i = 0; i < 2; i++) {
        if (there[i]->game == game && there[i]->turns[seat] > seen) {
            seen = there[i]->turns[seat];
        }
    }
    return game > 0 && seen > played;
}

static void ask(struct world *world, struct bot *bot, const char *line) {
    if (bot->open < ASKED_MAX) {
        struct asked *asked = &bot->asked[bot->open++];
        snprintf(asked->line, sizeof asked->line, "%.255s", line);
        asked->due = world->now + 1 + (int64_t)chance(world, world->wild ? 300 : 20);
        if (world->wild && chance(world, 400) == 0) {
            asked->due += 2 * MOVE_TIME;
        }
    }
}

static void hear(struct world *world, struct bot *bot, const char *line) {
    unsigned table = 0, leg = 0;
    char unit[16], reply[64];
    const char *secret = strncmp(line, "welcome ", 8) == 0 ? strstr(line, "resume=") : NULL;
    if (secret != NULL) {
        snprintf(bot->secret, sizeof bot->secret, "%.*s", (int)strcspn(secret + 7, " "),
                 secret + 7);
    } else if (sscanf(line, "match %u %15s %u", &table, unit, &leg) == 3) {
        bot->leg[table % 8] = (int)leg - 1;
        snprintf(reply, sizeof reply, "ready %u", table);
        say(world, bot->session, reply);
    } else if (strncmp(line, "turn ", 5) == 0 || strncmp(line, "cube ", 5) == 0 ||
               strncmp(line, "offer ", 6) == 0) {
        ask(world, bot, line);
    } else if (sscanf(line, "%*s %u", &table) == 1 && table < 8) {
        see(&bot->sight[bot->leg[table]], line);
    }
}

/* The first word of `may` that is there, else the last resort. */
static const char *choice(struct world *world, const char *line) {
    bool rare = chance(world, 4) == 0;
    if (strncmp(line, "cube ", 5) == 0) {
        return rare ? "double" : "roll";
    }
    if (strstr(line, "accept") != NULL) {
        return world->wild && rare ? "accept" : "reject";
    }
    return rare ? "drop" : "take";
}

static void give(struct world *world, int player, const char *line) {
    struct bot *bot = &world->bot[player];
    unsigned table = 0, serial = 0;
    char word[8], reply[64];
    sscanf(line, "%7s %u %u", word, &table, &serial);
    int leg = bot->leg[table % 8];
    bool may_resign = strstr(line, "resign") != NULL && strncmp(line, "offer", 5) != 0;
    if (may_resign && bot->resigned[leg] != bot->sight[leg].game &&
        (bot->copies || chance(world, 9) == 0)) {
        bot->resigned[leg] = bot->sight[leg].game;
        snprintf(reply, sizeof reply, "resign %u %u single", table, serial);
    } else if (strcmp(word, "turn") == 0) {
        bot->plays++;
        bot->learned += knows(world, player, leg);
        snprintf(reply, sizeof reply, "play %u %u %s", table, serial,
                 world->wild && chance(world, 300) == 0 ? "1/2" : "#0");
    } else {
        snprintf(reply, sizeof reply, "%s %u %u", choice(world, line), table, serial);
    }
    say(world, bot->session, reply);
}

/* Answers what is due; who copies waits for as long as it dares while it has learned nothing. */
static bool think(struct world *world, int player) {
    struct bot *bot = &world->bot[player];
    for (int i = 0; i < bot->open; i++) {
        struct asked asked = bot->asked[i];
        unsigned table = 0;
        sscanf(asked.line, "%*s %u", &table);
        bool waits = bot->copies && strncmp(asked.line, "turn ", 5) == 0 &&
                     !knows(world, player, bot->leg[table % 8]) &&
                     world->now < asked.due + PATIENCE;
        if (world->now >= asked.due && !waits) {
            bot->open--;
            memmove(&bot->asked[i], &bot->asked[i + 1],
                    (size_t)(bot->open - i) * sizeof *bot->asked);
            give(world, player, asked.line);
            return true;
        }
    }
    return false;
}

/* Cuts the next line off; false when there is none. */
static bool next_line(struct bytes *in, char line[4096]) {
    const char *text = bytes_text(in);
    size_t size = strcspn(text, "\n");
    if (text[size] == '\0') {
        return false;
    }
    snprintf(line, 4096, "%.*s", (int)size, text);
    bytes_drop(in, size + 1);
    return true;
}

static void take(struct world *world, uint32_t session, struct bytes *in) {
    const char *data;
    size_t length = referee_output(world->referee, session, &data);
    if (length > 0) {
        bytes_add(in, data, length);
        referee_sent(world->referee, session, length, world->now);
    }
}

static bool read_all(struct world *world) {
    char line[4096];
    bool news = false;
    take(world, world->spectator, &world->shown);
    while (next_line(&world->shown, line)) {
        const char *at = strstr(line, "at=pair/U000001/");
        if (at != NULL) {
            see(&world->sight[at[16] == '2'], line);
        }
    }
    for (int i = 0; i < PLAYERS; i++) {
        take(world, world->bot[i].session, &world->bot[i].in);
        while (next_line(&world->bot[i].in, line)) {
            news = true;
            hear(world, &world->bot[i], line);
        }
    }
    while (referee_next_dirty(world->referee) != 0) {
    }
    referee_sweep(world->referee);
    return news;
}

struct plan {
    const char *pairing, *variant;
    const char *options[5][2];
    bool copies, wild;
    uint64_t seed;
};

static void seat(struct world *world, const struct plan *plan) {
    static const char *const names[PLAYERS] = {"bot0", "bot1"};
    static const uint8_t key[SIGN_PUBLIC_BYTES];
    struct hash master = {{(uint8_t)plan->seed, (uint8_t)(plan->seed >> 8), 1}};
    for (int leg = 1; leg <= LEGS; leg++) {
        char why[160] = "";
        struct match_spec spec = {.source = DICE_AUDITABLE,
                                  .leg = leg,
                                  .pairing = plan->pairing,
                                  .clock = {.move_time = MOVE_TIME, .margin = 50},
                                  .master_commitment = dice_master_commitment(&master, "pair#0"),
                                  .server = "hakem/sim",
                                  .public_key = key,
                                  .date = "2026-12-01T00:00:00Z",
                                  .mate = world->table[0]};
        unit_dice_init(&spec.dice, &master, "pair#0", "U000001", 0);
        rules_init(&spec.rules, variant_find(plan->variant, strlen(plan->variant)));
        for (int i = 0; i < 5 && plan->options[i][0] != NULL; i++) {
            if (rules_set(&spec.rules, plan->options[i][0], plan->options[i][1], why) != 0) {
                CHECK(false, "%s", why);
            }
        }
        for (int side = 0; side < SIDE_COUNT; side++) {
            int player = mix_player(leg, (enum side)side);
            spec.name[side] = names[player];
            spec.session[side] = world->bot[player].session;
        }
        world->table[leg - 1] = referee_seat(world->referee, &spec, world->now, why);
    }
}

static void open_world(struct world *world, const struct plan *plan) {
    struct referee_limits limits;
    static const struct hash key = {{9}};
    memset(world, 0, sizeof *world);
    world->now = 1000;
    world->chance = plan->seed;
    world->wild = plan->wild;
    referee_limits_init(&limits);
    limits.spectators = 4;
    const struct referee_hooks hooks = {.owner = world,
                                        .game = on_game,
                                        .match = on_match,
                                        .vacant = on_vacant,
                                        .swapped = on_swapped,
                                        .gone = on_gone};
    world->referee = referee_new(&limits, &hooks);
    referee_set_key(world->referee, &key);
    bytes_init(&world->shown, ROOM);
    world->spectator = referee_open(world->referee, "spectator", world->now);
    say(world, world->spectator, "hello hakem=1 name=eye tables=0\nwatch *");
    for (int i = 0; i < PLAYERS; i++) {
        bytes_init(&world->bot[i].in, ROOM);
        dial(world, &world->bot[i], false);
    }
    world->bot[1].copies = plan->copies;
    read_all(world);
    seat(world, plan);
}

/* Now and then a line breaks, or a table is paused. */
static void disturb(struct world *world) {
    struct bot *bot = &world->bot[chance(world, PLAYERS)];
    uint32_t table = world->table[chance(world, LEGS)];
    if (chance(world, 500) == 0) {
        referee_closed(world->referee, bot->session, world->now);
        bytes_drop(&bot->in, bot->in.length);
        bot->open = 0;
        dial(world, bot, true);
    } else if (chance(world, 300) == 0 &&
               referee_pause(world->referee, table, "for a test", world->now)) {
        world->now += (int64_t)chance(world, 20000);
        referee_resume(world->referee, table, world->now);
    }
}

/* The next time at which anything is due. */
static int64_t next_time(const struct world *world) {
    int64_t next = referee_next_deadline(world->referee);
    for (int i = 0; i < PLAYERS; i++) {
        const struct bot *bot = &world->bot[i];
        for (int j = 0; j < bot->open; j++) {
            int64_t due = bot->asked[j].due + (bot->asked[j].due <= world->now ? PATIENCE : 0);
            next = due < next ? due : next;
        }
    }
    return next;
}

/* Whether both legs come to their ends. */
static bool play_out(struct world *world) {
    for (long turns = 0; turns < 400000 && world->ended < LEGS; turns++) {
        if (world->wild) {
            disturb(world);
        }
        referee_tick(world->referee, world->now);
        if (read_all(world) || think(world, 0) || think(world, 1)) {
            continue;
        }
        int64_t next = next_time(world);
        if (next == INT64_MAX) {
            return false;
        }
        world->now = next > world->now ? next : world->now;
    }
    read_all(world);
    return world->ended == LEGS;
}

static bool run(const struct plan *plan, long *plays, long *learned) {
    static struct world world;
    open_world(&world, plan);
    bool ends = play_out(&world);
    for (int i = 0; i < PLAYERS; i++) {
        *plays += world.bot[i].plays;
        *learned += world.bot[i].learned;
        bytes_clear(&world.bot[i].in);
    }
    bytes_clear(&world.shown);
    referee_free(world.referee);
    return ends;
}

/* One that copies, by all means that there are. */
static void try_copying(const char *pairing, bool gains) {
    struct plan plan = {.pairing = pairing,
                        .variant = "western",
                        .options = {{"match", "3"}, {"vido", "on"}, {"resign", "on"}},
                        .copies = true};
    long plays = 0, learned = 0;
    bool end = true;
    for (plan.seed = 1; plan.seed <= 6; plan.seed++) {
        end = run(&plan, &plays, &learned) && end;
    }
    printf("# %s: %ld plays, %ld of them after that of the other leg was seen\n", pairing, plays,
           learned);
    CHECK(end, "%s: every match comes to its end", pairing);
    CHECK(plays > 100 && (learned > 0) == gains, "%s: who copies %s", pairing,
          gains ? "gains by it: so it can be seen" : "gains nothing");
}

/* Every kind of schedule, with faults: nothing stands still, and nobody learns. */
static void try_chance(void) {
    static const char *const variants[] = {"tavla", "western", "uzun", "fevga"};
    static const char *const matches[] = {"1", "3"};
    static const char *const starters[] = {"roll", "alternate"};
    static const char *const switches[] = {"off", "on"};
    long plays = 0, learned = 0;
    int stuck = 0, worlds = 0;
    for (uint64_t seed = 1; seed <= 160; seed++) {
        struct plan plan = {.pairing = "lockstep",
                            .variant = variants[seed % 4],
                            .options = {{"match", matches[seed / 4 % 2]},
                                        {"next_starter", starters[seed / 8 % 2]},
                                        {"vido", switches[seed / 16 % 2]},
                                        {"resign", switches[seed / 32 % 2]}},
                            .copies = seed % 3 == 0,
                            .wild = seed % 5 != 0,
                            .seed = seed};
        worlds++;
        stuck += !run(&plan, &plays, &learned);
    }
    CHECK_INT(stuck, 0, "no world stands still");
    CHECK(learned == 0 && plays > 1000 && worlds == 160, "nobody learns anything in %ld plays",
          plays);
}

int main(void) {
    CHECK(dice_init() == 0, "the library is ready");
    try_copying("mirrored", true);
    try_copying("lockstep", false);
    try_chance();
    return check_done();
}
