/* What the evaluator sees of a position: the view of the side that is to throw.
 *
 * Everything is an integer, so that an evaluation is the same on every machine. A
 * count on a place (24 points, bar and off, of both sides) becomes four units, and
 * the position as a whole a few dense features. One design for all games; those
 * where men are hit and those where they are not differ in what the dense ones say.
 */
#ifndef HAKEM_EVAL_FEATURES_H
#define HAKEM_EVAL_FEATURES_H

#include "rules/variant.h"

enum {
    FEATURES_UNITS = 4,
    FEATURES_COUNTS = CHECKERS_MAX + 1,
    FEATURES_PLACES = SIDE_COUNT * POINT_COUNT, /* of the side to throw, then of the other */
    FEATURES_INPUTS = FEATURES_PLACES * FEATURES_UNITS,
    FEATURES_DENSE = 32,
    FEATURES_UNIT_ONE = 32,   /* 1.0 of a unit */
    FEATURES_DENSE_ONE = 256, /* 1.0 of a dense feature; they stay within +-4.0 */
    FEATURES_DENSE_MAX = 4 * FEATURES_DENSE_ONE - 1
};

/* The units of `count` checkers on a place (0..25 own numbering), in games with or without hits. */
void features_units(bool hits, int point, int count, int16_t units[FEATURES_UNITS]);

/* The dense features of a position that `to_throw` sees. */
void features_dense(const struct variant *variant, const struct board *board, enum side to_throw,
                    int16_t dense[FEATURES_DENSE]);

#endif
