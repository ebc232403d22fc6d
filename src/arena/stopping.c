#include "arena/stopping.h"

#include <math.h>

static const double wrong = 0.05;   /* chance to call equal bots unequal */
static const double best_at = 10.0; /* square points */
static const double beta_max = 1.25;

void stopping_init(struct stopping *stopping) {
    *stopping = (struct stopping){.next = 1};
}

/* What the samples so far make of beta; 0 while there are few. */
static double beta_of(const struct stopping *stopping) {
    double n = stopping->n;
    double xx = stopping->xx - stopping->x * stopping->x / n;
    if (n < STOPPING_UNITS_MIN || xx <= 0) {
        return 0;
    }
    double beta = (stopping->xy - stopping->x * stopping->y / n) / xx;
    return beta < 0 ? 0 : beta > beta_max ? beta_max : beta;
}

void stopping_add(struct stopping *stopping, double points, double luck) {
    double sample = points - beta_of(stopping) * luck;
    stopping->sum += sample;
    stopping->squares += sample * sample;
    stopping->n++;
    stopping->y += points;
    stopping->x += luck;
    stopping->xy += points * luck;
    stopping->xx += luck * luck;
    stopping->units++;
    double room = stopping->squares + best_at;
    double boundary = room * log(room / (best_at * wrong * wrong));
    if (stopping->units >= STOPPING_UNITS_MIN &&
        stopping->sum * stopping->sum > boundary) {
        stopping->decided = true;
        stopping->ahead = stopping->sum > 0 ? 0 : 1;
    }
}

bool stopping_look(struct stopping *stopping, const struct fortune *fortune,
                   const struct event *event, const struct tournament *tournament) {
    uint32_t units = schedule_units(event);
    while (!stopping->decided && stopping->next <= units) {
        struct estimate_unit sample;
        enum fortune_state state =
            fortune_sample(fortune, event, tournament, stopping->next, &sample);
        if (state == FORTUNE_MISSING) {
            break;
        }
        if (state == FORTUNE_KNOWN) {
            stopping_add(stopping, sample.points, sample.luck);
        }
        stopping->next++;
    }
    return stopping->decided;
}
