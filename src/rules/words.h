/* Words: a sentence put together in a buffer of the caller's, for reasons and
 * refusals (rules/ prints nothing and may not use stdio). What does not fit is
 * cut; the text always ends with a NUL. */
#ifndef HAKEM_RULES_WORDS_H
#define HAKEM_RULES_WORDS_H

#include <stddef.h>

struct words {
    char *out;
    size_t room;   /* bytes of `out`, 1 at least */
    size_t length; /* without the NUL */
};

/* An empty sentence in `out`. */
struct words words_begin(char *out, size_t room);

/* Adds a text. */
void words_add(struct words *words, const char *text);

/* Adds one byte. */
void words_add_char(struct words *words, char byte);

/* Adds a number of 0 or more in decimal. */
void words_add_number(struct words *words, int number);

/* Adds foreign bytes in quotes: unprintable ones as '?', cut with "..." after 24. */
void words_add_quoted(struct words *words, const char *bytes, size_t length);

#endif
