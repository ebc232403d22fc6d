#include "rules/notation.h"

#include "rules/fibs.h"
#include "rules/gnu_id.h"
#include "rules/id_text.h"
#include "rules/ogid.h"
#include "rules/position.h"
#include "rules/xgid.h"

_Static_assert((int)NOTATION_TEXT_MAX >= (int)POSITION_TEXT_MAX &&
                   (int)NOTATION_TEXT_MAX >= (int)FIBS_TEXT_MAX,
               "every notation fits");

const char *notation_name(enum notation notation) {
    static const char *const names[NOTATION_KINDS] = {[NOTATION_TEXT] = "text",
                                                      [NOTATION_COUNTS] = "counts",
                                                      [NOTATION_GNU_POSITION] = "gnu-position",
                                                      [NOTATION_GNU_ID] = "gnu",
                                                      [NOTATION_XGID] = "xgid",
                                                      [NOTATION_OGID] = "ogid",
                                                      [NOTATION_FIBS] = "fibs"};
    return names[notation];
}

bool notation_says_match(enum notation notation) {
    return notation >= NOTATION_GNU_ID;
}

/* Whether every byte of a field is one of these. */
static bool made_of(struct reader field, const char *bytes) {
    for (; field.at < field.end; field.at++) {
        const char *byte = bytes;
        while (*byte != '\0' && *byte != *field.at) {
            byte++;
        }
        if (*byte == '\0') {
            return false;
        }
    }
    return true;
}

static bool begins(struct reader field, const char *word) {
    return reader_take(&field, word);
}

/* The notation a text looks like; what looks like none is taken for our text. */
static enum notation looks_like(const char *text, size_t length) {
    struct id_text id;
    id_text_cut(&id, text, length, "");
    struct reader first = id.field[0];
    long letters = first.end - first.at;
    if (begins(first, "xgid=")) {
        return NOTATION_XGID;
    }
    if (begins(first, "ogid=")) {
        return NOTATION_OGID;
    }
    if (begins(first, "gnubgid=")) {
        return id.count > 1 ? NOTATION_GNU_ID : NOTATION_GNU_POSITION;
    }
    if (begins(first, "board") && id.count > 1) {
        return NOTATION_FIBS;
    }
    if (id.count == 1 && letters > 0) {
        return made_of(first, "[],+- \t0123456789") ? NOTATION_COUNTS
               : letters == GNU_POSITION_LENGTH     ? NOTATION_GNU_POSITION
                                                    : NOTATION_TEXT;
    }
    if (id.count == 2 && letters == GNU_POSITION_LENGTH && !begins(first, "w ")) {
        return NOTATION_GNU_ID;
    }
    if (id.count > 2 && letters == POINT_COUNT &&
        made_of(first, "-abcdefghijklmnopABCDEFGHIJKLMNOP")) {
        return NOTATION_XGID;
    }
    if (id.count > 2 && made_of(first, "0123456789abcdefghijklmnop") &&
        made_of(id.field[1], "0123456789abcdefghijklmnop")) {
        return NOTATION_OGID;
    }
    return NOTATION_TEXT;
}

/* Reads the next of the counts; what stands between them was skipped. */
static bool take_count(struct reader *reader, int *count) {
    bool minus = reader_take(reader, "-");
    if (!minus) {
        reader_take(reader, "+");
    }
    *count = reader_take_number(reader, 99);
    if (*count < 0) {
        return false;
    }
    *count = minus ? -*count : *count;
    return true;
}

static void skip_between(struct reader *reader) {
    while (reader->at < reader->end &&
           made_of((struct reader){reader->at, reader->at + 1}, "[], \t")) {
        reader->at++;
    }
}

static int read_counts(const struct rules *rules, struct reader reader,
                       struct match_position *position, char why[160]) {
    int8_t counts[POINT_COUNT] = {0};
    int read = 0;
    struct board board;
    for (skip_between(&reader); reader.at < reader.end; skip_between(&reader), read++) {
        int count;
        if (!take_count(&reader, &count) || read == POINT_COUNT) {
            break;
        }
        counts[read] = (int8_t)count;
    }
    if (read != POINT_COUNT || reader.at < reader.end) {
        struct words words = words_begin(why, 160);
        words_add(&words, "a position in counts has 26 numbers, 0,-2,0,0,0,0,5 and so on; this ");
        words_add(&words, reader.at < reader.end ? "goes wrong at " : "has ");
        if (reader.at < reader.end) {
            words_add_quoted(&words, reader.at, (size_t)(reader.end - reader.at));
        } else {
            words_add_number(&words, read);
        }
        return -1;
    }
    if (position_from_counts(rules, counts, position->mover, &board, why) != 0) {
        return -1;
    }
    position->board = board;
    return 0;
}

static int read_as(enum notation notation, const struct rules *rules, struct reader reader,
                   struct match_position *position, char why[160]) {
    size_t length = (size_t)(reader.end - reader.at);
    switch (notation) {
    case NOTATION_COUNTS:
        return read_counts(rules, reader, position, why);
    case NOTATION_GNU_POSITION:
    case NOTATION_GNU_ID:
        return gnu_id_read(rules, reader.at, length, position, why);
    case NOTATION_XGID:
        return xgid_read(rules, reader.at, length, position, why);
    case NOTATION_OGID:
        return ogid_read(rules, reader.at, length, position, why);
    case NOTATION_FIBS:
        return fibs_read(rules, reader.at, length, position, why);
    case NOTATION_TEXT:
        break;
    }
    return position_read(rules, reader.at, length, &position->board, why);
}

int notation_read(const struct rules *rules, const char *text, size_t length,
                  struct match_position *position, char why[160]) {
    enum notation notation = looks_like(text, length);
    struct reader reader = {text, text + length};
    return read_as(notation, rules, reader, position, why) == 0 ? (int)notation : -1;
}

static int write_counts(const struct rules *rules, const struct match_position *position,
                        char out[NOTATION_TEXT_MAX]) {
    struct words words = words_begin(out, NOTATION_TEXT_MAX);
    int8_t counts[POINT_COUNT];
    position_counts(rules, &position->board, position->mover, counts);
    for (int place = 0; place < POINT_COUNT; place++) {
        words_add(&words, place == 0 ? "" : ",");
        id_text_add_number(&words, counts[place]);
    }
    return 0;
}

int notation_write(const struct rules *rules, const struct match_position *position,
                   enum notation notation, char out[NOTATION_TEXT_MAX], char why[160]) {
    static const struct fibs_view view = {SIDE_X, {"White", "Black"}};
    if (board_check(&position->board, rules, why) != 0) {
        return -1;
    }
    switch (notation) {
    case NOTATION_COUNTS:
        return write_counts(rules, position, out);
    case NOTATION_GNU_POSITION:
        return gnu_position_write(rules, position, out, why);
    case NOTATION_GNU_ID:
        return gnu_id_write(rules, position, out, why);
    case NOTATION_XGID:
        return xgid_write(rules, position, out, why);
    case NOTATION_OGID:
        return ogid_write(rules, position, out, why);
    case NOTATION_FIBS:
        return fibs_write(rules, position, &view, out, why);
    case NOTATION_TEXT:
        break;
    }
    position_write(&position->board, out);
    return 0;
}
