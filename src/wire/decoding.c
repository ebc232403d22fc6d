#include "wire/decoding.h"

#include "base/text.h"
#include "rules/cube.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WHY_ROOM = 160, QUOTE_ROOM = 40, OPTION_ROOM = 16 };

static const uint64_t whole_max = (UINT64_C(1) << 53) - 1; /* what a JSON number holds exactly */
static const int64_t numbers_max = INT64_C(1000000000000); /* of a list: halves stay exact too */

void decoding_refuse(struct decoding *decoding, const char *format, ...) {
    if (decoding->bad) {
        return;
    }
    decoding->bad = true;
    va_list args;
    va_start(args, format);
    vsnprintf(decoding->why, WHY_ROOM, format, args);
    va_end(args);
}

struct slot slot_of(enum field field) {
    const struct field_row *row = field_row(field);
    return (struct slot){.name = row->name,
                         .type = row->type,
                         .field = (int)field,
                         .option = -1};
}

bool slot_find(const struct decoding *decoding, const char *name, size_t length,
               struct slot *slot) {
    for (const enum field *field = decoding->row->fields; *field != FIELD_COUNT; field++) {
        const char *known = field_row(*field)->name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            *slot = slot_of(*field);
            return true;
        }
    }
    int option = decoding->row->options ? option_find(name, length) : -1;
    if (option < 0) {
        return false;
    }
    *slot = (struct slot){.name = option_row((enum option)option)->name,
                          .type = TYPE_WORD,
                          .field = -1,
                          .option = option};
    return true;
}

bool slot_taken(const struct decoding *decoding, const struct slot *slot) {
    return slot->option >= 0
               ? message_option(decoding->message, (enum option)slot->option).text != NULL
               : message_has(decoding->message, (enum field)slot->field);
}

const char *type_wanted(enum field_type type) {
    switch (type) {
    case TYPE_INT:
        return "a whole number from 0 to 9007199254740991";
    case TYPE_SEED:
        return "a 64-bit number or 64 hex digits";
    case TYPE_WORD:
        return "a word";
    case TYPE_STRING:
        return "a text in UTF-8";
    case TYPE_FLAG:
        return "yes or no";
    case TYPE_DICE:
        return "two dice such as 31";
    case TYPE_DEED:
        return "two dice such as 31, or a word such as double";
    case TYPE_LIST:
        return "words joined by commas";
    case TYPE_NUMBERS:
        return "numbers joined by commas";
    case TYPE_PLAY:
        return "a play such as 8/5 6/5";
    case TYPE_PLAYS:
        return "plays such as 8/5,6/5";
    }
    return "";
}

static bool is_word(const char *text, size_t length) {
    return length > 0 && text_is_utf8(text, length) && memchr(text, ' ', length) == NULL;
}

/* UTF-8; control bytes may come in escaped, a NUL may not. */
static bool is_string(const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t size = text[at] == '\0' ? 0 : text_utf8_next(text + at, length - at);
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return true;
}

static bool is_seed(const char *text, size_t length) {
    uint64_t number;
    uint8_t hash[32];
    return text_u64(text, length, &number) || text_unhex(text, length, hash, sizeof hash);
}

/* A whole number or one with a half; one spelling each, so no "-0" and no "2.0". */
static bool is_number(const char *text, size_t length) {
    bool half = length > 2 && memcmp(text + length - 2, ".5", 2) == 0;
    size_t whole = half ? length - 2 : length;
    int64_t number;
    bool minus_zero = !half && whole == 2 && memcmp(text, "-0", 2) == 0;
    return !minus_zero && text_i64(text, whole, -numbers_max, numbers_max, &number);
}

static bool is_item(const char *text, size_t length) {
    return is_word(text, length);
}

/* Whether each item between commas is good. */
static bool each_item(const char *text, size_t length, bool (*good)(const char *, size_t)) {
    for (size_t at = 0;;) {
        const char *comma = at < length ? memchr(text + at, ',', length - at) : NULL;
        size_t end = comma != NULL ? (size_t)(comma - text) : length;
        if (!good(text + at, end - at)) {
            return false;
        }
        if (comma == NULL) {
            return true;
        }
        at = end + 1;
    }
}

/* Single blanks between the words of a play; each word is printable ASCII without
 * '=', which in text would make it a field. False when it is not. */
