/* The whole referee in a small world without sockets: bots that are functions,
 * a clock that is a number, bytes cut at random places. Thousands of matches of
 * every variant; bots misbehave at random; after each match its record is read
 * and judged anew. The same seed gives the same world. */
#include "check.h"

#include "record/replay.h"
#include "record/verify.h"
#include "referee/referee.h"
#include "rules/position.h"
#include "sim/make_record.h"
#include "wire/frame.h"
#include "wire/spelling.h"

#include <stdlib.h>

enum { BOTS = 2, PLAYS_KEPT = 4000 };

/* What a bot does wrong, in thousandths of its answers. */
struct manners {
    int illegal, malformed, late, silent, vanish, noise;
    int unready, decline; /* of its answers to `match` */
    int floods;           /* of its answers: a line without an end */
    bool stays_away;      /* does not come back after it vanished */
    int wild;             /* answers that may= does not list */
};

struct bot {
    uint32_t session;
    enum spelling spelling;
    bool want_plays;
    struct manners manners;
    struct bytes in, out;
    char plays[PLAYS_KEPT][PLAY_TEXT_MAX];
    size_t play_count;
    bool gone;
    const struct rules *rules; /* of the match, for the opening arrangement */
    char seat;
    int counts[POINT_COUNT]; /* its own board, kept by the `did` lines alone */
    int positions, strayed;  /* `position`s that were compared, and that differed */
    int acts[ACT_COUNT];     /* what it did without a play */
};

struct world {
    struct referee *referee;
    int64_t now;
    uint64_t chance;
    struct bot bot[BOTS];
    struct bytes record;
    uint32_t table;
    bool over;
    struct match_facts match;
    int games, drawn, forfeits[REASON_COUNT];
    int vacancies;
    enum side vacant_side;
};

static uint64_t chance(struct world *world) { /* splitmix64 */
    uint64_t z = world->chance += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

static bool perhaps(struct world *world, int thousandths) {
    return chance(world) % 1000 < (uint64_t)thousandths;
}

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    (void)owner, (void)session, (void)refusal;
    return facts->tables >= 1;
}

static void on_game(void *owner, const struct game_facts *facts) {
    struct world *world = owner;
    world->games++;
    world->drawn += facts->winner < 0 && facts->reason == REASON_NORMAL;
    world->forfeits[facts->reason]++;
    bytes_add(&world->record, facts->record, facts->record_length);
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct world *world = owner;
    bytes_add(&world->record, facts->record, facts->record_length);
    world->match = *facts;
    world->over = true;
}

static void on_vacant(void *owner, uint32_t table, enum side side) {
    struct world *world = owner;
    (void)table;
    world->vacancies++;
    world->vacant_side = side;
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    struct world *world = owner;
    (void)why;
    for (int i = 0; i < BOTS; i++) {
        if (world->bot[i].session == session) {
            world->bot[i].gone = true;
        }
    }
}

static void say(struct bot *bot, const struct message *message) {
    spelling_encode(bot->spelling, message, &bot->out);
}

/* Says an act that is no play. */
static void say_act(struct world *world, struct bot *bot, const struct message *request,
                    enum act act) {
    static const enum message_kind kinds[ACT_COUNT] = {
        MESSAGE_ROLL,   MESSAGE_DOUBLE, MESSAGE_PLAY,   MESSAGE_TAKE,  MESSAGE_DROP,
        MESSAGE_BEAVER, MESSAGE_RESIGN, MESSAGE_ACCEPT, MESSAGE_REJECT};
    struct message message;
    int bit = 0;
    while (1U << bit != (unsigned)act) {
        bit++;
    }
    bot->acts[bit]++;
    message_init(&message, kinds[bit]);
    message_set(&message, FIELD_TABLE, message_text(request, FIELD_TABLE));
    message_set(&message, FIELD_SERIAL, message_text(request, FIELD_SERIAL));
    if (act == ACT_RESIGN) { /* a kind that may be too low by now */
        message_set(&message, FIELD_KIND, kind_name(bot->rules, 1 + (int)(chance(world) % 3)));
    }
    say(bot, &message);
}

