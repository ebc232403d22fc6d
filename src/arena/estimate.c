#include "arena/estimate.h"

#include "arena/quantile.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

static const double beta_max = 1.25; /* luck that counts more is none */
static const double elo_scale = 173.71779276130073; /* 400 / ln 10 */

/* A mean to be told: y over g, with x as its luck. */
struct column {
    double y, g, x;
};

void estimate_units_add(struct estimate_units *units, const struct estimate_unit *unit) {
    units->unit = alloc_more(units->unit, units->count, &units->space, sizeof *units->unit);
    units->unit[units->count++] = *unit;
}

void estimate_games_add(struct estimate_games *games, double points, double luck) {
    double adjusted = points - luck;
    games->count++;
    games->raw += points;
    games->raw_squared += points * points;
    games->adjusted += adjusted;
    games->adjusted_squared += adjusted * adjusted;
}

void estimate_games_join(struct estimate_games *games, const struct estimate_games *others,
                         double sign) {
    games->count += others->count;
    games->raw += sign * others->raw;
    games->raw_squared += others->raw_squared;
    games->adjusted += sign * others->adjusted;
    games->adjusted_squared += others->adjusted_squared;
}

void estimate_units_clear(struct estimate_units *units) {
    free(units->unit);
    *units = (struct estimate_units){.unit = NULL};
}

static struct column column_of(const struct estimate_units *units, size_t i,
                               enum estimate_mean mean) {
    const struct estimate_unit *unit = &units->unit[i];
    return mean == ESTIMATE_POINTS
               ? (struct column){unit->points, unit->games, unit->luck}
               : (struct column){unit->score, unit->matches,
                                 units->score_luck ? unit->luck_of_score : unit->luck};
}

/* How y goes with x in every second unit from `half` on, both about their means. */
static void add_slope(const struct column *columns, size_t count, size_t half,
                      struct estimate_slopes *out) {
    double y = 0, g = 0, x = 0, n = 0;
    for (size_t i = half; i < count; i += 2) {
        y += columns[i].y;
        g += columns[i].g;
        x += columns[i].x;
        n++;
    }
    for (size_t i = half; i < count; i += 2) {
        double residual = columns[i].y - y / g * columns[i].g;
        double centred = columns[i].x - x / n;
        out->xy[half] += residual * centred;
        out->xx[half] += centred * centred;
    }
}

static struct column *columns_of(const struct estimate_units *units, enum estimate_mean mean) {
    struct column *columns = alloc_zeroed(units->count + 1, sizeof *columns);
    for (size_t i = 0; i < units->count; i++) {
        columns[i] = column_of(units, i, mean);
    }
    return columns;
}

void estimate_add_slopes(const struct estimate_units *units, enum estimate_mean mean,
                         struct estimate_slopes *slopes) {
    struct column *columns = columns_of(units, mean);
    add_slope(columns, units->count, 0, slopes);
    add_slope(columns, units->count, 1, slopes);
    free(columns);
}

/* Few units whose luck hardly varies can ask for anything. */
static double beta_of(double xy, double xx) {
    double beta = xx > 0 ? xy / xx : 0;
    return beta < 0 ? 0 : beta > beta_max ? beta_max : beta;
}

void estimate_slopes_beta(const struct estimate_slopes *slopes, double beta[2]) {
    beta[0] = beta_of(slopes->xy[1], slopes->xx[1]);
    beta[1] = beta_of(slopes->xy[0], slopes->xx[0]);
}

double estimate_without(const struct estimate_units *units, size_t unit, enum estimate_mean mean,
                        double beta) {
    struct column column = column_of(units, unit, mean);
    return column.y - beta * column.x;
}

/* The mean with `beta` times the luck taken off (of even and odd units), its margin, and the
 * variance that goes with it. */
static struct estimate_figure tell(const struct column *columns, size_t count, const double beta[2],
                                   double *variance) {
    double y = 0, g = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        y += columns[i].y - beta[i % 2] * columns[i].x;
        g += columns[i].g;
    }
    struct estimate_figure figure = {g > 0 ? y / g : NAN, NAN};
    for (size_t i = 0; i < count; i++) {
        double own = columns[i].y - beta[i % 2] * columns[i].x;
        squares += (own - figure.value * columns[i].g) * (own - figure.value * columns[i].g);
    }
    *variance = NAN;
    if (count >= QUANTILE_CLUSTERS_MIN && g > 0) {
        *variance = squares * (double)count / ((double)count - 1) / (g * g);
        figure.margin = quantile_95((int64_t)count - 1) * sqrt(*variance);
    }
    return figure;
}

static const struct estimate_figure nothing = {NAN, NAN};

