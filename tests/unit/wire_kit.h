/* Helpers of the wire tests: a small generator with a fixed seed, messages with
 * every field filled, and what makes two messages the same. */
#ifndef HAKEM_TESTS_WIRE_KIT_H
#define HAKEM_TESTS_WIRE_KIT_H

#include "wire/spelling.h"

#include "check.h"

#include <stdlib.h>

enum { EVERY_SENDER = SENT_BY_BOT | SENT_BY_REFEREE | KEPT_IN_RECORD };

/* splitmix64: the tests need variety, not chance. */
__attribute__((unused)) static uint64_t kit_next(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline int kit_below(uint64_t *state, int limit) {
    return (int)(kit_next(state) % (uint64_t)limit);
}

__attribute__((unused)) static const char *kit_pick(uint64_t *state, const char *const *list,
                                                    int count) {
    return list[kit_below(state, count)];
}

#define KIT_PICK(state, list) kit_pick((state), (list), (int)(sizeof(list) / sizeof *(list)))

/* Sets a field to some value of its type. */
__attribute__((unused)) static void kit_fill(struct message *message, enum field field,
                                             uint64_t *state) {
    static const char *const words[] = {"X", "none", "U000001", "mirrored", "a.b-c_d", "x=y",
                                        "50%", "+-", "\xC3\xBC\xC3\xA7", "100%25"};
    static const char *const texts[] = {"", "plain", "two words", "50% = half", "a\nb\tc\r",
                                        "\x1b[31m\x7f", "\xC2\x85", "\"quoted\" \\ / {[",
                                        "\xF0\x9F\x8E\xB2 zar", " ", "T\xC3\xBCrk\xC3\xA7iye "};
    static const char *const deeds[] = {"31", "66", "12", "double", "take", "drop", "beaver",
                                        "resign", "accept", "reject"};
    static const char *const lists[] = {"", "a", "position,plays", "33,31", "tavla,uzun,western"};
    static const char *const numbers[] = {"0", "5", "2.5", "0,0", "-0.5,3", "1000000000000,-7.5",
                                          "0,0,0,-2,5,0,0,0,0,0,0,0,0,0,1"};
    static const char *const plays[] = {"8/5 6/5", "#0", "bar/20* 6/off", "24/13", "8/5(2)",
                                        "8/5,6/5 24/20,24/21", "%zz", "pass"};
    switch (field_row(field)->type) {
    case TYPE_INT:
        message_set_int(message, field,
                        (int64_t)(kit_next(state) >> (11 + kit_below(state, 53))));
        break;
    case TYPE_SEED:
        if (kit_below(state, 4) == 0) {
            message_set_print(message, field, "%064x", (unsigned)kit_below(state, 1 << 30));
        } else {
            message_set_u64(message, field, kit_next(state));
        }
        break;
    case TYPE_WORD:
        message_set(message, field, KIT_PICK(state, words));
        break;
    case TYPE_STRING:
        message_set(message, field, KIT_PICK(state, texts));
        break;
    case TYPE_FLAG:
        message_set(message, field, kit_below(state, 2) ? "yes" : "no");
        break;
    case TYPE_DICE:
        message_set_print(message, field, "%d%d", 1 + kit_below(state, 6),
                          1 + kit_below(state, 6));
        break;
    case TYPE_DEED:
        message_set(message, field, KIT_PICK(state, deeds));
        break;
    case TYPE_LIST:
        message_set(message, field, KIT_PICK(state, lists));
        break;
    case TYPE_NUMBERS:
        message_set(message, field, KIT_PICK(state, numbers));
        break;
    case TYPE_PLAY:
    case TYPE_PLAYS:
        message_set(message, field, KIT_PICK(state, plays));
        break;
    }
}

/* Sets a rule option to one of its values. */
__attribute__((unused)) static void kit_fill_option(struct message *message, enum option option,
                                                    uint64_t *state) {
    const struct option_row *row = option_row(option);
    int words = 0;
    while (words < OPTION_WORDS_MAX && row->words[words] != NULL) {
        words++;
    }
    int value = words > 0 ? kit_below(state, words)
                          : row->min + kit_below(state, row->max - row->min + 1);
    while (row->powers && (value & (value - 1)) != 0) {
        value &= value - 1; /* the highest power of two in it */
    }
    message_set_option(message, option, value);
}

/* A message whose fields beyond the required ones are there with that many chances in eight. */
__attribute__((unused)) static void kit_message(struct message *message, enum message_kind kind,
                                                int eighths, uint64_t *state) {
    const struct message_row *row = message_row(kind);
    message_init(message, kind);
    for (int i = 0; row->fields[i] != FIELD_COUNT; i++) {
        if (i < row->required || kit_below(state, 8) < eighths) {
            do { /* what stands without a key is not empty */
                kit_fill(message, row->fields[i], state);
            } while (i < row->positional && message->value[row->fields[i]].length == 0);
        }
    }
    for (int option = 0; row->options && option < OPTION_COUNT; option++) {
        if (kit_below(state, 8) < eighths) {
            kit_fill_option(message, (enum option)option, state);
        }
    }
}

static bool kit_same_value(struct value a, struct value b) {
    if (a.text == NULL || b.text == NULL) {
        return a.text == b.text;
    }
    return a.length == b.length && memcmp(a.text, b.text, a.length + 1) == 0;
}

/* Whether both are the same message with the same fields. */
__attribute__((unused)) static bool kit_same(const struct message *a, const struct message *b) {
    bool same = a->kind == b->kind;
    for (int field = 0; field < FIELD_COUNT; field++) {
        same = same && kit_same_value(message_value(a, (enum field)field),
                                      message_value(b, (enum field)field));
    }
    for (int option = 0; option < OPTION_COUNT; option++) {
        same = same && kit_same_value(message_option(a, (enum option)option),
                                      message_option(b, (enum option)option));
    }
    return same;
}

/* Decodes from a heap block of exactly that size, so that a sanitizer sees each step beyond it. */
__attribute__((unused)) static enum decoded kit_decode(enum spelling spelling, const char *line,
                                                       size_t length, struct message *message,
                                                       char why[160]) {
    char *exact = malloc(length > 0 ? length : 1);
    if (exact == NULL) {
        abort();
    }
    memcpy(exact, line, length);
    enum decoded decoded =
        spelling_decode(spelling, exact, length, EVERY_SENDER, message, why);
    free(exact);
    return decoded;
}

#endif
