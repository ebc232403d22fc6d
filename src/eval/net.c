#include "eval/net.h"

#include "base/alloc.h"
#include "base/text.h"
#include "eval/net_inside.h"

#include <stdlib.h>
#include <string.h>

/* e to the -1/128 with 31 bits after the point; powers of it make both tables, without
 * floating point. */
static void fill_tables(struct net *net) {
    const uint64_t step = 2130771798u;
    uint64_t power = (uint64_t)1 << EXP_BITS;
    for (int n = 0; n < EXP_ENTRIES; n++) {
        net->exponential[n] = power;
        power = (power * step + ((uint64_t)1 << (EXP_BITS - 1))) >> EXP_BITS;
    }
    for (int n = 0; n < SIGMOID_ENTRIES / 2; n++) {
        int at = n < SIGMOID_MAX ? n : SIGMOID_MAX;
        uint64_t whole = ((uint64_t)1 << EXP_BITS) + net->exponential[at];
        uint64_t part = (((uint64_t)1 << (EXP_BITS + SIGMOID_BITS)) + whole / 2) / whole;
        net->sigmoid[n] = (int16_t)part;
        net->sigmoid[(SIGMOID_ENTRIES - n) % SIGMOID_ENTRIES] =
            (int16_t)(n == 0 ? (int)part : (1 << SIGMOID_BITS) - (int)part);
    }
    net->sigmoid[SIGMOID_ENTRIES / 2] = net->sigmoid[SIGMOID_ENTRIES / 2 + 1];
}

/* A sum of units times weights, 16 bits after the point, rounded to those of SUM_BITS. */
static int16_t round_sum(int32_t sum) {
    return (int16_t)((sum + (1 << (15 - SUM_BITS))) >> (16 - SUM_BITS));
}

/* What `count` checkers on a place add to each of `width` sums. */
static void fill_row(const struct net *net, int place, int count, const int16_t *weights, int width,
                     int16_t *row) {
    int16_t units[FEATURES_UNITS];
    features_units(net->rules.variant->hits, place % POINT_COUNT, count, units);
    for (int h = 0; h < width; h++) {
        int32_t sum = 0;
        for (int u = 0; u < FEATURES_UNITS; u++) {
            sum += units[u] * weights[(place * FEATURES_UNITS + u) * width + h];
        }
        row[h] = round_sum(sum);
    }
}

/* A dense feature's product is cut, not rounded: half a step each is put right here. */
static int16_t prepare_bias(int16_t bias, int cuts) {
    return (int16_t)((bias + 4) / 8 + cuts / 2);
}

void net_prepare(struct net *net, const struct net_weights *weights) {
    for (int place = 0; place < FEATURES_PLACES; place++) {
        for (int count = 0; count < FEATURES_COUNTS; count++) {
            fill_row(net, place, count, weights->units[0], NET_HIDDEN, net->row[place][count]);
            fill_row(net, place, count, weights->small_units[0], NET_SMALL,
                     net->small_row[place][count]);
        }
    }
    memcpy(net->dense, weights->dense, sizeof net->dense);
    memcpy(net->out, weights->out, sizeof net->out);
    memcpy(net->small_out, weights->small_out, sizeof net->small_out);
    for (int h = 0; h < NET_HIDDEN; h++) {
        net->bias[h] = prepare_bias(weights->bias[h], FEATURES_DENSE);
    }
    for (int h = 0; h < NET_SMALL; h++) {
        net->small_bias[h] = prepare_bias(weights->small_bias[h], 0);
    }
    for (int k = 0; k < NET_RESULTS; k++) {
        net->out_bias[k] = weights->out_bias[k] * (1 << SIGMOID_BITS);
    }
    net->small_out_bias = weights->small_out_bias * (1 << SIGMOID_BITS);
    fill_tables(net);
}

struct net *net_begin(const struct variant *variant, const char *name) {
    struct net *net = alloc_zeroed(1, sizeof *net);
    rules_init(&net->rules, variant);
    text_copy(net->name, sizeof net->name, name, strlen(name));
    return net;
}

void net_free(struct net *net) {
    free(net);
}

const struct variant *net_variant(const struct net *net) {
    return net->rules.variant;
}

const char *net_name(const struct net *net) {
    return net->name;
}

bool net_knows(const struct net *net, const struct rules *rules, const char **option) {
    static const enum option decisive[] = {
        OPTION_MUST_MAX,       OPTION_LARGER_DIE,         OPTION_WIN_ENDS_TURN,
        OPTION_BEAROFF,        OPTION_HIT_AND_RUN,        OPTION_KATMERLI,
        OPTION_WALL,           OPTION_WALL_PATH,          OPTION_WALL_FRONT,
        OPTION_HEAD_EXCEPTION, OPTION_HEAD_EXCEPTION_WHO, OPTION_KOKS,
        OPTION_KOKS_TEST,      OPTION_HOME_MARS,          OPTION_DRAW};
    *option = "variant";
    if (rules->variant != net->rules.variant) {
        return false;
    }
    for (size_t i = 0; i < sizeof decisive / sizeof decisive[0]; i++) {
        *option = option_row(decisive[i])->name;
        if (rules->value[decisive[i]] != net->rules.value[decisive[i]]) {
            return false;
        }
    }
    return true;
}
