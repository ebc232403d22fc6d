#include "arena/estimate_report.h"

#include "arena/fortune.h"
#include "arena/page.h"
#include "arena/verdict.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/lang.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two bots of an event and what is known of them. */
struct pair_view {
    const struct report_view *view;
    const struct estimate *estimate;
    int a, b;
};

static const char *name_of(const struct report_view *view, int entrant) {
    return view->event->entrants[entrant].name;
}

static void add_cell(struct grid *grid, int decimals, bool sign, double number) {
    if (isnan(number)) {
        grid_cell(grid, "-");
    } else {
        grid_cell(grid, sign ? "%+.*f" : "%.*f", decimals, number);
    }
}

static void write_rows(const struct pair_view *pair, struct bytes *out) {
    static const char *const rows[ESTIMATE_READINGS] = {N_("raw"), N_("luck off (beta 1)"),
                                                        N_("luck off (fitted)")};
    static const char *const heads[] = {N_("pts/game"), "+-", N_("score %"), "+-",
                                        "Elo",          "+-", N_("gain")};
    const struct estimate *estimate = pair->estimate;
    struct grid grid;
    grid_init(&grid);
    grid_column(&grid, true, "");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        grid_column(&grid, false, page_say(pair->view, heads[i]));
    }
    for (int i = 0; i < ESTIMATE_READINGS; i++) {
        grid_cell(&grid, "%s", page_say(pair->view, rows[i]));
        add_cell(&grid, 4, true, estimate->points[i].value);
        add_cell(&grid, 4, false, estimate->points[i].margin);
        add_cell(&grid, 2, false, 100 * estimate->score[i].value);
        add_cell(&grid, 2, false, 100 * estimate->score[i].margin);
        add_cell(&grid, 1, true, estimate->elo[i].value);
        add_cell(&grid, 1, false, estimate->elo[i].margin);
        add_cell(&grid, 2, false, estimate->ratio[i]);
    }
    grid_write(&grid, pair->view->width > 0 ? (size_t)pair->view->width : REPORT_WIDTH, out);
}

/* A paragraph: sentences, to be wrapped into the page. */
static void write_paragraph(const struct report_view *view, struct bytes *sentences,
                            struct bytes *out) {
    size_t width = view->width > 0 ? (size_t)view->width : REPORT_WIDTH;
    if (sentences->length > 0) {
        grid_paragraph(bytes_text(sentences), width, out);
    }
    bytes_clear(sentences);
}

/* The evaluator, and whether it is the one that was declared in time. */
static void tell_evaluator(const struct report_view *view, struct bytes *out) {
    const struct fortune *fortune = view->fortune;
    bytes_print(out, page_say(view, N_("The evaluator is %s. ")), fortune->evaluator);
    if (fortune->declared[0] == '\0') {
        bytes_add_text(out, page_say(view, N_("None was declared when the event began.")));
    } else if (strcmp(fortune->declared, fortune->evaluator) != 0) {
        bytes_print(
            out,
            page_say(view, N_("The event was declared with another one, %s: all of this is by "
                              "the first named, and is not the headline that was declared.")),
            fortune->declared);
    } else if (fortune->since > 0) {
        bytes_print(out, page_say(view, N_("It was declared after %lld matches had been played.")),
                    (long long)fortune->since);
    } else {
        bytes_add_text(out, page_say(view, N_("It was declared before the first game.")));
    }
}

static void write_details(const struct pair_view *pair, struct bytes *out) {
    const struct report_view *view = pair->view;
    const struct estimate *estimate = pair->estimate;
    struct bytes sentences;
    bytes_init(&sentences, REPORT_MAX);
    bytes_print(out, page_say(view, N_("%s against %s: %zu samples, %.0f games\n")),
                name_of(view, pair->a), name_of(view, pair->b), estimate->units, estimate->games);
    write_rows(pair, out);
    if (!isnan(estimate->ratio[ESTIMATE_FITTED])) {
        bytes_print(
            &sentences,
            page_say(view, N_("The last row is the headline, whatever it says: beta %.3f and "
                              "%.3f, each from the other half of the samples. Luck %+.4f points "
                              "a sample, t = %+.2f (within 2 mostly).")),
            estimate->beta[0], estimate->beta[1], estimate->luck, estimate->luck_t);
    }
    write_paragraph(view, &sentences, out);
}

static void add_fraction(struct bytes *out, const char *key, double number) {
    if (isnan(number)) {
        bytes_print(out, ",\"%s\":null", key);
    } else {
        bytes_print(out, ",\"%s\":%.8g", key, number);
    }
}

