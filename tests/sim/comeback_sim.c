/* A conversation cut at every byte, in both directions and every state of a seat, and taken
 * up again: each ply is seen once, and the record is the one of the undisturbed match.
 *
 * The bots answer by what a request says and nothing else, so that they play the same
 * whatever they remember. They follow the board by `did` and `state` and compare. */
#include "check.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "referee/referee.h"
#include "rules/position.h"
#include "wire/frame.h"
#include "wire/spelling.h"

#include <stdlib.h>

/* Sanitizers make every cut many times slower: they see every 13th byte of the match in full. */
#ifdef __SANITIZE_ADDRESS__
enum { COARSER = 13 };
#else
enum { COARSER = 1 };
#endif

enum { PEERS = 2, GAMES_MAX = 64, STREAM_MAX = 1 << 22, TURNS_MAX = 20000, RECORD_DIGITS = 16 };

/* How a bot's connection breaks. */
struct cut {
    int peer;       /* -1: not at all */
    bool to_bot;    /* in what it hears, not in what it says */
    size_t at;      /* after so many bytes */
    bool half_open; /* the referee does not notice */
    bool forgets;   /* the bot remembers nothing but its secret */
    bool respells;  /* and comes back in the other spelling */
    int64_t away;   /* ms until it dials in again */
};

/* What is played, and how the bots speak. */
struct plot {
    const char *variant;
    const char *options[5][2];
    const char *want[PEERS];
    enum spelling spelling[PEERS];
    unsigned pause_at; /* the match is paused when it has so many plies, 0: never */
};

struct peer {
    uint32_t session, former;
    enum spelling spelling;
    const char *want;
    struct bytes in, out;
    size_t heard, said;    /* bytes that got through on all its connections */
    int64_t back_at;       /* when it dials in again, -1: it is connected */
    bool welcome;
    char secret[128];
    /* its memory */
    char seat;
    uint64_t answered;     /* serial of its last answer */
    unsigned ply;
    bool knows;            /* the board is known */
    int counts[POINT_COUNT];
    int dids, states, requests, compared;
    bool results[GAMES_MAX], ended, unit, paused, replaced;
    char score[40];
    const char *fault;     /* what went wrong, a word */
};

struct world {
    struct referee *referee;
    const struct plot *plot;
    struct cut cut;
    struct rules rules;
    int64_t now;
    uint32_t table;
    struct peer peer[PEERS];
    struct bytes record;
    unsigned plies;        /* heard by both */
    int paused;            /* turns of the loop that the pause still lasts, -1: over */
    size_t chunk;          /* bytes that pass at once, 0: all */
    size_t rest_at;        /* the first peer's line rests for a while after so many bytes, 0: no */
    int resting;
    int games, matches;
    enum reason reason;
    int turns;
};

/* ---- the outside of the referee */

static void on_game(void *owner, const struct game_facts *facts) {
    struct world *world = owner;
    world->games++;
    bytes_add(&world->record, facts->record, facts->record_length);
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct world *world = owner;
    world->matches++;
    world->reason = facts->reason;
    bytes_add(&world->record, facts->record, facts->record_length);
}

static void on_vacant(void *owner, uint32_t table, enum side side) {
    (void)owner, (void)table, (void)side;
}

static void on_swapped(void *owner, uint32_t session, uint32_t other) {
    struct world *world = owner;
    for (int i = 0; i < PEERS; i++) {
        struct peer *peer = &world->peer[i];
        uint32_t *held[] = {&peer->session, &peer->former};
        for (int k = 0; k < 2; k++) {
            *held[k] = *held[k] == session ? other : *held[k] == other ? session : *held[k];
        }
    }
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    (void)owner, (void)session, (void)why;
}

/* ---- a bot */

static void blame(struct peer *peer, const char *what) {
    peer->fault = peer->fault == NULL ? what : peer->fault;
}

static void say(struct peer *peer, const struct message *message) {
    spelling_encode(peer->spelling, message, &peer->out);
}

static void opening_board(struct world *world, struct peer *peer) {
    int8_t counts[POINT_COUNT];
    struct board board;
    board_init(&board, &world->rules);
    position_counts(&world->rules, &board, SIDE_X, counts);
    for (int point = 0; point < POINT_COUNT; point++) {
        peer->counts[point] = counts[point];
    }
    peer->knows = true;
    peer->ply = 0;
}

