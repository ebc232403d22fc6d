#include "rules/words.h"

enum { QUOTED_MAX = 24 };

struct words words_begin(char *out, size_t room) {
    out[0] = '\0';
    return (struct words){out, room, 0};
}

void words_add_char(struct words *words, char byte) {
    if (words->length + 1 < words->room) {
        words->out[words->length++] = byte;
        words->out[words->length] = '\0';
    }
}

void words_add(struct words *words, const char *text) {
    for (; *text != '\0'; text++) {
        words_add_char(words, *text);
    }
}

void words_add_number(struct words *words, int number) {
    if (number >= 10) {
        words_add_number(words, number / 10);
    }
    words_add_char(words, (char)('0' + number % 10));
}

void words_add_quoted(struct words *words, const char *bytes, size_t length) {
    words_add_char(words, '"');
    for (size_t i = 0; i < length && i < QUOTED_MAX; i++) {
        words_add_char(words, bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '?');
    }
    words_add(words, length > QUOTED_MAX ? "...\"" : "\"");
}
