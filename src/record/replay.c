#include "record/replay.h"

#include "base/alloc.h"
#include "dice/throws.h"
#include "record/chain.h"
#include "record/fact.h"
#include "record/replay_inside.h"
#include "wire/spelling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_header(struct replay *replay, const struct message *message, char *why) {
    if (header_read(message, &replay->header, why) != 0) {
        return -1;
    }
    match_init(&replay->match, &replay->header.rules);
    board_init(&replay->board, &replay->header.rules);
    replay->state = REPLAY_BETWEEN;
    return 0;
}

/* Before the first game begins, once. */
static int read_mix(struct replay *replay, const struct message *message, char *why) {
    if (replay->header.source != DICE_AUDITABLE) {
        return fact_refuse(why, "nobody adds anything to %s dice",
                           dice_source_name(replay->header.source));
    }
    if (replay->mixed || replay->begun) {
        return fact_refuse(why, "mix stands once, before the first game");
    }
    replay->mixed = true;
    return mix_read(message, replay->of, why) != 0
               ? -1
               : fact_require_text(message, FIELD_UNIT, replay->header.unit, why);
}

static int read_reveal(struct replay *replay, const struct message *message, char *why) {
    const char *seed = message_text(message, FIELD_SEED);
    if (fact_require_text(message, FIELD_A, "", why) != 0 ||
        fact_require_text(message, FIELD_B, "", why) != 0 ||
        fact_require_text(message, FIELD_MS, "", why) != 0) {
        return -1;
    }
    if (!text_unhex(seed, strlen(seed), replay->seed.byte, HASH_BYTES) ||
        !fact_is_lower(seed)) {
        return fact_refuse(why, "seed= has to be %d hex digits", 2 * (int)HASH_BYTES);
    }
    replay->state = REPLAY_REVEALED;
    return fact_require_text(message, FIELD_UNIT, replay->header.unit, why);
}

static int read_sign(struct replay *replay, const struct message *message, char *why) {
    if (!fact_is_lower(message_text(message, FIELD_SIGNATURE))) {
        return fact_refuse(why, "signature= has to be in small hex digits");
    }
    replay->state = REPLAY_SIGNED;
    return fact_require_number(message, FIELD_LINES, replay->lines - 1, why);
}

/* A bot disagrees: that is kept, and changes nothing. */
static int read_dispute(struct replay *replay, const struct message *message, char *why) {
    const char *code = message_text(message, FIELD_CODE);
    int seat;
    if (!fact_read_side(message, FIELD_SEAT, &seat) || seat < 0) {
        return fact_refuse(why, "seat= has to be X or Y");
    }
    if (!text_is_name(code, strlen(code))) {
        return fact_refuse(why, "the code of a dispute has to be a name");
    }
    if (++replay->disputes[seat] > RECORD_DISPUTES_MAX) {
        return fact_refuse(why, "more than %d disputes of %s in a game", (int)RECORD_DISPUTES_MAX,
                           side_name(seat));
    }
    return fact_require_number(message, FIELD_PLY,
                               replay->state == REPLAY_PLAY ? replay->plies : 0, why);
}

/* A throw of real dice did not count: nothing changes, and it is thrown again. */
static int read_rethrow(struct replay *replay, const struct message *message, char *why) {
    bool plays = replay->state == REPLAY_PLAY;
    int seat = -1, winner;
    if (replay->header.source != DICE_MANUAL) {
        return fact_refuse(why, "only with source=manual a throw does not count");
    }
    if (throw_flaw_find(message_text(message, FIELD_REASON)) < 0) {
        return fact_refuse(why, "reason= has to be off_board, halves, on_checker or not_flat");
    }
    if (message_has(message, FIELD_SEAT) && !fact_read_side(message, FIELD_SEAT, &seat)) {
        return fact_refuse(why, "seat= has to be X or Y");
    }
    bool known = replay->now.phase >= PHASE_DOUBLED || replay->shown || replay->refusals > 0 ||
                 replay_plays_deciding(replay);
    bool awaited = plays ? !known && seat == (int)replay->turn
                         : seat < 0 && !match_over(&replay->match, &winner);
    if (!awaited) {
        return fact_refuse(why, "nobody throws here, or another side");
    }
    return fact_require_number(message, FIELD_PLY, plays ? replay->plies : 0, why);
}

