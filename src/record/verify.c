#include "record/verify.h"

#include "base/alloc.h"
#include "record/fact.h"
#include "record/replacement.h"
#include "wire/spelling.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verifier {
    const struct verify_known *known;
    void (*finding)(void *owner, const struct verify_finding *finding);
    void *owner;
    struct verify_report *report;
    bool refused;
    struct replay replay;
    struct message message;
    bool has_seed;      /* a seed is there to make the throws from */
    struct hash seed;   /* S_u */
    uint64_t seed_line; /* where it is revealed, 0: it comes from the open seed */
    bool makes_throws;
    struct unit_dice dice; /* while makes_throws */
    struct hash_key game_key; /* of the game that runs */
    const struct roll *recorded; /* of the unit, from the file that is known; else NULL */
    uint32_t recorded_count;
};

__attribute__((format(printf, 3, 4))) static void find(struct verifier *verifier, uint64_t line,
                                                       const char *format, ...) {
    char text[RECORD_WHY_MAX + 64];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    verifier->refused = true;
    verifier->finding(verifier->owner, &(struct verify_finding){.line = line, .text = text});
}

/* The seed stands near the end, but the throws from the first game on need it. */
static void seek_seed(struct verifier *verifier, const char *text, size_t length) {
    static const char name[] = "reveal ";
    const char *line;
    size_t line_length;
    size_t at = 0;
    for (uint64_t number = 1; replay_cut(text, length, &at, &line, &line_length) > 0; number++) {
        char why[160];
        size_t bare = line_length > 17 ? line_length - 17 : 0;
        if (bare < sizeof name || memcmp(line, name, sizeof name - 1) != 0 ||
            spelling_decode(SPELLING_TEXT, line, bare, KEPT_IN_RECORD, &verifier->message, why) !=
                DECODED_MESSAGE) {
            continue;
        }
        const char *seed = message_text(&verifier->message, FIELD_SEED);
        verifier->has_seed = text_unhex(seed, strlen(seed), verifier->seed.byte, HASH_BYTES);
        verifier->seed_line = number;
    }
}

/* What follows from an open seed: M, with it C_M and S_u (dice.md, "Notation"). */
static void check_open_seed(struct verifier *verifier, const char *open_seed) {
    const struct record_header *header = &verifier->replay.header;
    struct hash master = dice_open_master(open_seed);
    struct hash commitment = dice_master_commitment(&master, header->event);
    struct unit_dice dice;
    unit_dice_init(&dice, &master, header->event, header->unit, 0);
    if (memcmp(&commitment, &header->master, sizeof commitment) != 0) {
        find(verifier, 1, "master= does not commit to the open seed");
    } else if (!verifier->has_seed) {
        verifier->has_seed = true;
        verifier->seed = dice.seed;
        verifier->report->seed_open = true;
    } else if (memcmp(&verifier->seed, &dice.seed, sizeof dice.seed) != 0) {
        find(verifier, verifier->seed_line,
             "the seed of the unit does not follow from the open seed");
    } else {
        verifier->report->seed_open = true;
    }
}

/* Recorded dice: the file that is known has to be the one, and to have throws for the unit. */
static void check_file(struct verifier *verifier) {
    const struct record_header *header = &verifier->replay.header;
    const struct throws *throws = verifier->known->throws;
    /* "U000001": as one, without the letter and the zeros */
    const char *digits = header->unit + strspn(header->unit, "U0");
    uint64_t unit;
    if (!dice_are_listed(header->source)) {
        find(verifier, 1, "the dice are not recorded ones: no file of throws can be theirs");
    } else if (header->source == DICE_RECORDED && !hash_same(&throws->hash, &header->throws)) {
        find(verifier, 1, "throws= is not the hash of the file of throws that was given");
    } else if (header->unit[0] != 'U' || !text_u64(digits, strlen(digits), &unit) ||
               unit > throws->units ||
               (verifier->recorded = throws_of_unit(throws, (uint32_t)unit,
                                                    &verifier->recorded_count)) == NULL) {
        find(verifier, 1, "the file of throws has none for unit %s", header->unit);
    } else {
        verifier->report->throws_known = true;
    }
}

