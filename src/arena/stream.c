#include "arena/stream.h"

#include "arena/estimate_report.h"
#include "arena/fortune.h"
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Begins a line of the event's. */
static void begin(struct bytes *out, const char *type, const struct event *event) {
    bytes_print(out, "{\"type\":\"%s\"", type);
    json_add_member(out, "event", event->name);
}

static void add_end(struct bytes *out) {
    bytes_add_text(out, "}\n");
}

static void add_side(struct bytes *out, const char *key, int side) {
    if (side < 0) {
        bytes_print(out, ",\"%s\":null", key);
    } else {
        json_add_member(out, key, side_name((int)side));
    }
}

/* Points and half points as a number. */
static void add_points(struct bytes *out, int half_points) {
    char text[SCORE_TEXT_MAX];
    score_write(half_points, text);
    bytes_add_text(out, text);
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

/* `bots` are those without luck, NULL where it is not known. */
static void add_standing(const struct report_view *view, const struct ranking *ranking, int rank,
                         const struct fortune_bot *bots, struct bytes *out) {
    int entrant = ranking->order[rank];
    const struct standing *standing = &tournament_standings(view->tournament)->standing[entrant];
    const struct rating *rating = &ranking->rating[entrant];
    begin(out, "standing", view->event);
    add_whole(out, "rank", rank + 1);
    json_add_member(out, "name", view->event->entrants[entrant].name);
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
    if (bots != NULL) {
        const struct fortune_bot *bot = &bots[entrant];
        add_fraction(out, "elo_without_luck", bot->rating.rated ? bot->rating.elo : NAN);
        add_fraction(out, "elo_without_luck_margin", bot->rating.plus_minus);
        add_fraction(out, "points_without_luck", bot->points.value);
        add_fraction(out, "points_without_luck_margin", bot->points.margin);
    }
    add_end(out);
}

static void add_encounter(const struct report_view *view, int a, int b, struct bytes *out) {
    const struct standings *standings = tournament_standings(view->tournament);
    const struct encounter *met = standings_encounter(standings, a, b);
    const struct pair_count *pair = standings_pair(standings, a, b);
    begin(out, "encounter", view->event);
    json_add_member(out, "a", view->event->entrants[a].name);
    json_add_member(out, "b", view->event->entrants[b].name);
    add_whole(out, "matches", met->matches);
    add_whole(out, "won", met->won);
    add_whole(out, "drawn", met->drawn);
    add_whole(out, "lost", met->matches - met->won - met->drawn);
    add_fraction(out, "points", (double)met->net / POINT_HALVES);
    add_counts(out, "pairs", pair->pair, 5);
    add_counts(out, "pairs_unmirrored", pair->unmirrored, 5);
    add_counts(out, "singles", pair->single, 3);
    add_end(out);
}

int64_t tempo_left(const struct tempo *tempo, const struct tournament *tournament) {
    uint64_t left = tournament_matches(tournament) - tournament_finished(tournament);
    int64_t idle = tempo->ms - tempo->last;
    if (left == 0 || tempo->matches == 0) {
        return left == 0 ? 0 : -1;
    }
    double each = (double)tempo->last / (double)tempo->matches;
    if ((double)idle > STREAM_PATIENCE + STREAM_PATIENT_MATCHES * each) {
        return -1;
    }
    double rest = each * (double)left - (double)idle;
    return rest > 0 ? (int64_t)rest : 0;
}

void stream_begin(const char *command, struct bytes *out) {
    bytes_print(out, "{\"type\":\"stream\",\"stream\":\"hakem-events\",\"version\":%d",
                STREAM_VERSION);
    json_add_member(out, "server", "hakem/" HAKEM_VERSION);
    json_add_member(out, "command", command);
    add_end(out);
}

void stream_event(const struct report_view *view, const char *folder, struct bytes *out) {
    const struct event *event = view->event;
    begin(out, "event", event);
    json_add_member(out, "id", event->id);
    json_add_member(out, "variant", event->rules.variant->name);
    add_whole(out, "match", event->rules.value[OPTION_MATCH]);
    bytes_add_text(out, ",\"bots\":[");
    for (int i = 0; i < event->entrant_count; i++) {
        const char *name = event->entrants[i].name;
        bytes_add_text(out, i > 0 ? "," : "");
        json_add_string(out, name, strlen(name));
    }
    bytes_add_text(out, "]");
    add_whole(out, "pairs", event->pairs);
    json_add_member(out, "pairing", pairing_name(event->pairing));
    if (event->stops) {
        json_add_member(out, "stop", "decided");
    }
    json_add_member(out, "dice", dice_source_name(event->source));
    add_whole(out, "matches", (int64_t)tournament_matches(view->tournament));
    if (folder != NULL) {
        json_add_member(out, "store", folder);
    }
    add_end(out);
}

/* Which match it is. */
static void add_match(struct bytes *out, const struct event *event, uint32_t number, int leg) {
    struct unit unit = schedule_unit(event, number);
    json_add_member(out, "unit", unit.name);
    add_whole(out, "leg", leg);
    json_add_member(out, "x", event->entrants[schedule_entrant(&unit, leg, SIDE_X)].name);
    json_add_member(out, "y", event->entrants[schedule_entrant(&unit, leg, SIDE_Y)].name);
}

void stream_listen(const char *where, const char *folder, struct bytes *out) {
    bytes_add_text(out, "{\"type\":\"listen\"");
    if (where != NULL) {
        json_add_member(out, "listen", where);
    }
    json_add_member(out, "store", folder);
    add_end(out);
}

void stream_evaluator(const struct report_view *view, struct bytes *out) {
    const struct fortune *fortune = view->fortune;
    if (fortune != NULL) {
        begin(out, "evaluator", view->event);
        json_add_member(out, "evaluator", fortune->evaluator);
        json_add_member(out, "declared", fortune->declared);
        add_whole(out, "since", (int64_t)fortune->since);
        json_add_member(out, "headline", estimate_reading_name(ESTIMATE_FITTED));
        add_end(out);
    }
}

void stream_luck_figures(const struct luck_game *game, struct bytes *out) {
    double points = (double)game->net / POINT_HALVES;
    double luck = (double)game->points / LUCK_ONE;
    add_whole(out, "game", (int64_t)game->game);
    add_whole(out, "throws", game->throws);
    bytes_print(out, ",\"points\":%.1f,\"luck\":%.8f,\"luck_units\":%" PRId64, points, luck,
                game->points);
    bytes_print(out, ",\"adjusted\":%.8f,\"luck_of_wins\":%.8f", points - luck,
                (double)game->wins / LUCK_ONE);
    add_end(out);
}

void stream_luck(const struct event *event, const struct fortune_game *game, struct bytes *out) {
    begin(out, "luck", event);
    add_match(out, event, game->unit, game->leg);
    stream_luck_figures(&game->luck, out);
}

void stream_start(const struct event *event, uint32_t unit, int leg, struct bytes *out) {
    begin(out, "start", event);
    add_match(out, event, unit, leg);
    add_end(out);
}

static void add_end_of(struct bytes *out, int winner, enum reason reason, int offender) {
    add_side(out, "winner", winner);
    json_add_member(out, "reason", reason_name(reason));
    add_side(out, "offender", offender);
}

void stream_game(const struct event *event, const struct game_row *row, struct bytes *out) {
    begin(out, "game", event);
    add_match(out, event, row->unit, row->leg);
    add_whole(out, "game", row->game);
    add_whole(out, "attempt", row->attempt);
    if (row->reason != REASON_VOID) {
        add_side(out, "starter", row->starter);
    }
    add_end_of(out, row->winner, row->reason, row->offender);
    if (row->kind > 0) {
        json_add_member(out, "kind", kind_name(&event->rules, row->kind));
    }
    bytes_add_text(out, ",\"points\":");
    add_points(out, row->half_points);
    add_whole(out, "plies", row->plies);
    const int64_t turns[SIDE_COUNT] = {row->turns[SIDE_X], row->turns[SIDE_Y]};
    add_counts(out, "answers", turns, SIDE_COUNT);
    add_counts(out, "ms", row->ms, SIDE_COUNT);
    add_end(out);
}

void stream_fault(const struct event *event, const struct fault_row *row, struct bytes *out) {
    struct unit unit = schedule_unit(event, row->unit);
    begin(out, "fault", event);
    add_match(out, event, row->unit, row->leg);
    add_whole(out, "game", row->game);
    add_whole(out, "ply", row->ply);
    add_side(out, "seat", (int)row->side);
    json_add_member(out, "bot", event->entrants[schedule_entrant(&unit, row->leg, row->side)].name);
    json_add_member(out, "code", row->code);
    if (row->dice[0] != '\0') {
        bytes_print(out, ",\"dice\":[%c,%c]", row->dice[0], row->dice[1]);
    }
    if (row->got[0] != '\0') {
        json_add_member(out, "got", row->got);
    }
    json_add_member(out, "reason", row->why);
    if (row->ms >= 0) {
        add_whole(out, "ms", row->ms);
    }
    add_end(out);
}

void stream_match(const struct event *event, const struct tournament *shown,
                  const struct match_row *row, struct bytes *out) {
    begin(out, "match", event);
    add_match(out, event, row->unit, row->leg);
    add_end_of(out, row->winner, row->reason, row->offender);
    bytes_add_text(out, ",\"score\":[");
    add_points(out, row->score[SIDE_X]);
    bytes_add_text(out, ",");
    add_points(out, row->score[SIDE_Y]);
    bytes_add_text(out, "]");
    add_whole(out, "games", row->games);
    add_whole(out, "finished", (int64_t)tournament_finished(shown));
    add_whole(out, "matches", (int64_t)tournament_matches(shown));
    add_end(out);
}

void stream_progress(const struct report_view *view, const struct tempo *tempo,
                     struct bytes *out) {
    const struct tournament *tournament = view->tournament;
    begin(out, "progress", view->event);
    json_add_member(out, "state", report_state_name(view->state));
    add_whole(out, "matches", (int64_t)tournament_matches(tournament));
    add_whole(out, "finished", (int64_t)tournament_finished(tournament));
    add_whole(out, "running", tournament_running(tournament));
    add_whole(out, "games", standings_games(tournament_standings(tournament)));
    if (tempo != NULL && tempo->ms > 0) {
        int64_t left = tempo_left(tempo, tournament);
        add_fraction(out, "seconds", (double)tempo->ms / 1000);
        add_fraction(out, "games_per_second", 1000 * (double)tempo->games / (double)tempo->ms);
        add_fraction(out, "seconds_left", left < 0 ? NAN : (double)left / 1000);
    }
    add_end(out);
}

void stream_tables(const struct report_view *view, const struct ranking *ranking,
                   struct bytes *out) {
    struct fortune_bot *bots = fortune_bots(view->fortune, view->event, view->tournament);
    for (int rank = 0; rank < ranking->count; rank++) {
        add_standing(view, ranking, rank, bots, out);
    }
    free(bots);
    for (int a = 0; a < ranking->count; a++) {
        for (int b = a + 1; b < ranking->count; b++) {
            add_encounter(view, a, b, out);
        }
    }
    if (view->fortune != NULL) {
        struct report_view lines = *view;
        lines.format = REPORT_JSONL;
        estimate_write(&lines, out);
    }
}

void stream_end(const struct report_view *view, struct bytes *out) {
    begin(out, "end", view->event);
    json_add_member(out, "state", report_state_name(view->state));
    add_end(out);
}
