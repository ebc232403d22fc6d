#include "arena/report.h"

#include "arena/estimate_report.h"
#include "arena/page.h"
#include "arena/stream.h"
#include "base/lang.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const format_names[] = {
    [REPORT_TEXT] = "text", [REPORT_JSONL] = "jsonl", [REPORT_CSV] = "csv"};

int report_format_find(const char *name) {
    for (int i = 0; i < (int)(sizeof format_names / sizeof format_names[0]); i++) {
        if (strcmp(name, format_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

void report_write_request(enum report_format format, bool turkish, char out[REPORT_REQUEST_MAX]) {
    snprintf(out, REPORT_REQUEST_MAX, "show %s %s", format_names[format], turkish ? "tr" : "en");
}

bool report_read_request(const char *line, size_t length, struct report_view *view) {
    for (int i = 0; i < (int)(sizeof format_names / sizeof format_names[0]); i++) {
        for (int turkish = 0; turkish < 2; turkish++) {
            char request[REPORT_REQUEST_MAX];
            report_write_request((enum report_format)i, turkish != 0, request);
            if (strlen(request) == length && memcmp(request, line, length) == 0) {
                view->format = (enum report_format)i;
                view->turkish = turkish != 0;
                return true;
            }
        }
    }
    return false;
}

const char *report_state_name(enum report_state state) {
    switch (state) {
    case REPORT_RUNNING:
        return "running";
    case REPORT_FINISHED:
        return "finished";
    case REPORT_INTERRUPTED:
        return "interrupted";
    }
    return "";
}

/* A number in a column of the Elo table. */
static void cell_elo(const struct page *page, int entrant, struct grid *grid) {
    const struct rating *rating = &page->ranking->rating[entrant];
    page_number(grid, 1, true, rating->rated ? rating->elo : NAN);
}

static void cell_margin(const struct page *page, int entrant, struct grid *grid) {
    page_number(grid, 1, false, page->ranking->rating[entrant].plus_minus);
}

static void cell_matches(const struct page *page, int entrant, struct grid *grid) {
    grid_cell(grid, "%" PRId64, page->standings->standing[entrant].matches);
}

static void cell_won(const struct page *page, int entrant, struct grid *grid) {
    const struct standing *standing = &page->standings->standing[entrant];
    grid_cell(grid, "%" PRId64 "-%" PRId64 "-%" PRId64, standing->won, standing->drawn,
              standing->lost);
}

static void cell_score(const struct page *page, int entrant, struct grid *grid) {
    page_number(grid, 1, false, 100 * standing_score(&page->standings->standing[entrant]));
}

static void cell_points(const struct page *page, int entrant, struct grid *grid) {
    page_number(grid, 3, true, standing_points(&page->standings->standing[entrant]));
}

static void cell_points_margin(const struct page *page, int entrant, struct grid *grid) {
    page_number(grid, 3, false, standing_points_margin(&page->standings->standing[entrant]));
}

static void cell_faults(const struct page *page, int entrant, struct grid *grid) {
    grid_cell(grid, "%" PRId64, standing_faults(&page->standings->standing[entrant]));
}

static void cell_ms(const struct page *page, int entrant, struct grid *grid) {
    const struct standing *standing = &page->standings->standing[entrant];
    double turns = (double)standing->turns;
    page_number(grid, 2, false, turns > 0 ? (double)standing->ms / turns : NAN);
}

/* The columns behind rank and name, and the width from which on there is room for each. */
static const struct {
    const char *head;
    int least;
    void (*cell)(const struct page *page, int entrant, struct grid *grid);
} elo_columns[] = {
    {"Elo", 0, cell_elo},
    {"+-", 0, cell_margin},
    {N_("matches"), 100, cell_matches},
    {N_("W-D-L"), 52, cell_won},
    {N_("score %"), 36, cell_score},
    {N_("pts/game"), 80, cell_points},
    {"+-", 80, cell_points_margin},
    {N_("faults"), 44, cell_faults},
    {N_("ms/play"), 60, cell_ms},
};

enum { ELO_COLUMNS = sizeof elo_columns / sizeof elo_columns[0] };

static void write_elo(const struct page *page) {
    struct grid grid;
    int width = (int)page_width(page);
    page_head_columns(page, &grid);
    for (int i = 0; i < ELO_COLUMNS; i++) {
        if (width >= elo_columns[i].least) {
            grid_column(&grid, false, page_say(page->view, elo_columns[i].head));
        }
    }
    for (int rank = 0; rank < page->ranking->count; rank++) {
        page_head_cells(page, &grid, rank);
        for (int i = 0; i < ELO_COLUMNS; i++) {
            if (width >= elo_columns[i].least) {
                elo_columns[i].cell(page, page->ranking->order[rank], &grid);
            }
        }
    }
    grid_write(&grid, page_width(page), page->out);
}

/* The event in one line. */
static void write_event(const struct page *page) {
    const struct report_view *view = page->view;
    const struct event *event = view->event;
    const struct rules *rules = &event->rules;
    bool mirrored = event->pairing != PAIRING_INDEPENDENT;
    if (event->format == FORMAT_ROOM) {
        bool money = rules->value[OPTION_MATCH] == 0;
        bytes_print(page->out,
                    money ? page_say(view, N_("room %s: %s, money sessions of %d games, %d bots\n"))
                          : page_say(view, N_("room %s: %s, match to %d, %d bots\n")),
                    event->name, rules->variant->name,
                    rules->value[money ? OPTION_GAMES : OPTION_MATCH], event->entrant_count);
        return;
    }
    if (rules->value[OPTION_MATCH] == 0) {
        bytes_print(
            page->out,
            mirrored ? page_say(view, N_("%s: %s, money sessions of %d games, %d bots, mirrored "
                                         "pairs of each two: %d\n"))
                     : page_say(view, N_("%s: %s, money sessions of %d games, %d bots, sessions "
                                         "of each two: %d\n")),
            event->name, rules->variant->name, rules->value[OPTION_GAMES], event->entrant_count,
            event->pairs);
        return;
    }
    bytes_print(
        page->out,
        mirrored
            ? page_say(view, N_("%s: %s, match to %d, %d bots, mirrored pairs of each two: %d\n"))
            : page_say(view, N_("%s: %s, match to %d, %d bots, matches of each two: %d\n")),
        event->name, rules->variant->name, rules->value[OPTION_MATCH], event->entrant_count,
        event->pairs);
}

static void write_progress(const struct page *page) {
    const struct report_view *view = page->view;
    long long finished = (long long)tournament_finished(view->tournament);
    long long matches = (long long)tournament_matches(view->tournament);
    write_event(page);
    switch (view->state) {
    case REPORT_RUNNING:
        bytes_print(
            page->out,
            page_say(view, N_("running: %lld of %lld matches finished, %d being played\n\n")),
            finished, matches, tournament_running(view->tournament));
        break;
    case REPORT_FINISHED:
        bytes_print(page->out, page_say(view, N_("finished: %lld of %lld matches\n\n")), finished,
                    matches);
        break;
    case REPORT_INTERRUPTED:
        bytes_print(
            page->out,
            page_say(view, N_("interrupted: %lld of %lld matches finished; the same command "
                              "goes on\n\n")),
            finished, matches);
        break;
    }
}

static void write_note(const struct page *page) {
    bytes_print(
        page->out, "%s\n",
        page_say(page->view, N_("+-: half the width of a 95 per cent interval; a mirrored pair is "
                                "one sample.\nThe mean Elo is 0.")));
}

void report_elo_table(const struct report_view *view, struct bytes *out) {
    const struct standings *standings = tournament_standings(view->tournament);
    struct ranking ranking;
    ranking_init(&ranking, standings);
    struct page page = {view, standings, &ranking, out};
    write_elo(&page);
    ranking_clear(&ranking);
}

void report_render(const struct report_view *view, struct bytes *out) {
    const struct standings *standings = tournament_standings(view->tournament);
    struct ranking ranking;
    ranking_init(&ranking, standings);
    struct page page = {view, standings, &ranking, out};
    switch (view->format) {
    case REPORT_TEXT:
        write_progress(&page);
        write_elo(&page);
        write_note(&page);
        page_write_pairs(&page);
        page_write_cross(&page);
        page_write_games(&page);
        page_write_faults(&page);
        estimate_write_page(view, out);
        break;
    case REPORT_JSONL:
        stream_begin("show", out);
        stream_event(view, NULL, out);
        stream_evaluator(view, out);
        stream_progress(view, NULL, out);
        stream_tables(view, &ranking, out);
        stream_end(view, out);
        break;
    case REPORT_CSV:
        report_csv(view, &ranking, out);
        break;
    }
    ranking_clear(&ranking);
}
