#include "arena/estimate_report.h"

#include "arena/grid.h"
#include "base/json.h"
#include "base/lang.h"

#include <math.h>

static void add_cell(struct grid *grid, int decimals, bool sign, double number) {
    if (isnan(number)) {
        grid_cell(grid, "-");
    } else {
        grid_cell(grid, sign ? "%+.*f" : "%.*f", decimals, number);
    }
}

static const char *say(const struct estimate_view *view, const char *english) {
    return lang_text_in(view->turkish, english);
}

static void write_rows(const struct estimate_view *view, const struct estimate *estimate,
                       struct bytes *out) {
    static const char *const rows[ESTIMATE_READINGS] = {N_("raw"), N_("luck off (beta 1)"),
                                                        N_("luck off (fitted)")};
    static const char *const heads[] = {N_("pts/game"), "+-", N_("score %"), "+-",
                                        "Elo",          "+-", N_("gain")};
    struct grid grid;
    grid_init(&grid);
    grid_column(&grid, true, "");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        grid_column(&grid, false, say(view, heads[i]));
    }
    for (int i = 0; i < ESTIMATE_READINGS; i++) {
        grid_cell(&grid, "%s", say(view, rows[i]));
        add_cell(&grid, 4, true, estimate->points[i].value);
        add_cell(&grid, 4, false, estimate->points[i].margin);
        add_cell(&grid, 2, false, 100 * estimate->score[i].value);
        add_cell(&grid, 2, false, 100 * estimate->score[i].margin);
        add_cell(&grid, 1, true, estimate->elo[i].value);
        add_cell(&grid, 1, false, estimate->elo[i].margin);
        add_cell(&grid, 2, false, estimate->ratio[i]);
    }
    grid_write(&grid, REPORT_WIDTH, out);
}

static void write_text(const struct estimate_view *view, const struct estimate *estimate,
                       struct bytes *out) {
    const struct entrant *entrants = view->event->entrants;
    double gain = estimate->ratio[ESTIMATE_FITTED];
    bytes_print(out,
                lang_text_in(view->turkish, N_("%s against %s: %zu samples, %.0f games; "
                                               "evaluator %s\n")),
                entrants[view->a].name, entrants[view->b].name, estimate->units, estimate->games,
                view->evaluator);
    write_rows(view, estimate, out);
    if (isnan(gain)) {
        bytes_add_text(out, say(view, N_("Too few samples to fit how much the luck counts.\n\n")));
        return;
    }
    bytes_print(out,
                lang_text_in(view->turkish,
                             N_("The fitted row is the headline, whatever it says: beta "
                                "%.3f and %.3f, each\nfrom the other half of the samples. These "
                                "games are worth %.0f raw ones.\nLuck %+.4f points a sample, "
                                "t = %+.2f (0 expected, within 2 mostly).\n\n")),
                estimate->beta[0], estimate->beta[1], estimate->games * gain, estimate->luck,
                estimate->luck_t);
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

static void write_json(const struct estimate_view *view, const struct estimate *estimate,
                       struct bytes *out) {
    bytes_add_text(out, "{\"type\":\"estimate\"");
    json_add_member(out, "event", view->event->name);
    json_add_member(out, "a", view->event->entrants[view->a].name);
    json_add_member(out, "b", view->event->entrants[view->b].name);
    json_add_member(out, "evaluator", view->evaluator);
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

void estimate_write_csv_head(struct bytes *out) {
    bytes_add_text(out, "a,b,reading,samples,games,points_per_game,points_margin,score,"
                        "score_margin,elo,elo_margin,variance_ratio,luck_t,evaluator\n");
}

static void add_column(struct bytes *out, double number) {
    if (isnan(number)) {
        bytes_add_text(out, ",");
    } else {
        bytes_print(out, ",%.8g", number);
    }
}

static void write_csv(const struct estimate_view *view, const struct estimate *estimate,
                      struct bytes *out) {
    for (int i = 0; i < ESTIMATE_READINGS; i++) {
        bytes_print(out, "%s,%s,%s,%zu,%.0f", view->event->entrants[view->a].name,
                    view->event->entrants[view->b].name,
                    estimate_reading_name((enum estimate_reading)i), estimate->units,
                    estimate->games);
        add_column(out, estimate->points[i].value);
        add_column(out, estimate->points[i].margin);
        add_column(out, estimate->score[i].value);
        add_column(out, estimate->score[i].margin);
        add_column(out, estimate->elo[i].value);
        add_column(out, estimate->elo[i].margin);
        add_column(out, estimate->ratio[i]);
        add_column(out, estimate->luck_t);
        bytes_print(out, ",%s\n", view->evaluator);
    }
}

void estimate_write(const struct estimate_view *view, enum report_format format,
                    const struct estimate *estimate, struct bytes *out) {
    switch (format) {
    case REPORT_TEXT:
        write_text(view, estimate, out);
        break;
    case REPORT_JSONL:
        write_json(view, estimate, out);
        break;
    case REPORT_CSV:
        write_csv(view, estimate, out);
        break;
    }
}