/* What it answers beside a play, by may= of the request; false when it wants to play. */
static bool answer_act(struct world *world, struct bot *bot, const struct message *request) {
    if (perhaps(world, bot->manners.silent)) {
        return true;
    }
    if (perhaps(world, bot->manners.wild)) {
        enum act act = (enum act)(1U << chance(world) % ACT_COUNT);
        say_act(world, bot, request, act);
        if (!message_list_has(request, FIELD_MAY, act_name(act)) || act == ACT_RESIGN) {
            return false; /* the request stands: it goes on as if nothing had been said */
        }
        return true;
    }
    if (message_list_has(request, FIELD_MAY, "resign") && perhaps(world, 15)) {
        say_act(world, bot, request, ACT_RESIGN);
        return false;
    }
    if (request->kind == MESSAGE_TURN) {
        return false;
    }
    unsigned may = 0;
    int count = 0;
    for (int bit = 0; bit < ACT_COUNT; bit++) {
        if (message_list_has(request, FIELD_MAY, act_name((enum act)(1U << bit))) &&
            1 << bit != ACT_RESIGN && (1 << bit != ACT_DROP || perhaps(world, 300)) &&
            (1 << bit != ACT_DOUBLE || perhaps(world, 300))) {
            count++;
            may = chance(world) % (uint64_t)count == 0 ? 1U << bit : may;
        }
    }
    say_act(world, bot, request, (enum act)may);
    return true;
}

static void answer(struct world *world, struct bot *bot, const struct message *turn) {
    struct message play;
    const struct manners *manners = &bot->manners;
    bool answered = answer_act(world, bot, turn);
    if (answered || turn->kind != MESSAGE_TURN) {
        if (!answered) {
            say_act(world, bot, turn,
                    turn->kind == MESSAGE_CUBE                  ? ACT_ROLL
                    : message_list_has(turn, FIELD_MAY, "take") ? ACT_TAKE
                                                                : ACT_REJECT);
        }
        return;
    }
    message_init(&play, MESSAGE_PLAY);
    message_set(&play, FIELD_TABLE, message_text(turn, FIELD_TABLE));
    message_set(&play, FIELD_SERIAL, message_text(turn, FIELD_SERIAL));
    if (perhaps(world, manners->illegal)) {
        message_set(&play, FIELD_PLAY, "24/1 24/2");
    } else if (perhaps(world, manners->malformed)) {
        message_set(&play, FIELD_PLAY, "hello there");
    } else if (bot->want_plays) {
        message_set(&play, FIELD_PLAY, bot->plays[chance(world) % bot->play_count]);
    } else {
        message_set(&play, FIELD_PLAY, "#0");
    }
    say(bot, &play);
    if (perhaps(world, manners->late)) {
        say(bot, &play); /* answered twice: the second one is late */
    }
}

/* Keeps the words of a `plays` line. */
static void keep_plays(struct bot *bot, const struct message *message) {
    const char *at = message_text(message, FIELD_PLAYLIST);
    if (message_int(message, FIELD_FROM, 0) == 0) {
        bot->play_count = 0;
    }
    while (*at != 0 && bot->play_count < PLAYS_KEPT) {
        size_t length = strcspn(at, " ");
        snprintf(bot->plays[bot->play_count++], PLAY_TEXT_MAX, "%.*s", (int)length, at);
        at += length + (at[length] == ' ');
    }
}

/* Sets up the opening arrangement as this seat sees it. */
static void follow_game(struct bot *bot) {
    int8_t counts[POINT_COUNT];
    struct board board;
    board_init(&board, bot->rules);
    position_counts(bot->rules, &board, SIDE_X, counts);
    for (int point = 0; point < POINT_COUNT; point++) {
        bot->counts[point] = counts[point];
    }
}

/* A place of a `did` line on the board of counts; -1 is off. */
static int place_of(const char *word, int bar) {
    return strncmp(word, "bar", 3) == 0   ? bar
           : strncmp(word, "off", 3) == 0 ? -1
                                          : (int)strtol(word, NULL, 10);
}

