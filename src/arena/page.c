#include "arena/page.h"

#include "base/lang.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CROSS_COLUMNS = 8,      /* opponents side by side */
    CROSS_ENTRANTS_MAX = 36 /* above this the crosstable is for programs only */
};

const char *page_say(const struct report_view *view, const char *english) {
    return lang_text_in(view->turkish, english);
}

size_t page_width(const struct page *page) {
    return page->view->width > 0 ? (size_t)page->view->width : REPORT_WIDTH;
}

void page_head_columns(const struct page *page, struct grid *grid) {
    grid_init(grid);
    grid_column(grid, false, "#");
    grid_column(grid, true, page_say(page->view, N_("bot")));
}

void page_head_cells(const struct page *page, struct grid *grid, int rank) {
    const char *name = page->view->event->entrants[page->ranking->order[rank]].name;
    grid_cell(grid, "%d", rank + 1);
    grid_cell(grid, "%s", name);
}

void page_number(struct grid *grid, int decimals, bool sign, double number) {
    if (isnan(number)) {
        grid_cell(grid, "-");
    } else {
        grid_cell(grid, sign ? "%+.*f" : "%.*f", decimals, number);
    }
}

static void add_cross_cell(const struct page *page, struct grid *grid, int entrant, int other) {
    if (entrant == other) {
        grid_cell(grid, "·");
        return;
    }
    const struct encounter *met = standings_encounter(page->standings, entrant, other);
    double share = ((double)met->won + 0.5 * (double)met->drawn) / (double)met->matches;
    page_number(grid, 1, false, met->matches > 0 ? 100 * share : NAN);
}

static void write_cross_part(const struct page *page, int first) {
    int end = first + CROSS_COLUMNS;
    end = end < page->ranking->count ? end : page->ranking->count;
    struct grid grid;
    page_head_columns(page, &grid);
    for (int column = first; column < end; column++) {
        char head[16];
        snprintf(head, sizeof head, "%d", column + 1);
        grid_column(&grid, false, head);
    }
    for (int rank = 0; rank < page->ranking->count; rank++) {
        page_head_cells(page, &grid, rank);
        for (int column = first; column < end; column++) {
            add_cross_cell(page, &grid, page->ranking->order[rank], page->ranking->order[column]);
        }
    }
    grid_write(&grid, page_width(page), page->out);
}

void page_write_cross(const struct page *page) {
    if (page->ranking->count > CROSS_ENTRANTS_MAX) {
        bytes_print(page->out, "\n%s\n",
                    page_say(page->view, N_("The crosstable is too wide for a page: --format jsonl "
                                            "has it.")));
        return;
    }
    bytes_print(page->out, "\n%s\n", page_say(page->view, N_("Score in %, row against column:")));
    for (int first = 0; first < page->ranking->count; first += CROSS_COLUMNS) {
        write_cross_part(page, first);
    }
}

void page_write_pairs(const struct page *page) {
    if (page->standings->count != 2 || page->view->event->pairing == PAIRING_INDEPENDENT) {
        return;
    }
    int best = page->ranking->order[0];
    const int64_t *pair = standings_pair(page->standings, 0, 1)->pair;
    bool turned = best == 1;
    int64_t won = turned ? pair[0] : pair[4], lost = turned ? pair[4] : pair[0];
    int64_t ahead = turned ? pair[1] : pair[3], behind = turned ? pair[3] : pair[1];
    bytes_print(page->out, "\n");
    bytes_print(page->out,
                page_say(page->view, N_("Of %lld pairs on the same dice %s won both matches in "
                                        "%lld, one in %lld, none in %lld.\n")),
                (long long)(won + lost + ahead + behind + pair[2]),
                page->view->event->entrants[best].name, (long long)won, (long long)pair[2],
                (long long)lost);
    if (ahead + behind > 0) {
        bytes_print(page->out,
                    page_say(page->view, N_("One match was drawn, the other one won in %lld and "
                                            "lost in %lld.\n")),
                    (long long)ahead, (long long)behind);
    }
}

