/* Estimates of how much better one of two bots is: as it was played, and with the luck of
 * the dice taken off.
 *
 * A unit is an independent sample: both legs of a mirrored pair, or a single match. Three
 * readings of the same games: raw; luck taken off whole (beta 1); and luck times a beta
 * that the other half of the units gave (cross-fitted), which holds for whomever plays and is
 * the one to go by. Luck has the mean 0, so each is unbiased; they differ in their error. */
#ifndef HAKEM_ARENA_ESTIMATE_H
#define HAKEM_ARENA_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

enum { ESTIMATE_UNITS_MIN = 8 /* with fewer there is no beta to fit */ };

/* A unit, seen by the first of the two bots. */
struct estimate_unit {
    double games, points, luck;           /* points won less lost; luck in points */
    double matches, score, luck_of_score; /* matches won, draws half; luck in matches */
};

/* Single games, with the luck and without it, as if each was a sample. */
struct estimate_games {
    double count, raw, raw_squared, adjusted, adjusted_squared;
};

struct estimate_units {
    struct estimate_unit *unit; /* owned */
    size_t count, space;
    struct estimate_games games;
    bool score_luck; /* luck_of_score is known: matches of one game */
};

enum estimate_reading { ESTIMATE_RAW, ESTIMATE_WHOLE, ESTIMATE_FITTED, ESTIMATE_READINGS };

/* A figure and the half width of its 95 % interval; NaN where there is too little to say. */
struct estimate_figure {
    double value, margin;
};

struct estimate {
    size_t units;
    double games, matches;
    struct estimate_figure points[ESTIMATE_READINGS]; /* a game */
    struct estimate_figure score[ESTIMATE_READINGS];  /* share of matches, 0..1 */
    struct estimate_figure elo[ESTIMATE_READINGS];    /* of that share */
    double beta[2];                                   /* of the points, of either half */
    double ratio[ESTIMATE_READINGS]; /* raw variance of the points over that of the reading */
    double game_ratio;               /* of single games: raw variance over that of beta 1 */
    double luck, luck_t;             /* mean luck a unit, and that in standard errors */
};

void estimate_units_add(struct estimate_units *units, const struct estimate_unit *unit);
/* Adds a single game to the ratio of single games: points and luck. */
void estimate_units_add_game(struct estimate_units *units, double points, double luck);
void estimate_units_clear(struct estimate_units *units);

/* The estimates of two bots. */
void estimate_make(const struct estimate_units *units, struct estimate *out);

/* The word of a reading: "raw", "adjusted", "fitted". */
const char *estimate_reading_name(enum estimate_reading reading);

#endif