/* Moves the checkers of a `did` line, all in this seat's own numbering. */
static void follow_did(struct bot *bot, const struct message *did) {
    bool mine = message_text(did, FIELD_SEAT)[0] == bot->seat;
    int one = mine ? 1 : -1;
    const char *at = message_text(did, FIELD_PLAY);
    while (*at != 0) {
        const char *slash = strchr(at, '/');
        int from = place_of(at, mine ? POINT_BAR : 0), to = place_of(slash + 1, 0);
        size_t length = strcspn(at, " ");
        bot->counts[from] -= one;
        if (at[length - 1] == '*') {
            bot->counts[to] = 0;
            bot->counts[mine ? 0 : POINT_BAR] -= one;
        }
        if (to >= 0) {
            bot->counts[to] += one;
        }
        at += length + (at[length] == ' ');
    }
}

static void compare_position(struct bot *bot, const struct message *turn) {
    const char *at = message_text(turn, FIELD_POSITION);
    bool same = true;
    for (int point = 0; point < POINT_COUNT && *at != 0; point++) {
        char *end;
        long count = strtol(at, &end, 10);
        same = same && count == bot->counts[point];
        at = *end == ',' ? end + 1 : end;
    }
    bot->positions++;
    bot->strayed += !same;
}

static void bot_line(struct world *world, struct bot *bot, const char *line, size_t length) {
    struct message message, reply;
    char why[160];
    enum decoded decoded =
        spelling_decode(bot->spelling, line, length, SENT_BY_REFEREE, &message, why);
    if (decoded != DECODED_MESSAGE) {
        CHECK(false, "the referee sent a line that is no message: %s: %.*s", why, (int)length,
              line);
        return;
    }
    if (message.kind == MESSAGE_MATCH) {
        bot->seat = message_text(&message, FIELD_SEAT)[0];
        if (perhaps(world, bot->manners.unready)) {
            return;
        }
        message_init(&reply,
                     perhaps(world, bot->manners.decline) ? MESSAGE_DECLINE : MESSAGE_READY);
        message_set(&reply, FIELD_TABLE, message_text(&message, FIELD_TABLE));
        say(bot, &reply);
    } else if (message.kind == MESSAGE_PLAYS) {
        keep_plays(bot, &message);
    } else if (message.kind == MESSAGE_GAME) {
        follow_game(bot);
    } else if (message.kind == MESSAGE_DID) {
        follow_did(bot, &message);
    } else if (message.kind == MESSAGE_TURN || message.kind == MESSAGE_CUBE ||
               message.kind == MESSAGE_OFFER) {
        if (message_has(&message, FIELD_POSITION)) {
            compare_position(bot, &message);
        }
        if (perhaps(world, bot->manners.noise)) {
            bytes_add_text(&bot->out, bot->spelling == SPELLING_JSON ? "{\"type\":\"what\"}\n"
                                                                     : "what is this\n");
        }
        answer(world, bot, &message);
    }
}

static void bot_read(struct world *world, struct bot *bot) {
    struct frame frame;
    while (frame_cut(bot->in.data, bot->in.length, 1 << 20, &frame) == FRAME_LINE) {
        bot_line(world, bot, frame.line, frame.length);
        bytes_drop(&bot->in, frame.consumed);
    }
}

/* One turn of the loop: bytes both ways, cut where chance will. Whether anything moved. */
static bool turn(struct world *world) {
    bool moved = false;
    world->now += (int64_t)(chance(world) % 3);
    for (int i = 0; i < BOTS; i++) {
        struct bot *bot = &world->bot[i];
        const char *data = NULL;
        size_t ready = bot->session == 0 ? 0 : referee_output(world->referee, bot->session, &data);
        if (ready > 0) {
            size_t piece = perhaps(world, 100) ? 1 + chance(world) % ready : ready;
            bytes_add(&bot->in, data, piece);
            referee_sent(world->referee, bot->session, piece, world->now);
            bot_read(world, bot);
            moved = true;
        }
        if (bot->out.length > 0 && bot->session != 0) {
            size_t piece =
                perhaps(world, 100) ? 1 + chance(world) % bot->out.length : bot->out.length;
            referee_input(world->referee, bot->session, bot->out.data, piece, world->now);
            bytes_drop(&bot->out, piece);
            moved = true;
        }
        if (perhaps(world, bot->manners.vanish) && !bot->gone && bot->session != 0) {
            referee_closed(world->referee, bot->session, world->now);
            moved = true;
        }
    }
    while (referee_next_dirty(world->referee) != 0) {
    }
    referee_sweep(world->referee);
    return moved;
}

