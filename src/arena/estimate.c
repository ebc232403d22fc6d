#include "arena/estimate.h"

#include "arena/quantile.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

static const double elo_scale = 173.71779276130073; /* 400 / ln 10 */

/* A mean to be told: y over g, with x as its luck. */
struct column {
    double y, g, x;
};

void estimate_units_add(struct estimate_units *units, const struct estimate_unit *unit) {
    units->unit = alloc_more(units->unit, units->count, &units->space, sizeof *units->unit);
    units->unit[units->count++] = *unit;
}

void estimate_units_add_game(struct estimate_units *units, double points, double luck) {
    struct estimate_games *games = &units->games;
    double adjusted = points - luck;
    games->count++;
    games->raw += points;
    games->raw_squared += points * points;
    games->adjusted += adjusted;
    games->adjusted_squared += adjusted * adjusted;
}

void estimate_units_clear(struct estimate_units *units) {
    free(units->unit);
    *units = (struct estimate_units){.unit = NULL};
}

/* The slope of y on x in every second unit from `half` on, both about their means. */
static double slope(const struct column *columns, size_t count, size_t half) {
    double y = 0, g = 0, x = 0, n = 0, xy = 0, xx = 0;
    for (size_t i = half; i < count; i += 2) {
        y += columns[i].y;
        g += columns[i].g;
        x += columns[i].x;
        n++;
    }
    for (size_t i = half; i < count; i += 2) {
        double residual = columns[i].y - y / g * columns[i].g;
        double centred = columns[i].x - x / n;
        xy += residual * centred;
        xx += centred * centred;
    }
    return xx > 0 ? xy / xx : 0;
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
        beta[0] = slope(columns, count, 1); /* the even units go by the odd ones */
        beta[1] = slope(columns, count, 0);
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

/* Mean luck and how many standard errors it is off 0. */
static void tell_luck(const struct column *columns, size_t count, struct estimate *out) {
    double sum = 0, squares = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        sum += columns[i].x;
        squares += columns[i].x * columns[i].x;
    }
    double variance = (squares - sum * sum / n) / (n - 1);
    out->luck = count > 0 ? sum / n : NAN;
    out->luck_t = count >= QUANTILE_CLUSTERS_MIN && variance > 0 ? sum / sqrt(n * variance) : NAN;
}

void estimate_make(const struct estimate_units *units, struct estimate *out) {
    size_t count = units->count;
    struct column *columns = alloc_zeroed(count + 1, sizeof *columns);
    double variance[ESTIMATE_READINGS], ignored[2];
    *out = (struct estimate){.units = count};
    for (size_t i = 0; i < count; i++) {
        const struct estimate_unit *unit = &units->unit[i];
        columns[i] = (struct column){unit->points, unit->games, unit->luck};
        out->games += unit->games;
        out->matches += unit->matches;
    }
    read_all(columns, count, true, out->points, out->beta, variance);
    tell_luck(columns, count, out);
    out->game_ratio = game_ratio(&units->games);
    for (int reading = 0; reading < ESTIMATE_READINGS; reading++) {
        out->ratio[reading] = ratio_of(variance[ESTIMATE_RAW], variance[reading]);
    }
    for (size_t i = 0; i < count; i++) {
        const struct estimate_unit *unit = &units->unit[i];
        double luck = units->score_luck ? unit->luck_of_score : unit->luck;
        columns[i] = (struct column){unit->score, unit->matches, luck};
    }
    read_all(columns, count, units->score_luck, out->score, ignored, variance);
    for (int reading = 0; reading < ESTIMATE_READINGS; reading++) {
        out->elo[reading] = elo_of(out->score[reading]);
    }
    free(columns);
}

const char *estimate_reading_name(enum estimate_reading reading) {
    static const char *const names[ESTIMATE_READINGS] = {"raw", "adjusted", "fitted"};
    return names[reading];
}
