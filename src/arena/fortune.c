#include "arena/fortune.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

void fortune_init(struct fortune *fortune, const struct event *event) {
    *fortune = (struct fortune){.event = event};
}

void fortune_clear(struct fortune *fortune) {
    free(fortune->leg);
    fortune->leg = NULL;
    fortune->legs = 0;
}

void fortune_forget(struct fortune *fortune) {
    fortune_clear(fortune);
    fortune->games = 0;
}

/* The match, or NULL while nothing of it is known. */
static struct fortune_leg *find_leg(const struct fortune *fortune, uint32_t unit, int leg) {
    uint64_t number = schedule_match_number(fortune->event, unit, leg);
    return number <= fortune->legs ? &fortune->leg[number - 1] : NULL;
}

static void grow(struct fortune *fortune, uint64_t number) {
    uint64_t room = fortune->legs == 0 ? 64 : fortune->legs;
    while (room < number) {
        room *= 2;
    }
    fortune->leg = alloc_resize(fortune->leg, room, sizeof *fortune->leg);
    for (uint64_t i = fortune->legs; i < room; i++) {
        fortune->leg[i] = (struct fortune_leg){.games = 0};
    }
    fortune->legs = room;
}

bool fortune_add(struct fortune *fortune, const struct fortune_game *game) {
    uint64_t number = schedule_match_number(fortune->event, game->unit, game->leg);
    if (number > fortune->legs) {
        grow(fortune, number);
    }
    struct fortune_leg *leg = &fortune->leg[number - 1];
    if (game->luck.game != (unsigned)leg->games + 1) {
        return false;
    }
    leg->games++;
    leg->points += game->luck.points;
    leg->wins += game->luck.wins;
    estimate_games_add(&leg->each, (double)game->luck.net / POINT_HALVES,
                       (double)game->luck.points / LUCK_ONE);
    fortune->games++;
    return true;
}

int fortune_known(const struct fortune *fortune, uint32_t unit, int leg) {
    const struct fortune_leg *found = find_leg(fortune, unit, leg);
    return found != NULL ? found->games : 0;
}

struct estimate_units *fortune_pair(const struct fortune_survey *survey, int a, int b) {
    return &survey->pair[(size_t)b * (size_t)(b - 1) / 2 + (size_t)a];
}

void fortune_add_match(const struct tally *tally, const struct fortune_leg *leg, enum side side,
                       struct estimate_unit *sample) {
    double sign = side == SIDE_X ? 1 : -1;
    sample->games += tally->games;
    sample->points += sign * tally->net / POINT_HALVES;
    sample->luck += sign * (double)leg->points / LUCK_ONE;
    sample->matches++;
    sample->score += tally->halves[side] / 2.0;
    sample->luck_of_score += sign * (double)leg->wins / LUCK_ONE;
}

/* What a survey goes over. */
struct pass {
    const struct fortune *fortune; /* NULL: none */
    const struct event *event;
    const struct tournament *tournament;
    struct fortune_survey *out;
};

static const struct fortune_leg no_luck = {.games = 0};

static const struct fortune_leg *leg_of(const struct pass *pass, uint32_t unit, int leg) {
    const struct fortune_leg *found =
        pass->fortune != NULL ? find_leg(pass->fortune, unit, leg) : NULL;
    return found != NULL ? found : &no_luck;
}

/* Adds the matches of a unit to its sample, seen by `a`; whether all of them have a result and
 * known luck. */
static bool add_matches(const struct pass *pass, const struct unit *unit, int a,
                        struct estimate_unit *sample) {
    bool whole = true;
    for (int leg = 1; leg <= unit->legs; leg++) {
        const struct match_row *row = tournament_match(pass->tournament, unit->number, leg);
        const struct fortune_leg *luck = leg_of(pass, unit->number, leg);
        struct tally tally = {.counts = false};
        if (row != NULL) {
            tally = tally_match(&pass->event->rules, row);
        }
        bool over = tally.counts;
        bool known = over && (pass->fortune == NULL || luck->games >= row->games);
        pass->out->known += known;
        pass->out->missing += over && !known;
        whole = whole && known;
        if (known) {
            enum side side = row->entrant[SIDE_X] == a ? SIDE_X : SIDE_Y;
            fortune_add_match(&tally, luck, side, sample);
        }
    }
    return whole && sample->games > 0;
}

