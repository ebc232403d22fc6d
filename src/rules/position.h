/* Positions as text: the final form of `hakem moves --jsonl` and the 26 counts
 * of the wire. */
#ifndef HAKEM_RULES_POSITION_H
#define HAKEM_RULES_POSITION_H

#include "rules/variant.h"

#include <stddef.h>

enum { POSITION_TEXT_MAX = 512 };

/* Writes `W 19:1 13:13 bar:1 | B 24:2 11:11 3:2`: each side in its own numbering,
 * points descending, then bar, then off, empty places left out. Returns length. */
size_t position_write(const struct board *board, char out[POSITION_TEXT_MAX]);

/* Reads that form back. 0, or -1 with a sentence in `why`. Checkers that are
 * named nowhere are taken to be off when a side has fewer than its number and
 * no `off:` is given. */
int position_read(const struct rules *rules, const char *text, size_t length, struct board *board,
                  char why[160]);

/* The 26 signed counts in `frame`'s numbering: [0] minus the opponent's bar,
 * [1..24] own positive, opposing negative, [25] own bar. */
void position_counts(const struct rules *rules, const struct board *board, enum side frame,
                     int8_t out[POINT_COUNT]);

/* The board of 26 counts; men that are seen nowhere are off. 0 or -1 with `why`. */
int position_from_counts(const struct rules *rules, const int8_t counts[POINT_COUNT],
                         enum side frame, struct board *board, char why[160]);

#endif
