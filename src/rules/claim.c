#include "rules/claim.h"

#include "rules/reader.h"

static bool is_between(char byte) {
    return byte == ' ' || byte == ',' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void skip_stars(struct reader *reader) {
    while (reader->at < reader->end && *reader->at == '*') {
        reader->at++;
    }
}

/* Takes a point and the stars behind it; -1 when none stands there. */
static int take_point(struct reader *reader) {
    int point;
    if (reader_take(reader, "bar")) {
        point = POINT_BAR;
    } else if (reader_take(reader, "off") || reader_take(reader, "home")) {
        point = POINT_OFF;
    } else {
        point = reader_take_number(reader, POINT_BAR);
    }
    skip_stars(reader);
    return point;
}

/* Takes `(n)` and the stars behind it; 1 when none stands there, -1 when spoilt. */
static int take_repeat(struct reader *reader) {
    if (!reader_take(reader, "(")) {
        return 1;
    }
    int repeat = reader_take_number(reader, 99);
    if (repeat < 1 || !reader_take(reader, ")")) {
        return -1;
    }
    skip_stars(reader);
    return repeat;
}

static void add_leg(struct claim *claim, struct leg leg) {
    if (claim->count < CLAIM_LEGS_MAX) {
        claim->leg[claim->count++] = leg;
    }
}

/* Reads one word such as `8/5*(2)` or `24/18/13`; false when it is none. */
static bool read_word(struct reader reader, int word, struct claim *claim) {
    uint8_t point[CLAIM_LEGS_MAX + 1];
    int points = 0;
    do {
        int read = take_point(&reader);
        if (read < 0 || points > CLAIM_LEGS_MAX) {
            return false;
        }
        point[points++] = (uint8_t)read;
    } while (reader_take(&reader, "/") || reader_take(&reader, "-"));
    int repeat = take_repeat(&reader);
    if (points < 2 || repeat < 0 || reader.at != reader.end) {
        return false;
    }
    for (int n = 0; n < repeat; n++) {
        for (int i = 1; i < points; i++) {
            add_leg(claim, (struct leg){point[i - 1], point[i], (uint8_t)word});
        }
    }
    return true;
}

/* The next word; empty at the end of the text. */
static struct reader next_word(const char *at, const char *end) {
    while (at < end && is_between(*at)) {
        at++;
    }
    struct reader word = {at, at};
    while (word.end < end && !is_between(*word.end)) {
        word.end++;
    }
    return word;
}

/* Whether the claim is the one word "pass". */
static bool is_pass(struct reader word, const char *end) {
    return reader_take(&word, "pass") && word.at == word.end && next_word(word.end, end).at == end;
}

bool claim_read(const char *text, size_t length, struct claim *claim) {
    const char *end = text + length;
    struct reader word = next_word(text, end);
    *claim = (struct claim){.count = 0};
    if (is_pass(word, end)) {
        return true;
    }
    for (int n = 1; word.at < end && claim->count < CLAIM_LEGS_MAX; n++) {
        if (!read_word(word, n, claim)) {
            claim->bad_word = n;
            claim->bad = word.at;
            claim->bad_length = (size_t)(word.end - word.at);
            return false;
        }
        word = next_word(word.end, end);
    }
    return true;
}
