#include "arena/report.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void add_text(struct bytes *out, const char *key, const char *text) {
    bytes_print(out, ",\"%s\":", key);
    json_add_string(out, text, strlen(text));
}

static void add_whole(struct bytes *out, const char *key, int64_t number) {
    bytes_print(out, ",\"%s\":%" PRId64, key, number);
}

/* A fraction, null where there is none. */
static void add_fraction(struct bytes *out, const char *key, double number) {
    if (isnan(number)) {
        bytes_print(out, ",\"%s\":null", key);
    } else {
        bytes_print(out, ",\"%s\":%.6g", key, number);
    }
}

static void add_counts(struct bytes *out, const char *key, const int64_t *count, int size) {
    bytes_print(out, ",\"%s\":[", key);
    for (int i = 0; i < size; i++) {
        bytes_print(out, "%s%" PRId64, i == 0 ? "" : ",", count[i]);
    }
    bytes_add_text(out, "]");
}

static void add_kinds(const struct report_view *view, struct bytes *out, const char *key,
                      const int64_t *count) {
    const struct rules *rules = &view->event->rules;
    bytes_print(out, ",\"%s\":{", key);
    for (int kind = 1; kind < STANDING_KINDS && rules->variant->kind[kind - 1] != NULL; kind++) {
        bytes_print(out, "%s\"%s\":%" PRId64, kind == 1 ? "" : ",", kind_name(rules, kind),
                    count[kind]);
    }
    bytes_add_text(out, "}");
}

static double ms_per_answer(const struct standing *standing) {
    return standing->turns > 0 ? (double)standing->ms / (double)standing->turns : NAN;
}

static void add_faults(struct bytes *out, const struct standing *standing) {
    bytes_add_text(out, ",\"faults\":{");
    for (int reason = REASON_ILLEGAL; reason < REASON_COUNT; reason++) {
        bytes_print(out, "%s\"%s\":%" PRId64, reason == REASON_ILLEGAL ? "" : ",",
                    reason_name((enum reason)reason), standing->faults[reason]);
    }
    bytes_add_text(out, "}");
}

static void add_standing(const struct report_view *view, const struct ranking *ranking, int rank,
                         struct bytes *out) {
    int entrant = ranking->order[rank];
    const struct standing *standing = &tournament_standings(view->tournament)->standing[entrant];
    const struct rating *rating = &ranking->rating[entrant];
    bytes_print(out, "{\"type\":\"standing\",\"rank\":%d", rank + 1);
    add_text(out, "name", view->event->entrants[entrant].name);
    add_fraction(out, "elo", rating->rated ? rating->elo : NAN);
    add_fraction(out, "elo_margin", rating->plus_minus);
    add_whole(out, "matches", standing->matches);
    add_whole(out, "won", standing->won);
    add_whole(out, "drawn", standing->drawn);
    add_whole(out, "lost", standing->lost);
    add_whole(out, "aborted", standing->aborted);
    add_fraction(out, "score", standing_score(standing));
    add_fraction(out, "points_per_game", standing_points(standing));
    add_fraction(out, "points_margin", standing_points_margin(standing));
    add_whole(out, "games", standing->games);
    add_kinds(view, out, "games_won", standing->game_won);
    add_kinds(view, out, "games_lost", standing->game_lost);
    add_whole(out, "games_drawn", standing->game_drawn);
    add_faults(out, standing);
    add_whole(out, "voids", standing->voids);
    add_whole(out, "answers", standing->turns);
    add_fraction(out, "ms_per_answer", ms_per_answer(standing));
    bytes_add_text(out, "}\n");
}

static void add_encounter(const struct report_view *view, int a, int b, struct bytes *out) {
    const struct standings *standings = tournament_standings(view->tournament);
    const struct encounter *met = standings_encounter(standings, a, b);
    const struct pair_count *pair = standings_pair(standings, a, b);
    bytes_add_text(out, "{\"type\":\"encounter\"");
    add_text(out, "a", view->event->entrants[a].name);
    add_text(out, "b", view->event->entrants[b].name);
    add_whole(out, "matches", met->matches);
    add_whole(out, "won", met->won);
    add_whole(out, "drawn", met->drawn);
    add_whole(out, "lost", met->matches - met->won - met->drawn);
    add_fraction(out, "points", (double)met->net / POINT_HALVES);
    add_counts(out, "pairs", pair->pair, 5);
    add_counts(out, "pairs_unmirrored", pair->unmirrored, 5);
    add_counts(out, "singles", pair->single, 3);
    bytes_add_text(out, "}\n");
}

void report_jsonl(const struct report_view *view, const struct ranking *ranking,
                  struct bytes *out) {
    const struct event *event = view->event;
    bytes_add_text(out, "{\"type\":\"event\",\"format\":\"hakem-show/1\"");
    add_text(out, "name", event->name);
    add_text(out, "id", event->id);
    add_text(out, "variant", event->rules.variant->name);
    add_whole(out, "match", event->rules.value[OPTION_MATCH]);
    add_whole(out, "bots", event->entrant_count);
    add_whole(out, "pairs", event->pairs);
    add_text(out, "pairing", pairing_name(event->pairing));
    add_text(out, "dice", event->source == DICE_SEEDED ? "seeded" : "auditable");
    bytes_add_text(out, "}\n{\"type\":\"progress\"");
    add_text(out, "state", report_state_name(view->state));
    add_whole(out, "matches", (int64_t)tournament_matches(view->tournament));
    add_whole(out, "finished", (int64_t)tournament_finished(view->tournament));
    add_whole(out, "running", tournament_running(view->tournament));
    bytes_add_text(out, "}\n");
    for (int rank = 0; rank < ranking->count; rank++) {
        add_standing(view, ranking, rank, out);
    }
    for (int a = 0; a < ranking->count; a++) {
        for (int b = a + 1; b < ranking->count; b++) {
            add_encounter(view, a, b, out);
        }
    }
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
    bytes_add_text(out, ",voids,answers,ms_per_answer\n");
}

void report_csv(const struct report_view *view, const struct ranking *ranking, struct bytes *out) {
    const struct standings *standings = tournament_standings(view->tournament);
    const struct variant *variant = view->event->rules.variant;
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
        bytes_add_text(out, "\n");
    }
}
