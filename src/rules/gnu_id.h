/* GNU ids: the position id and the match id of GNU Backgammon, for example
 * `4HPwATDgc/ABMA:cInlADAAEAAE`.
 *
 * Both are streams of bits in bytes, the lowest bit first, in base64 without
 * padding. A position id is 80 bits: for the side that is not on roll, then for the
 * side on roll, each place from its point 1 to 24 and its bar as so many ones and a
 * zero. It says nothing of who that is; the same checkers with the other side on
 * roll have another id. A match id is 72 bits:
 *
 *     0-3 log2 cube, 4-5 owner (0, 1; 3 nobody), 6 on roll, 7 Crawford game,
 *     8-10 phase, 11 who is to act, 12 a double is offered, 13-14 resignation,
 *     15-17 and 18-20 dice, 21-35 length (0 money play), 36-50 and 51-65 scores of
 *     player 0 and player 1, 66 no Jacoby (old ids leave it 0), 67-71 nothing
 *
 * with player 1 for SIDE_X and player 0 for SIDE_Y.
 */
#ifndef HAKEM_RULES_GNU_ID_H
#define HAKEM_RULES_GNU_ID_H

#include "rules/match_position.h"

#include <stddef.h>

enum {
    GNU_POSITION_LENGTH = 14,
    GNU_MATCH_LENGTH = 12,
    GNU_ID_TEXT_MAX = GNU_POSITION_LENGTH + 1 + GNU_MATCH_LENGTH + 1
};

/* Reads a position id, with a colon and a match id behind it or alone, in which
 * case the board is read as `position->mover` sees it and the rest stays. A
 * prefix `GNUBGID=` is tolerated. A match id says no beavers and the usual limit of
 * the cube. 0, or -1 with a sentence in `why`. */
int gnu_id_read(const struct rules *rules, const char *text, size_t length,
                struct match_position *position, char why[160]);

/* Writes the position id. 0, or -1 with a sentence in `why`: it holds no game whose
 * sides run the same way. */
int gnu_position_write(const struct rules *rules, const struct match_position *position,
                       char out[GNU_POSITION_LENGTH + 1], char why[160]);

/* Writes the match id, the larger die first. 0, or -1 with a sentence in `why`: it
 * holds no half points and no beaver that waits for its answer; whether beavers
 * are allowed and the limit of the cube are left out. */
int gnu_match_write(const struct rules *rules, const struct match_position *position,
                    char out[GNU_MATCH_LENGTH + 1], char why[160]);

/* Writes both with a colon between. 0, or -1 with a sentence in `why`. */
int gnu_id_write(const struct rules *rules, const struct match_position *position,
                 char out[GNU_ID_TEXT_MAX], char why[160]);

#endif