static int place_of(const char *word, int bar) {
    return strncmp(word, "bar", 3) == 0   ? bar
           : strncmp(word, "off", 3) == 0 ? -1
                                          : (int)strtol(word, NULL, 10);
}

static void follow_did(struct peer *peer, const struct message *did) {
    bool mine = message_text(did, FIELD_SEAT)[0] == peer->seat;
    int one = mine ? 1 : -1;
    const char *at = message_text(did, FIELD_PLAY);
    peer->dids++;
    if (!peer->knows) {
        blame(peer, "a ply without a game");
    } else if (message_int(did, FIELD_PLY, 0) != (int64_t)peer->ply + 1) {
        blame(peer, "a ply twice, or one left out");
    }
    peer->ply++;
    while (*at != 0) {
        size_t length = strcspn(at, " ");
        int from = place_of(at, mine ? POINT_BAR : 0), to = place_of(strchr(at, '/') + 1, 0);
        peer->counts[from] -= one;
        if (at[length - 1] == '*') {
            peer->counts[to] = 0;
            peer->counts[mine ? 0 : POINT_BAR] -= one;
        }
        if (to >= 0) {
            peer->counts[to] += one;
        }
        at += length + (at[length] == ' ');
    }
}

/* Compares a `position` with the board, or takes it over. */
static void follow_position(struct peer *peer, const struct message *message, bool take) {
    const char *at = message_text(message, FIELD_POSITION);
    for (int point = 0; point < POINT_COUNT; point++) {
        char *end;
        long count = strtol(at, &end, 10);
        if (!take && peer->knows && count != peer->counts[point]) {
            blame(peer, "another board");
        }
        peer->counts[point] = (int)count;
        at = *end == ',' ? end + 1 : end;
    }
    peer->compared++;
}

static void follow_state(struct peer *peer, const struct message *state) {
    peer->states++;
    peer->seat = message_text(state, FIELD_SEAT)[0];
    snprintf(peer->score, sizeof peer->score, "%s", message_text(state, FIELD_SCORE));
    bool game = message_has(state, FIELD_GAME);
    if (game) {
        unsigned ply = (unsigned)message_int(state, FIELD_PLY, 0);
        follow_position(peer, state, !peer->knows || ply != peer->ply);
        peer->ply = ply;
    }
    peer->knows = game;
}

/* Everything about the answer comes from the request. */
static void answer(const struct rules *rules, struct peer *peer,
                   const struct message *request) {
    uint64_t serial = (uint64_t)message_int(request, FIELD_SERIAL, 0);
    static const struct {
        const char *word;
        enum message_kind kind;
        unsigned each; /* chosen once in so many serials */
    } ways[] = {{"resign", MESSAGE_RESIGN, 13}, {"double", MESSAGE_DOUBLE, 5},
                {"drop", MESSAGE_DROP, 7},      {"accept", MESSAGE_ACCEPT, 2},
                {"beaver", MESSAGE_BEAVER, 2},  {"take", MESSAGE_TAKE, 1},
                {"reject", MESSAGE_REJECT, 1},  {"roll", MESSAGE_ROLL, 1}};
    enum message_kind kind = MESSAGE_PLAY;
    struct message message;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && kind == MESSAGE_PLAY; i++) {
        if (message_list_has(request, FIELD_MAY, ways[i].word) && serial % ways[i].each == 0) {
            kind = ways[i].kind;
        }
    }
    peer->requests++;
    if (serial < peer->answered) {
        blame(peer, "an old request");
    }
    peer->answered = serial;
    message_init(&message, kind);
    message_set(&message, FIELD_TABLE, message_text(request, FIELD_TABLE));
    message_set(&message, FIELD_SERIAL, message_text(request, FIELD_SERIAL));
    if (kind == MESSAGE_PLAY) {
        message_set(&message, FIELD_PLAY, "#0");
    } else if (kind == MESSAGE_RESIGN) {
        message_set(&message, FIELD_KIND, kind_name(rules, serial < 26 ? 1 : serial < 39 ? 2 : 3));
    }
    say(peer, &message);
}

