/* `hakem moves --jsonl`: positions in, legal plays or results out, a line each.
 * It is how the rules are checked from outside, so the form stays. */
#ifndef HAKEM_CLI_MOVES_JSONL_H
#define HAKEM_CLI_MOVES_JSONL_H

#include "rules/play.h"

#include <stdbool.h>
#include <stdio.h>

enum { MOVES_LINE_MAX = 1 << 20 };

/* Answers every line of `in` on `out`, each before the next is read. False when
 * an answer could not be written. */
bool moves_jsonl_serve(FILE *in, FILE *out, struct play_room *room);

#endif