static void add_figure(struct bytes *out, const char *key, struct estimate_figure figure) {
    bytes_print(out, ",\"%s\":{\"value\":", key);
    bytes_print(out, isnan(figure.value) ? "null" : "%.8g", figure.value);
    add_fraction(out, "margin", figure.margin);
    bytes_add_text(out, "}");
}

static void write_json(const struct pair_view *pair, struct bytes *out) {
    const struct report_view *view = pair->view;
    const struct estimate *estimate = pair->estimate;
    bytes_add_text(out, "{\"type\":\"estimate\"");
    json_add_member(out, "event", view->event->name);
    json_add_member(out, "a", name_of(view, pair->a));
    json_add_member(out, "b", name_of(view, pair->b));
    json_add_member(out, "evaluator", view->fortune->evaluator);
    json_add_member(out, "declared", view->fortune->declared);
    json_add_member(out, "headline", estimate_reading_name(ESTIMATE_FITTED));
    bytes_print(out, ",\"samples\":%zu,\"games\":%.0f", estimate->units, estimate->games);
    for (int i = 0; i < ESTIMATE_READINGS; i++) {
        bytes_print(out, ",\"%s\":{\"reading\":%d", estimate_reading_name((enum estimate_reading)i),
                    i);
        add_figure(out, "points_per_game", estimate->points[i]);
        add_figure(out, "score", estimate->score[i]);
        add_figure(out, "elo", estimate->elo[i]);
        add_fraction(out, "variance_ratio", estimate->ratio[i]);
        bytes_add_text(out, "}");
    }
    add_fraction(out, "beta_even", estimate->beta[0]);
    add_fraction(out, "beta_odd", estimate->beta[1]);
    add_fraction(out, "worth_raw_games", estimate->games * estimate->ratio[ESTIMATE_FITTED]);
    add_fraction(out, "game_ratio", estimate->game_ratio);
    add_fraction(out, "luck", estimate->luck);
    add_fraction(out, "luck_t", estimate->luck_t);
    bytes_add_text(out, "}\n");
}

static void add_column(struct bytes *out, double number) {
    if (isnan(number)) {
        bytes_add_text(out, ",");
    } else {
        bytes_print(out, ",%.8g", number);
    }
}

static void write_csv(const struct pair_view *pair, struct bytes *out) {
    const struct estimate *estimate = pair->estimate;
    for (int i = 0; i < ESTIMATE_READINGS; i++) {
        bytes_print(out, "%s,%s,%s,%zu,%.0f", name_of(pair->view, pair->a),
                    name_of(pair->view, pair->b), estimate_reading_name((enum estimate_reading)i),
                    estimate->units, estimate->games);
        const double numbers[] = {estimate->points[i].value, estimate->points[i].margin,
                                  estimate->score[i].value,  estimate->score[i].margin,
                                  estimate->elo[i].value,    estimate->elo[i].margin,
                                  estimate->ratio[i],        estimate->luck_t};
        for (size_t column = 0; column < sizeof numbers / sizeof numbers[0]; column++) {
            add_column(out, numbers[column]);
        }
        bytes_print(out, ",%s\n", pair->view->fortune->evaluator);
    }
}

static void write_pair(const struct pair_view *pair, struct bytes *out) {
    switch (pair->view->format) {
    case REPORT_TEXT:
        write_details(pair, out);
        bytes_add_text(out, "\n");
        break;
    case REPORT_JSONL:
        write_json(pair, out);
        break;
    case REPORT_CSV:
        write_csv(pair, out);
        break;
    }
}

/* What the luck of all pairs of bots comes to, and whose luck it is. */
static void write_total(const struct report_view *view, const struct fortune_survey *survey,
                        struct bytes *out) {
    struct fortune_luck luck = fortune_luck(survey);
    struct bytes sentences;
    bytes_init(&sentences, REPORT_MAX);
    if (luck.pairs > 1) {
        bytes_print(
            &sentences,
            page_say(view, N_("The luck of all %d pairs of bots: the squares of its t come to "
                              "%.1f, %.1f is expected. ")),
            luck.pairs, luck.squares, luck.expected);
    }
    if (survey->missing > 0) {
        bytes_print(
            &sentences,
            page_say(view, N_("The luck of %lld matches is not known yet, so they are not in "
                              "this. ")),
            (long long)survey->missing);
    }
    tell_evaluator(view, &sentences);
    write_paragraph(view, &sentences, out);
}