static void hear_match(struct peer *peer, const struct message *match) {
    struct message ready;
    peer->seat = message_text(match, FIELD_SEAT)[0];
    message_init(&ready, MESSAGE_READY);
    message_set(&ready, FIELD_TABLE, message_text(match, FIELD_TABLE));
    say(peer, &ready);
}

static void hear_result(struct peer *peer, const struct message *result) {
    int64_t game = message_int(result, FIELD_GAME, 0);
    snprintf(peer->score, sizeof peer->score, "%s", message_text(result, FIELD_SCORE));
    if (game < GAMES_MAX) {
        peer->results[game] = true;
    }
    peer->knows = false;
}

static void hear_line(struct world *world, struct peer *peer, const char *line, size_t length) {
    struct message message;
    char why[160];
    if (spelling_decode(peer->spelling, line, length, SENT_BY_REFEREE, &message, why) !=
        DECODED_MESSAGE) {
        blame(peer, "a line that is no message");
        return;
    }
    switch ((int)message.kind) {
    case MESSAGE_WELCOME:
        snprintf(peer->secret, sizeof peer->secret, "%s", message_text(&message, FIELD_RESUME));
        peer->welcome = true;
        break;
    case MESSAGE_MATCH: hear_match(peer, &message); break;
    case MESSAGE_GAME: opening_board(world, peer); break;
    case MESSAGE_DID: follow_did(peer, &message); break;
    case MESSAGE_STATE: follow_state(peer, &message); break;
    case MESSAGE_TURN:
    case MESSAGE_CUBE:
    case MESSAGE_OFFER:
        if (message_has(&message, FIELD_POSITION)) {
            follow_position(peer, &message, false);
        }
        answer(&world->rules, peer, &message);
        break;
    case MESSAGE_RESULT: hear_result(peer, &message); break;
    case MESSAGE_END:
        peer->ended = true;
        snprintf(peer->score, sizeof peer->score, "%s", message_text(&message, FIELD_SCORE));
        break;
    case MESSAGE_UNIT: peer->unit = true; break;
    case MESSAGE_PAUSE: peer->paused = true; break;
    case MESSAGE_RESUME: peer->paused = false; break;
    case MESSAGE_PLAYS: break;
    case MESSAGE_ERROR:
        if (strcmp(message_text(&message, FIELD_CODE), "late") != 0 || world->cut.peer < 0) {
            blame(peer, "an error");
        }
        break;
    case MESSAGE_REFUSED: /* its session had ended before it was worth anything */
        peer->secret[0] = '\0';
        peer->back_at = world->now;
        break;
    default: blame(peer, "a message too many"); break;
    }
}

/* ---- the world between them */

static void dial(struct world *world, int i) {
    struct peer *peer = &world->peer[i];
    struct message hello;
    bytes_drop(&peer->in, peer->in.length);
    bytes_drop(&peer->out, peer->out.length);
    peer->former = peer->session;
    peer->session = referee_open(world->referee, "peer", world->now);
    referee_allow_return(world->referee, peer->session);
    peer->back_at = -1;
    message_init(&hello, MESSAGE_HELLO);
    message_set_int(&hello, FIELD_HAKEM, 1);
    message_set(&hello, FIELD_NAME, i == 0 ? "ayse" : "bora");
    if (peer->want != NULL) {
        message_set(&hello, FIELD_WANT, peer->want);
    }
    if (peer->secret[0] != '\0') {
        message_set(&hello, FIELD_RESUME, peer->secret);
    }
    say(peer, &hello);
}

/* The connection is dead from now on. */
static void break_off(struct world *world, int i) {
    struct peer *peer = &world->peer[i];
    if (!world->cut.half_open) {
        referee_closed(world->referee, peer->session, world->now);
    }
    if (world->cut.forgets) {
        peer->knows = false;
        peer->answered = 0;
        peer->ply = 0;
        peer->seat = 0;
    }
    if (world->cut.respells) {
        peer->spelling = peer->spelling == SPELLING_TEXT ? SPELLING_JSON : SPELLING_TEXT;
    }
    peer->welcome = false;
    peer->back_at = world->now + world->cut.away;
    world->cut.at = SIZE_MAX;
}

