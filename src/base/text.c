#include "base/text.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NEAREST_WORD_MAX = 64, NEAREST_DISTANCE_MAX = 3 };

/* ASCII only: what the locale or the peer thinks of other bytes does not matter here. */
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool text_u64(const char *text, size_t length, uint64_t *value) {
    if (length == 0 || (length > 1 && text[0] == '0')) {
        return false;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i])) {
            return false;
        }
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (sum > (UINT64_MAX - digit) / 10) {
            return false;
        }
        sum = sum * 10 + digit;
    }
    *value = sum;
    return true;
}

bool text_i64(const char *text, size_t length, int64_t min, int64_t max, int64_t *value) {
    bool negative = length > 0 && text[0] == '-';
    uint64_t size;
    if (!text_u64(text + negative, length - negative, &size)) {
        return false;
    }
    if (size > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    /* The smallest number has no positive twin, hence the detour by one. */
    int64_t number = negative ? (size == 0 ? 0 : -(int64_t)(size - 1) - 1) : (int64_t)size;
    if (number < min || number > max) {
        return false;
    }
    *value = number;
    return true;
}

bool text_millis(const char *text, size_t length, int64_t *millis) {
    static const struct {
        const char *unit;
        int64_t factor;
    } units[] = {{"", 1}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
    size_t digits = 0;
    while (digits < length && is_digit(text[digits])) {
        digits++;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t rest = strlen(units[i].unit);
        if (rest != length - digits || memcmp(text + digits, units[i].unit, rest) != 0) {
            continue;
        }
        int64_t number;
        if (!text_i64(text, digits, 0, INT64_MAX / units[i].factor, &number)) {
            return false;
        }
        *millis = number * units[i].factor;
        return true;
    }
    return false;
}

void text_hex(const void *data, size_t length, char *out) {
    static const char digits[] = "0123456789abcdef";
    const unsigned char *bytes = data;
    for (size_t i = 0; i < length; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * length] = '\0';
}

static int hex_value(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    c = fold(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool text_unhex(const char *text, size_t text_length, void *out, size_t length) {
    if (text_length / 2 != length || text_length % 2 != 0) {
        return false;
    }
    unsigned char *bytes = out;
    for (size_t i = 0; i < length; i++) {
        int high = hex_value(text[2 * i]);
        int low = hex_value(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes[i] = (unsigned char)(high * 16 + low);
    }
    return true;
}

const char *text_escape(const char *text, size_t length, char *out, size_t room) {
    size_t at = 0;
    size_t safe = 0; /* where "..." still fits behind what is whole */
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        char piece[8];
        int size = 1;
        if (byte == '\\') {
            size = snprintf(piece, sizeof piece, "\\\\");
        } else if (byte < 0x20 || byte > 0x7E) {
            size = snprintf(piece, sizeof piece, "\\x%02x", byte);
        } else {
            piece[0] = (char)byte;
        }
        if (at + (size_t)size + 1 > room) {
            snprintf(out + safe, room - safe, "...");
            return out;
        }
        memcpy(out + at, piece, (size_t)size);
        at += (size_t)size;
        if (at + sizeof "..." <= room) {
            safe = at;
        }
    }
    if (room > 0) {
        out[at] = '\0';
    }
    return out;
}

size_t text_utf8_next(const char *text, size_t length) {
    if (length == 0) {
        return 0;
    }
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80) {
        return 1;
    }
    size_t size = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : 2;
    if (byte[0] < 0xC2 || byte[0] > 0xF4 || size > length) {
        return 0;
    }
    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (byte[0] == 0xE0 && byte[1] < 0xA0) || (byte[0] == 0xF0 && byte[1] < 0x90);
    bool surrogate = byte[0] == 0xED && byte[1] > 0x9F;
    bool beyond = byte[0] == 0xF4 && byte[1] > 0x8F;
    return overlong || surrogate || beyond ? 0 : size;
}

bool text_is_utf8(const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t size = text_utf8_next(text + at, length - at);
        unsigned char first = (unsigned char)text[at];
        bool c0 = first < 0x20 || first == 0x7F;
        bool c1 = size == 2 && first == 0xC2 && (unsigned char)text[at + 1] < 0xA0;
        if (size == 0 || c0 || c1) {
            return false;
        }
        at += size;
    }
    return true;
}

bool text_same_fold(const char *a, size_t a_length, const char *b, size_t b_length) {
    if (a_length != b_length) {
        return false;
    }
    for (size_t i = 0; i < a_length; i++) {
        if (fold(a[i]) != fold(b[i])) {
            return false;
        }
    }
    return true;
}

bool text_same_name(const char *a, const char *b) {
    return text_same_fold(a, strlen(a), b, strlen(b));
}

void text_copy(char *out, size_t room, const char *text, size_t length) {
    size_t taken = 0;
    size_t next = 0;
    while (taken < length && (next = text_utf8_next(text + taken, length - taken)) > 0 &&
           taken + next < room) {
        taken += next;
    }
    memcpy(out, text, taken);
    out[taken] = '\0';
}

void text_copy_words(char *out, size_t room, const char *list) {
    size_t length = strlen(list);
    while (length >= room) {
        length--;
        while (length > 0 && list[length] != ',') {
            length--;
        }
    }
    text_copy(out, room, list, length);
}

bool text_is_name(const char *text, size_t length) {
    static const char *const reserved[] = {"all", "any", "none", "hakem", "referee"};
    if (length == 0 || length > NAME_MAX_BYTES) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        bool alnum = is_digit(text[i]) || (fold(text[i]) >= 'a' && fold(text[i]) <= 'z');
        bool mark = i > 0 && (text[i] == '.' || text[i] == '_' || text[i] == '-');
        if (!alnum && !mark) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (text_same_fold(text, length, reserved[i], strlen(reserved[i]))) {
            return false;
        }
    }
    return true;
}

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance (insert, drop, change, each 1) of two short words. */
static size_t distance(const char *a, const char *b) {
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (a_length > NEAREST_WORD_MAX || b_length > NEAREST_WORD_MAX) {
        return SIZE_MAX;
    }
    size_t row[NEAREST_WORD_MAX + 1];
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t above = row[j];
            size_t change = corner + (fold(a[i - 1]) != fold(b[j - 1]));
            row[j] = smallest(above + 1, row[j - 1] + 1, change);
            corner = above;
        }
    }
    return row[b_length];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t count) {
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        /* Half of the shorter word must stand, or a short one would be near to everything. */
        size_t most = smallest(strlen(word) / 2, strlen(candidates[i]) / 2, NEAREST_DISTANCE_MAX);
        size_t far = distance(word, candidates[i]);
        if (far <= most && far < best) {
            best = far;
            nearest = candidates[i];
        }
    }
    return nearest;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies one word from `*at` to `*to`, without its quotes; false when a quote stays open. */