static void survey_unit(const struct pass *pass, uint32_t number) {
    struct unit unit = schedule_unit(pass->event, number);
    struct estimate_unit sample = {.games = 0};
    int x = unit.player[0], y = unit.player[1];
    int a = x < y ? x : y, b = x < y ? y : x;
    if (a == b || !add_matches(pass, &unit, a, &sample)) {
        return;
    }
    struct estimate_units *units = fortune_pair(pass->out, a, b);
    estimate_units_add(units, &sample);
    for (int leg = 1; leg <= unit.legs; leg++) {
        estimate_games_join(&units->games, &leg_of(pass, number, leg)->each,
                            schedule_entrant(&unit, leg, SIDE_X) == a ? 1 : -1);
    }
}

enum fortune_state fortune_sample(const struct fortune *fortune, const struct event *event,
                                  const struct tournament *tournament, uint32_t number,
                                  struct estimate_unit *out) {
    struct fortune_survey counts = {.known = 0};
    const struct pass pass = {fortune, event, tournament, &counts};
    struct unit unit = schedule_unit(event, number);
    struct hash heads[SIDE_COUNT];
    int x = unit.player[0], y = unit.player[1];
    *out = (struct estimate_unit){.games = 0};
    if (add_matches(&pass, &unit, x < y ? x : y, out)) {
        return FORTUNE_KNOWN;
    }
    bool over = tournament_unit_over(tournament, number, heads);
    return over && counts.missing == 0 ? FORTUNE_NONE : FORTUNE_MISSING;
}

void fortune_survey_init(struct fortune_survey *survey, const struct event *event) {
    size_t count = (size_t)event->entrant_count;
    size_t pairs = count < 2 ? 0 : count * (count - 1) / 2;
    *survey = (struct fortune_survey){.entrants = event->entrant_count};
    survey->pair = alloc_zeroed(pairs + 1, sizeof *survey->pair);
    for (size_t i = 0; i < pairs; i++) {
        survey->pair[i].score_luck = event->rules.value[OPTION_MATCH] == 1;
    }
}

/* The last unit that anything is known of: behind it the schedule need not be gone through. */
static uint32_t last_unit(const struct fortune *fortune, const struct event *event) {
    uint32_t units = schedule_units(event), unit = 0;
    int leg;
    if (fortune != NULL && fortune->legs > 0) {
        schedule_match_at(event, fortune->legs, &unit, &leg);
        units = unit < units ? unit : units;
    }
    return units;
}

void fortune_survey(const struct fortune *fortune, const struct event *event,
                    const struct tournament *tournament, struct fortune_survey *out) {
    const struct pass pass = {fortune, event, tournament, out};
    fortune_survey_init(out, event);
    uint32_t units = last_unit(fortune, event);
    for (uint32_t number = 1; number <= units; number++) {
        survey_unit(&pass, number);
    }
}

void fortune_survey_clear(struct fortune_survey *survey) {
    for (int b = 1; b < survey->entrants; b++) {
        for (int a = 0; a < b; a++) {
            estimate_units_clear(fortune_pair(survey, a, b));
        }
    }
    free(survey->pair);
    survey->pair = NULL;
}

/* A pass over all pairs of bots that met. */
static void each_pair(const struct fortune_survey *survey,
                      void (*take)(void *owner, int a, int b, const struct estimate_units *units),
                      void *owner) {
    for (int b = 1; b < survey->entrants; b++) {
        for (int a = 0; a < b; a++) {
            const struct estimate_units *units = fortune_pair(survey, a, b);
            if (units->count > 0) {
                take(owner, a, b, units);
            }
        }
    }
}