/* How many of the bytes that are ready get through now; whether the connection then breaks. */
static size_t passing(struct world *world, int i, bool to_bot, size_t gone, size_t ready,
                      bool *breaks) {
    size_t most = world->chunk > 0 && world->chunk < ready ? world->chunk : ready;
    const struct cut *cut = &world->cut;
    *breaks = false;
    if (world->rest_at > 0 && !to_bot && i == 0 && gone <= world->rest_at &&
        gone + most > world->rest_at) {
        if (gone == world->rest_at) {
            world->resting++;
            most = world->resting < 30 ? 0 : most;
        } else {
            most = world->rest_at - gone;
        }
    }
    if (cut->peer == i && cut->to_bot == to_bot && cut->at != SIZE_MAX && gone + most >= cut->at) {
        *breaks = true;
        most = cut->at - gone;
    }
    return most;
}

/* Bytes go to a bot: the kernel has taken all, whatever gets through. */
static bool to_bot(struct world *world, int i) {
    struct peer *peer = &world->peer[i];
    const char *data = NULL;
    size_t ready = referee_output(world->referee, peer->session, &data);
    struct frame frame;
    bool breaks;
    if (ready == 0) {
        return false;
    }
    size_t most = passing(world, i, true, peer->heard, ready, &breaks);
    bytes_add(&peer->in, data, most);
    peer->heard += most;
    referee_sent(world->referee, peer->session, breaks ? ready : most, world->now);
    while (frame_cut(peer->in.data, peer->in.length, 1 << 20, &frame) == FRAME_LINE) {
        hear_line(world, peer, frame.line, frame.length);
        bytes_drop(&peer->in, frame.consumed);
    }
    if (breaks) {
        break_off(world, i);
    }
    return true;
}

static bool to_referee(struct world *world, int i) {
    struct peer *peer = &world->peer[i];
    bool breaks;
    if (peer->out.length == 0) {
        return false;
    }
    size_t most = passing(world, i, false, peer->said, peer->out.length, &breaks);
    referee_input(world->referee, peer->session, peer->out.data, most, world->now);
    peer->said += most;
    bytes_drop(&peer->out, most);
    if (breaks) {
        break_off(world, i);
    }
    return true;
}

/* What the referee still says on a connection that was replaced. */
static void read_former(struct world *world, int i) {
    struct peer *peer = &world->peer[i];
    const char *data = NULL;
    size_t ready =
        peer->former == 0 ? 0 : referee_output(world->referee, peer->former, &data);
    if (ready > 0) {
        const char *bye = peer->spelling == SPELLING_TEXT && !world->cut.respells
                              ? "bye reason=replaced\n"
                              : "replaced";
        peer->replaced = peer->replaced || memmem(data, ready, bye, strlen(bye)) != NULL;
        referee_sent(world->referee, peer->former, ready, world->now);
        if (referee_closing(world->referee, peer->former)) {
            referee_closed(world->referee, peer->former, world->now);
        }
    }
}

static bool turn(struct world *world) {
    bool moved = false;
    for (int i = 0; i < PEERS; i++) {
        struct peer *peer = &world->peer[i];
        if (peer->back_at >= 0 && peer->back_at <= world->now) {
            dial(world, i);
            moved = true;
        }
        if (peer->back_at < 0) {
            moved = to_bot(world, i) || moved;
        }
        if (peer->back_at < 0) {
            moved = to_referee(world, i) || moved;
        }
        read_former(world, i);
    }
    while (referee_next_dirty(world->referee) != 0) {
    }
    referee_sweep(world->referee);
    return moved;
}

static void seat_them(struct world *world) {
    static const uint8_t key[SIGN_PUBLIC_BYTES];
    struct hash master = dice_open_master("comeback");
    char why[160] = "";
    struct match_spec spec = {.source = DICE_SEEDED,
                              .leg = 1,
                              .pairing = "independent",
                              .rules = world->rules,
                              .clock = {.move_time = 20000, .margin = 50},
                              .master_commitment = dice_master_commitment(&master, "sim#0"),
                              .server = "hakem/sim",
                              .public_key = key,
                              .date = "2026-11-30T00:00:00Z",
                              .name = {"ayse", "bora"},
                              .session = {world->peer[0].session, world->peer[1].session}};
    unit_dice_init(&spec.dice, &master, "sim#0", "U000001", 0);
    world->table = referee_seat(world->referee, &spec, world->now, why);
}