static void bot_connect(struct world *world, int i, const char *name) {
    struct bot *bot = &world->bot[i];
    struct message hello;
    bot->session = referee_open(world->referee, name, world->now);
    bot->gone = false;
    bytes_drop(&bot->in, bot->in.length);
    bytes_drop(&bot->out, bot->out.length);
    message_init(&hello, MESSAGE_HELLO);
    message_set_int(&hello, FIELD_HAKEM, 1);
    message_set(&hello, FIELD_NAME, name);
    /* cut after 63 bytes: in the middle of a character */
    message_set(&hello, FIELD_VERSION,
                "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv\xC3\xA9\xC3\xA9");
    if (bot->want_plays) {
        message_set(&hello, FIELD_WANT, "plays,position");
    }
    say(bot, &hello);
}

static void world_open(struct world *world, uint64_t seed) {
    struct referee_limits limits;
    referee_limits_init(&limits);
    memset(world, 0, sizeof *world);
    world->chance = seed;
    world->now = 1000;
    const struct referee_hooks hooks = {.owner = world,
                                        .hello = on_hello,
                                        .game = on_game,
                                        .match = on_match,
                                        .vacant = on_vacant,
                                        .gone = on_gone};
    world->referee = referee_new(&limits, &hooks);
    bytes_init(&world->record, 1 << 24);
    for (int i = 0; i < BOTS; i++) {
        bytes_init(&world->bot[i].in, 1 << 20);
        bytes_init(&world->bot[i].out, 1 << 20);
    }
}

static void world_close(struct world *world) {
    referee_free(world->referee);
    bytes_clear(&world->record);
    for (int i = 0; i < BOTS; i++) {
        bytes_clear(&world->bot[i].in);
        bytes_clear(&world->bot[i].out);
    }
}

static void seat_them(struct world *world, const struct rules *rules, const char *seed) {
    static const uint8_t key[SIGN_PUBLIC_BYTES];
    struct hash master = dice_open_master(seed);
    struct match_spec spec = {.source = DICE_SEEDED,
                              .leg = 1,
                              .pairing = "mirrored",
                              .rules = *rules,
                              .clock = {.move_time = 5000, .margin = 50},
                              .master_commitment = dice_master_commitment(&master, "sim#0"),
                              .server = "hakem/sim",
                              .public_key = key,
                              .date = "2026-11-30T00:00:00Z",
                              .name = {"ayse", "bora"},
                              .session = {world->bot[0].session, world->bot[1].session}};
    unit_dice_init(&spec.dice, &master, "sim#0", "U000001", 0);
    char why[160] = "";
    world->table = referee_seat(world->referee, &spec, world->now, why);
    if (world->table == 0) {
        CHECK(false, "the match could not be seated: %s", why);
    }
}

/* Someone who lost the connection comes back. */
static void bring_back(struct world *world) {
    static const char *const names[BOTS] = {"ayse", "bora"};
    for (int i = 0; i < BOTS; i++) {
        if (world->bot[i].gone && !world->bot[i].manners.stays_away) {
            bot_connect(world, i, names[i]);
            for (int turns = 0; turns < 20; turns++) {
                turn(world);
            }
            referee_reseat(world->referee, world->table, (enum side)i, world->bot[i].session,
                           world->now);
        }
    }
}

