/* OGID: the position id of OpenGammon and HedgeHog (their docs/OGID.md), up to
 * eleven fields between colons, five at least:
 *
 *     11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:2:3:7:12
 *
 * White's checkers, one letter each (0-9 and a-p are the points 0 to 25 as Black
 * counts them; White's bar is 0, Black's is p), Black's checkers, the cube (owner
 * W, B or N; log2; N, or O for a double on offer, T taken, P passed), the dice
 * (nothing before the throw), who brought the position about, its state, the scores
 * of White and Black, the length (0 money play; C behind it the Crawford game, L
 * after it), the number of the move, checkers a side where it is not 15.
 *
 * The fifth field names the side that acted last, so that the other one is on roll;
 * only at state IW without dice White is. Some programs write there who is on roll:
 * their ids cannot be told from the others, and are read as the definition has it.
 */
#ifndef HAKEM_RULES_OGID_H
#define HAKEM_RULES_OGID_H

#include "rules/match_position.h"

#include <stddef.h>

enum { OGID_TEXT_MAX = 96 };

/* Reads an OGID, every field of `position`; what it does not say is as
 * match_position_init has it. Blanks around it and a prefix `OGID=` are tolerated;
 * the number of the move is not kept. 0, or -1 with a sentence in `why`. */
int ogid_read(const struct rules *rules, const char *text, size_t length,
              struct match_position *position, char why[160]);

/* Writes ten fields, checkers in ascending order, move 0, and the eleventh where it
 * is due. 0, or -1 with a sentence in `why`: an OGID holds no resignation, no
 * beaver that waits for its answer, no half points, no cube above 512, no game that
 * is not being played and none whose sides run the same way. Jacoby, beavers and
 * the limit of the cube are left out. */
int ogid_write(const struct rules *rules, const struct match_position *position,
               char out[OGID_TEXT_MAX], char why[160]);

#endif
