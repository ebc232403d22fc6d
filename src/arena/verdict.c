#include "arena/verdict.h"

#include "arena/fortune.h"
#include "arena/page.h"
#include "arena/stopping.h"
#include "base/lang.h"

#include <math.h>

/* The two bots of an event and what is known of them. */
struct duel {
    const struct report_view *view;
    const struct estimate *estimate;
};

/* The reading to go by: the fitted one, as declared; the raw one where no luck is known, or too
 * little was played to fit anything. */
static enum estimate_reading headline(const struct duel *pair) {
    bool fitted =
        pair->view->fortune != NULL && !isnan(pair->estimate->points[ESTIMATE_FITTED].value);
    return fitted ? ESTIMATE_FITTED : ESTIMATE_RAW;
}

/* How sure it is in % that the sign of a figure is right. */
static double surety(struct estimate_figure figure) {
    double errors = 1.959964 * fabs(figure.value) / figure.margin;
    return 50 * (1 + erf(errors / sqrt(2)));
}

static void add_surety(const struct report_view *view, struct estimate_figure figure,
                       struct bytes *out) {
    double sure = surety(figure);
    if (sure >= 99.95) {
        bytes_add_text(out, page_say(view, N_("sure to more than 99.9 %")));
    } else {
        bytes_print(out, page_say(view, N_("sure to %.1f %%")), sure);
    }
}

/* The same as a share of the matches. */
static void tell_score(const struct duel *pair, bool turned, struct bytes *out) {
    double score = pair->estimate->score[headline(pair)].value;
    double elo = pair->estimate->elo[headline(pair)].value;
    if (!isnan(elo)) {
        bytes_print(out, page_say(pair->view, N_("That is %.1f %% of the matches, or %+.0f Elo. ")),
                    100 * (turned ? 1 - score : score), turned ? -elo : elo);
    }
}

/* Who is better, by how much, how sure. */
static void write_judgement(const struct duel *pair, struct bytes *out) {
    const struct report_view *view = pair->view;
    struct estimate_figure figure = pair->estimate->points[headline(pair)];
    bool turned = figure.value < 0;
    const char *ahead = view->event->entrants[turned ? 1 : 0].name;
    const char *behind = view->event->entrants[turned ? 0 : 1].name;
    double lead = fabs(figure.value);
    if (figure.margin <= 0 && lead <= 0) {
        bytes_print(out,
                    page_say(view, N_("%s and %s are level: each pair on the same dice ended as it "
                                      "began. ")),
                    ahead, behind);
        return;
    }
    bytes_print(
        out,
        lead > figure.margin
            ? page_say(view, N_("%s is better than %s: by %.3f points a game, give or take "
                                "%.3f ("))
            : page_say(view, N_("%s is ahead of %s by %.3f points a game, give or take %.3f, "
                                "which may be chance (")),
        ahead, behind, lead, figure.margin);
    add_surety(view, figure, out);
    bytes_add_text(out, "). ");
    tell_score(pair, turned, out);
    double times = (figure.margin / lead) * (figure.margin / lead);
    if (lead <= figure.margin && times < 1000) {
        bytes_print(out,
                    page_say(view, N_("If that is what they differ by, about %.0f games would tell "
                                      "it. ")),
                    ceil(pair->estimate->games * times));
    }
}

/* How much of it was luck. */
static void write_luck(const struct duel *pair, struct bytes *out) {
    const struct report_view *view = pair->view;
    const struct estimate *estimate = pair->estimate;
    struct estimate_figure raw = estimate->points[ESTIMATE_RAW];
    double luck = raw.value - estimate->points[ESTIMATE_FITTED].value;
    double gain = estimate->ratio[ESTIMATE_FITTED];
    bool turned = estimate->points[ESTIMATE_FITTED].value < 0;
    const char *ahead = view->event->entrants[turned ? 1 : 0].name;
    bytes_print(
        out,
        page_say(view, N_("As played %s won %+.3f a game, give or take %.3f; the dice gave %s "
                          "%.3f of a point a game. ")),
        ahead, turned ? -raw.value : raw.value, raw.margin,
        view->event->entrants[luck < 0 ? 1 : 0].name, fabs(luck));
    if (!isnan(gain) && gain > 1.05) {
        bytes_print(
            out,
            page_say(view, N_("Luck made %.0f %% of the scatter: without it these %.0f games "
                              "say as much as %.0f do with it. ")),
            100 * (1 - 1 / gain), estimate->games, estimate->games * gain);
    } else if (!isnan(gain)) {
        bytes_add_text(out, page_say(view, N_("The luck of the dice hardly mattered between these "
                                              "two. ")));
    }
}

static void write_verdict(const struct duel *pair, struct bytes *out) {
    const struct report_view *view = pair->view;
    bool fitted = headline(pair) == ESTIMATE_FITTED;
    if (isnan(pair->estimate->points[headline(pair)].margin) ||
        (view->fortune != NULL && !fitted)) {
        bytes_print(out,
                    page_say(view, N_("No verdict on %s and %s: %zu samples are too few, give "
                                      "--pairs %d or more. ")),
                    view->event->entrants[0].name, view->event->entrants[1].name,
                    pair->estimate->units, ESTIMATE_UNITS_MIN);
        return;
    }
    write_judgement(pair, out);
    if (fitted) {
        write_luck(pair, out);
    }
}

/* Whether the rule that ends the event early has done so. */
static void tell_stop(const struct report_view *view, struct bytes *out) {
    struct stopping stopping;
    stopping_init(&stopping);
    if (!view->event->stops) {
        return;
    }
    bool decided = stopping_look(&stopping, view->fortune, view->event, view->tournament);
    bytes_print(
        out,
        decided ? page_say(view, N_("The event was decided after %u samples, by a rule that calls "
                                    "equal bots unequal once in twenty events at most. "))
                : page_say(view, N_("The event was not decided by its %u samples. ")),
        (unsigned)stopping.units);
}

void verdict_tell(const struct report_view *view, const struct estimate *estimate,
                  struct bytes *out) {
    const struct duel duel = {view, estimate};
    write_verdict(&duel, out);
    tell_stop(view, out);
}