/* Plays one match to its end; false when it never ended. */
static bool play_match(struct world *world, const struct rules *rules, const char *seed) {
    bot_connect(world, 0, "ayse");
    bot_connect(world, 1, "bora");
    for (int turns = 0; turns < 40; turns++) {
        turn(world);
    }
    seat_them(world, rules, seed);
    for (int turns = 0; turns < 200000 && !world->over; turns++) {
        if (!turn(world)) {
            int64_t deadline = referee_next_deadline(world->referee);
            if (deadline == INT64_MAX) {
                return false;
            }
            world->now = deadline > world->now ? deadline : world->now;
        }
        referee_tick(world->referee, world->now);
        if (world->vacancies > 0 && (world->bot[0].gone || world->bot[1].gone)) {
            world->vacancies = 0;
            bring_back(world);
        }
    }
    return world->over;
}

static struct play_room room;

/* Reads the match's record as a stranger would. */
static bool record_holds(struct world *world, char *why) {
    struct replay replay;
    size_t at = 0, length;
    const char *line;
    int cut;
    replay_init(&replay, &room);
    while ((cut = replay_cut(world->record.data, world->record.length, &at, &line, &length)) == 1) {
        struct message message;
        if (replay_line(&replay, line, length, &message, why) != 0) {
            printf("# line %llu: %.*s\n# %s\n", (unsigned long long)replay.lines, (int)length, line,
                   why);
            return false;
        }
    }
    return cut == 0 && replay.state == REPLAY_ENDED && replay.winner == world->match.winner &&
           replay.match.score[SIDE_X] == world->match.score[SIDE_X] &&
           replay.match.score[SIDE_Y] == world->match.score[SIDE_Y] &&
           memcmp(&replay.head, &world->match.head, sizeof replay.head) == 0;
}

struct total {
    int matches, ended, held, games, drawn;
    int faults, replaced; /* lines of faults; plays in place of illegal ones */
    int proven, unproven; /* records whose throws and replacements are the seed's; or not */
    int caught;           /* other replacements that the seed did not bear out */
    int reasons[REASON_COUNT];
    int positions, strayed;
    int acts[ACT_COUNT];
    int match_reasons[REASON_COUNT];
};

static void note_nothing(void *owner, const struct verify_finding *finding) {
    (void)owner, (void)finding;
}

static bool is_proven(const char *text, size_t length, const char *seed) {
    struct verify_known known = {.seed = seed};
    struct verify_report report;
    return verify_record(text, length, &known, note_nothing, NULL, &report) != VERIFY_REFUSED &&
           report.throws > 0;
}

/* The first lines of a record, the last play of them changed: is it noticed? */
static bool other_play_is_caught(const char *text, size_t length, const struct replay *at,
                                 const char *seed) {
    struct bytes altered, chained;
    char play[PLAY_TEXT_MAX], line[512];
    size_t start = length - 1;
    const struct replay_ply *ply = &at->ply;
    struct situation situation = {.board = at->board, .mover = ply->seat, .first_turn = false};
    for (int i = 0; i < ply->play.count; i++) { /* back to the board before it; no hits in uzun */
        situation.board.men[ply->seat][ply->play.step[i].to]--;
        situation.board.men[ply->seat][ply->play.step[i].from]++;
    }
    memcpy(situation.dice, ply->dice, 2);
    situation.first_turn = ply->turn == 0;
    size_t count = plays_list(&at->header.rules, &situation, room.list, PLAYS_MAX);
    size_t other = board_equal(&room.list[0].final, &at->board) ? 1 : 0;
    if (count < 2) {
        return true;
    }
    play_write(&room.list[other].play, ' ', true, play);
    while (text[start - 1] != '\n') {
        start--;
    }
    bytes_init(&altered, 1 << 24);
    bytes_init(&chained, 1 << 24);
    bytes_add(&altered, text, start);
    snprintf(line, sizeof line, "did 1 %u %c %d%d %s 0123456789abcdef\n", at->plies,
             ply->seat == SIDE_X ? 'X' : 'Y', ply->dice[0], ply->dice[1], play);
    bytes_add_text(&altered, line);
    make_record_chain(altered.data, altered.length, &chained);
    bool caught = !is_proven(chained.data, chained.length, seed);
    bytes_clear(&altered);
    bytes_clear(&chained);
    return caught;
}

