#include "rules/gnu_id.h"

#include "rules/id_text.h"
#include "rules/result.h"

#include <string.h>

enum {
    POSITION_BYTES = 10,
    MATCH_BYTES = 9,
    MATCH_OWNER_NOBODY = 3,
    SCORE_BITS = 15,
    LETTER_BITS = 6,
    SPARE_BITS = 5
};

static const char position_name[] = "a GNU position id";
static const char match_name[] = "a GNU match id";

/* A stream of bits; `at` is the next one. */
struct bits {
    uint8_t *bytes;
    int at;
    int end;
};

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* GNU's player numbers: 1 is SIDE_X. The same function leads back. */
static unsigned player_of(int side) {
    return side == SIDE_X ? 1 : 0;
}

static unsigned bit_of(unsigned byte, int at) {
    return byte >> at & 1;
}

static void put_bits(struct bits *bits, unsigned value, int count) {
    for (int i = 0; i < count; i++, bits->at++) {
        if ((value >> i & 1) != 0) {
            bits->bytes[bits->at / 8] |= (uint8_t)(1u << bits->at % 8);
        }
    }
}

static unsigned take_bits(struct bits *bits, int count) {
    unsigned value = 0;
    for (int i = 0; i < count; i++, bits->at++) {
        unsigned bit = bits->at < bits->end ? bit_of(bits->bytes[bits->at / 8], bits->at % 8) : 0;
        value |= bit << i;
    }
    return value;
}

/* Base64 without padding: six bits a letter, the high ones of a byte first. */
static void encode(const uint8_t *bytes, int count, char *out) {
    for (int at = 0; at < count * 8; at += LETTER_BITS) {
        unsigned value = 0;
        for (int bit = at; bit < at + LETTER_BITS; bit++) {
            value = value << 1 | (bit < count * 8 ? bit_of(bytes[bit / 8], 7 - bit % 8) : 0);
        }
        *out++ = letters[value];
    }
    *out = '\0';
}

/* False when a byte is no letter of base64 or the last one says more than fits. */
static bool decode(struct reader text, uint8_t *bytes, int count) {
    memset(bytes, 0, (size_t)count);
    for (int bit = 0; text.at < text.end; text.at++) {
        const char *letter = *text.at == '\0' ? NULL : strchr(letters, *text.at);
        if (letter == NULL) {
            return false;
        }
        for (int i = LETTER_BITS - 1; i >= 0; i--, bit++) {
            unsigned one = (unsigned)(letter - letters) >> i & 1;
            if (bit >= count * 8) {
                if (one != 0) {
                    return false;
                }
                continue;
            }
            bytes[bit / 8] |= (uint8_t)(one << (7 - bit % 8));
        }
    }
    return true;
}

/* Says what a text of this notation looks like; returns -1. */
static int refuse(const char *name, const char *example, struct reader text, char why[160]) {
    struct words words = words_begin(why, 160);
    words_add(&words, name);
    words_add(&words, " reads like ");
    words_add(&words, example);
    words_add(&words, ", not ");
    words_add_quoted(&words, text.at, (size_t)(text.end - text.at));
    return -1;
}

static int read_position(const struct rules *rules, struct reader text,
                         struct match_position *position, char why[160]) {
    enum side mover = position->mover;
    const enum side order[SIDE_COUNT] = {side_other(mover), mover};
    uint8_t bytes[POSITION_BYTES];
    struct bits bits = {bytes, 0, POSITION_BYTES * 8};
    struct board board = {0};
    if (id_text_needs_opposed(rules, position_name, why) != 0) {
        return -1;
    }
    if (text.end - text.at != GNU_POSITION_LENGTH || !decode(text, bytes, POSITION_BYTES)) {
        return refuse(position_name, "4HPwATDgc/ABMA", text, why);
    }
    for (int i = 0; i < SIDE_COUNT; i++) {
        uint8_t *men = board.men[order[i]];
        for (int place = 1; place <= POINT_BAR; place++) {
            while (take_bits(&bits, 1) != 0) {
                men[place]++;
            }
        }
        id_text_rest_off(men, rules->variant->checkers);
    }
    bool surplus = bits.at > bits.end;
    while (bits.at < bits.end) {
        surplus = take_bits(&bits, 1) != 0 || surplus;
    }
    if (board_check(&board, rules, why) != 0) {
        return -1;
    }
    if (surplus) {
        return refuse(position_name, "4HPwATDgc/ABMA", text, why);
    }
    position->board = board;
    return 0;
}

