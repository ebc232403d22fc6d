#include "cli/check_match.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/check_opponent.h"
#include "dice/scheme.h"
#include "net/loop.h"
#include "referee/referee.h"
#include "wire/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAMES_PATIENCE = 3, /* budgets after which play that goes on is left */
    GAMES_WAIT = 250,   /* ms without a look around */
};

struct games {
    struct check_games *spec;
    struct talk *talk;
    struct referee *referee;
    struct opponent opponent;
    uint32_t bot, other; /* sessions */
    int seated, running;
    struct unit_dice dice;
    int64_t began;
    int64_t asked; /* when the bot was told something last; 0: it has answered */
    bool broken;   /* its session was closed by the referee, */
    char why[160]; /* for the reason in its `bye` */
};

/* ---- what the referee says of it */

static void on_game(void *owner, const struct game_facts *facts) {
    struct games *games = owner;
    (void)facts;
    games->spec->games++;
    long memory = peer_memory(games->talk->peer);
    games->spec->memory[games->spec->games == 1 ? 0 : 1] = memory;
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct games *games = owner;
    games->spec->declined = games->spec->declined || facts->reason == REASON_ABORTED;
    games->spec->finished++;
    games->running--;
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    struct games *games = owner;
    (void)why;
    games->broken = games->broken || session == games->bot;
}

/* Whose fault an error is. */
static enum blame blame_of(const char *code) {
    static const struct {
        const char *code;
        enum blame blame;
    } rows[] = {
        {"late", BLAME_SILENCE},
        {"unexpected", BLAME_ADDRESS},
        {"unknown", BLAME_STDOUT},
        {"too-long", BLAME_STDOUT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].code, code) == 0) {
            return rows[i].blame;
        }
    }
    return BLAME_ITEM;
}

/* Whether a line may be a message of that name: cheap, in both spellings. */
static bool may_be(const char *line, size_t length, const char *name) {
    return memmem(line, length < 24 ? length : 24, name, strlen(name)) != NULL;
}

/* A line that the bot is told: an error in it is a fault. */
static void hear_referee(struct games *games, const char *line, size_t length) {
    struct talk *talk = games->talk;
    struct message message;
    char why[160];
    talk_note(talk, '<', line, length);
    if ((!may_be(line, length, "error") && !may_be(line, length, "bye")) ||
        spelling_decode(talk->hello.spelling, line, length, SENT_BY_REFEREE, &message, why) !=
            DECODED_MESSAGE) {
        return;
    }
    if (message.kind == MESSAGE_BYE) {
        snprintf(games->why, sizeof games->why, "%s", message_text(&message, FIELD_REASON));
    }
    if (message.kind != MESSAGE_ERROR) {
        return;
    }
    const char *code = message_text(&message, FIELD_CODE);
    talk->fault.mute = talk->fault.mute || strcmp(code, "timeout") == 0;
    talk_fault(talk, blame_of(code), N_("the referee says `%s`: %s"), code,
               message_text(&message, FIELD_REASON));
}

/* ---- bytes to and fro */

static void bring_to_bot(struct games *games) {
    const char *data;
    size_t length = referee_output(games->referee, games->bot, &data);
    struct frame frame;
    if (length == 0) {
        return;
    }
    peer_send(games->talk->peer, data, length);
    for (size_t at = 0; at < length && frame_cut(data + at, length - at, length - at + 1, &frame) ==
                                           FRAME_LINE;
         at += frame.consumed) {
        hear_referee(games, frame.line, frame.length);
    }
    games->asked = loop_micros();
    referee_sent(games->referee, games->bot, length, loop_clock());
}

static void bring_to_opponent(struct games *games) {
    const char *data;
    size_t length;
    while ((length = referee_output(games->referee, games->other, &data)) > 0 ||
           games->opponent.out.length > 0) {
        if (length > 0) {
            opponent_hear(&games->opponent, data, length);
            referee_sent(games->referee, games->other, length, loop_clock());
        }
        struct bytes *out = &games->opponent.out;
        referee_input(games->referee, games->other, out->data, out->length, loop_clock());
        bytes_drop(out, out->length);
    }
}

