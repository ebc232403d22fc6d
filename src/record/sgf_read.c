#include "record/sgf_read.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum {
    IDENT_MAX = 8,
    VALUES_SEEN = 4, /* of a property; MI has that many */
    VALUE_MAX = 256, /* bytes of a value that are looked at */
    LETTERS_MAX = 8, /* four legs */
    POINTS_MAX = 100000
};

struct value_text {
    char text[VALUE_MAX];
    size_t length;
};

struct property {
    char ident[IDENT_MAX + 1]; /* capitals only */
    struct value_text value[VALUES_SEEN];
    int values;
    unsigned line;
};

struct sgf_reader {
    struct sheet *sheet;
    const char *at, *end;
    unsigned line;
    unsigned depth;
    bool left;        /* the main line of this tree has ended: what follows are variations */
    bool other_game;  /* GM[] is not 6 */
    int winner;       /* RE: side, -1 not said */
    int points;       /* RE, 0 not said */
    unsigned result_line;
    struct property property;
};

static bool is_capital(char byte) {
    return byte >= 'A' && byte <= 'Z';
}

/* The number behind a name such as "length:", or the whole text for ""; -1 when there is none. */
static int number_after(const struct value_text *value, const char *name) {
    size_t skip = strlen(name);
    int64_t number;
    if (value->length < skip || memcmp(value->text, name, skip) != 0 ||
        !text_i64(value->text + skip, value->length - skip, 0, POINTS_MAX, &number)) {
        return -1;
    }
    return (int)number;
}

static bool is_text(const struct value_text *value, const char *text) {
    return value->length == strlen(text) && memcmp(value->text, text, value->length) == 0;
}

