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

/* The next unit begins, or the first one, where nothing stands before. */
static void begin_unit(struct throws *throws, struct scan *scan) {
    if (throws->count > 0 || throws->units > 1 || scan->headed) {
        throws->first[throws->units++] = throws->count;
    }
    scan->headed = true;
}

static int read_words(struct throws *throws, struct scan *scan, char why[THROWS_WHY_MAX]) {
    struct word word;
    while (scan_word(scan, &word)) {
        if (is_unit(&word)) {
            begin_unit(throws, scan);
        } else if (word.length == 2 && is_die(word.text[0]) && is_die(word.text[1])) {
            throws->roll[throws->count++] = (struct roll){
                .die = {(uint8_t)(word.text[0] - '0'), (uint8_t)(word.text[1] - '0')}};
        } else {
            return refuse_word(&word, why);
        }
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

void throws_add(struct throws *throws, uint32_t unit, struct roll roll) {
    if (unit > throws->units) {
        throws->first = alloc_resize(throws->first, (size_t)unit + 1, sizeof *throws->first);
        for (uint32_t i = throws->units == 0 ? 0 : throws->units + 1; i <= unit; i++) {
            throws->first[i] = throws->count;
        }
        throws->units = unit;
    }
    uint32_t at = throws->first[unit];
    throws->roll = alloc_resize(throws->roll, (size_t)throws->count + 1, sizeof *throws->roll);
    memmove(throws->roll + at + 1, throws->roll + at,
            (throws->count - at) * sizeof *throws->roll);
    throws->roll[at] = roll;
    throws->count++;
    for (uint32_t i = unit; i <= throws->units; i++) {
        throws->first[i]++;
    }
}

void throws_write(const struct throws *throws, struct bytes *out) {
    for (uint32_t unit = 0; unit < throws->units; unit++) {
        bytes_print(out, "unit # %u\n", unit + 1);
        for (uint32_t i = throws->first[unit]; i < throws->first[unit + 1]; i++) {
            bytes_print(out, "%d%d\n", throws->roll[i].die[0], throws->roll[i].die[1]);
        }
    }
}

static const char *const flaw_names[FLAW_COUNT] = {
    [FLAW_OFF_BOARD] = "off_board",
    [FLAW_HALVES] = "halves",
    [FLAW_ON_CHECKER] = "on_checker",
    [FLAW_NOT_FLAT] = "not_flat",
};

const char *throw_flaw_name(enum throw_flaw flaw) {
    return flaw_names[flaw];
}

int throw_flaw_find(const char *name) {
    for (int flaw = 0; flaw < FLAW_COUNT; flaw++) {
        if (strcmp(flaw_names[flaw], name) == 0) {
            return flaw;
        }
    }
    return -1;
}

void throws_seed(const struct throws *throws, char out[HASH_HEX]) {
    hash_hex(&throws->hash, out);
}