/* Every whole line of the bot. False when its output has come to an end. */
static bool bring_to_referee(struct games *games) {
    struct talk *talk = games->talk;
    struct bytes *inbox = peer_inbox(talk->peer);
    struct frame frame;
    enum frame_state state = FRAME_PARTIAL;
    while (inbox->length > 0 &&
           (state = frame_cut(inbox->data, inbox->length, JSON_LINE_MAX, &frame)) == FRAME_LINE) {
        talk_note(talk, '>', frame.line, frame.length);
        if (!talk_look(talk, frame.line, frame.length)) {
            return false;
        }
        if (games->spec->said != NULL) {
            bytes_add(games->spec->said, inbox->data, frame.consumed);
        }
        if (games->spec->tables == 1 && games->asked > 0) {
            talk_sample(talk, loop_micros() - games->asked);
            games->asked = 0;
        }
        referee_input(games->referee, games->bot, inbox->data, frame.consumed, loop_clock());
        bytes_drop(inbox, frame.consumed);
        talk->lines++;
    }
    if (state == FRAME_TOO_LONG) {
        return talk_fault(talk, BLAME_STDOUT, N_("a line of more than %zu bytes"),
                          (size_t)JSON_LINE_MAX);
    }
    return !peer_ended(talk->peer) || talk_ended(talk);
}

/* ---- matches */

static void seat_match(struct games *games) {
    static const uint8_t no_key[SIGN_PUBLIC_BYTES];
    const struct check_games *spec = games->spec;
    enum side side = games->seated % 2 == 0 ? SIDE_X : SIDE_Y;
    struct match_spec match = {
        .source = DICE_SEEDED,
        .leg = 1,
        .pairing = "independent",
        .rules = *spec->rules,
        .clock = {.move_time = games->talk->patience / 1000, .margin = 50},
        .server = "hakem/" HAKEM_VERSION,
        .public_key = no_key,
        .date = "2026-01-01T00:00:00Z",
    };
    char unit[UNIT_NAME_MAX], why[160];
    struct hash master = dice_open_master(spec->seed);
    snprintf(unit, sizeof unit, "U%06d", games->seated + 1);
    unit_dice_init(&match.dice, &master, "check#5c1f", unit, 0);
    match.master_commitment = dice_master_commitment(&master, "check#5c1f");
    match.name[side] = games->talk->hello.name;
    match.name[side_other(side)] = "checker";
    match.session[side] = games->bot;
    match.session[side_other(side)] = games->other;
    if (referee_seat(games->referee, &match, loop_clock(), why) == 0) {
        fail_fatal("check: %s", why);
    }
    games->seated++;
    games->running++;
}

static uint32_t open_session(struct games *games, const char *who, const char *hello,
                             size_t length) {
    uint32_t session = referee_open(games->referee, who, loop_clock());
    referee_input(games->referee, session, hello, length, loop_clock());
    return session;
}

static void games_open(struct games *games) {
    const struct referee_hooks hooks = {.owner = games,
                                        .game = on_game,
                                        .match = on_match,
                                        .gone = on_gone};
    struct referee_limits limits;
    struct hash master = dice_open_master(games->spec->seed);
    referee_limits_init(&limits);
    games->referee = referee_new(&limits, &hooks);
    opponent_init(&games->opponent, TEMPER_WILD, &master);
    games->bot = open_session(games, "bot", games->talk->hello.line, games->talk->hello.length);
    games->other = open_session(games, "checker", games->opponent.out.data,
                                games->opponent.out.length);
    bytes_drop(&games->opponent.out, games->opponent.out.length);
    bring_to_bot(games); /* its welcome */
    bring_to_opponent(games);
}

/* One turn: seat, write, wait, read. False at the end, good or bad. */
static bool games_turn(struct games *games) {
    struct check_games *spec = games->spec;
    struct talk *talk = games->talk;
    int64_t spent = loop_micros() - games->began;
    while (games->running < spec->tables && games->seated < spec->matches &&
           (games->seated == 0 || spent < spec->budget)) {
        seat_match(games);
    }
    bring_to_opponent(games);
    bring_to_bot(games);
    if (talk->fault.there || games->broken || spec->declined) {
        return false;
    }
    bool over = games->running == 0 && peer_unsent(talk->peer) == 0;
    if (over || spent > spec->budget * GAMES_PATIENCE) {
        return false;
    }
    int64_t next = referee_next_deadline(games->referee) - loop_clock();
    int64_t wait = next < 0 ? 0 : next < GAMES_WAIT ? next : GAMES_WAIT;
    peer_wait(talk->peer, loop_micros() + (wait + 1) * 1000);
    bool goes_on = bring_to_referee(games);
    referee_tick(games->referee, loop_clock());
    referee_sweep(games->referee);
    return goes_on;
}

bool check_play(struct talk *talk, struct check_games *spec) {
    struct games *games = alloc_zeroed(1, sizeof *games);
    games->spec = spec;
    games->talk = talk;
    games->began = loop_micros();
    games_open(games);
    while (games_turn(games)) {
        while (referee_next_dirty(games->referee) != 0) {
        }
    }
    if (games->broken) {
        talk_fault(talk, BLAME_ITEM, N_("the referee closed the connection: %s"), games->why);
    }
    referee_free(games->referee);
    opponent_clear(&games->opponent);
    free(games);
    return !talk->fault.there;
}
