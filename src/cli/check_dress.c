#include "cli/check_dress.h"

#include "wire/message.h"

#include <string.h>

enum { DRESS_PARTS_MAX = 512, DRESS_LINE_MAX = 131072 };

/* A line in parts: words, or the members of a JSON object. */
struct part {
    const char *text;
    size_t length;
};

/* ---- text: name, positional words, key=value words, words of a play */

static size_t split_words(const struct bytes *line, struct part *part) {
    size_t count = 0;
    for (size_t at = 0; at < line->length && count < DRESS_PARTS_MAX;) {
        const char *blank = memchr(line->data + at, ' ', line->length - at);
        size_t end = blank != NULL ? (size_t)(blank - line->data) : line->length;
        part[count++] = (struct part){line->data + at, end - at};
        at = end + 1;
    }
    return count;
}

static void add_word(struct bytes *out, const struct part *word, bool blanks) {
    if (out->length > 0) {
        bytes_add_text(out, blanks ? (out->length % 2 == 0 ? " \t" : "  ") : " ");
    }
    bytes_add(out, word->text, word->length);
}

static bool is_keyed(const struct part *word) {
    return memchr(word->text, '=', word->length) != NULL;
}

static void dress_text(const struct manner *manner, const struct bytes *line, struct bytes *out) {
    struct part word[DRESS_PARTS_MAX] = {{"", 0}};
    size_t count = split_words(line, word);
    int kind = message_find(word[0].text, word[0].length);
    size_t fixed = 1 + (size_t)message_row((enum message_kind)kind)->positional;
    for (size_t i = 0; i < count; i++) {
        if (i < fixed || !manner->turned) {
            add_word(out, &word[i], manner->blanks);
        }
    }
    for (size_t i = count; manner->turned && i > fixed; i--) {
        if (is_keyed(&word[i - 1])) {
            add_word(out, &word[i - 1], manner->blanks);
        }
    }
    for (size_t i = fixed; manner->turned && i < count; i++) {
        if (!is_keyed(&word[i])) {
            add_word(out, &word[i], manner->blanks);
        }
    }
    bytes_add_text(out, manner->strange ? " news=yes weather=fine%20and%20warm" : "");
    bytes_add_text(out, manner->blanks ? "  " : "");
}

/* ---- JSON: {"key":value,...}, one level of it */

static size_t split_members(const struct bytes *line, struct part *part) {
    size_t count = 0, from = 1;
    int depth = 0;
    bool quoted = false;
    for (size_t at = 1; at < line->length && count < DRESS_PARTS_MAX; at++) {
        char c = line->data[at];
        if (c == '"') {
            quoted = !quoted;
        } else if (quoted) {
            at += c == '\\';
        } else if (depth == 0 && (c == ',' || c == '}')) {
            part[count++] = (struct part){line->data + from, at - from};
            from = at + 1;
        } else {
            depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        }
    }
    return count;
}

/* Adds a member; the first colon outside its key gets blanks. */
static void add_member(struct bytes *out, const struct part *member, bool blanks) {
    const char *colon = memchr(member->text, ':', member->length);
    if (out->length > 1) {
        bytes_add_text(out, blanks ? " , " : ",");
    }
    if (!blanks || colon == NULL) {
        bytes_add(out, member->text, member->length);
        return;
    }
    bytes_add(out, member->text, (size_t)(colon - member->text));
    bytes_add_text(out, "\t:  ");
    bytes_add(out, colon + 1, member->length - (size_t)(colon - member->text) - 1);
}

static void dress_json(const struct manner *manner, const struct bytes *line, struct bytes *out) {
    static const char strange[] = "\"weather\":{\"wind\":[1,2.5,null],\"sky\":\"blue\"}";
    const struct part news = {strange, sizeof strange - 1};
    struct part member[DRESS_PARTS_MAX];
    size_t count = split_members(line, member);
    bytes_add_text(out, "{");
    for (size_t i = 0; i < count; i++) {
        add_member(out, &member[manner->turned ? count - 1 - i : i], manner->blanks);
    }
    if (manner->strange) {
        add_member(out, &news, manner->blanks);
    }
    bytes_add_text(out, manner->blanks ? " }  " : "}");
}

void dress_line(enum spelling spelling, const struct manner *manner, struct bytes *line) {
    struct bytes out;
    bytes_init(&out, DRESS_LINE_MAX);
    if (spelling == SPELLING_TEXT) {
        dress_text(manner, line, &out);
    } else {
        dress_json(manner, line, &out);
    }
    bytes_drop(line, line->length);
    bytes_add(line, out.data, out.length);
    bytes_clear(&out);
}
