#include "float_net.h"

#include <string.h>

enum { LANES = 16 };

uint64_t train_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static float small_random(uint64_t *random, float width) {
    return ((float)(train_random(random) >> 20) / 8589934592.0f * 2 - 1) * width;
}

static void fill_random(float *weights, size_t count, float width, uint64_t *random) {
    for (size_t i = 0; i < count; i++) {
        weights[i] = small_random(random, width);
    }
}

void float_net_init(struct float_net *net, uint64_t *random) {
    memset(net, 0, sizeof *net);
    fill_random(net->units[0], sizeof net->units / sizeof(float), 0.1f, random);
    fill_random(net->dense[0], sizeof net->dense / sizeof(float), 0.1f, random);
    fill_random(net->out[0], sizeof net->out / sizeof(float), 0.1f, random);
    fill_random(net->small_units[0], sizeof net->small_units / sizeof(float), 0.1f, random);
    fill_random(net->small_out, NET_SMALL, 0.1f, random);
}

/* e to the x for x within +-80, without a branch, so that many are done at once: a power of
 * two, and a polynomial for the rest. */
static inline float exponential(float x) {
    float scaled = x * 1.44269504f;
    int32_t whole = (int32_t)(scaled + 128.5f) - 128;
    float rest = (scaled - (float)whole) * 0.69314718f;
    float power =
        1.0f + rest * (1.0f + rest * (0.5f + rest * (0.16666667f + rest * (0.041666667f +
                                                                           rest * 0.0083333333f))));
    int32_t bits = (whole + 127) * (1 << 23);
    float two;
    memcpy(&two, &bits, sizeof two);
    return power * two;
}

static inline float clamp(float x, float limit) {
    x = x > limit ? limit : x;
    return x < -limit ? -limit : x;
}

static void squash(float *restrict x, int width) {
    for (int h = 0; h < width; h++) {
        x[h] = clamp(x[h], 20.0f);
    }
    for (int h = 0; h < width; h++) {
        x[h] = 1.0f / (1.0f + exponential(-x[h]));
    }
}

static inline void add_scaled(float *restrict sum, const float *restrict row, float factor,
                              int width) {
    for (int h = 0; h < width; h++) {
        sum[h] += factor * row[h];
    }
}

static inline float dot(const float *restrict a, const float *restrict b, int width) {
    float lane[LANES] = {0}, sum = 0;
    for (int h = 0; h < width; h += LANES) {
        for (int i = 0; i < LANES; i++) {
            lane[i] += a[h + i] * b[h + i];
        }
    }
    for (int i = 0; i < LANES; i++) {
        sum += lane[i];
    }
    return sum;
}

float float_points(const float chance[NET_RESULTS]) {
    return chance[0] + 2 * chance[1] + 3 * chance[2] - chance[3] - 2 * chance[4] - 3 * chance[5];
}

static void softmax(const float logit[NET_RESULTS], unsigned possible, float chance[NET_RESULTS]) {
    float top = -1e30f, sum = 0;
    for (int k = 0; k < NET_RESULTS; k++) {
        if ((possible >> k & 1) && logit[k] > top) {
            top = logit[k];
        }
    }
    for (int k = 0; k < NET_RESULTS; k++) {
        float below = logit[k] - top < -25.0f ? -25.0f : logit[k] - top;
        chance[k] = possible >> k & 1 ? exponential(below) : 0;
        sum += chance[k];
    }
    for (int k = 0; k < NET_RESULTS; k++) {
        chance[k] /= sum;
    }
}

static void results(const struct float_net *net, const float hidden[NET_HIDDEN], unsigned possible,
                    float chance[NET_RESULTS]) {
    float logit[NET_RESULTS];
    for (int k = 0; k < NET_RESULTS; k++) {
        logit[k] = net->out_bias[k] + dot(hidden, net->out[k], NET_HIDDEN);
    }
    softmax(logit, possible, chance);
}

void float_rows_fill(const struct float_net *net, bool hits, struct float_rows *rows) {
    memset(rows, 0, sizeof *rows);
    for (int place = 0; place < FEATURES_PLACES; place++) {
        for (int count = 0; count < FEATURES_COUNTS; count++) {
            int16_t units[FEATURES_UNITS];
            features_units(hits, place % POINT_COUNT, count, units);
            for (int u = 0; u < FEATURES_UNITS; u++) {
                if (units[u] != 0) {
                    add_scaled(rows->row[place][count], net->units[place * FEATURES_UNITS + u],
                               (float)units[u] / FEATURES_UNIT_ONE, NET_HIDDEN);
                }
            }
        }
    }
}

static const uint8_t *men_of(const struct board *board, enum side to_throw, int side) {
    return board->men[side == 0 ? to_throw : side_other(to_throw)];
}

void float_view_read(const struct variant *variant, const struct board *board, enum side to_throw,
                     struct float_view *view) {
    int16_t dense[FEATURES_DENSE], units[FEATURES_UNITS];
    view->count = 0;
    for (int place = 0; place < FEATURES_PLACES; place++) {
        int point = place % POINT_COUNT;
        int men = men_of(board, to_throw, place / POINT_COUNT)[point];
        features_units(variant->hits, point, men, units);
        for (int u = 0; u < FEATURES_UNITS; u++) {
            if (units[u] != 0) {
                view->at[view->count] = (int16_t)(place * FEATURES_UNITS + u);
                view->value[view->count++] = (float)units[u] / FEATURES_UNIT_ONE;
            }
        }
    }
    features_dense(variant, board, to_throw, dense);
    for (int f = 0; f < FEATURES_DENSE; f++) {
        view->dense[f] = (float)dense[f] / FEATURES_DENSE_ONE;
    }
}

