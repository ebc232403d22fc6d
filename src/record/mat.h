/* A record as a .mat, the Jellyfish text form that other programs read
 * (ecosystem.md 4.1). Left column: seat X. Tavla, western, nackgammon and
 * hypergammon are written so that GNU Backgammon imports them; uzun and fevga have
 * their own names in `[Variation "uzun"]`, which only hakem reads. Void games are
 * left out; a forfeited game has its `Wins` row like one that was resigned.
 *
 * GNU Backgammon scores western backgammon: a mars whose loser still has a
 * checker on the bar or in the winner's home is worth 3 to it, and when that
 * third point reaches the length it takes the match for over and reads no
 * further. Nothing in a .mat can tell it otherwise. */
#ifndef HAKEM_RECORD_MAT_H
#define HAKEM_RECORD_MAT_H

#include "base/bytes.h"
#include "base/fail.h"
#include "record/replay.h"

/* Adds the .mat of a record (finished or not); 0, or -1 (EXIT_CODE_VERIFY) with
 * the line and the reason when the record does not read. */
int mat_write(const char *text, size_t length, struct bytes *out, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