#define AT(state) (1U << (state))

/* Which message may stand where. */
static const struct {
    int (*read)(struct replay *replay, const struct message *message, char *why);
    unsigned states;
} readers[MESSAGE_COUNT] = {
    [MESSAGE_RECORD] = {read_header, AT(REPLAY_START)},
    [MESSAGE_GAME] = {replay_read_game, AT(REPLAY_BETWEEN)},
    [MESSAGE_DID] = {replay_read_did, AT(REPLAY_PLAY)},
    [MESSAGE_FAULT] = {replay_read_fault, AT(REPLAY_PLAY) | AT(REPLAY_BETWEEN)},
    [MESSAGE_DISPUTE] = {read_dispute, AT(REPLAY_PLAY) | AT(REPLAY_BETWEEN)},
    [MESSAGE_RESULT] = {replay_read_result,
                        AT(REPLAY_PLAY) | AT(REPLAY_BORNE_OFF) | AT(REPLAY_YIELDED) |
                            AT(REPLAY_FORFEITED)},
    [MESSAGE_RETHROW] = {read_rethrow, AT(REPLAY_PLAY) | AT(REPLAY_BETWEEN)},
    [MESSAGE_MIX] = {read_mix, AT(REPLAY_BETWEEN)},
    [MESSAGE_VOID] = {replay_read_void, AT(REPLAY_PLAY) | AT(REPLAY_BETWEEN)},
    [MESSAGE_END] = {replay_read_end, AT(REPLAY_BETWEEN) | AT(REPLAY_LEFT)},
    [MESSAGE_REVEAL] = {read_reveal, AT(REPLAY_ENDED)},
    [MESSAGE_SIGN] = {read_sign, AT(REPLAY_REVEALED)},
};

static const char *const awaited[] = {
    [REPLAY_START] = "the header",           [REPLAY_BETWEEN] = "a game or the end",
    [REPLAY_PLAY] = "the next ply",          [REPLAY_BORNE_OFF] = "the result",
    [REPLAY_FORFEITED] = "the result",       [REPLAY_LEFT] = "the end",
    [REPLAY_ENDED] = "the seed of the unit", [REPLAY_REVEALED] = "the signature",
    [REPLAY_SIGNED] = "nothing more",        [REPLAY_YIELDED] = "the result",
};

/* Takes the line into the chain; `*bare` is its length without the digits. */
static int read_chain(struct replay *replay, const char *line, size_t length, size_t *bare,
                      char *why) {
    if (length > RECORD_LINE_MAX) {
        return fact_refuse(why, "longer than %d bytes", (int)RECORD_LINE_MAX);
    }
    if (!chain_cut(line, length, bare)) {
        return fact_refuse(why, "does not end in a blank and %d hex digits of the chain",
                           (int)CHAIN_DIGITS);
    }
    replay->head = chain_link(replay->lines == 1 ? NULL : &replay->head, line, *bare);
    if (!chain_agrees(&replay->head, line, length)) {
        return fact_refuse(why, "the digits of the chain do not fit: this line was altered, or one "
                                "before it was added or left out");
    }
    return 0;
}

/* Fields that a message has on the wire, and not in a record. */
static int check_fields(const struct message *message, char *why) {
    static const enum field wire_only[] = {FIELD_LINES, FIELD_HEAD, FIELD_SEED, FIELD_AT,
                                           FIELD_DIGITS, FIELD_BYTES, FIELD_RECEIPT};
    for (size_t i = 0; i < sizeof wire_only / sizeof *wire_only; i++) {
        bool own = (wire_only[i] == FIELD_SEED && message->kind == MESSAGE_REVEAL) ||
                   (wire_only[i] == FIELD_LINES && message->kind == MESSAGE_SIGN);
        if (!own && message_has(message, wire_only[i])) {
            return fact_refuse(why, "%s= is no field of a record's %s",
                               field_row(wire_only[i])->name, message_row(message->kind)->name);
        }
    }
    return 0;
}

/* A record has one spelling: what the message says, as a writer would write it. */
static int check_spelling(const struct message *message, const char *line, size_t length,
                          char *why) {
    struct bytes again;
    bytes_init(&again, RECORD_LINE_MAX);
    bool same = spelling_encode_bare(SPELLING_TEXT, message, &again) && again.length == length &&
                memcmp(again.data, line, length) == 0;
    bytes_clear(&again);
    return same ? 0
                : fact_refuse(why, "not spelled as a record spells it: a blank, an unknown field, "
                                   "or another order");
}

