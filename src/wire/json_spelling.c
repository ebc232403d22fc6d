#include "wire/decoding.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_ROOM = 32 };

static const int64_t whole_max = (INT64_C(1) << 53) - 1;

/* A JSON value on its way to text, in the free room of the message. */
struct draft {
    struct decoding *decoding;
    size_t length;
};

static bool draft_add(struct draft *draft, const char *text, size_t length) {
    char *room = value_room(draft->decoding, draft->length + length);
    if (room == NULL) {
        return false;
    }
    memcpy(room + draft->length, text, length);
    draft->length += length;
    return true;
}

/* A whole number, or one with a half where `halves`. */
static bool draft_number(struct draft *draft, const struct cJSON *json, bool halves) {
    char text[NUMBER_ROOM];
    int64_t whole;
    double number;
    if (json_integer(json, -whole_max, whole_max, &whole)) {
        int size = snprintf(text, sizeof text, "%" PRId64, whole);
        return draft_add(draft, text, (size_t)size);
    }
    if (!halves || !json_number(json, &number) || fabs(number) >= 1e12 + 1 ||
        fabs(number) - floor(fabs(number)) != 0.5) {
        return false;
    }
    int size = snprintf(text, sizeof text, "%s%" PRId64 ".5", number < 0 ? "-" : "",
                        (int64_t)floor(fabs(number)));
    return draft_add(draft, text, (size_t)size);
}

static bool draft_text(struct draft *draft, const struct cJSON *json) {
    const char *text = json_text(json);
    return text != NULL && draft_add(draft, text, strlen(text));
}

/* What stands between the items of a list in text. */
static const char *separator(enum field_type type) {
    bool dice = type == TYPE_DICE || type == TYPE_DEED;
    return dice ? "" : type == TYPE_PLAY || type == TYPE_PLAYS ? " " : ",";
}

/* One item of a list; a word must not hold what separates words. */
static bool draft_item(struct draft *draft, enum field_type type, const struct cJSON *item) {
    int64_t die;
    if (type == TYPE_DICE || type == TYPE_DEED) {
        return json_integer(item, 1, 6, &die) && draft_number(draft, item, false);
    }
    if (type == TYPE_NUMBERS) {
        return draft_number(draft, item, true);
    }
    const char *text = json_text(item);
    const char *apart = type == TYPE_PLAYS ? " \t" : type == TYPE_LIST ? "," : "";
    return text != NULL && text[0] != '\0' && strpbrk(text, apart) == NULL &&
           draft_add(draft, text, strlen(text));
}

static bool draft_items(struct draft *draft, enum field_type type, const struct cJSON *list) {
    for (const struct cJSON *item = json_first(list); item != NULL; item = json_next(item)) {
        const char *between = item != json_first(list) ? separator(type) : "";
        if (!draft_add(draft, between, strlen(between)) || !draft_item(draft, type, item)) {
            return false;
        }
    }
    return true;
}

static bool draft_flag(struct draft *draft, const struct cJSON *json, const char *yes,
                       const char *no) {
    bool value;
    if (!json_boolean(json, &value)) {
        return false;
    }
    return value ? draft_add(draft, yes, strlen(yes)) : draft_add(draft, no, strlen(no));
}

static bool draft_field(struct draft *draft, enum field_type type, const struct cJSON *json) {
    switch (type) {
    case TYPE_INT:
        return draft_number(draft, json, false);
    case TYPE_SEED:
        return draft_number(draft, json, false) || draft_text(draft, json);
    case TYPE_WORD:
    case TYPE_STRING:
        return draft_text(draft, json);
    case TYPE_FLAG:
        return draft_flag(draft, json, "yes", "no");
    case TYPE_NUMBERS:
        if (draft_number(draft, json, true)) {
            return true;
        }
        break;
    case TYPE_DICE:
    case TYPE_DEED:
    case TYPE_LIST:
    case TYPE_PLAY:
    case TYPE_PLAYS:
        break;
    }
    return json_is_array(json) ? draft_items(draft, type, json) : draft_text(draft, json);
}

/* The spelling of a type, in words. */
static const char *json_wanted(enum field_type type) {
    switch (type) {
    case TYPE_WORD:
    case TYPE_STRING:
        return "a string";
    case TYPE_SEED:
        return "a 64-bit number as a string";
    case TYPE_FLAG:
        return "true or false";
    case TYPE_DICE:
        return "an array such as [3,1]";
    case TYPE_DEED:
        return "an array such as [3,1], or a string such as \"double\"";
    case TYPE_LIST:
        return "an array of words";
    case TYPE_NUMBERS:
        return "an array of numbers";
    case TYPE_PLAYS:
        return "an array of strings such as \"8/5,6/5\"";
    case TYPE_PLAY:
        return "a string such as \"8/5 6/5\", or an array of its legs";
    case TYPE_INT:
        break;
    }
    return type_wanted(type);
}

/* null stands for an absent field: many JSON writers know no other way. */
static bool is_null(const struct cJSON *json) {
    bool boolean;
    double number;
    return json_text(json) == NULL && !json_boolean(json, &boolean) &&
           !json_number(json, &number) && !json_is_array(json) && !json_is_object(json);
}

