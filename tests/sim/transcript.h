/* A conversation written down (protocol/transcripts/README.md), played to a referee
 * that is a pure machine: what comes out is the same file with the referee's lines
 * as they are now. */
#ifndef HAKEM_TESTS_TRANSCRIPT_H
#define HAKEM_TESTS_TRANSCRIPT_H

#include "base/bytes.h"

/* How bytes reach the referee: a step at once, or each byte alone. */
enum transcript_pace { PACE_WHOLE, PACE_BYTES };

/* Plays the script: its own lines are copied, the referee's are made anew. False with a sentence
 * in `why` when a line of it cannot be understood. */
bool transcript_play(const char *script, enum transcript_pace pace, struct bytes *out,
                     char why[200]);

#endif