static bool take_word(const char **at, char **to) {
    char quote = '\0';
    for (; **at != '\0' && (quote != '\0' || !is_blank(**at)); (*at)++) {
        char c = **at;
        if (c == quote) {
            quote = '\0';
        } else if (quote == '\0' && (c == '\'' || c == '"')) {
            quote = c;
        } else {
            bool escape = c == '\\' && quote != '\'';
            /* Within "..." a backslash escapes only what would otherwise mean something. */
            if (escape && quote == '"' && (*at)[1] != '"' && (*at)[1] != '\\') {
                escape = false;
            }
            if (escape && *++*at == '\0') {
                return false;
            }
            *(*to)++ = **at;
        }
    }
    *(*to)++ = '\0';
    return quote == '\0';
}

char **text_split_command(const char *command) {
    size_t length = strlen(command);
    /* Each word but the last takes a blank too; the texts lie behind the pointers. */
    size_t most = length / 2 + 1;
    char **words = alloc_zeroed((most + 1) * sizeof *words + length + 1, 1);
    char *to = (char *)(words + most + 1);
    size_t count = 0;
    const char *at = command;
    for (;;) {
        while (is_blank(*at)) {
            at++;
        }
        if (*at == '\0') {
            break;
        }
        words[count++] = to;
        if (!take_word(&at, &to)) {
            count = 0;
            break;
        }
    }
    if (count == 0) {
        free(words);
        return NULL;
    }
    return words;
}

void text_utc(int64_t seconds, char out[32]) {
    time_t when = (time_t)seconds;
    struct tm tm;
    if (gmtime_r(&when, &tm) == NULL || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0) {
        out[0] = '\0';
    }
}
