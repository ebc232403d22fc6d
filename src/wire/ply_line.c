#include "wire/ply_line.h"

#include <string.h>

enum { DIGITS_MAX = 20, SAFE_DIGITS = 15 /* below what a whole number may reach */ };

static char *put_text(char *to, const char *text, size_t length) {
    memcpy(to, text, length);
    return to + length;
}

/* A blank and a number. */
static char *put_number(char *to, uint64_t number) {
    char digits[DIGITS_MAX];
    if (number < 10) { /* as most are */
        to[0] = ' ';
        to[1] = (char)('0' + number);
        return to + 2;
    }
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    *to++ = ' ';
    while (at < sizeof digits) {
        *to++ = digits[at++];
    }
    return to;
}

static char *put_dice(char *to, const uint8_t dice[2]) {
    *to++ = ' ';
    *to++ = (char)('0' + dice[0]);
    *to++ = (char)('0' + dice[1]);
    return to;
}

static char *put_time(char *to, const char *key, int64_t ms) {
    *to++ = ' ';
    to = put_text(to, key, strlen(key));
    char *sign = to;
    to = put_number(to, (uint64_t)ms);
    *sign = '='; /* in the place of the blank */
    return to;
}

void ply_line_begin(struct ply_line *ply, uint64_t number, char seat, const uint8_t dice[2]) {
    char *to = put_number(ply->throw, number);
    *to++ = ' ';
    *to++ = seat;
    to = put_dice(to, dice);
    ply->throw_length = (size_t)(to - ply->throw);
}

size_t ply_line_did(const struct ply_line *ply, char out[PLY_LINE_MAX]) {
    static const char *const keys[PLY_TIMES] = {"ms", "passed", "open", "lag"};
    char *to = put_text(out, "did", 3);
    to = put_number(to, ply->table);
    to = put_text(to, ply->throw, ply->throw_length);
    if (ply->play_length > 0) {
        *to++ = ' ';
        to = put_text(to, ply->play, ply->play_length);
    }
    for (int i = 0; i < PLY_TIMES; i++) {
        if (ply->time[i] >= 0) {
            to = put_time(to, keys[i], ply->time[i]);
        }
    }
    return (size_t)(to - out);
}

size_t ply_line_turn(uint64_t table, uint64_t serial, const uint8_t dice[2], int64_t ms,
                     char out[PLY_LINE_MAX]) {
    char *to = put_text(out, "turn", 4);
    to = put_number(to, table);
    to = put_number(to, serial);
    to = put_dice(to, dice);
    if (ms >= 0) {
        to = put_time(to, "ms", ms);
    }
    return (size_t)(to - out);
}

/* A blank and a number behind it, as they are written; NULL when they are not. */
static const char *take_number(const char *at, const char *end, uint64_t *number) {
    if (end - at < 2 || at[0] != ' ' || at[1] < '1' || at[1] > '9') {
        return NULL;
    }
    const char *first = ++at;
    *number = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (at - first == SAFE_DIGITS) {
            return NULL;
        }
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    return at;
}

/* Whether these are words as they are written: each behind one blank, nothing that would
 * be a key, and printable. */
static bool are_words(const char *at, const char *end) {
    bool blank = false;
    if (at < end && *at != ' ') {
        return false;
    }
    for (; at < end; at++) {
        bool gap = *at == ' ';
        if ((gap && blank) || *at < ' ' || *at > '~' || *at == '=') {
            return false;
        }
        blank = gap;
    }
    return !blank;
}

bool ply_line_play(const char *line, size_t length, struct ply_answer *answer) {
    const char *end = line + length;
    if (length < 4 || memcmp(line, "play", 4) != 0) {
        return false;
    }
    const char *at = take_number(line + 4, end, &answer->table);
    at = at != NULL ? take_number(at, end, &answer->serial) : NULL;
    if (at == NULL || !are_words(at, end)) {
        return false;
    }
    answer->play = at < end ? at + 1 : at;
    answer->play_length = (size_t)(end - answer->play);
    return true;
}