static void world_open(struct world *world, const struct plot *plot, const struct cut *cut) {
    static const struct hash key = {{7}};
    struct referee_limits limits;
    char why[160] = "";
    *world = (struct world){.plot = plot, .cut = *cut, .now = 5000};
    const struct referee_hooks hooks = {.owner = world,
                                        .game = on_game,
                                        .match = on_match,
                                        .vacant = on_vacant,
                                        .swapped = on_swapped,
                                        .gone = on_gone};
    referee_limits_init(&limits);
    world->referee = referee_new(&limits, &hooks);
    referee_set_key(world->referee, &key);
    rules_init(&world->rules, variant_find(plot->variant, strlen(plot->variant)));
    for (int i = 0; i < 5 && plot->options[i][0] != NULL; i++) {
        if (rules_set(&world->rules, plot->options[i][0], plot->options[i][1], why) != 0) {
            CHECK(false, "%s", why);
        }
    }
    bytes_init(&world->record, STREAM_MAX);
    for (int i = 0; i < PEERS; i++) {
        struct peer *peer = &world->peer[i];
        peer->spelling = plot->spelling[i];
        peer->want = plot->want[i];
        bytes_init(&peer->in, STREAM_MAX);
        bytes_init(&peer->out, STREAM_MAX);
        dial(world, i);
    }
}

static void world_close(struct world *world) {
    referee_free(world->referee);
    bytes_clear(&world->record);
    for (int i = 0; i < PEERS; i++) {
        bytes_clear(&world->peer[i].in);
        bytes_clear(&world->peer[i].out);
    }
}

/* Pauses at the same ply whatever else happens, for a few turns; whether it is or was on. */
static bool pause_some_time(struct world *world) {
    unsigned plies = world->peer[0].ply;
    bool on = world->paused > 0;
    if (world->plot->pause_at == 0) {
        return false;
    }
    if (world->paused == 0 && plies >= world->plot->pause_at) {
        referee_pause(world->referee, world->table, "a walk", world->now);
        world->paused = 10;
    } else if (world->paused > 0 && --world->paused == 0) {
        referee_resume(world->referee, world->table, world->now);
        world->paused = -1;
    }
    return on;
}

static bool is_here(const struct peer *peer) {
    return peer->welcome && peer->back_at < 0;
}

/* Nothing moves: time passes up to the next thing that is due. */
static bool skip_time(struct world *world) {
    int64_t next = referee_next_deadline(world->referee);
    for (int i = 0; i < PEERS; i++) {
        int64_t back = world->peer[i].back_at;
        next = back >= 0 && back < next ? back : next;
    }
    if (next == INT64_MAX) {
        return false;
    }
    world->now = next > world->now ? next : world->now;
    referee_tick(world->referee, world->now);
    return true;
}

/* Plays the match, then the unit is told; until both know everything. */
static void play(struct world *world) {
    struct hash seed = {{1}}, heads[2] = {{{2}}, {{3}}};
    bool told = false;
    for (world->turns = 0; world->turns < TURNS_MAX; world->turns++) {
        if (world->table == 0 && is_here(&world->peer[0]) && is_here(&world->peer[1])) {
            seat_them(world);
        }
        bool moved = turn(world);
        moved = pause_some_time(world) || moved;
        if (world->matches > 0 && !told) {
            told = true;
            for (int i = 0; i < PEERS; i++) { /* the session's name, not its connection's */
                referee_send_unit(world->referee, world->peer[i].session, "U000001", &seed, heads,
                                  2);
            }
        }
        if (world->peer[0].unit && world->peer[1].unit && world->peer[0].ended &&
            world->peer[1].ended) {
            break;
        }
        if (!moved && world->resting % 30 == 0 && !skip_time(world)) {
            break;
        }
    }
}

/* ---- what is tested */

struct outcome_of {
    char *record;
    size_t length;
    size_t said[PEERS], heard[PEERS];
    char score[PEERS][40];
    int games, dids[PEERS], requests[PEERS];
};