/* Counts what the record says of refused answers, and puts it to the test. */
static void count_refusals(struct world *world, const char *seed, struct total *total) {
    struct replay replay;
    struct message message;
    size_t at = 0, length;
    const char *line, *text = bytes_text(&world->record);
    char why[RECORD_WHY_MAX];
    replay_init(&replay, &room);
    while (replay_cut(text, world->record.length, &at, &line, &length) == 1 &&
           replay_line(&replay, line, length, &message, why) == 0) {
        total->faults += message.kind == MESSAGE_FAULT;
        if (message.kind == MESSAGE_DID && replay.ply.replaced) {
            struct replay here = replay;
            total->replaced++;
            total->caught += other_play_is_caught(text, at, &here, seed);
        }
    }
    if (is_proven(text, world->record.length, seed)) {
        total->proven++;
    } else {
        total->unproven++;
    }
}

/* The rules of the i-th match: with the cube and resigning in all their settings, or not. */
static struct rules rules_of(const struct rules *chosen, int i, bool cube) {
    struct rules rules = *chosen;
    char why[160];
    rules.value[OPTION_MATCH] = 1 + i % 3 * 2;
    if (!cube) {
        return rules;
    }
    rules.value[OPTION_VIDO] = 1;
    rules.value[OPTION_RESIGN] = i % 2;
    rules.value[OPTION_ILLEGAL] = i % 4 == 3   ? ILLEGAL_RETRY
                                  : i % 8 == 5 ? ILLEGAL_REPLACE_RANDOM
                                               : ILLEGAL_FORFEIT_GAME;
    rules.value[OPTION_VIDO_MAX] = i % 5 == 0 ? 2 : 64;
    rules.value[OPTION_CRAWFORD] = i % 7 != 0;
    rules.value[OPTION_MATCH] = 3 + i % 3 * 4;
    if (rules.variant->school == SCHOOL_WESTERN && i % 2 == 0) {
        rules.value[OPTION_MATCH] = 0;
        rules.value[OPTION_GAMES] = 1 + i % 5;
        rules.value[OPTION_CRAWFORD] = 1;
        rules.value[OPTION_VIDO_MAX] = i % 5 == 0 ? 16 : 64;
        rules.value[OPTION_BEAVERS] = i / 2 % 4;
        rules.value[OPTION_AUTO_DOUBLES] = i % 3;
        rules.value[OPTION_JACOBY] = i % 3 != 0;
    }
    if (rules_check(&rules, why) != 0) {
        CHECK(false, "rules that go together: %s", why);
    }
    return rules;
}

static void run_many(struct total *total, const struct rules *chosen, struct manners manners,
                     int count, bool cube) {
    char why[RECORD_WHY_MAX] = "";
    for (int i = 0; i < count; i++) {
        struct world *world = malloc(sizeof *world);
        struct rules rules = rules_of(chosen, i, cube);
        char seed[32];
        world_open(world, (uint64_t)i + 77);
        world->bot[0].spelling = i & 1 ? SPELLING_JSON : SPELLING_TEXT;
        world->bot[1].spelling = i & 2 ? SPELLING_JSON : SPELLING_TEXT;
        world->bot[0].want_plays = i & 4;
        world->bot[1].want_plays = !(i & 8);
        for (int side = 0; side < BOTS; side++) {
            world->bot[side].manners = manners;
            world->bot[side].rules = &rules;
        }
        snprintf(seed, sizeof seed, "%d", i);
        total->matches++;
        total->ended += play_match(world, &rules, seed);
        total->held += record_holds(world, why);
        total->games += world->games;
        total->drawn += world->drawn;
        if (rules.value[OPTION_ILLEGAL] != ILLEGAL_FORFEIT_GAME) {
            count_refusals(world, seed, total);
        }
        total->match_reasons[world->match.reason]++;
        for (int reason = 0; reason < REASON_COUNT; reason++) {
            total->reasons[reason] += world->forfeits[reason];
        }
        for (int side = 0; side < BOTS; side++) {
            total->positions += world->bot[side].positions;
            total->strayed += world->bot[side].strayed;
            for (int bit = 0; bit < ACT_COUNT; bit++) {
                total->acts[bit] += world->bot[side].acts[bit];
            }
        }
        world_close(world);
        free(world);
    }
}

