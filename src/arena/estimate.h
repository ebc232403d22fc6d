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
void estimate_units_clear(struct estimate_units *units);

/* Adds a single game, points and luck; adds others as the side `sign` sees them. */
void estimate_games_add(struct estimate_games *games, double points, double luck);
void estimate_games_join(struct estimate_games *games, const struct estimate_games *others,
                         double sign);

/* The estimates of two bots. */
void estimate_make(const struct estimate_units *units, struct estimate *out);

/* The mean luck of a unit in standard errors; NaN with too few units. */
double estimate_luck_t(const struct estimate_units *units);

/* Which mean is told: points a game, or the share of matches. */
enum estimate_mean { ESTIMATE_POINTS, ESTIMATE_SCORE };

/* What the even and the odd units make of beta; those of several pairs of bots add up. */
struct estimate_slopes {
    double xy[2], xx[2];
};
void estimate_add_slopes(const struct estimate_units *units, enum estimate_mean mean,
                         struct estimate_slopes *slopes);

/* The betas to be used for the even and the odd units: either half goes by the other. */
void estimate_slopes_beta(const struct estimate_slopes *slopes, double beta[2]);

/* Points or score of a unit with beta times its luck taken off. */
double estimate_without(const struct estimate_units *units, size_t unit, enum estimate_mean mean,
                        double beta);

/* Points a game over several pairs of bots, each scattered about its own mean. */
struct estimate_stratum {
    double units, strata, points, games, squares;
};
void estimate_stratum_make(const struct estimate_units *units, const double beta[2],
                           struct estimate_stratum *out);
void estimate_stratum_join(struct estimate_stratum *stratum, const struct estimate_stratum *other,
                           double sign);
struct estimate_figure estimate_stratum_tell(const struct estimate_stratum *stratum);

/* The word of a reading: "raw", "adjusted", "fitted". */
const char *estimate_reading_name(enum estimate_reading reading);

#endif