/* All readings of a mean; `whole` is whether its luck can be taken off whole. */
static void read_all(const struct column *columns, size_t count, bool whole,
                     struct estimate_figure out[ESTIMATE_READINGS], double beta[2],
                     double variance[ESTIMATE_READINGS]) {
    const double none[2] = {0, 0}, one[2] = {1, 1};
    out[ESTIMATE_RAW] = tell(columns, count, none, &variance[ESTIMATE_RAW]);
    out[ESTIMATE_WHOLE] = out[ESTIMATE_FITTED] = nothing;
    variance[ESTIMATE_WHOLE] = variance[ESTIMATE_FITTED] = beta[0] = beta[1] = NAN;
    if (whole) {
        out[ESTIMATE_WHOLE] = tell(columns, count, one, &variance[ESTIMATE_WHOLE]);
    }
    if (count >= ESTIMATE_UNITS_MIN) {
        struct estimate_slopes slopes = {.xx = {0, 0}};
        add_slope(columns, count, 0, &slopes);
        add_slope(columns, count, 1, &slopes);
        estimate_slopes_beta(&slopes, beta);
        out[ESTIMATE_FITTED] = tell(columns, count, beta, &variance[ESTIMATE_FITTED]);
    }
}

/* A share of 0 or 1 has no Elo, nor has one that luck has put beyond. */
static struct estimate_figure elo_of(struct estimate_figure score) {
    double share = score.value;
    if (!(share > 0 && share < 1)) {
        return nothing;
    }
    return (struct estimate_figure){elo_scale * log(share / (1 - share)),
                                    elo_scale * score.margin / (share * (1 - share))};
}

static double ratio_of(double raw, double adjusted) {
    return adjusted > 0 ? raw / adjusted : NAN;
}

static double game_ratio(const struct estimate_games *games) {
    return ratio_of(games->raw_squared - games->raw * games->raw / games->count,
                    games->adjusted_squared - games->adjusted * games->adjusted / games->count);
}

double estimate_luck_t(const struct estimate_units *units) {
    double sum = 0, squares = 0, n = (double)units->count;
    for (size_t i = 0; i < units->count; i++) {
        double luck = units->unit[i].luck;
        sum += luck;
        squares += luck * luck;
    }
    double variance = (squares - sum * sum / n) / (n - 1);
    return units->count >= QUANTILE_CLUSTERS_MIN && variance > 0 ? sum / sqrt(n * variance) : NAN;
}

static void count_units(const struct estimate_units *units, struct estimate *out) {
    double luck = 0;
    for (size_t i = 0; i < units->count; i++) {
        out->games += units->unit[i].games;
        out->matches += units->unit[i].matches;
        luck += units->unit[i].luck;
    }
    out->luck = units->count > 0 ? luck / (double)units->count : NAN;
    out->luck_t = estimate_luck_t(units);
}

void estimate_make(const struct estimate_units *units, struct estimate *out) {
    struct column *columns = columns_of(units, ESTIMATE_POINTS);
    double variance[ESTIMATE_READINGS], ignored[2];
    *out = (struct estimate){.units = units->count};
    count_units(units, out);
    read_all(columns, units->count, true, out->points, out->beta, variance);
    out->game_ratio = game_ratio(&units->games);
    for (int reading = 0; reading < ESTIMATE_READINGS; reading++) {
        out->ratio[reading] = ratio_of(variance[ESTIMATE_RAW], variance[reading]);
    }
    free(columns);
    columns = columns_of(units, ESTIMATE_SCORE);
    read_all(columns, units->count, units->score_luck, out->score, ignored, variance);
    for (int reading = 0; reading < ESTIMATE_READINGS; reading++) {
        out->elo[reading] = elo_of(out->score[reading]);
    }
    free(columns);
}

void estimate_stratum_make(const struct estimate_units *units, const double beta[2],
                           struct estimate_stratum *out) {
    *out = (struct estimate_stratum){.units = (double)units->count, .strata = 1};
    for (size_t i = 0; i < units->count; i++) {
        out->points += estimate_without(units, i, ESTIMATE_POINTS, beta[i % 2]);
        out->games += units->unit[i].games;
    }
    double mean = out->points / out->games;
    for (size_t i = 0; i < units->count; i++) {
        double residual = estimate_without(units, i, ESTIMATE_POINTS, beta[i % 2]) -
                          mean * units->unit[i].games;
        out->squares += residual * residual;
    }
}

void estimate_stratum_join(struct estimate_stratum *stratum, const struct estimate_stratum *other,
                           double sign) {
    stratum->units += other->units;
    stratum->strata += other->strata;
    stratum->points += sign * other->points;
    stratum->games += other->games;
    stratum->squares += other->squares;
}

struct estimate_figure estimate_stratum_tell(const struct estimate_stratum *stratum) {
    double freedom = stratum->units - stratum->strata;
    struct estimate_figure figure = {stratum->games > 0 ? stratum->points / stratum->games : NAN,
                                     NAN};
    if (freedom >= QUANTILE_CLUSTERS_MIN - 1) {
        figure.margin = quantile_95((int64_t)freedom) *
                        sqrt(stratum->squares * stratum->units / freedom) / stratum->games;
    }
    return figure;
}

const char *estimate_reading_name(enum estimate_reading reading) {
    static const char *const names[ESTIMATE_READINGS] = {"raw", "adjusted", "fitted"};
    return names[reading];
}