struct fortune_luck fortune_luck(const struct fortune_survey *survey) {
    struct fortune_luck luck = {.pairs = 0};
    for (int b = 1; b < survey->entrants; b++) {
        for (int a = 0; a < b; a++) {
            double t = estimate_luck_t(fortune_pair(survey, a, b));
            double freedom = (double)fortune_pair(survey, a, b)->count - 1;
            if (!isnan(t)) {
                luck.squares += t * t;
                luck.expected += freedom / (freedom - 2);
                luck.pairs++;
            }
        }
    }
    return luck;
}

/* What fortune_rate works with. */
struct rate {
    enum estimate_mean mean;
    struct estimate_slopes shared; /* of pairs that have too few units for their own */
    struct rating_pair *pair;
    size_t pairs;
    struct estimate_stratum *total; /* [bot] */
};

static void add_slopes(void *owner, int a, int b, const struct estimate_units *units) {
    struct rate *rate = owner;
    (void)a;
    (void)b;
    if (units->count < ESTIMATE_UNITS_MIN) {
        estimate_add_slopes(units, rate->mean, &rate->shared);
    }
}

static void find_beta(const struct rate *rate, const struct estimate_units *units,
                      double beta[2]) {
    struct estimate_slopes own = rate->shared;
    if (units->count >= ESTIMATE_UNITS_MIN) {
        own = (struct estimate_slopes){.xx = {0, 0}};
        estimate_add_slopes(units, rate->mean, &own);
    }
    estimate_slopes_beta(&own, beta);
}

static void add_scores(void *owner, int a, int b, const struct estimate_units *units) {
    struct rate *rate = owner;
    struct rating_pair *pair = &rate->pair[rate->pairs++];
    double beta[2];
    find_beta(rate, units, beta);
    *pair = (struct rating_pair){.a = a, .b = b};
    for (size_t i = 0; i < units->count; i++) {
        rating_pair_add(pair, 1, units->unit[i].matches,
                        estimate_without(units, i, rate->mean, beta[i % 2]));
    }
}

static void add_points(void *owner, int a, int b, const struct estimate_units *units) {
    const struct rate *rate = owner;
    struct estimate_stratum stratum;
    double beta[2];
    find_beta(rate, units, beta);
    estimate_stratum_make(units, beta, &stratum);
    estimate_stratum_join(&rate->total[a], &stratum, 1);
    estimate_stratum_join(&rate->total[b], &stratum, -1);
}

void fortune_rate(const struct fortune_survey *survey, struct fortune_bot *out) {
    size_t count = (size_t)survey->entrants;
    struct rate scores = {.mean = ESTIMATE_SCORE}, points = {.mean = ESTIMATE_POINTS};
    struct rating *rating = alloc_zeroed(count, sizeof *rating);
    scores.pair = alloc_zeroed(count * count / 2 + 1, sizeof *scores.pair);
    points.total = alloc_zeroed(count, sizeof *points.total);
    each_pair(survey, add_slopes, &scores);
    each_pair(survey, add_scores, &scores);
    rating_fit(survey->entrants, scores.pair, scores.pairs, -1, rating);
    each_pair(survey, add_slopes, &points);
    each_pair(survey, add_points, &points);
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct fortune_bot){rating[i], estimate_stratum_tell(&points.total[i])};
    }
    free(points.total);
    free(scores.pair);
    free(rating);
}

struct fortune_bot *fortune_bots(const struct fortune *fortune, const struct event *event,
                                 const struct tournament *tournament) {
    struct fortune_survey survey;
    if (fortune == NULL) {
        return NULL;
    }
    struct fortune_bot *bots = alloc_zeroed((size_t)event->entrant_count + 1, sizeof *bots);
    fortune_survey(fortune, event, tournament, &survey);
    fortune_rate(&survey, bots);
    fortune_survey_clear(&survey);
    return bots;
}