static int decode(const char *line, size_t length, struct message *message, char *why) {
    char sentence[160];
    switch (spelling_decode(SPELLING_TEXT, line, length, KEPT_IN_RECORD, message, sentence)) {
    case DECODED_MESSAGE:
        return check_spelling(message, line, length, why) != 0 ? -1 : check_fields(message, why);
    case DECODED_BLANK:
        return fact_refuse(why, "an empty line");
    case DECODED_UNKNOWN:
        return fact_refuse(why, "\"%.32s\" is no message of a record", sentence);
    case DECODED_MALFORMED:
        return fact_refuse(why, "%s", sentence);
    }
    return -1;
}

void replay_init(struct replay *replay, struct play_room *room) {
    *replay = (struct replay){.room = room, .state = REPLAY_START, .offender = -1, .winner = -1};
}

int replay_line(struct replay *replay, const char *line, size_t length, struct message *message,
                char why[RECORD_WHY_MAX]) {
    size_t bare;
    replay->lines++;
    if (read_chain(replay, line, length, &bare, why) != 0 ||
        decode(line, bare, message, why) != 0) {
        return -1;
    }
    if ((readers[message->kind].states & AT(replay->state)) == 0) {
        return fact_refuse(why, "%s cannot stand here: %s is awaited",
                           message_row(message->kind)->name, awaited[replay->state]);
    }
    bool has_table = message->kind != MESSAGE_RECORD && message_has(message, FIELD_TABLE);
    if (has_table && fact_require_number(message, FIELD_TABLE, (uint64_t)replay->header.leg, why)) {
        return -1;
    }
    return readers[message->kind].read(replay, message, why);
}

int replay_cut(const char *text, size_t length, size_t *at, const char **line,
               size_t *line_length) {
    if (*at >= length) {
        return 0;
    }
    const char *end = memchr(text + *at, '\n', length - *at);
    *line = text + *at;
    *line_length = end != NULL ? (size_t)(end - *line) : length - *at;
    *at += *line_length + 1;
    return end != NULL ? 1 : -1;
}

/* Reads all lines; 0, or -1 with the line's number in the sentence. */
static int read_all(struct replay *replay, const char *text, size_t length, char *why) {
    struct message message;
    const char *line;
    size_t line_length;
    size_t at = 0;
    int cut;
    while ((cut = replay_cut(text, length, &at, &line, &line_length)) > 0) {
        char sentence[RECORD_WHY_MAX];
        if (replay_line(replay, line, line_length, &message, sentence) != 0) {
            return fact_refuse(why, "line %" PRIu64 " of the record: %.200s", replay->lines,
                               sentence);
        }
    }
    return cut == 0 ? 0 : fact_refuse(why, "the last line of the record is cut off");
}

int record_standing(const char *text, size_t length, struct record_standing *out, char why[160]) {
    struct play_room *room = alloc_zeroed(1, sizeof *room);
    struct replay replay;
    char sentence[RECORD_WHY_MAX];
    replay_init(&replay, room);
    int status = read_all(&replay, text, length, sentence);
    free(room);
    if (status == 0 && replay.state != REPLAY_BETWEEN) {
        status = fact_refuse(sentence, "the record does not stop between two games: %s is awaited",
                             awaited[replay.state]);
    }
    if (status != 0) {
        snprintf(why, 160, "%.159s", sentence);
        return -1;
    }
    const struct record_header *header = &replay.header;
    *out = (struct record_standing){
        .match = replay.match,
        .used = replay.used,
        .move_time = header->move_time,
        .reserve = header->reserve,
        .increment = header->increment,
        .delay = header->delay,
        .margin = header->margin < RECORD_MARGIN_MAX ? header->margin : RECORD_MARGIN_DEFAULT,
        .wall = header->wall,
        .paid = {replay.paid[SIDE_X], replay.paid[SIDE_Y]},
        .answers = {replay.answers[SIDE_X], replay.answers[SIDE_Y]},
        .mixed = replay.mixed,
        .of = {replay.of[0], replay.of[1]},
    };
    replay_next_game(&replay, &out->game, &out->attempt);
    return 0;
}
