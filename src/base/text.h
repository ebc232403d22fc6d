/* Helpers on text: numbers, hex, escapes, names, UTF-8, command lines. All take
 * (pointer, length) and read nothing beyond. */
#ifndef HAKEM_BASE_TEXT_H
#define HAKEM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAME_MAX_BYTES = 32 };

/* Reads a whole decimal number, no sign, no leading zero but "0" itself; false on anything else. */
bool text_u64(const char *text, size_t length, uint64_t *value);

/* The same with an optional '-', within [min, max]. */
bool text_i64(const char *text, size_t length, int64_t min, int64_t max, int64_t *value);

/* Reads a time such as "250", "250ms", "5s", "2m", "1h" into milliseconds. */
bool text_millis(const char *text, size_t length, int64_t *millis);

/* Lower-case hex of `length` bytes, NUL added: `out` holds 2 * length + 1. */
void text_hex(const void *data, size_t length, char *out);

/* Reads exactly `length` bytes of hex (any case); false on anything else. */
bool text_unhex(const char *text, size_t text_length, void *out, size_t length);

/* Copies with non-printables as \xNN, cut with "..." to fit; for logs and reasons.
 * Returns `out`. */
const char *text_escape(const char *text, size_t length, char *out, size_t room);

/* Bytes of the UTF-8 character at the start of the text, 1..4, or 0 when it is none. */
size_t text_utf8_next(const char *text, size_t length);

/* Whether these bytes are valid UTF-8 without C0/C1 controls. */
bool text_is_utf8(const char *text, size_t length);

/* Whether this is a name: [A-Za-z0-9][A-Za-z0-9._-]{0,31} and no reserved word
 * (all, any, none, hakem, referee). */
bool text_is_name(const char *text, size_t length);

/* Same bytes, ASCII case aside. */
bool text_same_fold(const char *a, size_t a_length, const char *b, size_t b_length);

/* The same for two names. */
bool text_same_name(const char *a, const char *b);

/* Copies as much of a text as fits, NUL added, no character of it cut in two; it ends before the
 * first byte that is no UTF-8. */
void text_copy(char *out, size_t room, const char *text, size_t length);

/* Copies as many whole words of a list with commas as fit into `room` with a NUL. */
void text_copy_words(char *out, size_t room, const char *list);

/* The candidate nearest to `word` by edit distance (at most 3, and at most half of
 * the shorter word), or NULL. */
const char *text_nearest(const char *word, const char *const *candidates, size_t count);

/* Splits a command on blanks, with '...' and "..." and backslash, no shell. Returns a
 * NULL-ended array in one allocation (free it once), or NULL on an open quote or no word. */
char **text_split_command(const char *command);

/* Time as "2026-11-30T18:49:49Z" from seconds since 1970. */
void text_utc(int64_t seconds, char out[32]);

#endif
