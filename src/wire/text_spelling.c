#include "wire/decoding.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

/* A line, cut into words as it is read. */
struct words {
    const char *at;
    const char *end;
};

struct word {
    const char *text;
    size_t length;
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* The next word; false at the end of the line. */
static bool words_next(struct words *words, struct word *word) {
    while (words->at < words->end && is_blank(*words->at)) {
        words->at++;
    }
    word->text = words->at;
    while (words->at < words->end && !is_blank(*words->at)) {
        words->at++;
    }
    word->length = (size_t)(words->at - word->text);
    return word->length > 0;
}

/* UTF-8 without control bytes; tabs are blanks. The first bad byte's column, 0 when good. */
static size_t bad_column(const char *line, size_t length) {
    for (size_t at = 0; at < length;) {
        unsigned char c = (unsigned char)line[at];
        size_t size = text_utf8_next(line + at, length - at);
        if (size == 0 || (c < 0x20 && c != '\t') || c == 0x7F) {
            return at + 1;
        }
        at += size;
    }
    return 0;
}

/* Undoes %xx into `out`; false on a bad one and on %00. */
static bool percent_decode(struct word from, char *out, size_t *length) {
    size_t to = 0;
    for (size_t at = 0; at < from.length; at++) {
        char c = from.text[at];
        if (c == '%') {
            if (from.length - at < 3 || !text_unhex(from.text + at + 1, 2, &c, 1) || c == '\0') {
                return false;
            }
            at += 2;
        }
        out[to++] = c;
    }
    *length = to;
    return true;
}

/* Reads one value into its slot. */
static void read_value(struct decoding *decoding, const struct slot *slot, struct word word) {
    if (slot->value->text != NULL) {
        decoding_refuse(decoding, "%s: stands twice", slot->name);
        return;
    }
    char *room = value_room(decoding, word.length);
    size_t length;
    if (room == NULL) {
        return;
    }
    if (!percent_decode(word, room, &length)) {
        decoding_refuse(decoding, "%s: a %% is followed by two hex digits, not 00 (%%25 is a %%)",
                        slot->name);
        return;
    }
    value_keep(decoding, slot, length);
}

/* The field of the row that is spelled as trailing words, or FIELD_COUNT. */
static enum field trailing_field(const struct message_row *row) {
    for (const enum field *field = row->fields; *field != FIELD_COUNT; field++) {
        enum field_type type = field_row(*field)->type;
        if (type == TYPE_PLAY || type == TYPE_PLAYS) {
            return *field;
        }
    }
    return FIELD_COUNT;
}

/* Reads the words without '=' into the play. */
static void read_trailing(struct decoding *decoding, struct words words) {
    enum field field = trailing_field(decoding->row);
    char *room = value_room(decoding, (size_t)(words.end - words.at));
    struct word word;
    size_t length = 0;
    if (room == NULL) {
        return;
    }
    while (words_next(&words, &word)) {
        if (memchr(word.text, '=', word.length) != NULL) {
            continue;
        }
        if (field == FIELD_COUNT) {
            char quote[32];
            decoding_refuse(decoding, "'%s' is no key=value",
                            text_escape(word.text, word.length, quote, sizeof quote));
            return;
        }
        if (length > 0) {
            room[length++] = ' ';
        }
        memcpy(room + length, word.text, word.length);
        length += word.length;
    }
    if (length > 0) {
        struct slot slot = slot_of(decoding, field);
        if (slot.value->text != NULL) {
            decoding_refuse(decoding, "%s: stands twice", slot.name);
            return;
        }
        value_keep(decoding, &slot, length);
    }
}

/* Reads the words of the form key=value; the others are counted. */
static size_t read_keyed(struct decoding *decoding, struct words words) {
    struct word word;
    size_t others = 0;
    while (words_next(&words, &word)) {
        const char *sign = memchr(word.text, '=', word.length);
        struct slot slot;
        if (sign == NULL) {
            others++;
            continue;
        }
        size_t key = (size_t)(sign - word.text);
        if (slot_find(decoding, word.text, key, &slot)) {
            read_value(decoding, &slot,
                       (struct word){.text = sign + 1, .length = word.length - key - 1});
        }
    }
    return others;
}

enum decoded text_decode(const char *line, size_t length, unsigned senders,
                         struct decoding *decoding) {
    size_t column = bad_column(line, length);
    if (column > 0) {
        decoding_refuse(decoding, "column %zu: a control byte, or not UTF-8", column);
    }
    struct words words = {.at = line, .end = line + length};
    struct word word;
    words_next(&words, &word); /* the line is not blank */
    enum decoded begun = decoding_begin(decoding, word.text, word.length, senders);
    if (begun != DECODED_MESSAGE) {
        return begun;
    }
    const struct message_row *row = decoding->row;
    for (int i = 0; i < row->positional && words_next(&words, &word); i++) {
        struct slot slot = slot_of(decoding, row->fields[i]);
        read_value(decoding, &slot, word);
    }
    if (read_keyed(decoding, words) > 0) {
        read_trailing(decoding, words);
    }
    return decoding_end(decoding);
}

/* Adds a value, percent-encoded where it has to be. */
static void add_encoded(struct bytes *out, const struct value *value) {
    static const char digits[] = "0123456789ABCDEF";
    size_t plain = 0;
    for (size_t at = 0; at < value->length;) {
        unsigned char c = (unsigned char)value->text[at];
        size_t size = text_utf8_next(value->text + at, value->length - at);
        if (size > 0 && c > 0x20 && c != 0x7F && c != '%') {
            at += size;
            continue;
        }
        char code[3] = {'%', digits[c >> 4], digits[c & 15]};
        bytes_add(out, value->text + plain, at - plain);
        bytes_add(out, code, sizeof code);
        plain = ++at;
    }
    bytes_add(out, value->text + plain, value->length - plain);
}

static void add_keyed(struct bytes *out, const char *name, const struct value *value) {
    bytes_add(out, " ", 1);
    bytes_add_text(out, name);
    bytes_add(out, "=", 1);
    add_encoded(out, value);
}

void text_encode(const struct message *message, struct bytes *out) {
    const struct message_row *row = message_row(message->kind);
    const enum field *field = row->fields;
    bytes_add_text(out, row->name);
    for (; field < row->fields + row->positional; field++) {
        assert(message->value[*field].length > 0);
        bytes_add(out, " ", 1);
        add_encoded(out, &message->value[*field]);
    }
    enum field trailing = trailing_field(row);
    if (trailing != FIELD_COUNT && message_has(message, trailing)) {
        bytes_add(out, " ", 1);
        bytes_add(out, message->value[trailing].text, message->value[trailing].length);
    }
    for (; *field != FIELD_COUNT; field++) {
        if (*field != trailing && message_has(message, *field)) {
            add_keyed(out, field_row(*field)->name, &message->value[*field]);
        }
    }
    for (int option = 0; row->options && option < OPTION_COUNT; option++) {
        if (message->option[option].text != NULL) {
            add_keyed(out, option_row((enum option)option)->name, &message->option[option]);
        }
    }
}