/* What is known from elsewhere; the open seed of recorded dice is the hash of their file. */
static void check_known(struct verifier *verifier) {
    const struct record_header *header = &verifier->replay.header;
    const char *seed = verifier->known->seed;
    if (verifier->known->throws != NULL) {
        check_file(verifier);
    }
    if (header->source == DICE_RECORDED) {
        char hex[HASH_HEX];
        hash_hex(&header->throws, hex);
        check_open_seed(verifier, hex);
    }
    if (seed != NULL && header->source != DICE_SEEDED) {
        find(verifier, 1, "the dice are not seeded ones: no open seed can be theirs");
    } else if (seed != NULL) {
        check_open_seed(verifier, seed);
    }
}

/* After the header: the dice of the unit, if the seed is the one that was promised. */
static void begin(struct verifier *verifier) {
    const struct record_header *header = &verifier->replay.header;
    const uint8_t *key = verifier->known->key;
    verifier->report->header = *header;
    if (key != NULL && memcmp(key, header->key, sizeof header->key) != 0) {
        find(verifier, 1, "key= is not the key that was given");
    }
    check_known(verifier);
    if (!verifier->has_seed) {
        return;
    }
    unit_dice_from_seed(&verifier->dice, &verifier->seed, header->event, header->unit);
    if (memcmp(&verifier->dice.commitment, &header->commitment, HASH_BYTES) != 0) {
        find(verifier, verifier->seed_line > 0 ? verifier->seed_line : 1,
             "the seed does not open the commitment: commit= of the header promised another one");
        return;
    }
    verifier->makes_throws = true;
    verifier->report->seed_known = true;
}

/* What a player has shown has to be what it was bound to; K is made of both. */
static void check_mix(struct verifier *verifier) {
    const struct replay *replay = &verifier->replay;
    const struct record_header *header = &replay->header;
    struct unit_dice dice;
    unit_dice_from_seed(&dice, &verifier->seed, header->event, header->unit);
    verifier->report->mixed = true;
    for (int player = 0; player < PLAYERS; player++) {
        const struct contribution *one = &replay->of[player];
        verifier->report->of[player] = *one;
        if (one->committed && one->given &&
            !contribution_opens(&dice, player, &one->commitment, one->bytes)) {
            find(verifier, replay->lines, "%s= does not open commit_%s=, what player %d had "
                                          "committed to",
                 player == 0 ? "a" : "b", player == 0 ? "a" : "b", player + 1);
        }
    }
    if (verifier->makes_throws) {
        contribution_mix(&verifier->dice, replay->of);
    }
}

/* A throw of recorded dice against number `at` of the unit in the file. */
static void check_recorded(struct verifier *verifier, uint32_t at, const uint8_t dice[2]) {
    if (verifier->recorded == NULL) {
        return;
    }
    if (at >= verifier->recorded_count) {
        find(verifier, verifier->replay.lines,
             "the throw %d%d is number %u of the unit, and the file has only %u", dice[0], dice[1],
             at + 1, verifier->recorded_count);
    } else if (memcmp(verifier->recorded[at].die, dice, 2) != 0) {
        find(verifier, verifier->replay.lines,
             "the throw %d%d is not that of the file: number %u of the unit is %d%d", dice[0],
             dice[1], at + 1, verifier->recorded[at].die[0], verifier->recorded[at].die[1]);
    } else {
        verifier->report->throws++;
        return;
    }
    verifier->recorded = NULL; /* one wrong throw is enough said */
}

