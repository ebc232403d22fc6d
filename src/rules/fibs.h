/* FIBS board string: the `board:` line of the First Internet Backgammon Server
 * (boardstyle 3), 52 fields behind the word. By field, `board` being field 0:
 *
 *     1 and 2 names, 3 length (9999 money play; 0 is read so too), 4 and 5 scores,
 *     6..31 the places 0..25 (a sign for each colour: + is O, - is X), 32 whose turn
 *     (1 O, -1 X), 33-34 and 35-36 dice of either name (0 before the throw), 37 the
 *     cube, 38 and 39 whether either may double, 40 whether a double is on offer,
 *     41 colour of the first name, 42 its direction (-1 from 24 to 1), 43 and 44 its
 *     home and bar, 45-46 checkers off, 47-48 on the bar, 49-50 not used here,
 *     51 whether the Crawford game is over, 52 whether this is not the Crawford game
 *
 * While a double is on offer the turn is the doubler's. Field 52 is GNU Backgammon's
 * reading; on FIBS it counts redoubles. Fields 4 and 5 stand as on FIBS, the first
 * name's score first: GNU Backgammon 1.05 and later, asked as an external player,
 * reads them the other way round.
 */
#ifndef HAKEM_RULES_FIBS_H
#define HAKEM_RULES_FIBS_H

#include "rules/match_position.h"

#include <stddef.h>

enum { FIBS_NAME_MAX = 32, FIBS_TEXT_MAX = 256 };

/* Who is written first, and the names. */
struct fibs_view {
    enum side first;
    const char *name[SIDE_COUNT]; /* cut after FIBS_NAME_MAX bytes; a colon becomes `_` */
};

/* Reads a board string, the first name as SIDE_X; what it does not say is as
 * match_position_init has it. Fields 43 to 52 may be missing. Names, home, bar and
 * the counts 45 to 50 are not read. 0, or -1 with a sentence in `why`. */
int fibs_read(const struct rules *rules, const char *text, size_t length,
              struct match_position *position, char why[160]);

/* Writes a board string, the first name as O from 24 to 1. 0, or -1 with a sentence
 * in `why`: it holds no resignation, no beaver that waits for its answer, no half
 * points, no match to 9999 points, no game that is not being played and none whose
 * sides run the same way. Jacoby, beavers and the limit of the cube are left out. */
int fibs_write(const struct rules *rules, const struct match_position *position,
               const struct fibs_view *view, char out[FIBS_TEXT_MAX], char why[160]);

#endif