static void read_member(struct decoding *decoding, const struct cJSON *json) {
    const char *key = json_key(json);
    struct draft draft = {.decoding = decoding, .length = 0};
    struct slot slot;
    if (!slot_find(decoding, key, strlen(key), &slot) || is_null(json)) {
        return;
    }
    bool good;
    if (slot.option >= 0) {
        good = draft_number(&draft, json, true) || draft_flag(&draft, json, "true", "false") ||
               draft_text(&draft, json);
    } else {
        good = draft_field(&draft, slot.type, json);
    }
    if (good) {
        value_keep(decoding, &slot, draft.length);
    } else {
        decoding_refuse(decoding, "%s: %s is wanted", slot.name, json_wanted(slot.type));
    }
}

static enum decoded read_object(struct decoding *decoding, const struct cJSON *object,
                                unsigned senders) {
    const struct cJSON *type = json_member(object, "type");
    const char *name = json_text(type);
    if (!json_is_object(object) || name == NULL) {
        decoding_refuse(decoding, !json_is_object(object) ? "an object {...} is wanted"
                                  : type == NULL          ? "type is missing"
                                                          : "type: a string is wanted");
        return DECODED_MALFORMED;
    }
    enum decoded begun = decoding_begin(decoding, name, strlen(name), senders);
    if (begun != DECODED_MESSAGE) {
        return begun;
    }
    for (const struct cJSON *child = json_first(object); child != NULL;
         child = json_next(child)) {
        if (child != type) {
            read_member(decoding, child);
        }
    }
    return decoding_end(decoding);
}

enum decoded json_decode(const char *line, size_t length, unsigned senders,
                         struct decoding *decoding) {
    static const char first_line[] = "line 1, "; /* a frame has no other line */
    struct fail fail;
    struct cJSON *json = json_parse(line, length, &json_limits_wire, &fail);
    if (json == NULL) {
        size_t skip = strlen(first_line);
        bool known = strncmp(fail.text, first_line, skip) == 0;
        decoding_refuse(decoding, "%s", fail.text + (known ? skip : 0));
        return DECODED_MALFORMED;
    }
    enum decoded decoded = read_object(decoding, json, senders);
    json_free(json);
    return decoded;
}

/* Adds `words` as an array of strings. */
static void add_strings(struct bytes *out, const struct value *value, char separator) {
    bytes_add(out, "[", 1);
    for (size_t at = 0; at < value->length;) {
        const char *gap = memchr(value->text + at, separator, value->length - at);
        size_t end = gap != NULL ? (size_t)(gap - value->text) : value->length;
        if (at > 0) {
            bytes_add(out, ",", 1);
        }
        json_add_string(out, value->text + at, end - at);
        at = end + 1;
    }
    bytes_add(out, "]", 1);
}

static void add_dice(struct bytes *out, const char *dice) {
    bytes_add(out, (char[]){'[', dice[0], ',', dice[1], ']'}, 5);
}

static void add_value(struct bytes *out, enum field_type type, const struct value *value) {
    switch (type) {
    case TYPE_INT:
        bytes_add(out, value->text, value->length);
        break;
    case TYPE_SEED:
    case TYPE_WORD:
    case TYPE_STRING:
    case TYPE_PLAY:
        json_add_string(out, value->text, value->length);
        break;
    case TYPE_FLAG:
        bytes_add_text(out, strcmp(value->text, "yes") == 0 ? "true" : "false");
        break;
    case TYPE_DEED:
        if (value->text[0] > '6') {
            json_add_string(out, value->text, value->length);
        } else {
            add_dice(out, value->text);
        }
        break;
    case TYPE_DICE:
        add_dice(out, value->text);
        break;
    case TYPE_LIST:
        add_strings(out, value, ',');
        break;
    case TYPE_PLAYS:
        add_strings(out, value, ' ');
        break;
    case TYPE_NUMBERS: {
        bool one = memchr(value->text, ',', value->length) == NULL;
        bytes_add_text(out, one ? "" : "[");
        bytes_add(out, value->text, value->length);
        bytes_add_text(out, one ? "" : "]");
        break;
    }
    }
}

static void add_option(struct bytes *out, const struct value *value) {
    bool number = value->text[0] >= '0' && value->text[0] <= '9';
    bool boolean = strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0;
    if (number || boolean) {
        bytes_add(out, value->text, value->length);
    } else {
        json_add_string(out, value->text, value->length);
    }
}

static void add_key(struct bytes *out, const char *name) {
    bytes_add(out, ",\"", 2);
    bytes_add_text(out, name);
    bytes_add(out, "\":", 2);
}

void json_encode(const struct message *message, struct bytes *out) {
    const struct message_row *row = message_row(message->kind);
    bytes_add_text(out, "{\"type\":\"");
    bytes_add_text(out, row->name);
    bytes_add(out, "\"", 1);
    for (const enum field *field = row->fields; *field != FIELD_COUNT; field++) {
        if (message_has(message, *field)) {
            add_key(out, field_row(*field)->name);
            add_value(out, field_row(*field)->type, &message->value[*field]);
        }
    }
    for (int option = 0; row->options && option < OPTION_COUNT; option++) {
        struct value value = message_option(message, (enum option)option);
        if (value.text != NULL) {
            add_key(out, option_row((enum option)option)->name);
            add_option(out, &value);
        }
    }
    bytes_add(out, "}", 1);
}
