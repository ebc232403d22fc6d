#include "base/json_scan.h"

#include "base/lang.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    JSON_NUMBER_MAX = 63,    /* cJSON copies numbers into 64 bytes and cuts the rest */
    JSON_CHARACTER_END = '"' /* what scan_character answers at the closing quote */
};

/* A walk over the text that checks everything before cJSON may build anything. */
struct scan {
    const char *text;
    size_t length;
    size_t at;
    const struct json_limits *limits;
    int depth;
    const char *why; /* a sentence, marked with N_, once something was refused */
    size_t where;
};

static bool refuse(struct scan *scan, size_t where, const char *why) {
    scan->why = why;
    scan->where = where;
    return false;
}

/* The byte at the walk's place; NUL at the end, which no good text holds. */
static char peek(const struct scan *scan) {
    return scan->at < scan->length ? scan->text[scan->at] : '\0';
}

static void skip_blanks(struct scan *scan) {
    while (peek(scan) == ' ' || peek(scan) == '\t' || peek(scan) == '\n' || peek(scan) == '\r') {
        scan->at++;
    }
}

/* UTF-8 without overlong forms or surrogates, and no control bytes but the blanks of JSON. */
static bool check_bytes(struct scan *scan) {
    static const char mark[] = "\xEF\xBB\xBF";
    if (scan->length >= 3 && memcmp(scan->text, mark, 3) == 0) {
        return refuse(scan, 0, N_("a byte order mark: save the text without one"));
    }
    for (size_t at = 0; at < scan->length;) {
        size_t size = text_utf8_next(scan->text + at, scan->length - at);
        if (size == 0) {
            return refuse(scan, at, N_("a byte that is not UTF-8"));
        }
        char c = scan->text[at];
        if ((unsigned char)c < 0x20 && c != '\t' && c != '\n' && c != '\r') {
            return refuse(scan, at, N_("a control byte"));
        }
        at += size;
    }
    return true;
}

/* Turns `//` to the end of the line into spaces, so that every place stays where it was. */
static void blank_comments(char *text, size_t length) {
    bool in_string = false;
    for (size_t at = 0; at < length; at++) {
        if (in_string && text[at] == '\\') {
            at++;
        } else if (text[at] == '"' || text[at] == '\n') {
            in_string = text[at] == '"' && !in_string;
        } else if (!in_string && text[at] == '/' && at + 1 < length && text[at + 1] == '/') {
            while (at < length && text[at] != '\n') {
                text[at++] = ' ';
            }
        }
    }
}

/* Four hex digits, or -1. */
static long read_unit(const struct scan *scan, size_t at) {
    uint8_t pair[2];
    if (at + 4 > scan->length || !text_unhex(scan->text + at, 4, pair, sizeof pair)) {
        return -1;
    }
    return pair[0] * 256L + pair[1];
}