static struct outcome_of undisturbed(const struct plot *plot) {
    struct world *world = alloc_zeroed(1, sizeof *world);
    struct outcome_of outcome = {0};
    world_open(world, plot, &(struct cut){.peer = -1});
    play(world);
    CHECK(world->matches == 1 && world->reason == REASON_NORMAL, "%s: a match is played",
          plot->variant);
    outcome.games = world->games;
    outcome.length = world->record.length;
    outcome.record = alloc_zeroed(1, outcome.length);
    memcpy(outcome.record, world->record.data, outcome.length);
    for (int i = 0; i < PEERS; i++) {
        const struct peer *peer = &world->peer[i];
        CHECK(peer->fault == NULL && peer->ended && peer->unit, "bot %d hears all of it (%s)", i,
              peer->fault == NULL ? "no fault" : peer->fault);
        outcome.said[i] = peer->said;
        outcome.heard[i] = peer->heard;
        outcome.dids[i] = peer->dids;
        outcome.requests[i] = peer->requests;
        snprintf(outcome.score[i], sizeof outcome.score[i], "%s", peer->score);
    }
    world_close(world);
    free(world);
    return outcome;
}

/* The length of the next piece of a record that has to be the same: times and, where the lines
 * say such, the digits of the chain behind them are passed over. */
static size_t piece_of(const char **at, const char *end) {
    if (end - *at > 4 && strncmp(*at, " ms=", 4) == 0) {
        *at += 4 + strspn(*at + 4, "0123456789");
    }
    const char *line_end = memchr(*at, '\n', (size_t)(end - *at));
    const char *next = memmem(*at, (size_t)(end - *at), " ms=", 4);
    if (next != NULL && next < line_end) {
        return (size_t)(next - *at);
    }
    return (size_t)(line_end - *at) - RECORD_DIGITS;
}

/* Whether both records say the same; with a bot that was away for some time, times apart. */
static bool same_record(const struct bytes *record, const struct outcome_of *plain, bool times) {
    const char *a = record->data, *b = plain->record;
    const char *a_end = a + record->length, *b_end = b + plain->length;
    if (times) {
        return record->length == plain->length && memcmp(a, b, plain->length) == 0;
    }
    while (a < a_end && b < b_end) {
        size_t size = piece_of(&a, a_end);
        if (size != piece_of(&b, b_end) || memcmp(a, b, size) != 0) {
            return false;
        }
        a += size;
        b += size;
        if (*a != ' ' || strncmp(a, " ms=", 4) != 0) {
            a += RECORD_DIGITS + 1;
            b += RECORD_DIGITS + 1;
        }
    }
    return a == a_end && b == b_end;
}

/* The first thing that differs from the undisturbed match, NULL for nothing. */
static const char *differs(const struct world *world, const struct outcome_of *plain) {
    for (int i = 0; i < PEERS; i++) {
        const struct peer *peer = &world->peer[i];
        if (peer->fault != NULL) {
            return peer->fault;
        }
        if (!peer->ended || !peer->unit || strcmp(peer->score, plain->score[i]) != 0) {
            return "it does not know the end";
        }
        for (int game = 1; game <= plain->games; game++) {
            if (!peer->results[game]) {
                return "it does not know a result";
            }
        }
    }
    return same_record(&world->record, plain, world->cut.away == 0) ? NULL : "another record";
}

struct tally {
    int cuts, good, states, replaced;
    char first[200]; /* what went wrong first */
};

static void run_cut(const struct plot *plot, const struct outcome_of *plain, const struct cut *cut,
                    struct tally *tally) {
    struct world *world = alloc_zeroed(1, sizeof *world);
    world_open(world, plot, cut);
    play(world);
    const char *why = differs(world, plain);
    tally->cuts++;
    tally->good += why == NULL;
    tally->states += world->peer[cut->peer].states;
    tally->replaced += world->peer[cut->peer].replaced;
    if (why != NULL && tally->first[0] == '\0') {
        snprintf(tally->first, sizeof tally->first, "%s, bot %d cut %s it at byte %zu%s%s", why,
                 cut->peer, cut->to_bot ? "to" : "from", cut->at,
                 cut->half_open ? ", half open" : "", cut->forgets ? ", forgetful" : "");
    }
    world_close(world);
    free(world);
}

