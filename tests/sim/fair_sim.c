/* A cheater plays its identical twin, and does not finish what it does not like: in every way in
 * which a bot can fail to finish a match, whenever it has won the other leg, is behind, or is
 * ahead. What is counted for it is never more than what honest play brings, nor is anything left
 * out; and no match stands still. */
#include "arena/standings.h"
#include "base/bytes.h"
#include "check.h"
#include "record/mix.h"

#include <stdlib.h>

enum { LEGS = 2, UNITS = 6, ROOM = 1 << 22, MOVE_TIME = 1000, TURNS_MAX = 400000 };

enum moment { AT_MATCH, AT_TURN };

enum deed {
    SAY,      /* the line, */
    REPEAT,   /* or ten of them */
    HANG_UP,  /* and never come back */
    START_ANEW, /* hang up, and come back as another process, as often as it is let */
    FLAP,     /* hang up and resume, time and again */
    DEAF,     /* read no more */
};

/* A way of not finishing; %T and %S stand for table and serial. */
static const struct cheat {
    const char *name;
    enum moment when;
    enum deed deed;
    const char *line; /* "": nothing is said */
} cheats[] = {
    {"declines", AT_MATCH, SAY, "decline %T"},
    {"is silent instead of ready", AT_MATCH, SAY, ""},
    {"says bye instead of ready", AT_MATCH, SAY, "bye"},
    {"hangs up instead of ready", AT_MATCH, HANG_UP, ""},
    {"is started anew instead of ready", AT_MATCH, START_ANEW, ""},
    {"comes and goes instead of ready", AT_MATCH, FLAP, ""},
    {"reads no more instead of ready", AT_MATCH, DEAF, ""},
    {"talks rubbish instead of ready", AT_MATCH, REPEAT, "\x01"},
    {"says hello instead of ready", AT_MATCH, REPEAT, "hello hakem=1 name=bot0"},
    {"floods instead of ready", AT_MATCH, REPEAT, "note text"},
    {"is silent in a game", AT_TURN, SAY, ""},
    {"says bye in a game", AT_TURN, SAY, "bye"},
    {"hangs up in a game", AT_TURN, HANG_UP, ""},
    {"is started anew in a game", AT_TURN, START_ANEW, ""},
    {"comes and goes in a game", AT_TURN, FLAP, ""},
    {"reads no more in a game", AT_TURN, DEAF, ""},
    {"plays what is illegal", AT_TURN, SAY, "play %T %S 1/24"},
    {"plays what is no play", AT_TURN, SAY, "play %T %S what"},
    {"resigns what there is not", AT_TURN, REPEAT, "resign %T %S eightfold"},
    {"resigns for little", AT_TURN, SAY, "resign %T %S single"},
    {"declines in a game", AT_TURN, REPEAT, "decline %T"},
    {"talks rubbish in a game", AT_TURN, REPEAT, "\x01"},
};

enum { CHEATS = sizeof cheats / sizeof cheats[0] };

/* When it does. */
enum policy { HONEST, AFTER_A_WIN, BEHIND, AHEAD, ALWAYS, POLICIES };

static const char *const policy_names[POLICIES] = {
    "never", "in leg 2, when it has won leg 1", "when it is behind", "when it is ahead", "always"};

struct bot {
    uint32_t session;
    char secret[128];
    struct bytes in;
    int leg[256];          /* by T */
    double lead[LEGS];     /* in points, before the game that runs */
    bool away, deaf;
    bool flaps, anew;
};

struct world {
    struct referee *referee;
    int64_t now;
    const struct cheat *cheat;
    enum policy policy;
    struct bot bot[PLAYERS]; /* the first one cheats */
    uint32_t table[LEGS];
    struct match_row row[LEGS];
    int ended;
    long cheated;
};

static void on_game(void *owner, const struct game_facts *facts) {
    (void)owner, (void)facts;
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct world *world = owner;
    int leg = facts->table == world->table[1] ? 2 : 1;
    world->row[leg - 1] = (struct match_row){
        .unit = 1,
        .leg = leg,
        .entrant = {mix_player(leg, SIDE_X), mix_player(leg, SIDE_Y)},
        .winner = facts->winner,
        .score = {facts->score[SIDE_X], facts->score[SIDE_Y]},
        .games = facts->games,
        .reason = facts->reason,
        .offender = facts->offender};
    world->ended |= leg;
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
    struct world *world = owner;
    (void)why;
    for (int i = 0; i < PLAYERS; i++) {
        world->bot[i].away = world->bot[i].away || world->bot[i].session == session;
    }
}

