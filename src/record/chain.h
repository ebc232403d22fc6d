/* The chain of a record's lines (dice.md, "Record, chain, signature"): each
 * stored line is the message, a blank and the first 16 hex digits of its hash,
 * which covers the line and every line before it. Lines are hashed without
 * digits and LF. */
#ifndef HAKEM_RECORD_CHAIN_H
#define HAKEM_RECORD_CHAIN_H

#include "dice/hash.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHAIN_DIGITS = 16 };

/* The hash of a bare line: `previous` is that of the line before, NULL for the header. */
struct hash chain_link(const struct hash *previous, const char *line, size_t length);

/* Writes the digits that are stored behind a line, NUL added. */
void chain_digits(const struct hash *hash, char out[CHAIN_DIGITS + 1]);

/* Length of a stored line without its blank and digits; false when it does not end in them. */
bool chain_cut(const char *line, size_t length, size_t *bare);

/* Whether the digits at the end of a stored line are those of `hash`. */
bool chain_agrees(const struct hash *hash, const char *line, size_t length);

#endif