static bool settle_words(char *text, size_t *length) {
    size_t to = 0;
    bool gap = false;
    for (size_t at = 0; at < *length; at++) {
        char c = text[at];
        if (c == ' ' || c == '\t') {
            gap = to > 0;
            continue;
        }
        if (c < 0x21 || c > 0x7E || c == '=') {
            return false;
        }
        if (gap) {
            text[to++] = ' ';
            gap = false;
        }
        text[to++] = c;
    }
    *length = to;
    return true;
}

static bool is_dice(const char *text, size_t length) {
    return length == 2 && text[0] >= '1' && text[0] <= '6' && text[1] >= '1' && text[1] <= '6';
}

/* What a side did without a throw. */
static bool is_deed(const char *text, size_t length) {
    return (act_find(text, length) & ~(unsigned)(ACT_ROLL | ACT_PLAY)) != 0;
}

static bool settle(enum field_type type, char *text, size_t *length) {
    uint64_t number;
    switch (type) {
    case TYPE_INT:
        return text_u64(text, *length, &number) && number <= whole_max;
    case TYPE_SEED:
        return is_seed(text, *length);
    case TYPE_WORD:
        return is_word(text, *length);
    case TYPE_STRING:
        return is_string(text, *length);
    case TYPE_FLAG:
        return (*length == 3 && memcmp(text, "yes", 3) == 0) ||
               (*length == 2 && memcmp(text, "no", 2) == 0);
    case TYPE_DICE:
        return is_dice(text, *length);
    case TYPE_DEED:
        return is_dice(text, *length) || is_deed(text, *length);
    case TYPE_LIST:
        return *length == 0 || each_item(text, *length, is_item);
    case TYPE_NUMBERS:
        return each_item(text, *length, is_number);
    case TYPE_PLAY:
    case TYPE_PLAYS:
        return settle_words(text, length);
    }
    return false;
}

char *value_room(struct decoding *decoding, size_t length) {
    struct message *message = decoding->message;
    if (length >= MESSAGE_ROOM - message->used) {
        decoding_refuse(decoding, "the line holds too much");
        return NULL;
    }
    return message->room + message->used;
}

static void refuse_value(struct decoding *decoding, const struct slot *slot, const char *text,
                         size_t length) {
    char quote[QUOTE_ROOM];
    text_escape(text, length, quote, sizeof quote);
    if (slot->option >= 0) {
        decoding_refuse(decoding, "%s: the rule has no value %s", slot->name, quote);
    } else {
        decoding_refuse(decoding, "%s: %s is wanted, not '%s'", slot->name,
                        type_wanted(slot->type), quote);
    }
}

void value_keep(struct decoding *decoding, const struct slot *slot, size_t length) {
    struct message *message = decoding->message;
    char *text = message->room + message->used;
    bool good = false;
    if (slot->option >= 0) {
        int value = option_read((enum option)slot->option, text, length);
        good = value >= 0;
        if (good) {
            if (value_room(decoding, OPTION_ROOM) != NULL) {
                message_set_option(message, (enum option)slot->option, value);
            }
            return;
        }
    } else {
        good = settle(slot->type, text, &length);
    }
    if (!good) {
        refuse_value(decoding, slot, text, length);
        return;
    }
    if ((slot->type == TYPE_PLAY || slot->type == TYPE_PLAYS) && length == 0) {
        return; /* no words: no play, as in text */
    }
    text[length] = '\0';
    message_keep(message, (enum field)slot->field, text, length);
    message->used += length + 1;
}

enum decoded decoding_begin(struct decoding *decoding, const char *name, size_t length,
                            unsigned senders) {
    int kind = message_find(name, length);
    if (kind < 0 || (message_row((enum message_kind)kind)->senders & senders) == 0) {
        char quote[QUOTE_ROOM];
        snprintf(decoding->why, WHY_ROOM, "%s", text_escape(name, length, quote, sizeof quote));
        return DECODED_UNKNOWN;
    }
    decoding->message->kind = (enum message_kind)kind;
    decoding->row = message_row((enum message_kind)kind);
    return DECODED_MESSAGE;
}

enum decoded decoding_end(struct decoding *decoding) {
    const struct message_row *row = decoding->row;
    for (int i = 0; i < row->required; i++) {
        const char *name = field_row(row->fields[i])->name;
        if (!message_has(decoding->message, row->fields[i])) {
            decoding_refuse(decoding, "%s: %s is missing", row->name, name);
        } else if (i < row->positional && decoding->message->value[row->fields[i]].length == 0) {
            decoding_refuse(decoding, "%s: %s is empty", row->name, name);
        }
    }
    return decoding->bad ? DECODED_MALFORMED : DECODED_MESSAGE;
}
