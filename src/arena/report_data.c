#include "arena/report.h"

#include "arena/fortune.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static double ms_per_answer(const struct standing *standing) {
    return standing->turns > 0 ? (double)standing->ms / (double)standing->turns : NAN;
}

/* A column of a CSV row; empty where there is no number. */
static void add_column(struct bytes *out, double number) {
    if (isnan(number)) {
        bytes_add_text(out, ",");
    } else {
        bytes_print(out, ",%.6g", number);
    }
}

static void add_csv_head(const struct report_view *view, struct bytes *out) {
    const struct rules *rules = &view->event->rules;
    bytes_add_text(out, "rank,name,elo,elo_margin,matches,won,drawn,lost,aborted,score,"
                        "points_per_game,points_margin,games,games_drawn");
    for (int kind = 1; kind < STANDING_KINDS && rules->variant->kind[kind - 1] != NULL; kind++) {
        const char *name = kind_name(rules, kind);
        bytes_print(out, ",games_won_%s,games_lost_%s", name, name);
    }
    for (int reason = REASON_ILLEGAL; reason < REASON_COUNT; reason++) {
        bytes_print(out, ",faults_%s", reason_name((enum reason)reason));
    }
    bytes_add_text(out, ",voids,answers,ms_per_answer");
    bytes_add_text(out, view->fortune == NULL ? "\n"
                                              : ",elo_without_luck,elo_without_luck_margin,"
                                                "points_without_luck,points_without_luck_margin\n");
}

void report_csv(const struct report_view *view, const struct ranking *ranking, struct bytes *out) {
    const struct standings *standings = tournament_standings(view->tournament);
    const struct variant *variant = view->event->rules.variant;
    struct fortune_bot *bots = fortune_bots(view->fortune, view->event, view->tournament);
    add_csv_head(view, out);
    for (int rank = 0; rank < ranking->count; rank++) {
        int entrant = ranking->order[rank];
        const struct standing *standing = &standings->standing[entrant];
        const struct rating *rating = &ranking->rating[entrant];
        bytes_print(out, "%d,%s", rank + 1, view->event->entrants[entrant].name);
        add_column(out, rating->rated ? rating->elo : NAN);
        add_column(out, rating->plus_minus);
        bytes_print(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
                    standing->matches, standing->won, standing->drawn, standing->lost,
                    standing->aborted);
        add_column(out, standing_score(standing));
        add_column(out, standing_points(standing));
        add_column(out, standing_points_margin(standing));
        bytes_print(out, ",%" PRId64 ",%" PRId64, standing->games, standing->game_drawn);
        for (int kind = 1; kind < STANDING_KINDS && variant->kind[kind - 1] != NULL; kind++) {
            bytes_print(out, ",%" PRId64 ",%" PRId64, standing->game_won[kind],
                        standing->game_lost[kind]);
        }
        for (int reason = REASON_ILLEGAL; reason < REASON_COUNT; reason++) {
            bytes_print(out, ",%" PRId64, standing->faults[reason]);
        }
        bytes_print(out, ",%" PRId64 ",%" PRId64, standing->voids, standing->turns);
        add_column(out, ms_per_answer(standing));
        if (bots != NULL) {
            const struct fortune_bot *bot = &bots[entrant];
            add_column(out, bot->rating.rated ? bot->rating.elo : NAN);
            add_column(out, bot->rating.plus_minus);
            add_column(out, bot->points.value);
            add_column(out, bot->points.margin);
        }
        bytes_add_text(out, "\n");
    }
    free(bots);
}