/* Takes the bits of a match id; false when one says what cannot be. */
static bool take_match(struct bits *bits, struct match_position *position) {
    unsigned owner, phase;
    position->cube_log = (uint8_t)take_bits(bits, 4);
    owner = take_bits(bits, 2);
    position->mover = take_bits(bits, 1) == player_of(SIDE_X) ? SIDE_X : SIDE_Y;
    position->crawford = take_bits(bits, 1) != 0;
    phase = take_bits(bits, 3);
    position->decider = take_bits(bits, 1) == player_of(SIDE_X) ? SIDE_X : SIDE_Y;
    position->pending = take_bits(bits, 1) != 0 ? PENDING_DOUBLE : PENDING_NONE;
    position->resigning = (uint8_t)take_bits(bits, 2);
    position->dice[0] = (uint8_t)take_bits(bits, 3);
    position->dice[1] = (uint8_t)take_bits(bits, 3);
    position->length = (int)take_bits(bits, SCORE_BITS);
    position->score[SIDE_Y] = (int)take_bits(bits, SCORE_BITS) * POINT_HALVES;
    position->score[SIDE_X] = (int)take_bits(bits, SCORE_BITS) * POINT_HALVES;
    position->jacoby = take_bits(bits, 1) == 0 && position->length == 0;
    position->cube_owner = (int8_t)(owner == MATCH_OWNER_NOBODY  ? CUBE_CENTRED
                                    : owner == player_of(SIDE_X) ? SIDE_X
                                                                 : SIDE_Y);
    position->phase = (enum game_phase)phase;
    return owner != 2 && phase <= GAME_DROPPED && take_bits(bits, SPARE_BITS) == 0;
}

static int read_match(const struct rules *rules, struct reader text,
                      struct match_position *position, char why[160]) {
    uint8_t bytes[MATCH_BYTES];
    struct bits bits = {bytes, 0, MATCH_BYTES * 8};
    struct match_position read;
    match_position_init(&read, rules);
    if (text.end - text.at != GNU_MATCH_LENGTH || !decode(text, bytes, MATCH_BYTES) ||
        !take_match(&bits, &read)) {
        return refuse(match_name, "cInlADAAEAAE", text, why);
    }
    if (match_position_check(&read, rules, why) != 0) {
        return -1;
    }
    read.board = position->board;
    *position = read;
    return 0;
}

int gnu_id_read(const struct rules *rules, const char *text, size_t length,
                struct match_position *position, char why[160]) {
    struct id_text id;
    id_text_cut(&id, text, length, "gnubgid=");
    if (id.count > 1) {
        id.field[1].end = id.field[id.count - 1].end;
        if (read_match(rules, id.field[1], position, why) != 0) {
            return -1;
        }
    }
    return read_position(rules, id.field[0], position, why);
}

int gnu_position_write(const struct rules *rules, const struct match_position *position,
                       char out[GNU_POSITION_LENGTH + 1], char why[160]) {
    enum side mover = position->mover;
    const enum side order[SIDE_COUNT] = {side_other(mover), mover};
    uint8_t bytes[POSITION_BYTES] = {0};
    struct bits bits = {bytes, 0, POSITION_BYTES * 8};
    if (id_text_needs_opposed(rules, position_name, why) != 0 ||
        board_check(&position->board, rules, why) != 0) {
        return -1;
    }
    for (int i = 0; i < SIDE_COUNT; i++) {
        for (int place = 1; place <= POINT_BAR; place++) {
            put_bits(&bits, (1u << position->board.men[order[i]][place]) - 1,
                     position->board.men[order[i]][place] + 1);
        }
    }
    encode(bytes, POSITION_BYTES, out);
    return 0;
}

/* What a match id cannot say, or NULL. */
static const char *no_room(const struct match_position *position) {
    if (position->pending > PENDING_DOUBLE) {
        return "a beaver that waits for its answer";
    }
    if (position->score[SIDE_X] % POINT_HALVES != 0 ||
        position->score[SIDE_Y] % POINT_HALVES != 0) {
        return "half points";
    }
    return NULL;
}

int gnu_match_write(const struct rules *rules, const struct match_position *position,
                    char out[GNU_MATCH_LENGTH + 1], char why[160]) {
    uint8_t bytes[MATCH_BYTES] = {0};
    struct bits bits = {bytes, 0, MATCH_BYTES * 8};
    bool ordered = position->dice[0] >= position->dice[1];
    int owner = position->cube_owner;
    if (match_position_check(position, rules, why) != 0) {
        return -1;
    }
    if (no_room(position) != NULL) {
        return id_text_no_room(match_name, no_room(position), why);
    }
    put_bits(&bits, position->cube_log, 4);
    put_bits(&bits, owner == CUBE_CENTRED ? MATCH_OWNER_NOBODY : player_of(owner), 2);
    put_bits(&bits, player_of((int)position->mover), 1);
    put_bits(&bits, position->crawford, 1);
    put_bits(&bits, position->phase, 3);
    put_bits(&bits, player_of((int)position->decider), 1);
    put_bits(&bits, position->pending == PENDING_DOUBLE, 1);
    put_bits(&bits, position->resigning, 2);
    put_bits(&bits, position->dice[ordered ? 0 : 1], 3);
    put_bits(&bits, position->dice[ordered ? 1 : 0], 3);
    put_bits(&bits, (unsigned)position->length, SCORE_BITS);
    put_bits(&bits, (unsigned)id_text_points(position, SIDE_Y), SCORE_BITS);
    put_bits(&bits, (unsigned)id_text_points(position, SIDE_X), SCORE_BITS);
    put_bits(&bits, !position->jacoby, 1);
    encode(bytes, MATCH_BYTES, out);
    return 0;
}

int gnu_id_write(const struct rules *rules, const struct match_position *position,
                 char out[GNU_ID_TEXT_MAX], char why[160]) {
    if (gnu_position_write(rules, position, out, why) != 0 ||
        gnu_match_write(rules, position, out + GNU_POSITION_LENGTH + 1, why) != 0) {
        return -1;
    }
    out[GNU_POSITION_LENGTH] = ':';
    return 0;
}