/* Cuts at every `step`th byte of both directions of both bots. */
static void cut_everywhere(const struct plot *plot, const struct outcome_of *plain, size_t step,
                           struct cut how, const char *name) {
    struct tally tally = {0};
    for (int i = 0; i < PEERS; i++) {
        for (int direction = 0; direction < 2; direction++) {
            size_t length = direction == 0 ? plain->said[i] : plain->heard[i];
            for (size_t at = 1; at <= length; at += step) {
                struct cut cut = how;
                cut.peer = i;
                cut.to_bot = direction == 1;
                cut.at = at;
                run_cut(plot, plain, &cut, &tally);
            }
        }
    }
    CHECK(tally.good == tally.cuts, "%s, %s: %d of %d cuts change nothing (%s)", plot->variant,
          name, tally.good, tally.cuts, tally.first);
    CHECK(tally.states > tally.cuts / 3, "a state was told %d times", tally.states);
    CHECK(how.half_open == (tally.replaced > tally.cuts / 2),
          "the old connection was told that it is replaced %d times", tally.replaced);
}

/* The stream of bytes may come in any pieces. */
static void pieces(const struct plot *plot, const struct outcome_of *plain) {
    static const struct cut none = {.peer = -1};
    int good = 0, count = 0;
    for (size_t chunk = 1; chunk <= 3; chunk++) {
        struct world *world = alloc_zeroed(1, sizeof *world);
        world_open(world, plot, &none);
        world->chunk = chunk;
        play(world);
        good += differs(world, plain) == NULL;
        world_close(world);
        free(world);
    }
    CHECK_INT(good, 3, "one, two or three bytes at a time are the same conversation");
    good = 0;
    for (size_t at = 1; at < plain->said[0]; at++) {
        struct world *world = alloc_zeroed(1, sizeof *world);
        world_open(world, plot, &none);
        world->rest_at = at;
        play(world);
        good += differs(world, plain) == NULL && world->resting >= 30;
        count++;
        world_close(world);
        free(world);
    }
    CHECK(good == count && count > 100, "%d of %d splits in two are the same conversation", good,
          count);
}

static void test_plot(const struct plot *plot, size_t step) {
    struct outcome_of plain = undisturbed(plot);
    cut_everywhere(plot, &plain, step, (struct cut){0}, "broken");
    cut_everywhere(plot, &plain, 7 * step, (struct cut){.forgets = true}, "broken and forgotten");
    cut_everywhere(plot, &plain, 7 * step, (struct cut){.half_open = true}, "half open");
    cut_everywhere(plot, &plain, 11 * step, (struct cut){.respells = true}, "another spelling");
    cut_everywhere(plot, &plain, 11 * step, (struct cut){.away = 700, .forgets = true}, "away");
    cut_everywhere(plot, &plain, step, (struct cut){.half_open = true, .forgets = true},
                   "half open and forgotten");
    if (plot->want[0] == NULL) {
        pieces(plot, &plain);
    }
    free(plain.record);
}

int main(void) {
    static const struct plot text = {
        .variant = "hypergammon",
        .options = {{"match", "3"}, {"vido", "on"}, {"resign", "on"}, {"crawford", "false"}},
        .spelling = {SPELLING_TEXT, SPELLING_JSON},
        .pause_at = 5};
    static const struct plot money = {
        .variant = "western",
        .options = {{"match", "0"}, {"games", "2"}, {"vido", "on"}, {"beavers", "2"},
                    {"resign", "on"}},
        .want = {"position", "position,plays"},
        .spelling = {SPELLING_TEXT, SPELLING_JSON},
        .pause_at = 9};
    static const struct plot long_way = {.variant = "uzun",
                                         .options = {{"match", "1"}},
                                         .want = {"position", "plays"},
                                         .spelling = {SPELLING_JSON, SPELLING_TEXT}};
    if (dice_init() != 0) {
        return 1;
    }
    test_plot(&text, COARSER); /* every byte */
    test_plot(&money, 29);
    test_plot(&long_way, 61);
    return check_done();
}