/* A throw of the record against the one that the seed makes, or number `at` of the file. */
static void check_throw(struct verifier *verifier, enum dice_stream stream, unsigned n,
                        uint32_t at, const uint8_t dice[2]) {
    if (dice_are_listed(verifier->replay.header.source)) {
        check_recorded(verifier, at, dice);
        return;
    }
    if (!verifier->makes_throws) {
        return;
    }
    struct roll roll = game_roll(&verifier->game_key, stream, n);
    if (roll.die[0] == dice[0] && roll.die[1] == dice[1]) {
        verifier->report->throws++;
        return;
    }
    find(verifier, verifier->replay.lines,
         "the throw %d%d is not the committed one: number %u of stream %c is %d%d", dice[0],
         dice[1], n, (char)stream, roll.die[0], roll.die[1]);
    verifier->makes_throws = false; /* one wrong throw is enough said */
}

static void check_opening(struct verifier *verifier) {
    const struct replay *replay = &verifier->replay;
    verifier->report->games++;
    struct hash key = game_key(&verifier->dice, replay->game, replay->attempt);
    verifier->game_key = hash_key_of(&key);
    for (int i = 0; i < replay->throws; i++) {
        check_throw(verifier, STREAM_OPENING, (unsigned)i, replay->used + (uint32_t)i,
                    replay->opening[i].die);
    }
}

static enum dice_stream stream_of(enum side side) {
    return side == SIDE_X ? STREAM_X : STREAM_Y;
}

/* A play that stands in for an illegal one against the one that the seed chooses. */
static void check_replaced(struct verifier *verifier, const struct board *before) {
    const struct replay *replay = &verifier->replay;
    const struct replay_ply *ply = &replay->ply;
    struct situation situation = {.board = *before,
                                  .mover = ply->seat,
                                  .dice = {ply->dice[0], ply->dice[1]},
                                  .first_turn = ply->turn == 0};
    size_t count = plays_list(&replay->header.rules, &situation, replay->room->list, PLAYS_MAX);
    const struct option_play *chosen = replacement_choose(&verifier->game_key, replay->plies,
                                                          ply->seat, replay->room->list, count);
    if (!board_equal(&chosen->final, &replay->board)) {
        char play[PLAY_TEXT_MAX];
        play_write(&chosen->play, ' ', true, play);
        find(verifier, replay->lines,
             "the play in place of the illegal one is not the committed one, which is %s", play);
    }
}

static void check_ply(struct verifier *verifier, const struct board *before) {
    const struct replay_ply *ply = &verifier->replay.ply;
    verifier->report->plies++;
    if (ply->replaced && verifier->makes_throws) {
        check_replaced(verifier, before);
    }
    if (ply->thrown && !ply->known && !ply->deciding) {
        uint32_t turns_back = ply->act == ACT_PLAY ? 1 : 0; /* its turn is over */
        check_throw(verifier, stream_of(ply->seat), ply->turn,
                    replay_used(&verifier->replay) - turns_back, ply->dice);
    }
}

/* A fault quotes the throw it happened on: that of the seat on turn. */
static void check_fault(struct verifier *verifier) {
    const struct replay *replay = &verifier->replay;
    struct value value = message_value(&verifier->message, FIELD_DICE);
    uint8_t dice[2];
    bool known = replay->shown || replay_plays_deciding(replay);
    if (replay->state == REPLAY_FORFEITED && !known &&
        fact_read_dice(value.text, value.length, dice)) {
        check_throw(verifier, stream_of(replay->turn), replay->turns[replay->turn],
                    replay_used(replay), dice);
    }
}

/* Tells of a game that has just ended, or become void. */
static void tell_game(const struct verifier *verifier, bool is_void) {
    const struct replay *replay = &verifier->replay;
    struct verify_game game = {.game = replay->game,
                               .attempt = replay->attempt,
                               .is_void = is_void,
                               .result = replay->result,
                               .offender = -1,
                               .starter = replay->starter,
                               .plies = replay->plies};
    if ((reason_flags(replay->result.reason) & REASON_BY_FAULT) != 0) {
        game.offender = replay->offender;
    }
    if (verifier->known->game != NULL) {
        verifier->known->game(verifier->owner, &game);
    }
}

