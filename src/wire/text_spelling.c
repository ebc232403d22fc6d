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

/* What a first look over a line tells. */
struct glance {
    size_t bad_column; /* of the first byte that is a control byte or not UTF-8, 0: none */
    bool keyed;        /* there is a '=' */
};

/* UTF-8 without control bytes; tabs are blanks. Nearly every line is ASCII. */
static struct glance glance_over(const char *line, size_t length) {
    struct glance glance = {0, false};
    for (size_t at = 0; at < length;) {
        unsigned char c = (unsigned char)line[at];
        size_t size = c < 0x80 ? 1 : text_utf8_next(line + at, length - at);
        if (size == 0 || (c < 0x20 && c != '\t') || c == 0x7F) {
            glance.bad_column = at + 1;
            break;
        }
        glance.keyed = glance.keyed || c == '=';
        at += size;
    }
    return glance;
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
    if (slot_taken(decoding, slot)) {
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

/* Reads all the words into the play: the plain way of a line that has no '='. */
static void keep_rest(struct decoding *decoding, struct words words, enum field field) {
    while (words.at < words.end && is_blank(*words.at)) {
        words.at++;
    }
    size_t length = (size_t)(words.end - words.at);
    char *room = value_room(decoding, length);
    if (room != NULL && length > 0) {
        struct slot slot = slot_of(field);
        memcpy(room, words.at, length);
        value_keep(decoding, &slot, length);
    }
}

/* Reads the words without '=' into the play. */
static void read_trailing(struct decoding *decoding, struct words words, enum field field) {
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
        struct slot slot = slot_of(field);
        if (slot_taken(decoding, &slot)) {
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
    struct glance glance = glance_over(line, length);
    if (glance.bad_column > 0) {
        decoding_refuse(decoding, "column %zu: a control byte, or not UTF-8", glance.bad_column);
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
        struct slot slot = slot_of(row->fields[i]);
        read_value(decoding, &slot, word);
    }
    enum field trailing = trailing_field(row);
    if (!glance.keyed && glance.bad_column == 0 && trailing != FIELD_COUNT) {
        keep_rest(decoding, words, trailing);
    } else if (read_keyed(decoding, words) > 0) {
        read_trailing(decoding, words, trailing);
    }
    return decoding_end(decoding);
}

/* The longest line: every byte of the room encoded, and every name there is. */
enum { NAME_ROOM = 32, ENCODED_ROOM = 3 * MESSAGE_ROOM +
                                      (MESSAGE_FIELDS_MAX + OPTION_COUNT + 1) * NAME_ROOM };

static char *put_name(char *to, const char *name) {
    while (*name != '\0') {
        *to++ = *name++;
    }
    return to;
}

/* Puts a value, percent-encoded where it has to be. */
static char *put_encoded(char *to, struct value value) {
    static const char digits[] = "0123456789ABCDEF";
    for (size_t at = 0; at < value.length;) {
        unsigned char c = (unsigned char)value.text[at];
        size_t size = c < 0x80 ? 1 : text_utf8_next(value.text + at, value.length - at);
        if (size > 0 && c > 0x20 && c != 0x7F && c != '%') {
            for (; size > 0; size--) {
                *to++ = value.text[at++];
            }
            continue;
        }
        *to++ = '%';
        *to++ = digits[c >> 4];
        *to++ = digits[c & 15];
        at++;
    }
    return to;
}

static char *put_keyed(char *to, const char *name, struct value value) {
    *to++ = ' ';
    to = put_name(to, name);
    *to++ = '=';
    return put_encoded(to, value);
}

void text_encode(const struct message *message, struct bytes *out) {
    char line[ENCODED_ROOM], *to = line;
    const struct message_row *row = message_row(message->kind);
    const enum field *field = row->fields;
    to = put_name(to, row->name);
    for (; field < row->fields + row->positional; field++) {
        assert(message_has(message, *field) && message->value[*field].length > 0);
        *to++ = ' ';
        to = put_encoded(to, message->value[*field]);
    }
    enum field trailing = trailing_field(row);
    if (trailing != FIELD_COUNT && message_has(message, trailing)) {
        const struct value *words = &message->value[trailing];
        *to++ = ' ';
        memcpy(to, words->text, words->length);
        to += words->length;
    }
    for (; *field != FIELD_COUNT; field++) {
        if (*field != trailing && message_has(message, *field)) {
            to = put_keyed(to, field_row(*field)->name, message->value[*field]);
        }
    }
    for (int option = 0; row->options && option < OPTION_COUNT; option++) {
        struct value value = message_option(message, (enum option)option);
        if (value.text != NULL) {
            to = put_keyed(to, option_row((enum option)option)->name, value);
        }
    }
    bytes_add(out, line, (size_t)(to - line));
}