void float_net_forward(const struct float_net *net, unsigned possible, struct float_view *view) {
    memcpy(view->hidden, net->bias, sizeof view->hidden);
    memcpy(view->small_hidden, net->small_bias, sizeof view->small_hidden);
    for (int i = 0; i < view->count; i++) {
        add_scaled(view->hidden, net->units[view->at[i]], view->value[i], NET_HIDDEN);
        add_scaled(view->small_hidden, net->small_units[view->at[i]], view->value[i], NET_SMALL);
    }
    for (int f = 0; f < FEATURES_DENSE; f++) {
        add_scaled(view->hidden, net->dense[f], view->dense[f], NET_HIDDEN);
    }
    squash(view->hidden, NET_HIDDEN);
    squash(view->small_hidden, NET_SMALL);
    results(net, view->hidden, possible, view->chance);
    view->small_points = net->small_out_bias + dot(view->small_hidden, net->small_out, NET_SMALL);
}

/* What the small net is to learn: the large one's points. */
static void learn_small(struct float_net *net, const struct float_view *view, float points,
                        float step) {
    float error = clamp(points - view->small_points, 1.0f) * step;
    float back[NET_SMALL];
    for (int h = 0; h < NET_SMALL; h++) {
        float y = view->small_hidden[h];
        back[h] = error * net->small_out[h] * y * (1 - y);
    }
    add_scaled(net->small_out, view->small_hidden, error, NET_SMALL);
    net->small_out_bias += error;
    for (int i = 0; i < view->count; i++) {
        add_scaled(net->small_units[view->at[i]], back, view->value[i], NET_SMALL);
    }
    add_scaled(net->small_bias, back, 1, NET_SMALL);
}

void float_net_learn(struct float_net *net, const struct float_view *view, unsigned possible,
                     const float target[NET_RESULTS], float step) {
    float back[NET_HIDDEN] = {0};
    for (int k = 0; k < NET_RESULTS; k++) {
        if (possible >> k & 1) {
            float error = step * (target[k] - view->chance[k]);
            add_scaled(back, net->out[k], error, NET_HIDDEN);
            add_scaled(net->out[k], view->hidden, error, NET_HIDDEN);
            net->out_bias[k] += error;
        }
    }
    for (int h = 0; h < NET_HIDDEN; h++) {
        back[h] *= view->hidden[h] * (1 - view->hidden[h]);
    }
    for (int i = 0; i < view->count; i++) {
        add_scaled(net->units[view->at[i]], back, view->value[i], NET_HIDDEN);
    }
    for (int f = 0; f < FEATURES_DENSE; f++) {
        add_scaled(net->dense[f], back, view->dense[f], NET_HIDDEN);
    }
    add_scaled(net->bias, back, 1, NET_HIDDEN);
    learn_small(net, view, float_points(target), step * 0.25f);
}

void float_rows_base(const struct float_net *net, const struct float_rows *rows,
                     const struct board *board, enum side to_throw, float sum[NET_HIDDEN]) {
    memcpy(sum, net->bias, NET_HIDDEN * sizeof sum[0]);
    for (int place = 0; place < FEATURES_PLACES; place++) {
        int men = men_of(board, to_throw, place / POINT_COUNT)[place % POINT_COUNT];
        if (men > 0) {
            add_scaled(sum, rows->row[place][men], 1, NET_HIDDEN);
        }
    }
}

float float_rows_points(const struct float_net *net, const struct float_rows *rows,
                        const struct variant *variant, const struct board *base,
                        const float base_sum[NET_HIDDEN], const struct board *board,
                        enum side to_throw) {
    float sum[NET_HIDDEN], chance[NET_RESULTS];
    int16_t dense[FEATURES_DENSE];
    memcpy(sum, base_sum, sizeof sum);
    for (int place = 0; place < FEATURES_PLACES; place++) {
        int point = place % POINT_COUNT;
        int was = men_of(base, to_throw, place / POINT_COUNT)[point];
        int now = men_of(board, to_throw, place / POINT_COUNT)[point];
        if (was != now) {
            const float *gone = rows->row[place][was], *come = rows->row[place][now];
            for (int h = 0; h < NET_HIDDEN; h++) {
                sum[h] += come[h] - gone[h];
            }
        }
    }
    features_dense(variant, board, to_throw, dense);
    for (int f = 0; f < FEATURES_DENSE; f++) {
        add_scaled(sum, net->dense[f], (float)dense[f] / FEATURES_DENSE_ONE, NET_HIDDEN);
    }
    squash(sum, NET_HIDDEN);
    results(net, sum, net_possible(variant, board, to_throw), chance);
    return float_points(chance);
}

int float_net_round(const struct float_net *net, struct net_weights *out) {
    const float *from = (const float *)net;
    int16_t *to = (int16_t *)out;
    int cut = 0;
    for (size_t i = 0; i < NET_NUMBERS; i++) {
        float scaled = from[i] * NET_WEIGHT_ONE;
        cut += scaled > 32767 || scaled < -32767;
        scaled = clamp(scaled, 32767);
        to[i] = (int16_t)(scaled + (scaled < 0 ? -0.5f : 0.5f));
    }
    return cut;
}