/* The code point of a \u escape, the walk standing on its `u`. */
static bool scan_unicode(struct scan *scan, uint32_t *point) {
    size_t start = scan->at - 1;
    long unit = read_unit(scan, scan->at + 1);
    if (unit < 0) {
        return refuse(scan, start, N_("\\u needs four hex digits"));
    }
    if (unit == 0) {
        return refuse(scan, start, N_("\\u0000 is not allowed"));
    }
    scan->at += 5;
    *point = (uint32_t)unit;
    if (unit < 0xD800 || unit > 0xDFFF) {
        return true;
    }
    long low = -1;
    if (unit < 0xDC00 && peek(scan) == '\\' && scan->at + 1 < scan->length &&
        scan->text[scan->at + 1] == 'u') {
        low = read_unit(scan, scan->at + 2);
    }
    if (low < 0xDC00 || low > 0xDFFF) {
        return refuse(scan, start, N_("half of a surrogate pair"));
    }
    scan->at += 6;
    *point = 0x10000 + (((uint32_t)unit - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
    return true;
}

/* One character of a string, decoded; JSON_CHARACTER_END with `end` set at the closing quote. */
static bool scan_character(struct scan *scan, uint32_t *point, bool *end) {
    static const char escapes[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    *end = false;
    unsigned char c = (unsigned char)peek(scan);
    if (scan->at >= scan->length) {
        return refuse(scan, scan->at, N_("the text ends within a string"));
    }
    if (c < 0x20) {
        return refuse(scan, scan->at, N_("a line end or tab within a string: write \\n or \\t"));
    }
    if (c == '"') {
        scan->at++;
        *point = JSON_CHARACTER_END;
        *end = true;
        return true;
    }
    if (c != '\\') {
        size_t size = text_utf8_next(scan->text + scan->at, scan->length - scan->at);
        *point = size == 1 ? c : c & (0xFFu >> (size + 1));
        for (size_t i = 1; i < size; i++) {
            *point = *point << 6 | ((unsigned char)scan->text[scan->at + i] & 0x3F);
        }
        scan->at += size;
        return true;
    }
    scan->at++;
    if (peek(scan) == 'u') {
        return scan_unicode(scan, point);
    }
    const char *found = peek(scan) != '\0' ? strchr(escapes, peek(scan)) : NULL;
    if (found == NULL) {
        return refuse(scan, scan->at - 1, N_("an escape that JSON does not have"));
    }
    *point = (unsigned char)meanings[found - escapes];
    scan->at++;
    return true;
}

/* A whole string, the walk standing behind its opening quote. */
static bool scan_string(struct scan *scan) {
    uint32_t point;
    bool end = false;
    while (!end) {
        if (!scan_character(scan, &point, &end)) {
            return false;
        }
    }
    return true;
}

/* Whether two strings that were scanned before say the same, whatever their escapes. */
static bool same_string(const struct scan *scan, size_t a, size_t b) {
    struct scan first = *scan;
    struct scan second = *scan;
    first.at = a;
    second.at = b;
    for (;;) {
        uint32_t x;
        uint32_t y;
        bool x_end;
        bool y_end;
        scan_character(&first, &x, &x_end);
        scan_character(&second, &y, &y_end);
        if (x != y || x_end != y_end) {
            return false;
        }
        if (x_end) {
            return true;
        }
    }
}

static void skip_digits(struct scan *scan) {
    while (peek(scan) >= '0' && peek(scan) <= '9') {
        scan->at++;
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A number as JSON writes it: no 01, no +1, no 1., no .5, nothing infinite. */
static bool scan_number(struct scan *scan) {
    size_t start = scan->at;
    scan->at += peek(scan) == '-';
    bool zero = peek(scan) == '0';
    bool good = is_digit(peek(scan));
    scan->at += good;
    if (zero && is_digit(peek(scan))) {
        return refuse(scan, start, N_("a number with a leading zero"));
    }
    skip_digits(scan);
    if (good && peek(scan) == '.') {
        scan->at++;
        good = is_digit(peek(scan));
        skip_digits(scan);
    }
    if (good && (peek(scan) == 'e' || peek(scan) == 'E')) {
        scan->at++;
        scan->at += peek(scan) == '+' || peek(scan) == '-';
        good = is_digit(peek(scan));
        skip_digits(scan);
    }
    if (!good) {
        return refuse(scan, start, N_("a number that JSON does not have"));
    }
    size_t size = scan->at - start;
    if (size > JSON_NUMBER_MAX) {
        return refuse(scan, start, N_("a number of more than 63 characters"));
    }
    char copy[JSON_NUMBER_MAX + 1];
    memcpy(copy, scan->text + start, size);
    copy[size] = '\0';
    if (!isfinite(strtod(copy, NULL))) {
        return refuse(scan, start, N_("a number that is too large"));
    }
    return true;
}

/* true, false or null. */
static bool scan_word(struct scan *scan) {
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t size = strlen(words[i]);
        if (scan->length - scan->at >= size && memcmp(scan->text + scan->at, words[i], size) == 0) {
            scan->at += size;
            return true;
        }
    }
    if (scan->at >= scan->length) {
        return refuse(scan, scan->at, N_("the text ends where a value should stand"));
    }
    return refuse(scan, scan->at, N_("no value of JSON begins like this"));
}

static bool scan_value(struct scan *scan);

/* `"key" :` of an object; `keys` holds the places of the keys before it. */
static bool scan_key(struct scan *scan, size_t *keys, int count) {
    size_t start = scan->at;
    if (peek(scan) != '"') {
        return refuse(scan, start, N_("a key in double quotes should stand here"));
    }
    if (count >= scan->limits->keys || count >= JSON_KEYS_MAX) {
        return refuse(scan, start, N_("an object with too many keys"));
    }
    scan->at++;
    keys[count] = scan->at;
    if (!scan_string(scan)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (same_string(scan, keys[i], keys[count])) {
            return refuse(scan, start, N_("a key that stands twice in this object"));
        }
    }
    skip_blanks(scan);
    if (peek(scan) != ':') {
        return refuse(scan, scan->at, N_("a colon should stand behind the key"));
    }
    scan->at++;
    return true;
}

/* `,` (more = true) or the closing bracket behind a child. */
static bool scan_comma(struct scan *scan, char close, bool *more) {
    skip_blanks(scan);
    char c = peek(scan);
    if (c != ',' && c != close) {
        return refuse(scan, scan->at,
                      close == '}' ? N_("a comma or } should stand here")
                                   : N_("a comma or ] should stand here"));
    }
    *more = c == ',';
    scan->at++;
    skip_blanks(scan);
    return true;
}

/* The members of an object, the walk standing behind its bracket and blanks. */
static bool scan_object(struct scan *scan) {
    size_t keys[JSON_KEYS_MAX];
    bool more = true;
    for (int count = 0; more; count++) {
        if (!scan_key(scan, keys, count) || !scan_value(scan) || !scan_comma(scan, '}', &more)) {
            return false;
        }
    }
    return true;
}

static bool scan_array(struct scan *scan) {
    bool more = true;
    for (int count = 0; more; count++) {
        if (count >= scan->limits->items) {
            return refuse(scan, scan->at, N_("an array with too many items"));
        }
        if (!scan_value(scan) || !scan_comma(scan, ']', &more)) {
            return false;
        }
    }
    return true;
}

/* An object or array with its brackets; the depth bounds the recursion. */
static bool scan_nest(struct scan *scan) {
    bool object = peek(scan) == '{';
    if (scan->depth >= scan->limits->depth) {
        return refuse(scan, scan->at, N_("brackets nested too deep"));
    }
    scan->at++;
    skip_blanks(scan);
    if (peek(scan) == (object ? '}' : ']')) {
        scan->at++;
        return true;
    }
    scan->depth++;
    bool good = object ? scan_object(scan) : scan_array(scan);
    scan->depth--;
    return good;
}

static bool scan_value(struct scan *scan) {
    skip_blanks(scan);
    char c = peek(scan);
    if (c == '{' || c == '[') {
        return scan_nest(scan);
    }
    if (c == '"') {
        scan->at++;
        return scan_string(scan);
    }
    if (c == '-' || is_digit(c)) {
        return scan_number(scan);
    }
    return scan_word(scan);
}

/* One value and nothing behind it. */
static bool scan_document(struct scan *scan) {
    if (!scan_value(scan)) {
        return false;
    }
    skip_blanks(scan);
    if (scan->at < scan->length) {
        return refuse(scan, scan->at, N_("something stands behind the end of the value"));
    }
    return true;
}

bool json_scan(char *text, size_t length, const struct json_limits *limits,
               struct json_fault *fault) {
    struct scan scan = {.text = text, .length = length, .limits = limits};
    bool good = check_bytes(&scan);
    if (good && limits->comments) {
        blank_comments(text, length);
    }
    good = good && scan_document(&scan);
    *fault = (struct json_fault){.why = scan.why, .where = scan.where};
    return good;
}
