#include "arena/rating.h"

#include "arena/quantile.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

enum { PASSES_MAX = 100, HALVINGS_MAX = 40 };

static const double elo_scale = 173.71779276130073; /* 400 / ln 10 */
static const double prior_weight = 1.0;             /* virtual draws against the average */
static const double step_enough = 1e-9;             /* in units of the logistic: 2e-7 Elo */

struct fit {
    int count; /* entrants that played, renumbered */
    const struct rating_pair *pairs;
    size_t pair_count;
    const int *seat;  /* [entrant] its number here, -1 for who did not play */
    double *strength; /* [count] */
    double *gradient; /* [count] */
    double *factor;   /* [count * count] the curvature, then its Cholesky factor */
};

void rating_pair_add(struct rating_pair *pair, double clusters, double matches, double score) {
    pair->clusters += clusters;
    pair->matches += clusters * matches;
    pair->score += clusters * score;
    pair->matches_squared += clusters * matches * matches;
    pair->score_by_matches += clusters * score * matches;
    pair->score_squared += clusters * score * score;
}

static double logistic(double x) {
    return 1 / (1 + exp(-x));
}

/* log(1 + exp(x)) without overflow. */
static double log1p_exp(double x) {
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double log_likelihood(const struct fit *fit, const double *strength) {
    double sum = 0;
    for (size_t i = 0; i < fit->pair_count; i++) {
        const struct rating_pair *pair = &fit->pairs[i];
        if (pair->matches > 0) {
            double lead = strength[fit->seat[pair->a]] - strength[fit->seat[pair->b]];
            sum += pair->score * lead - pair->matches * log1p_exp(lead);
        }
    }
    for (int i = 0; i < fit->count; i++) {
        sum += prior_weight * (0.5 * strength[i] - log1p_exp(strength[i]));
    }
    return sum;
}

/* Gradient and curvature (minus the second derivative) where the strengths are now. */
static void differentiate(struct fit *fit) {
    size_t n = (size_t)fit->count;
    for (size_t i = 0; i < n * n; i++) {
        fit->factor[i] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        double p = logistic(fit->strength[i]);
        fit->gradient[i] = prior_weight * (0.5 - p);
        fit->factor[i * n + i] = prior_weight * p * (1 - p);
    }
    for (size_t i = 0; i < fit->pair_count; i++) {
        const struct rating_pair *pair = &fit->pairs[i];
        if (pair->matches <= 0) {
            continue;
        }
        size_t a = (size_t)fit->seat[pair->a];
        size_t b = (size_t)fit->seat[pair->b];
        double p = logistic(fit->strength[a] - fit->strength[b]);
        double surplus = pair->score - pair->matches * p;
        double weight = pair->matches * p * (1 - p);
        fit->gradient[a] += surplus;
        fit->gradient[b] -= surplus;
        fit->factor[a * n + a] += weight;
        fit->factor[b * n + b] += weight;
        fit->factor[a * n + b] -= weight;
        fit->factor[b * n + a] -= weight;
    }
}

/* Cholesky in place: the lower triangle holds L with L L' = curvature, which the
 * prior keeps positive. */
static void factorize(struct fit *fit) {
    size_t n = (size_t)fit->count;
    double *l = fit->factor;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = l[i * n + j];
            for (size_t k = 0; k < j; k++) {
                sum -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    }
}

/* Solves curvature * x = right in place. */
static void solve(const struct fit *fit, double *right) {
    size_t n = (size_t)fit->count;
    const double *l = fit->factor;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            right[i] -= l[i * n + k] * right[k];
        }
        right[i] /= l[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        right[i] /= l[i * n + i];
        for (size_t k = 0; k < i; k++) {
            right[k] -= l[i * n + k] * right[i];
        }
    }
}

/* Newton's steps, halved while they do not climb; the likelihood is concave. */
static int climb(struct fit *fit) {
    size_t n = (size_t)fit->count;
    double *tried = alloc_zeroed(n, sizeof *tried);
    double height = log_likelihood(fit, fit->strength);
    int passes = 0;
    double longest = 1;
    while (passes < PASSES_MAX && longest > step_enough) {
        differentiate(fit);
        factorize(fit);
        solve(fit, fit->gradient);
        double share = 1;
        double next = height;
        for (int halving = 0; halving < HALVINGS_MAX; halving++, share /= 2) {
            for (size_t i = 0; i < n; i++) {
                tried[i] = fit->strength[i] + share * fit->gradient[i];
            }
            next = log_likelihood(fit, tried);
            if (next >= height - 1e-12 * fabs(height)) {
                break;
            }
        }
        longest = 0;
        for (size_t i = 0; i < n; i++) {
            longest = fmax(longest, fabs(tried[i] - fit->strength[i]));
            fit->strength[i] = tried[i];
        }
        height = next;
        passes++;
    }
    free(tried);
    return passes;
}

/* Sum over a pair's clusters of (score - matches * p) squared. */
static double scatter(const struct rating_pair *pair, double p) {
    double sum =
        pair->score_squared - 2 * p * pair->score_by_matches + p * p * pair->matches_squared;
    return fmax(sum, 0);
}

/* The variance of what the row `combination` of strengths comes to, by the sandwich:
 * the curvature's inverse on both sides of the clusters' scatter, in which each
 * virtual draw is a cluster too. Overwrites the row. */