void estimate_write_survey(const struct report_view *view, const struct fortune_survey *survey,
                           struct bytes *out) {
    if (view->format == REPORT_CSV) {
        bytes_add_text(out, "a,b,reading,samples,games,points_per_game,points_margin,score,"
                            "score_margin,elo,elo_margin,variance_ratio,luck_t,evaluator\n");
    }
    for (int b = 1; b < survey->entrants; b++) {
        for (int a = 0; a < b; a++) {
            struct estimate estimate;
            const struct pair_view pair = {view, &estimate, a, b};
            if (fortune_pair(survey, a, b)->count > 0) {
                estimate_make(fortune_pair(survey, a, b), &estimate);
                write_pair(&pair, out);
            }
        }
    }
    if (view->format == REPORT_TEXT) {
        write_total(view, survey, out);
    }
}

void estimate_write(const struct report_view *view, struct bytes *out) {
    struct fortune_survey survey;
    fortune_survey(view->fortune, view->event, view->tournament, &survey);
    estimate_write_survey(view, &survey, out);
    fortune_survey_clear(&survey);
}

/* Two bots: the verdict, and the figures below it. */
static void write_two(const struct report_view *view, const struct fortune_survey *survey,
                      struct bytes *out) {
    struct estimate estimate;
    const struct pair_view pair = {view, &estimate, 0, 1};
    if (fortune_pair(survey, 0, 1)->count == 0) {
        return;
    }
    estimate_make(fortune_pair(survey, 0, 1), &estimate);
    struct bytes sentences;
    bytes_init(&sentences, REPORT_MAX);
    verdict_tell(view, &estimate, &sentences);
    bytes_add_text(out, "\n");
    if (view->fortune != NULL) {
        write_details(&pair, out);
        write_total(view, survey, out);
        bytes_add_text(out, "\n");
    } else {
        bytes_add_text(&sentences,
                       page_say(view, N_("The luck of the dice is in this: --luck was off, or no "
                                         "evaluator knows this game.")));
    }
    write_paragraph(view, &sentences, out);
}

/* A pool: every bot without luck. */
static void write_pool(const struct report_view *view, const struct fortune_survey *survey,
                       struct bytes *out) {
    size_t count = (size_t)survey->entrants;
    struct fortune_bot *bots = alloc_zeroed(count, sizeof *bots);
    struct ranking ranking;
    struct grid grid;
    fortune_rate(survey, bots);
    ranking_init(&ranking, tournament_standings(view->tournament));
    bytes_print(out, "\n%s\n",
                page_say(view, N_("With the luck of the dice taken off (fitted: the "
                                  "headline that is declared):")));
    grid_init(&grid);
    static const char *const heads[] = {"Elo", "+-", N_("pts/game"), "+-"};
    grid_column(&grid, false, "#");
    grid_column(&grid, true, page_say(view, N_("bot")));
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        grid_column(&grid, false, page_say(view, heads[i]));
    }
    for (int rank = 0; rank < ranking.count; rank++) {
        const struct fortune_bot *bot = &bots[ranking.order[rank]];
        grid_cell(&grid, "%d", rank + 1);
        grid_cell(&grid, "%s", name_of(view, ranking.order[rank]));
        add_cell(&grid, 1, true, bot->rating.rated ? bot->rating.elo : NAN);
        add_cell(&grid, 1, false, bot->rating.plus_minus);
        add_cell(&grid, 3, true, bot->points.value);
        add_cell(&grid, 3, false, bot->points.margin);
    }
    grid_write(&grid, view->width > 0 ? (size_t)view->width : REPORT_WIDTH, out);
    write_total(view, survey, out);
    ranking_clear(&ranking);
    free(bots);
}

void estimate_write_page(const struct report_view *view, struct bytes *out) {
    struct fortune_survey survey;
    if (view->fortune == NULL && view->event->entrant_count != 2) {
        return;
    }
    fortune_survey(view->fortune, view->event, view->tournament, &survey);
    if (survey.entrants == 2) {
        write_two(view, &survey, out);
    } else if (survey.entrants > 2 && survey.known > 0) {
        write_pool(view, &survey, out);
    }
    fortune_survey_clear(&survey);
}

void estimate_write_brief(const struct report_view *view, struct bytes *out) {
    struct fortune_survey survey;
    struct estimate estimate;
    if (view->fortune == NULL || view->event->entrant_count != 2) {
        return;
    }
    fortune_survey(view->fortune, view->event, view->tournament, &survey);
    const struct estimate_units *units = fortune_pair(&survey, 0, 1);
    if (units->count >= ESTIMATE_UNITS_MIN) {
        estimate_make(units, &estimate);
        struct estimate_figure figure = estimate.points[ESTIMATE_FITTED];
        bytes_print(out,
                    page_say(view, N_("without luck %s %+.3f points a game, give or take %.3f")),
                    name_of(view, figure.value < 0), fabs(figure.value), figure.margin);
    }
    fortune_survey_clear(&survey);
}