static void say(struct world *world, const struct bot *bot, const char *line) {
    referee_input(world->referee, bot->session, line, strlen(line), world->now);
    referee_input(world->referee, bot->session, "\n", 1, world->now);
}

static void dial(struct world *world, struct bot *bot, bool resume) {
    char line[256];
    bot->session = referee_open(world->referee, "sim", world->now);
    bot->away = false;
    bytes_drop(&bot->in, bot->in.length);
    referee_allow_return(world->referee, bot->session);
    snprintf(line, sizeof line, "hello hakem=1 name=bot%d tables=2%s%s", (int)(bot - world->bot),
             resume ? " resume=" : "", resume ? bot->secret : "");
    say(world, bot, line);
}

/* Whether it likes the leg as it stands; AFTER_A_WIN is known only where legs follow each other. */
static bool dislikes(const struct world *world, const struct bot *bot, int leg) {
    const struct match_row *first = &world->row[0];
    if (bot != &world->bot[0]) {
        return false;
    }
    switch (world->policy) {
    case AFTER_A_WIN:
        return leg == 1 && (world->ended & 1) != 0 && first->winner >= 0 &&
               first->entrant[first->winner] == 0;
    case BEHIND:
        return bot->lead[leg] < 0;
    case AHEAD:
        return bot->lead[leg] > 0;
    case ALWAYS:
        return true;
    case HONEST:
    case POLICIES:
        break;
    }
    return false;
}

/* The words of a cheat for this table and request. */
static void spell(const char *line, unsigned table, unsigned serial, char out[128]) {
    size_t used = 0;
    for (; *line != '\0' && used < 100; line++) {
        if (line[0] == '%') {
            used += (size_t)snprintf(out + used, 128 - used, "%u", line[1] == 'T' ? table : serial);
            line++;
        } else {
            out[used++] = *line;
        }
    }
    out[used] = '\0';
}

static void misbehave(struct world *world, struct bot *bot, unsigned table, unsigned serial) {
    const struct cheat *cheat = world->cheat;
    char line[128];
    world->cheated++;
    spell(cheat->line, table, serial, line);
    switch (cheat->deed) {
    case SAY:
    case REPEAT:
        for (int i = 0; line[0] != '\0' && i < (cheat->deed == REPEAT ? 10 : 1); i++) {
            say(world, bot, line);
        }
        break;
    case HANG_UP:
    case START_ANEW:
    case FLAP:
        bot->anew = cheat->deed == START_ANEW;
        bot->flaps = cheat->deed == FLAP;
        bot->away = true;
        referee_closed(world->referee, bot->session, world->now);
        break;
    case DEAF:
        bot->deaf = true;
        break;
    }
}

/* Answers a request like any honest bot; who drops knows that no game costs less. */
static void answer(struct world *world, const struct bot *bot, const char *line) {
    unsigned table, serial;
    char word[16], reply[64];
    sscanf(line, "%15s %u %u", word, &table, &serial);
    if (strcmp(word, "turn") == 0) {
        snprintf(reply, sizeof reply, "play %u %u #0", table, serial);
    } else if (strcmp(word, "cube") == 0) {
        snprintf(reply, sizeof reply, "%s %u %u", serial % 5 == 1 ? "double" : "roll", table,
                 serial);
    } else {
        snprintf(reply, sizeof reply, "%s %u %u",
                 strstr(line, "accept") != NULL ? "accept" : "drop", table, serial);
    }
    say(world, bot, reply);
}