static double sandwich(const struct fit *fit, double *combination) {
    solve(fit, combination);
    double sum = 0;
    for (int i = 0; i < fit->count; i++) {
        double surplus = prior_weight * (0.5 - logistic(fit->strength[i]));
        sum += surplus * surplus * combination[i] * combination[i];
    }
    for (size_t i = 0; i < fit->pair_count; i++) {
        const struct rating_pair *pair = &fit->pairs[i];
        if (pair->matches <= 0) {
            continue;
        }
        int a = fit->seat[pair->a];
        int b = fit->seat[pair->b];
        double lever = combination[a] - combination[b];
        double p = logistic(fit->strength[a] - fit->strength[b]);
        sum += scatter(pair, p) * lever * lever;
    }
    return sum;
}

/* Clusters of each entrant and of all. */
static double count_clusters(const struct fit *fit, double *clusters) {
    double all = 0;
    for (size_t i = 0; i < fit->pair_count; i++) {
        const struct rating_pair *pair = &fit->pairs[i];
        if (pair->matches > 0) {
            clusters[fit->seat[pair->a]] += pair->clusters;
            clusters[fit->seat[pair->b]] += pair->clusters;
            all += pair->clusters;
        }
    }
    return all;
}

/* Half widths into `margin`. As many parameters as entrants less one were fitted:
 * the scatter is scaled up by that, and the quantile has the freedom that is left. */
static void measure(struct fit *fit, int anchor, double *margin) {
    size_t n = (size_t)fit->count;
    double *clusters = alloc_zeroed(n, sizeof *clusters);
    double *combination = alloc_zeroed(n, sizeof *combination);
    double all = count_clusters(fit, clusters);
    double freedom = all - (double)(n - 1);
    differentiate(fit);
    factorize(fit);
    for (size_t i = 0; i < n; i++) {
        margin[i] = NAN;
        if (freedom < 1 || clusters[i] < QUANTILE_CLUSTERS_MIN) {
            continue;
        }
        for (size_t k = 0; k < n; k++) {
            double reference = anchor < 0 ? 1 / (double)n : (k == (size_t)anchor ? 1 : 0);
            combination[k] = (k == i ? 1 : 0) - reference;
        }
        double variance = sandwich(fit, combination) * all / freedom;
        margin[i] = quantile_95((int64_t)freedom) * sqrt(variance);
    }
    free(clusters);
    free(combination);
}

static void write_out(const struct fit *fit, int count, int anchor, const double *margin,
                      struct rating *out) {
    double zero = 0;
    for (int i = 0; i < fit->count; i++) {
        zero += fit->strength[i] / fit->count;
    }
    if (anchor >= 0) {
        zero = fit->strength[anchor];
    }
    for (int i = 0; i < count; i++) {
        int seat = fit->seat[i];
        out[i].rated = seat >= 0;
        out[i].elo = seat >= 0 ? elo_scale * (fit->strength[seat] - zero) : 0;
        out[i].plus_minus = seat >= 0 ? elo_scale * margin[seat] : NAN;
    }
}

int rating_fit(int count, const struct rating_pair *pairs, size_t pair_count, int anchor,
               struct rating *out) {
    int *seat = alloc_zeroed((size_t)count, sizeof *seat);
    struct fit fit = {.pairs = pairs, .pair_count = pair_count, .seat = seat};
    for (size_t i = 0; i < pair_count; i++) {
        if (pairs[i].matches > 0) {
            seat[pairs[i].a] = 1;
            seat[pairs[i].b] = 1;
        }
    }
    for (int i = 0; i < count; i++) {
        seat[i] = seat[i] != 0 ? fit.count++ : -1;
    }
    size_t n = (size_t)fit.count;
    fit.strength = alloc_zeroed(n, sizeof *fit.strength);
    fit.gradient = alloc_zeroed(n, sizeof *fit.gradient);
    fit.factor = alloc_zeroed(n * n, sizeof *fit.factor);
    double *margin = alloc_zeroed(n, sizeof *margin);
    int anchor_seat = anchor >= 0 ? seat[anchor] : -1;
    int passes = 0;
    if (fit.count > 0) {
        passes = climb(&fit);
        measure(&fit, anchor_seat, margin);
    }
    write_out(&fit, count, anchor_seat, margin, out);
    free(margin);
    free(fit.factor);
    free(fit.gradient);
    free(fit.strength);
    free(seat);
    return passes;
}

void rating_of_standings(const struct standings *standings, int anchor, struct rating *out) {
    size_t count = (size_t)standings->count;
    struct rating_pair *pairs = alloc_zeroed(count * count / 2 + 1, sizeof *pairs);
    size_t used = 0;
    for (int b = 1; b < standings->count; b++) {
        for (int a = 0; a < b; a++) {
            const struct pair_count *counted = standings_pair(standings, a, b);
            struct rating_pair *pair = &pairs[used++];
            pair->a = a;
            pair->b = b;
            for (int halves = 0; halves < 3; halves++) {
                rating_pair_add(pair, (double)counted->single[halves], 1, halves / 2.0);
            }
            for (int halves = 0; halves < 5; halves++) {
                int64_t clusters = counted->pair[halves] + counted->unmirrored[halves];
                rating_pair_add(pair, (double)clusters, 2, halves / 2.0);
            }
        }
    }
    rating_fit(standings->count, pairs, used, anchor, out);
    free(pairs);
}
