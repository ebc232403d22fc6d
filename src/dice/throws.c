#include "dice/throws.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THROWS_SHOWN = 20 /* bytes of a wrong word that a sentence quotes */ };

/* A word of the text, and where it stands. */
struct word {
    const char *text;
    size_t length;
    unsigned line, column;
};

struct scan {
    const char *text;
    size_t length, at, line_at;
    unsigned line;
    bool headed; /* unit 1 has its `unit` */
};

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Steps over blanks and comments. */
static void scan_blanks(struct scan *scan) {
    bool comment = false;
    for (; scan->at < scan->length; scan->at++) {
        char byte = scan->text[scan->at];
        comment = (comment || byte == '#') && byte != '\n';
        if (!comment && !is_blank(byte)) {
            return;
        }
        if (byte == '\n') {
            scan->line++;
            scan->line_at = scan->at + 1;
        }
    }
}

static bool scan_word(struct scan *scan, struct word *word) {
    scan_blanks(scan);
    *word = (struct word){.text = scan->text + scan->at,
                          .line = scan->line,
                          .column = (unsigned)(scan->at - scan->line_at) + 1};
    while (scan->at < scan->length && !is_blank(scan->text[scan->at]) &&
           scan->text[scan->at] != '#') {
        scan->at++;
        word->length++;
    }
    return word->length > 0;
}

static bool is_die(char byte) {
    return byte >= '1' && byte <= '6';
}

static bool is_unit(const struct word *word) {
    return word->length == 4 && memcmp(word->text, "unit", 4) == 0;
}

static int refuse_word(const struct word *word, char why[THROWS_WHY_MAX]) {
    int shown = (int)(word->length < THROWS_SHOWN ? word->length : THROWS_SHOWN);
    for (int i = 0; i < shown; i++) {
        shown = (unsigned char)word->text[i] < ' ' || word->text[i] == 127 ? i : shown;
    }
    snprintf(why, THROWS_WHY_MAX,
             "line %u, column %u: \"%.*s\" is no throw: two digits from 1 to 6, such as 52",
             word->line, word->column, shown, word->text);
    return -1;
}

/* The next unit begins; the one before must not be empty, but for nothing before the first. */
static int begin_unit(struct throws *throws, struct scan *scan, char why[THROWS_WHY_MAX]) {
    if (throws->count > throws->first[throws->units - 1]) {
        throws->first[throws->units++] = throws->count;
        return 0;
    }
    if (throws->units == 1 && !scan->headed) {
        scan->headed = true;
        return 0;
    }
    snprintf(why, THROWS_WHY_MAX, "line %u: unit %u has no throws", scan->line, throws->units);
    return -1;
}

static int read_words(struct throws *throws, struct scan *scan, char why[THROWS_WHY_MAX]) {
    struct word word;
    while (scan_word(scan, &word)) {
        if (is_unit(&word)) {
            if (begin_unit(throws, scan, why) != 0) {
                return -1;
            }
        } else if (word.length == 2 && is_die(word.text[0]) && is_die(word.text[1])) {
            throws->roll[throws->count++] = (struct roll){
                .die = {(uint8_t)(word.text[0] - '0'), (uint8_t)(word.text[1] - '0')}};
        } else {
            return refuse_word(&word, why);
        }
    }
    if (throws->count == throws->first[throws->units - 1]) {
        snprintf(why, THROWS_WHY_MAX, "line %u: unit %u has no throws", scan->line,
                 throws->units);
        return -1;
    }
    throws->first[throws->units] = throws->count;
    return 0;
}

int throws_read(struct throws *throws, const char *text, size_t length, char why[THROWS_WHY_MAX]) {
    struct scan scan = {.text = text, .length = length, .line = 1};
    if (length > UINT32_MAX) {
        snprintf(why, THROWS_WHY_MAX, "the text is too long");
        return -1;
    }
    *throws = (struct throws){.hash = hash_bytes(text, length),
                              .roll = alloc_zeroed(length / 2 + 1, sizeof *throws->roll),
                              .first = alloc_zeroed(length / 4 + 3, sizeof *throws->first),
                              .units = 1};
    if (read_words(throws, &scan, why) != 0) {
        throws_clear(throws);
        return -1;
    }
    return 0;
}

void throws_clear(struct throws *throws) {
    free(throws->roll);
    free(throws->first);
    *throws = (struct throws){.count = 0};
}

const struct roll *throws_of_unit(const struct throws *throws, uint32_t unit, uint32_t *count) {
    *count = 0;
    if (unit < 1 || unit > throws->units) {
        return NULL;
    }
    *count = throws->first[unit] - throws->first[unit - 1];
    return throws->roll + throws->first[unit - 1];
}

void throws_seed(const struct throws *throws, char out[HASH_HEX]) {
    hash_hex(&throws->hash, out);
}