static struct rules rules_with(const char *variant, const char *option, const char *value) {
    struct rules rules;
    char why[160] = "";
    rules_init(&rules, variant_find(variant, strlen(variant)));
    CHECK(rules_set(&rules, option, value, why) == 0, "%s=%s %s", option, value, why);
    return rules;
}

/* illegal=retry and illegal=replace_random (B8): the game goes on, on the record. */
static void test_refusals(void) {
    struct manners clumsy = {.illegal = 150, .malformed = 50};
    struct rules retry = rules_with("uzun", "illegal", "retry");
    struct rules replace = rules_with("uzun", "illegal", "replace_random");
    struct total asked = {0}, replaced = {0};
    run_many(&asked, &retry, clumsy, 40, false);
    int lost = asked.reasons[REASON_ILLEGAL] + asked.reasons[REASON_MALFORMED];
    CHECK_INT(asked.ended, asked.matches, "matches of clumsy bots end under illegal=retry");
    CHECK_INT(asked.held, asked.matches, "and their records hold");
    CHECK_INT(asked.proven, asked.matches, "and are proven by the seed");
    CHECK(lost > 0 && asked.faults > 20 * lost, "%d of %d refusals lost a game", lost,
          asked.faults);
    CHECK(asked.reasons[REASON_NORMAL] > lost && asked.strayed == 0, "most games are played out");
    run_many(&replaced, &replace, clumsy, 12, false);
    CHECK_INT(replaced.ended, replaced.matches, "matches end under illegal=replace_random");
    CHECK_INT(replaced.held, replaced.matches, "and their records hold");
    CHECK_INT(replaced.proven, replaced.matches, "and are proven by the seed");
    CHECK_INT(replaced.reasons[REASON_NORMAL], replaced.games, "no game is lost by a play");
    CHECK(replaced.faults > 100 && replaced.strayed == 0, "%d plays were replaced",
          replaced.faults);
    CHECK_INT(replaced.replaced, replaced.faults, "each refusal has its replacement");
    CHECK_INT(replaced.caught, replaced.replaced, "and another in its place is noticed");
}

/* draw=last_roll (B39): half a point for each side. */
static void test_draws(void) {
    struct rules rules = rules_with("uzun", "draw", "last_roll");
    struct total total = {0};
    run_many(&total, &rules, (struct manners){0}, 200, false);
    CHECK_INT(total.ended, total.matches, "matches with draws end");
    CHECK_INT(total.held, total.matches, "and their records hold");
    CHECK(total.drawn > 0, "%d of %d games were drawn", total.drawn, total.games);
}