static void note_end(struct verifier *verifier) {
    const struct replay *replay = &verifier->replay;
    struct verify_report *report = verifier->report;
    report->ended = true;
    report->winner = replay->winner;
    report->end_reason = replay->end_reason;
    report->offender = replay_gave_up(replay);
    report->match = replay->match;
    report->head = replay->head;
}

static void check_signature(struct verifier *verifier, const struct hash *head) {
    const struct replay *replay = &verifier->replay;
    const char *text = message_text(&verifier->message, FIELD_SIGNATURE);
    uint8_t signature[SIGN_BYTES];
    verifier->report->signature_holds =
        text_unhex(text, strlen(text), signature, sizeof signature) &&
        sign_check_record(replay->header.key, head, replay->lines - 1, signature);
    if (!verifier->report->signature_holds) {
        find(verifier, replay->lines, "the signature is not one of key= over the lines before it");
    }
}

/* What stands behind a line that the rules bear out; chain and board before it. */
static void check_line(struct verifier *verifier, const struct hash *head,
                       const struct board *before) {
    int kind = (int)verifier->message.kind;
    verifier->report->lines = verifier->replay.lines;
    if (kind == MESSAGE_RECORD) {
        begin(verifier);
    } else if (kind == MESSAGE_MIX) {
        check_mix(verifier);
    } else if (kind == MESSAGE_GAME) {
        check_opening(verifier);
    } else if (kind == MESSAGE_DID) {
        check_ply(verifier, before);
    } else if (kind == MESSAGE_FAULT) {
        check_fault(verifier);
    } else if (kind == MESSAGE_RESULT || kind == MESSAGE_VOID) {
        tell_game(verifier, kind == MESSAGE_VOID);
    } else if (kind == MESSAGE_END) {
        note_end(verifier);
    } else if (kind == MESSAGE_SIGN) {
        check_signature(verifier, head);
    }
}

static void check_lines(struct verifier *verifier, const char *text, size_t length) {
    struct replay *replay = &verifier->replay;
    const char *line;
    size_t line_length;
    size_t at = 0;
    int cut;
    while ((cut = replay_cut(text, length, &at, &line, &line_length)) > 0) {
        char why[RECORD_WHY_MAX];
        struct hash head = replay->head;
        struct board before = replay->board;
        if (replay_line(replay, line, line_length, &verifier->message, why) != 0) {
            find(verifier, replay->lines, "%s", why);
            return;
        }
        check_line(verifier, &head, &before);
    }
    if (cut < 0 && replay->state == REPLAY_SIGNED) {
        find(verifier, replay->lines + 1, "bytes stand behind the signature");
    }
}

enum verify_outcome verify_record(const char *text, size_t length, const struct verify_known *known,
                                  void (*finding)(void *owner,
                                                  const struct verify_finding *finding),
                                  void *owner, struct verify_report *report) {
    *report = (struct verify_report){.lines = 0};
    struct verifier *verifier = alloc_zeroed(1, sizeof *verifier);
    struct play_room *room = alloc_zeroed(1, sizeof *room);
    verifier->known = known;
    verifier->finding = finding;
    verifier->owner = owner;
    verifier->report = report;
    replay_init(&verifier->replay, room);
    seek_seed(verifier, text, length);
    check_lines(verifier, text, length);
    if (report->lines == 0 && !verifier->refused) {
        find(verifier, 0, "this is no record: it holds no whole line");
    }
    enum verify_outcome outcome = VERIFY_REFUSED;
    if (!verifier->refused) {
        outcome = verifier->replay.state == REPLAY_SIGNED ? VERIFY_PROVEN : VERIFY_PREFIX;
    }
    free(room);
    free(verifier);
    return outcome;
}
