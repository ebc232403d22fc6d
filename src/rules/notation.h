/* Notation: a position in any of the notations that are known, told apart by how
 * the text looks; and written in one that is asked for. */
#ifndef HAKEM_RULES_NOTATION_H
#define HAKEM_RULES_NOTATION_H

#include "rules/match_position.h"

#include <stddef.h>

enum notation {
    NOTATION_TEXT,         /* W 24:2 13:5 8:3 6:5 | B 24:2 13:5 8:3 6:5 */
    NOTATION_COUNTS,       /* 26 counts as `mover` sees them: 0,-2,0,0,0,0,5,... */
    NOTATION_GNU_POSITION, /* 4HPwATDgc/ABMA */
    NOTATION_GNU_ID,       /* 4HPwATDgc/ABMA:cInlADAAEAAE */
    NOTATION_XGID,
    NOTATION_OGID,
    NOTATION_FIBS,
};

enum { NOTATION_KINDS = NOTATION_FIBS + 1, NOTATION_TEXT_MAX = 512 };

/* What the notation is called, one word without blanks ("xgid"). */
const char *notation_name(enum notation notation);

/* Whether the notation says whose turn it is, the dice and the state of the match,
 * and not the board alone. */
bool notation_says_match(enum notation notation);

/* Reads a position in the notation that its text looks like. One that says the
 * board alone reads it as `position->mover` sees it, where that matters, and leaves
 * the rest as it is. Returns the notation (enum notation), or -1 with a sentence. */
int notation_read(const struct rules *rules, const char *text, size_t length,
                  struct match_position *position, char why[160]);

/* Writes a position. 0, or -1 with a sentence on what the notation cannot hold. */
int notation_write(const struct rules *rules, const struct match_position *position,
                   enum notation notation, char out[NOTATION_TEXT_MAX], char why[160]);

#endif