static bool has_word(const struct value_text *value, const char *word) {
    size_t length = strlen(word);
    for (size_t at = 0; at <= value->length;) {
        const char *colon = memchr(value->text + at, ':', value->length - at);
        size_t end = colon != NULL ? (size_t)(colon - value->text) : value->length;
        if (text_same_fold(value->text + at, end - at, word, length)) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

static void read_match_info(struct sgf_reader *reader, struct sheet_game *game) {
    for (int i = 0; i < reader->property.values; i++) {
        const struct value_text *value = &reader->property.value[i];
        int length = number_after(value, "length:");
        int white = number_after(value, "ws:");
        int black = number_after(value, "bs:");
        reader->sheet->length = length >= 0 ? length : reader->sheet->length;
        game->score[SIDE_X] = white >= 0 ? white : game->score[SIDE_X];
        game->score[SIDE_Y] = black >= 0 ? black : game->score[SIDE_Y];
    }
}

/* Words such as "koks=2" of RU, which only we write. */
static void read_own_rules(struct sheet *sheet, const struct value_text *value) {
    size_t used = 0;
    for (size_t at = 0; at < value->length;) {
        const char *word = value->text + at;
        const char *colon = memchr(word, ':', value->length - at);
        size_t length = colon != NULL ? (size_t)(colon - word) : value->length - at;
        if (memchr(word, '=', length) != NULL && used + length + 2 < sizeof sheet->rules) {
            used += (size_t)snprintf(sheet->rules + used, sizeof sheet->rules - used, "%.*s ",
                                     (int)length, word);
        }
        at += length + 1;
    }
}

static void read_rules(struct sheet *sheet, const struct value_text *value) {
    read_own_rules(sheet, value);
    sheet->crawford = has_word(value, "crawford");
    sheet->jacoby = has_word(value, "jacoby");
    if (has_word(value, "nocube")) {
        sheet->cube_limit = 1;
    }
    if (has_word(value, "hypergammon3")) {
        sheet->variant = variant_row(VARIANT_HYPERGAMMON);
    }
    for (int id = 0; id < VARIANT_COUNT; id++) {
        const struct variant *variant = variant_row((enum variant_id)id);
        if (has_word(value, variant->name)) {
            sheet->variant = variant;
        }
    }
}

/* "W+4", "B+1R". */
static void read_result(struct sgf_reader *reader) {
    const struct value_text *value = &reader->property.value[0];
    if (value->length < 3 || (value->text[0] != 'W' && value->text[0] != 'B') ||
        value->text[1] != '+') {
        return;
    }
    int points = 0;
    for (size_t i = 2; i < value->length && value->text[i] >= '0' && value->text[i] <= '9'; i++) {
        points = points < POINTS_MAX ? points * 10 + (value->text[i] - '0') : points;
    }
    reader->winner = value->text[0] == 'W' ? SIDE_X : SIDE_Y;
    reader->points = points;
    reader->result_line = reader->property.line;
}

static void read_name(struct sheet *sheet, enum side side, const struct value_text *value) {
    if (sheet->name[side][0] == '\0') {
        text_copy(sheet->name[side], sizeof sheet->name[side], value->text, value->length);
    }
}

static void read_date(struct sheet *sheet, const struct value_text *value) {
    int year, month, day;
    char text[16];
    text_copy(text, sizeof text, value->text, value->length);
    if (sscanf(text, "%4d-%2d-%2d", &year, &month, &day) == 3 && year > 0 && month > 0 &&
        month <= 12 && day > 0 && day <= 31) {
        snprintf(sheet->date, sizeof sheet->date, "%04d-%02d-%02dT00:00:00Z", year, month, day);
    }
}

/* What a letter means to a side: White counts up from `a`, Black down from `x`. */
static bool write_point(enum side side, char letter, char out[4]) {
    if (letter == 'y') {
        snprintf(out, 4, "bar");
    } else if (letter == 'z') {
        snprintf(out, 4, "off");
    } else if (letter >= 'a' && letter <= 'x') {
        snprintf(out, 4, "%d", side == SIDE_X ? letter - 'a' + 1 : 'x' - letter + 1);
    } else {
        return false;
    }
    return true;
}

/* "53qvsv": dice, then pairs of letters. The play goes into the sheet's text. */
static bool read_throw(struct sgf_reader *reader, enum side side, const struct value_text *value) {
    const char *text = value->text;
    if (value->length < 2 || value->length % 2 != 0 || value->length > 2 + LETTERS_MAX ||
        text[0] < '1' || text[0] > '6' || text[1] < '1' || text[1] > '6') {
        return false;
    }
    size_t start = reader->sheet->text.length;
    for (size_t i = 2; i < value->length; i += 2) {
        char from[4], to[4];
        if (!write_point(side, text[i], from) || !write_point(side, text[i + 1], to)) {
            return false;
        }
        bytes_print(&reader->sheet->text, "%s%s/%s", i > 2 ? " " : "", from, to);
    }
    struct sheet_row *row =
        sheet_add_row(reader->sheet, SHEET_THROW, side, reader->property.line);
    if (row != NULL) {
        row->dice[0] = (uint8_t)(text[0] - '0');
        row->dice[1] = (uint8_t)(text[1] - '0');
        row->how = value->length > 2 ? SHEET_PLAYED : SHEET_DANCED;
        reader->sheet->known = true;
        row->play = start;
        row->length = reader->sheet->text.length - start;
    }
    return true;
}

static void read_move(struct sgf_reader *reader, enum side side) {
    const struct value_text *value = &reader->property.value[0];
    unsigned line = reader->property.line;
    if (is_text(value, "double")) {
        sheet_add_row(reader->sheet, SHEET_DOUBLE, side, line);
    } else if (is_text(value, "take")) {
        sheet_add_row(reader->sheet, SHEET_TAKE, side, line);
    } else if (is_text(value, "drop")) {
        sheet_add_row(reader->sheet, SHEET_DROP, side, line);
    } else if (!read_throw(reader, side, value)) {
        char escaped[64];
        sheet_find(reader->sheet, line, FINDING_UNREAD, "\"%s\" is no move",
                   text_escape(value->text, value->length, escaped, sizeof escaped));
    }
}

static bool sets_up(const char *ident) {
    static const char *const idents[] = {"AE", "AW", "AB", "PL", "DI", "CP"};
    for (size_t i = 0; i < sizeof idents / sizeof idents[0]; i++) {
        if (strcmp(ident, idents[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void take_property(struct sgf_reader *reader) {
    struct sheet *sheet = reader->sheet;
    const struct property *property = &reader->property;
    const struct value_text *value = &property->value[0];
    struct sheet_game *game = &sheet->game[sheet->games - 1];
    const char *ident = property->ident;
    if (strcmp(ident, "GM") == 0) {
        reader->other_game = reader->other_game || !is_text(value, "6");
        sheet->known = true;
    } else if (strcmp(ident, "MI") == 0) {
        read_match_info(reader, game);
    } else if (strcmp(ident, "PW") == 0 || strcmp(ident, "PB") == 0) {
        read_name(sheet, ident[1] == 'W' ? SIDE_X : SIDE_Y, value);
    } else if (strcmp(ident, "DT") == 0) {
        read_date(sheet, value);
    } else if (strcmp(ident, "EV") == 0) {
        text_copy(sheet->event, sizeof sheet->event, value->text, value->length);
    } else if (strcmp(ident, "RU") == 0) {
        read_rules(sheet, value);
    } else if (strcmp(ident, "RE") == 0) {
        read_result(reader);
    } else if (strcmp(ident, "CV") == 0 && game->count == 0) {
        int cube = number_after(value, "");
        game->cube = cube > 0 ? cube : game->cube;
    } else if (strcmp(ident, "W") == 0 || strcmp(ident, "B") == 0) {
        read_move(reader, ident[0] == 'W' ? SIDE_X : SIDE_Y);
    } else if (sets_up(ident)) {
        sheet_find(sheet, property->line, FINDING_UNREAD,
                   "%s sets up a position: the game is read as if it did not", ident);
    }
}

static char next_byte(struct sgf_reader *reader) {
    char byte = *reader->at++;
    reader->line += byte == '\n';
    return byte;
}

/* A value behind its "[", up to the "]" that ends it. False where the file ends first. */
static bool read_value(struct sgf_reader *reader) {
    struct property *property = &reader->property;
    struct value_text ignored;
    struct value_text *value =
        property->values < VALUES_SEEN ? &property->value[property->values++] : &ignored;
    value->length = 0;
    while (reader->at < reader->end) {
        char byte = next_byte(reader);
        if (byte == ']') {
            return true;
        }
        if (byte == '\\' && reader->at < reader->end) {
            byte = next_byte(reader);
        }
        if (value->length < VALUE_MAX) {
            value->text[value->length++] = byte;
        }
    }
    sheet_find(reader->sheet, property->line, FINDING_MISSING, "the value of %s has no end",
               property->ident);
    return false;
}

/* A property from its first capital on: all its values. */
static void read_property(struct sgf_reader *reader) {
    struct property *property = &reader->property;
    size_t length = 0;
    property->values = 0;
    property->line = reader->line;
    while (reader->at < reader->end && *reader->at != '[' && *reader->at != ';' &&
           *reader->at != '(' && *reader->at != ')') {
        char byte = next_byte(reader);
        if (is_capital(byte) && length < IDENT_MAX) {
            property->ident[length++] = byte;
        }
    }
    property->ident[length] = '\0';
    while (reader->at < reader->end && *reader->at == '[') {
        reader->at++;
        if (!read_value(reader)) {
            return;
        }
        while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL &&
               *reader->at != '\0') {
            next_byte(reader);
        }
    }
    if (property->values > 0 && !reader->left && reader->depth > 0 && reader->sheet->games > 0) {
        take_property(reader);
    }
}

static void begin_game(struct sgf_reader *reader) {
    reader->left = sheet_add_game(reader->sheet, reader->line) == NULL;
    reader->winner = -1;
}

static void end_game(struct sgf_reader *reader) {
    struct sheet_row *row;
    if (reader->winner >= 0 && (row = sheet_add_row(reader->sheet, SHEET_WINS,
                                                    (enum side)reader->winner,
                                                    reader->result_line)) != NULL) {
        row->value = reader->points;
    }
}

static void read_tree_byte(struct sgf_reader *reader) {
    if (is_capital(*reader->at)) {
        read_property(reader);
        return;
    }
    switch (next_byte(reader)) {
    case '(':
        if (reader->depth++ == 0) {
            begin_game(reader);
        }
        break;
    case ')':
        reader->left = true;
        if (reader->depth > 0 && --reader->depth == 0) {
            end_game(reader);
        }
        break;
    }
}

void sgf_read(const char *text, size_t length, struct sheet *sheet) {
    struct bytes decoded;
    bytes_init(&decoded, SHEET_TEXT_MAX);
    sheet_decode(&decoded, text, length);
    struct sgf_reader reader = {
        .sheet = sheet, .at = decoded.data, .end = decoded.data + decoded.length, .line = 1};
    while (reader.at < reader.end) {
        read_tree_byte(&reader);
    }
    if (reader.depth > 0) {
        sheet_find(sheet, reader.line, FINDING_MISSING, "the file ends within a game");
    }
    if (reader.other_game) {
        sheet_refuse(sheet, "GM[] is not 6, so it is not backgammon");
    } else if (sheet->games == 0 || !sheet->known) {
        sheet_refuse(sheet, "no game was found");
    }
    bytes_clear(&decoded);
}