/* Kinds that occurred, and the first one always. */
static bool kind_occurs(const struct page *page, int kind) {
    for (int i = 0; i < page->standings->count; i++) {
        if (page->standings->standing[i].game_won[kind] > 0) {
            return true;
        }
    }
    return kind == 1;
}

static int64_t sum(const int64_t *count) {
    int64_t all = 0;
    for (int kind = 0; kind < STANDING_KINDS; kind++) {
        all += count[kind];
    }
    return all;
}

static void add_pair(struct grid *grid, int64_t won, int64_t lost) {
    grid_cell(grid, "%" PRId64 "-%" PRId64, won, lost);
}

void page_write_games(const struct page *page) {
    const struct rules *rules = &page->view->event->rules;
    struct grid grid;
    bytes_print(page->out, "\n%s\n", page_say(page->view, N_("Games, won-lost, by kind:")));
    page_head_columns(page, &grid);
    grid_column(&grid, false, page_say(page->view, N_("games")));
    grid_column(&grid, false, page_say(page->view, N_("all")));
    for (int kind = 1; kind < STANDING_KINDS; kind++) {
        if (kind_occurs(page, kind)) {
            grid_column(&grid, false, kind_name(rules, kind));
        }
    }
    for (int rank = 0; rank < page->ranking->count; rank++) {
        const struct standing *standing = &page->standings->standing[page->ranking->order[rank]];
        page_head_cells(page, &grid, rank);
        grid_cell(&grid, "%" PRId64, standing->games);
        add_pair(&grid, sum(standing->game_won), sum(standing->game_lost));
        for (int kind = 1; kind < STANDING_KINDS; kind++) {
            if (kind_occurs(page, kind)) {
                add_pair(&grid, standing->game_won[kind], standing->game_lost[kind]);
            }
        }
    }
    grid_write(&grid, page_width(page), page->out);
}

/* Which columns the table of faults needs: reasons that occurred. */
static bool reason_occurs(const struct page *page, int reason) {
    for (int i = 0; i < page->standings->count; i++) {
        if (page->standings->standing[i].faults[reason] > 0) {
            return true;
        }
    }
    return false;
}

static bool is_troubled(const struct standing *standing) {
    return standing_faults(standing) > 0 || standing->voids > 0 || standing->aborted > 0;
}

void page_write_faults(const struct page *page) {
    bool any = false;
    for (int i = 0; i < page->standings->count; i++) {
        any = any || is_troubled(&page->standings->standing[i]);
    }
    if (!any) {
        bytes_print(page->out, "\n%s\n", page_say(page->view, N_("No faults.")));
        return;
    }
    struct grid grid;
    bytes_print(page->out, "\n%s\n",
                page_say(page->view, N_("Faults (void: games the referee lost; no result: matches "
                                        "that were called off):")));
    page_head_columns(page, &grid);
    for (int reason = 0; reason < REASON_COUNT; reason++) {
        if (reason_occurs(page, reason)) {
            grid_column(&grid, false, reason_name((enum reason)reason));
        }
    }
    grid_column(&grid, false, "void");
    grid_column(&grid, false, page_say(page->view, N_("no result")));
    for (int rank = 0; rank < page->ranking->count; rank++) {
        const struct standing *standing = &page->standings->standing[page->ranking->order[rank]];
        if (!is_troubled(standing)) {
            continue;
        }
        page_head_cells(page, &grid, rank);
        for (int reason = 0; reason < REASON_COUNT; reason++) {
            if (reason_occurs(page, reason)) {
                grid_cell(&grid, "%" PRId64, standing->faults[reason]);
            }
        }
        grid_cell(&grid, "%" PRId64, standing->voids);
        grid_cell(&grid, "%" PRId64, standing->aborted);
    }
    grid_write(&grid, page_width(page), page->out);
    grid_paragraph(page_say(page->view,
                            N_("Whoever gives a match up loses it, and each game that was left of "
                               "it by the most that a game without doubles can cost.")),
                   page_width(page), page->out);
}