static void hear(struct world *world, struct bot *bot, const char *line) {
    unsigned table = 0, number = 0;
    int leg = 0;
    char unit[16], reply[64];
    const char *secret = strncmp(line, "welcome ", 8) == 0 ? strstr(line, "resume=") : NULL;
    if (secret != NULL) {
        snprintf(bot->secret, sizeof bot->secret, "%.*s", (int)strcspn(secret + 7, " "),
                 secret + 7);
    } else if (sscanf(line, "match %u %15s %d", &table, unit, &leg) == 3) {
        bot->leg[table % 256] = leg - 1;
        bool now = world->cheat->when == AT_MATCH && dislikes(world, bot, leg - 1);
        if (now) {
            misbehave(world, bot, table, 0);
        } else {
            snprintf(reply, sizeof reply, "ready %u", table);
            say(world, bot, reply);
        }
    } else if (sscanf(line, "game %u %u", &table, &number) == 2) {
        double own, other;
        if (sscanf(strstr(line, "score="), "score=%lf,%lf", &own, &other) == 2) {
            bot->lead[bot->leg[table % 256]] = own - other;
        }
    } else if (sscanf(line, "%15s %u %u", unit, &table, &number) == 3 &&
               (strcmp(unit, "turn") == 0 || strcmp(unit, "cube") == 0 ||
                strcmp(unit, "offer") == 0)) {
        bool now = world->cheat->when == AT_TURN && strcmp(unit, "turn") == 0 &&
                   dislikes(world, bot, bot->leg[table % 256]);
        if (now) {
            misbehave(world, bot, table, number);
        } else {
            answer(world, bot, line);
        }
    }
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

static bool read_all(struct world *world) {
    char line[4096];
    bool news = false;
    for (int i = 0; i < PLAYERS; i++) {
        struct bot *bot = &world->bot[i];
        const char *data;
        size_t length = bot->away ? 0 : referee_output(world->referee, bot->session, &data);
        if (length > 0 && !bot->deaf) {
            bytes_add(&bot->in, data, length);
        }
        if (length > 0) {
            referee_sent(world->referee, bot->session, bot->deaf ? 0 : length, world->now);
        }
        while (!bot->away && next_line(&bot->in, line)) {
            news = true;
            hear(world, bot, line);
        }
    }
    while (referee_next_dirty(world->referee) != 0) {
    }
    referee_sweep(world->referee);
    return news;
}

/* Who may be there again is; an empty seat takes a session of its player. */
static void come_back(struct world *world) {
    for (int i = 0; i < PLAYERS; i++) {
        struct bot *bot = &world->bot[i];
        if (bot->away && (bot->flaps || bot->anew)) {
            dial(world, bot, bot->flaps);
            bot->flaps = false; /* it flaps again at its next `match` or request */
            read_all(world);
        }
        for (int leg = 1; leg <= LEGS && !bot->away; leg++) {
            enum side side = mix_player(leg, SIDE_X) == i ? SIDE_X : SIDE_Y;
            if (world->table[leg - 1] != 0 && (world->ended & leg) == 0) {
                (void)referee_reseat(world->referee, world->table[leg - 1], side, bot->session,
                                     world->now);
            }
        }
    }
}

static const struct plan {
    const char *name, *variant;
    const char *options[5][2];
} plans[] = {
    {"tavla, single games", "tavla", {{"match", "1"}, {"resign", "on"}}},
    {"tavla to 3", "tavla", {{"match", "3"}, {"resign", "on"}, {"next_starter", "alternate"}}},
    {"western to 3 with the cube", "western",
     {{"match", "3"}, {"vido", "on"}, {"next_starter", "alternate"}}},
    {"western money, 3 games", "western",
     {{"vido", "on"}, {"match", "0"}, {"games", "3"}, {"next_starter", "alternate"}}},
};

static void seat_leg(struct world *world, const struct rules *rules, int unit, int leg,
                     bool lockstep) {
    static const char *const names[PLAYERS] = {"bot0", "bot1"};
    static const uint8_t key[SIGN_PUBLIC_BYTES];
    struct hash master = {{(uint8_t)unit, 7}};
    char name[16], why[160] = "";
    struct match_spec spec = {.source = DICE_SEEDED,
                              .leg = leg,
                              .pairing = lockstep ? "lockstep" : "mirrored",
                              .rules = *rules,
                              .clock = {.move_time = MOVE_TIME, .margin = 50},
                              .master_commitment = dice_master_commitment(&master, "fair#0"),
                              .server = "hakem/sim",
                              .public_key = key,
                              .date = "2026-12-01T00:00:00Z",
                              .mate = lockstep ? world->table[0] : 0};
    snprintf(name, sizeof name, "U%06d", unit);
    unit_dice_init(&spec.dice, &master, "fair#0", name, 0);
    for (int side = 0; side < SIDE_COUNT; side++) {
        int player = mix_player(leg, (enum side)side);
        spec.name[side] = names[player];
        spec.session[side] = world->bot[player].away ? 0 : world->bot[player].session;
    }
    world->table[leg - 1] = referee_seat(world->referee, &spec, world->now, why);
    if (world->table[leg - 1] == 0) {
        CHECK(false, "unit %d is seated: %s", unit, why);
    }
}

/* Runs until the legs of that mask have ended; false when they never do. */
static bool run(struct world *world, int legs) {
    for (long turn = 0; turn < TURNS_MAX && (world->ended & legs) != legs; turn++) {
        if (read_all(world)) {
            continue;
        }
        int64_t next = referee_next_deadline(world->referee);
        if (next == INT64_MAX) {
            return false;
        }
        bool cheater_away = world->bot[0].away;
        world->now = cheater_away && next > world->now + 500 ? world->now + 500
                     : next > world->now                     ? next
                                                             : world->now;
        come_back(world);
        referee_tick(world->referee, world->now);
        referee_sweep(world->referee);
    }
    return (world->ended & legs) == legs;
}

static void open_world(struct world *world, const struct cheat *cheat, enum policy policy) {
    static const struct hash key = {{9}};
    struct referee_limits limits;
    referee_limits_init(&limits);
    *world = (struct world){.now = 1000, .cheat = cheat, .policy = policy};
    const struct referee_hooks hooks = {.owner = world,
                                        .game = on_game,
                                        .match = on_match,
                                        .vacant = on_vacant,
                                        .swapped = on_swapped,
                                        .gone = on_gone};
    world->referee = referee_new(&limits, &hooks);
    referee_set_key(world->referee, &key);
    for (int i = 0; i < PLAYERS; i++) {
        bytes_init(&world->bot[i].in, ROOM);
        dial(world, &world->bot[i], false);
    }
    read_all(world);
}

static void close_world(struct world *world) {
    referee_free(world->referee);
    for (int i = 0; i < PLAYERS; i++) {
        bytes_clear(&world->bot[i].in);
    }
}

/* One unit, counted; false when it stands still. */
static bool play_unit(struct standings *standings, const struct rules *rules,
                      const struct cheat *cheat, enum policy policy, int unit, bool lockstep,
                      long *cheated) {
    struct world world;
    open_world(&world, cheat, policy);
    seat_leg(&world, rules, unit, 1, lockstep);
    bool over = lockstep || run(&world, 1);
    if (over) {
        seat_leg(&world, rules, unit, 2, lockstep);
        over = run(&world, 3);
    }
    if (over) {
        const struct match_row *const legs[] = {&world.row[0], &world.row[1]};
        standings_add_unit(standings, rules, legs, LEGS, true);
    }
    *cheated += world.cheated;
    close_world(&world);
    return over;
}

/* What the cheater has: no more than half of the matches, no point, and every match counted. */
static bool is_fair(const struct standings *standings) {
    const struct standing *cheater = &standings->standing[0];
    return cheater->matches == LEGS * UNITS && cheater->aborted == 0 &&
           cheater->won <= cheater->lost && cheater->net <= 0;
}

static void test_plan(const struct plan *plan, bool lockstep) {
    struct rules rules;
    char why[160] = "";
    rules_init(&rules, variant_find(plan->variant, strlen(plan->variant)));
    for (int i = 0; i < 5 && plan->options[i][0] != NULL; i++) {
        if (rules_set(&rules, plan->options[i][0], plan->options[i][1], why) != 0) {
            CHECK(false, "%s", why);
        }
    }
    for (int policy = HONEST; policy < POLICIES; policy++) {
        long cheated = 0;
        bool fair = true;
        for (size_t i = 0; i < CHEATS; i++) {
            struct standings standings;
            standings_init(&standings, PLAYERS);
            bool over = true;
            for (int unit = 1; unit <= UNITS && over; unit++) {
                over = play_unit(&standings, &rules, &cheats[i], (enum policy)policy, unit,
                                 lockstep, &cheated);
            }
            const struct standing *cheater = &standings.standing[0];
            bool even = policy != HONEST || (cheater->won == cheater->lost && cheater->net == 0);
            if (!over || !even || !is_fair(&standings)) {
                fair = false;
                printf("# it %s: %s, %lld-%lld-%lld, aborted %lld, net %lld in %lld games\n",
                       cheats[i].name, over ? "over" : "stands still", (long long)cheater->won,
                       (long long)cheater->drawn, (long long)cheater->lost,
                       (long long)cheater->aborted, (long long)cheater->net,
                       (long long)cheater->net_games);
            }
            standings_clear(&standings);
        }
        CHECK(fair, "%s, %s: whoever does not finish %s, gains nothing by it (%ld times)",
              plan->name, lockstep ? "lockstep" : "mirrored", policy_names[policy], cheated);
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        test_plan(&plans[i], false);
        test_plan(&plans[i], true);
    }
    return check_done();
}
