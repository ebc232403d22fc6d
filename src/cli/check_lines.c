/* The items of the lines themselves: the same conversation, written in all the
 * ways the document allows. */
#include "cli/check.h"

#include "base/alloc.h"
#include "base/lang.h"

#include <stdlib.h>
#include <string.h>

enum { MANNER_PLAIN, MANNER_STRANGE, MANNER_TURNED, MANNER_BLANKS, MANNER_CRLF, MANNER_PIECES };

enum {
    LINES_GAME = 3,       /* the scene that is played */
    LINES_TURNS = 3,
    QUIET = 30000,        /* us */
    APART = 4000,         /* us between two lines */
    LONG_NOTE = 20000,    /* bytes: the referee's lines may be longer than the bot's */
};

/* Some turns of a game, to its end by the other side's leaving. */
static void play_some(struct check *check, struct seat *seat) {
    struct talk *talk = &check->talk;
    if (!check_sit(check, seat)) {
        return;
    }
    seat_begin(seat, LINES_GAME);
    seat_skip(seat, seat->side == seat->at.starter ? 1 : 2);
    for (int turn = 0; turn < LINES_TURNS; turn++) {
        const struct ask *ask = seat_turn(seat);
        if (!talk_hear(talk) || !seat_go(seat, ask->play)) {
            return;
        }
    }
    seat_leave(seat);
    talk_quiet(talk, QUIET);
}

static void run_manner(struct check *check, const struct rules *rules, int detail) {
    struct manner *manner = &check->talk.manner;
    struct seat seat;
    manner->strange = detail == MANNER_STRANGE;
    manner->turned = detail == MANNER_TURNED;
    manner->blanks = detail == MANNER_BLANKS;
    manner->crlf = detail == MANNER_CRLF;
    manner->pieces = detail == MANNER_PIECES;
    seat_init(&seat, &check->talk, rules, SIDE_X);
    play_some(check, &seat);
}

/* Each line in a write of its own. */
static void run_apart(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    struct seat seat;
    (void)detail;
    seat_init(&seat, talk, rules, SIDE_Y);
    if (!check_sit(check, &seat)) {
        return;
    }
    seat_begin(&seat, LINES_GAME + 1);
    if (!talk_quiet(talk, APART)) {
        return;
    }
    for (int ply = seat.at.ply; seat.at.now.mover != seat.side || ply < 6; ply++) {
        seat_skip(&seat, ply + 1);
        if (!talk_quiet(talk, APART)) {
            return;
        }
    }
    if (seat_asks(&seat)) {
        seat_turn(&seat);
    }
    if (talk_hear(talk)) {
        seat_leave(&seat);
        talk_quiet(talk, QUIET);
    }
}

static void run_unknown(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    bool json = talk->hello.spelling == SPELLING_JSON;
    struct seat seat;
    (void)detail;
    talk_raw(talk, json ? "{\"type\":\"tomorrow\",\"table\":1,\"serial\":1,\"news\":{\"of\":[1]}}"
                        : "tomorrow 1 1 news=yes");
    talk_raw(talk, json ? "{\"type\":\"weather\"}" : "weather");
    if (talk_quiet(talk, QUIET)) {
        seat_init(&seat, talk, rules, SIDE_X);
        play_some(check, &seat);
    }
}

static void run_note(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    struct message message;
    struct seat seat;
    char *text = alloc_zeroed(LONG_NOTE, 1);
    (void)detail;
    memset(text, 'x', LONG_NOTE - 1);
    talk_tell(talk, "note text=Merhaba%%20d%%C3%%BCnya%%2C%%20%%22turn%%201%%201%%2031%%22");
    message_init(&message, MESSAGE_NOTE);
    message_set(&message, FIELD_TEXT, text);
    talk_message(talk, &message);
    free(text);
    if (talk_quiet(talk, QUIET)) {
        seat_init(&seat, talk, rules, SIDE_X);
        play_some(check, &seat);
    }
}

static void run_ping(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    struct seat seat;
    (void)detail;
    if (talk_ping(talk, 7) && talk_ping(talk, 4294967298)) {
        seat_init(&seat, talk, rules, SIDE_X);
        play_some(check, &seat);
    }
}

/* T and S are whole numbers up to 2^53 - 1, and S may leap. */
static void run_numbers(struct check *check, const struct rules *rules, int detail) {
    static const uint64_t large[] = {65537, 4294967299, 9007199254740991};
    struct talk *talk = &check->talk;
    (void)detail;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        struct seat seat;
        seat_init(&seat, talk, rules, SIDE_X);
        seat.table = large[i];
        seat.serial = large[i] - LINES_TURNS - 1;
        play_some(check, &seat);
        if (talk->fault.there) {
            return;
        }
    }
}

const struct check_item check_items_lines[] = {
    {"play", N_("some turns of a game"), 0, 0, run_manner, MANNER_PLAIN},
    {"fields", N_("fields that it cannot know"), 0, 0, run_manner, MANNER_STRANGE},
    {"keys", N_("the keys in another order"), 0, 0, run_manner, MANNER_TURNED},
    {"blanks", N_("more blanks, and tabs"), 0, 0, run_manner, MANNER_BLANKS},
    {"crlf", N_("line ends of CR LF"), 0, 0, run_manner, MANNER_CRLF},
    {"pieces", N_("lines that come in small pieces"), 0, 0, run_manner, MANNER_PIECES},
    {"apart", N_("each line by itself, none of which asks"), 0, 0, run_apart, 0},
    {"unknown", N_("messages that it cannot know"), 0, 0, run_unknown, 0},
    {"note", N_("notes, a long one too, say nothing"), 0, 0, run_note, 0},
    {"ping", N_("a ping gets a pong of the same id"), 0, 0, run_ping, 0},
    {"numbers", N_("tables and serials up to the largest numbers"), 0, 0, run_numbers, 0},
    {0},
};
