#include "wire/ubgi_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 32 };

/* A line of the list, cut into words that point into it. */
struct listed {
    bool key; /* of 0.2; else an `option` of 0.1 */
    struct value word[WORDS_MAX];
    int count;
};

static bool is(struct value word, const char *text) {
    return text_same_fold(word.text, word.length, text, strlen(text));
}

static void cut_words(const char *line, size_t length, struct listed *out) {
    *out = (struct listed){.count = 0};
    for (size_t at = 0; at < length && out->count < WORDS_MAX;) {
        size_t begin = at;
        while (at < length && line[at] != ' ') {
            at++;
        }
        if (at > begin) {
            out->word[out->count++] = (struct value){line + begin, at - begin};
        }
        at += at < length;
    }
    out->key = out->count > 0 && is(out->word[0], "key");
}

/* The next line of the list; false at its end. `*at` begins with 0. */
static bool next_listed(const struct dialect *d, size_t *at, struct listed *out) {
    if (*at >= d->list.length) {
        return false;
    }
    const char *line = d->list.data + *at;
    const char *end = memchr(line, '\n', d->list.length - *at);
    size_t length = (size_t)(end - line);
    cut_words(line, length, out);
    *at += length + 1;
    return true;
}

/* The name that a line is about: `key NAME ..`, `option name NAME type ..`. */
static struct value name_of(const struct listed *listed) {
    int place = listed->key ? 1 : 2;
    return listed->count > place ? listed->word[place] : (struct value){"", 0};
}

static bool find(const struct dialect *d, const char *name, struct listed *out) {
    for (size_t at = 0; next_listed(d, &at, out);) {
        if (is(name_of(out), name)) {
            return true;
        }
    }
    return false;
}

bool ubgi_is_other(const struct dialect *d) {
    static const char *const signs[] = {"GameName", "BoardWidth", "BoardHeight"};
    struct listed listed;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (find(d, signs[i], &listed) && !listed.key) {
            return true;
        }
    }
    return false;
}

/* The game's option in either version. */
static bool find_variant(const struct dialect *d, struct listed *out) {
    return find(d, "game.variant", out) || find(d, "Variant", out);
}

/* Whether `a|b|c` holds the value. */
static bool choice_has(struct value choices, const char *value) {
    for (size_t at = 0; at < choices.length;) {
        const char *bar = memchr(choices.text + at, '|', choices.length - at);
        size_t end = bar != NULL ? (size_t)(bar - choices.text) : choices.length;
        if (is((struct value){choices.text + at, end - at}, value)) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

/* Whether `var` or another label is followed by the value. */
static bool label_has(const struct listed *listed, const char *label, const char *value) {
    for (int i = 0; i + 1 < listed->count; i++) {
        if (is(listed->word[i], label) && is(listed->word[i + 1], value)) {
            return true;
        }
    }
    return false;
}

bool ubgi_lists_variant(const struct dialect *d, const char *word) {
    struct listed listed;
    if (!find_variant(d, &listed)) {
        return false;
    }
    return listed.key ? listed.count > 3 && choice_has(listed.word[3], word)
                      : label_has(&listed, "var", word);
}

void ubgi_set_variant(struct dialect *d, const char *word) {
    struct listed listed;
    if (find_variant(d, &listed) && !listed.key) {
        dialect_say(d, "setoption name Variant value %s", word);
    } else {
        dialect_say(d, "set game.variant %s", word);
    }
}

static bool number_of(struct value word, int64_t *out) {
    return text_i64(word.text, word.length, INT64_MIN, INT64_MAX, out);
}

/* Whether a whole number lies in `LOW..HIGH`; a range that is no such one allows all. */
static bool in_range(struct value range, const char *value) {
    size_t dots = 0;
    int64_t low, high, number;
    while (dots + 1 < range.length && memcmp(range.text + dots, "..", 2) != 0) {
        dots++;
    }
    struct value from = {range.text, dots};
    if (dots + 2 >= range.length || !number_of(from, &low) ||
        !number_of((struct value){range.text + dots + 2, range.length - dots - 2}, &high)) {
        return true;
    }
    return number_of((struct value){value, strlen(value)}, &number) && number >= low &&
           number <= high;
}

/* The number behind a label, or what is said for none. */
static int64_t label_number(const struct listed *listed, const char *label, int64_t none) {
    int64_t number;
    for (int i = 0; i + 1 < listed->count; i++) {
        if (is(listed->word[i], label) && number_of(listed->word[i + 1], &number)) {
            return number;
        }
    }
    return none;
}

static bool key_allows(const struct listed *listed, const char *value) {
    if (listed->count < 4) {
        return true;
    }
    if (is(listed->word[2], "int")) {
        return in_range(listed->word[3], value);
    }
    bool choice = is(listed->word[2], "enum") || is(listed->word[2], "bool");
    return !choice || memchr(listed->word[3].text, '|', listed->word[3].length) == NULL ||
           choice_has(listed->word[3], value);
}

static bool option_allows(const struct listed *listed, const char *value) {
    int64_t number;
    if (label_has(listed, "type", "spin")) {
        return number_of((struct value){value, strlen(value)}, &number) &&
               number >= label_number(listed, "min", INT64_MIN) &&
               number <= label_number(listed, "max", INT64_MAX);
    }
    if (label_has(listed, "type", "check")) {
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    }
    return !label_has(listed, "type", "combo") || label_has(listed, "var", value);
}

/* The names that are listed, for a sentence. */
static void write_names(const struct dialect *d, char *out, size_t room) {
    struct listed listed;
    size_t length = 0;
    out[0] = '\0';
    for (size_t at = 0; next_listed(d, &at, &listed) && length + 1 < room;) {
        struct value name = name_of(&listed);
        int more = snprintf(out + length, room - length, "%s%.*s", length > 0 ? ", " : "",
                            (int)name.length, name.text);
        length += more > 0 ? (size_t)more : 0;
    }
}

bool ubgi_set_option(struct dialect *d, const struct dialect_option *option) {
    struct listed listed;
    bool found = find(d, option->name, &listed);
    if (!found && !d->rule->lenient) {
        char names[80];
        write_names(d, names, sizeof names);
        dialect_fail(d, "it has no option %.40s; it lists %s", option->name,
                     names[0] != '\0' ? names : "none");
        return false;
    }
    if (!found) {
        return false;
    }
    if (!(listed.key ? key_allows : option_allows)(&listed, option->value)) {
        if (!d->rule->lenient) {
            struct value from = listed.word[listed.key ? 2 : 3];
            const struct value *last = &listed.word[listed.count - 1];
            dialect_fail(d, "its option %.30s cannot be %.30s: %.*s", option->name, option->value,
                         (int)(last->text + last->length - from.text > 60
                                   ? 60
                                   : last->text + last->length - from.text),
                         from.text);
        }
        return false;
    }
    if (listed.key) {
        dialect_say(d, "set %s %s", option->name, option->value);
    } else {
        dialect_say(d, "setoption name %s value %s", option->name, option->value);
    }
    return true;
}

bool ubgi_may_read(const struct dialect *d, const char *name) {
    struct listed listed;
    return find(d, name, &listed) && listed.key;
}

bool ubgi_same_value(const char *a, const char *b) {
    int64_t left, right;
    if (text_i64(a, strlen(a), INT64_MIN, INT64_MAX, &left) &&
        text_i64(b, strlen(b), INT64_MIN, INT64_MAX, &right)) {
        return left == right;
    }
    return text_same_fold(a, strlen(a), b, strlen(b));
}
