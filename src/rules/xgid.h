/* XGID: the position notation of eXtreme Gammon, ten fields between colons:
 *
 *     XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10
 *
 * 26 letters (top player's bar, points 1..24 and bar as the bottom player counts
 * them; capitals are the bottom player's checkers), log2 of the cube, its owner
 * (1 bottom, -1 top, 0 nobody), whose turn it is (1, -1), the dice (00 before the
 * throw; D the side on turn has doubled, B it was beavered, R it has raccooned),
 * the scores of bottom and top, Crawford game (in money play 1 Jacoby + 2 beavers),
 * the length (0 money play), log2 of the highest cube. The letters stay in the
 * bottom player's view whoever is on turn.
 */
#ifndef HAKEM_RULES_XGID_H
#define HAKEM_RULES_XGID_H

#include "rules/match_position.h"

#include <stddef.h>

enum { XGID_TEXT_MAX = 96 };

/* Reads an XGID, every field of `position`. Blanks around it and around a field,
 * no `XGID=` and no last field are tolerated. 0, or -1 with a sentence in `why`. */
int xgid_read(const struct rules *rules, const char *text, size_t length,
              struct match_position *position, char why[160]);

/* Writes all ten fields behind `XGID=`. 0, or -1 with a sentence in `why`: an XGID
 * holds no resignation, no half points, no game that is not being played and none
 * whose sides run the same way. */
int xgid_write(const struct rules *rules, const struct match_position *position,
               char out[XGID_TEXT_MAX], char why[160]);

#endif