/* With the cube: whatever bots do with it, matches end and records hold. */
static void check_cube(const struct rules *rules) {
    struct total good = {0}, bad = {0};
    run_many(&good, rules, (struct manners){0}, 80, true);
    CHECK_INT(good.ended, good.matches, "every match with a cube ends");
    CHECK_INT(good.held, good.matches, "and its record holds");
    CHECK_INT(good.reasons[REASON_NORMAL] + good.reasons[REASON_DROP] + good.reasons[REASON_RESIGN],
              good.games, "without a fault");
    CHECK(good.reasons[REASON_DROP] > 5 && good.reasons[REASON_RESIGN] > 5,
          "drops (%d) and resignations (%d) were met", good.reasons[REASON_DROP],
          good.reasons[REASON_RESIGN]);
    CHECK_INT(good.strayed, 0, "boards kept by the `did` lines never stray");
    bool money = rules->variant->school == SCHOOL_WESTERN;
    for (int bit = 0; bit < ACT_COUNT; bit++) {
        bool met = good.acts[bit] > 0;
        bool wanted = 1 << bit != ACT_PLAY && (money || 1 << bit != ACT_BEAVER);
        CHECK(met == wanted, "%s was said %d times", act_name((enum act)(1U << bit)),
              good.acts[bit]);
    }
    run_many(&bad, rules,
             (struct manners){.illegal = 2,
                              .malformed = 2,
                              .late = 20,
                              .silent = 3,
                              .vanish = 1,
                              .noise = 5,
                              .wild = 100},
             160, true);
    CHECK_INT(bad.ended, bad.matches, "every match of unruly bots with a cube ends");
    CHECK_INT(bad.held, bad.matches, "and its record holds");
    CHECK(bad.reasons[REASON_MALFORMED] > 0 && bad.reasons[REASON_TIMEOUT] > 0 &&
              bad.reasons[REASON_DISCONNECT] > 0,
          "faults were met");
}

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    test_refusals();
    test_draws();
    for (int v = 0; v < VARIANT_COUNT; v++) {
        struct rules rules;
        struct total good = {0}, bad = {0};
        rules_init(&rules, variant_row((enum variant_id)v));
        run_many(&good, &rules, (struct manners){0}, 60, false);
        CHECK_INT(good.ended, good.matches, "every match of well-behaved bots ends");
        CHECK_INT(good.held, good.matches, "and its record holds");
        CHECK_INT(good.reasons[REASON_NORMAL], good.games, "and every game is played out");
        CHECK(good.positions > 1000, "positions were compared (%d)", good.positions);
        CHECK_INT(good.strayed, 0, "a board kept by the `did` lines alone never strays");
        run_many(
            &bad, &rules,
            (struct manners){
                .illegal = 4, .malformed = 4, .late = 30, .silent = 3, .vanish = 1, .noise = 5},
            120, false);
        CHECK_INT(bad.ended, bad.matches, "every match of misbehaving bots ends");
        CHECK_INT(bad.held, bad.matches, "and its record holds");
        CHECK(bad.reasons[REASON_ILLEGAL] > 0, "illegal plays were met (%d)",
              bad.reasons[REASON_ILLEGAL]);
        CHECK(bad.reasons[REASON_MALFORMED] > 0, "malformed plays were met (%d)",
              bad.reasons[REASON_MALFORMED]);
        CHECK(bad.reasons[REASON_TIMEOUT] > 0, "timeouts were met (%d)",
              bad.reasons[REASON_TIMEOUT]);
        CHECK(bad.reasons[REASON_DISCONNECT] > 0, "lost connections were met (%d)",
              bad.reasons[REASON_DISCONNECT]);
        struct total rude = {0};
        run_many(&rude, &rules,
                 (struct manners){.vanish = 2, .unready = 60, .decline = 60, .stays_away = true},
                 120, false);
        CHECK_INT(rude.ended, rude.matches, "every match that is walked out of ends");
        CHECK_INT(rude.held, rude.matches, "and its record holds");
        CHECK(rude.match_reasons[REASON_ABORTED] > 0, "matches were declined (%d)",
              rude.match_reasons[REASON_ABORTED]);
        CHECK(rude.match_reasons[REASON_TIMEOUT] > 0, "or never begun (%d)",
              rude.match_reasons[REASON_TIMEOUT]);
        CHECK(rude.match_reasons[REASON_DISCONNECT] > 0, "or left for good (%d)",
              rude.match_reasons[REASON_DISCONNECT]);
        struct total hung = {0}, loud = {0};
        run_many(&hung, &rules, (struct manners){.silent = 300}, 30, false);
        CHECK_INT(hung.ended, hung.matches, "every match of bots that hang ends");
        CHECK_INT(hung.held, hung.matches, "and its record holds");
        run_many(&loud, &rules, (struct manners){.floods = 20}, 30, false);
        CHECK_INT(loud.ended, loud.matches, "every match of bots that never end a line ends");
        CHECK_INT(loud.held, loud.matches, "and its record holds");
        CHECK(bad.reasons[REASON_NORMAL] > 0, "games were played out beside them (%d)",
              bad.reasons[REASON_NORMAL]);
        check_cube(&rules);
    }
    return check_done();
}
