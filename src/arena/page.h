/* The parts of a report that people read; report.c puts them together. */
#ifndef HAKEM_ARENA_PAGE_H
#define HAKEM_ARENA_PAGE_H

#include "arena/grid.h"
#include "arena/report.h"

/* What every part needs. */
struct page {
    const struct report_view *view;
    const struct standings *standings;
    const struct ranking *ranking;
    struct bytes *out;
};

/* Text in the language of who asked. */
const char *page_say(const struct report_view *view, const char *english)
    __attribute__((format_arg(2), returns_nonnull));

/* Characters that a line may have. */
size_t page_width(const struct page *page);

/* Begins a table with the columns rank and name, and a row of it with those cells. */
void page_head_columns(const struct page *page, struct grid *grid);
void page_head_cells(const struct page *page, struct grid *grid, int rank);

/* A cell with a number, "-" where there is none (NaN). */
void page_number(struct grid *grid, int decimals, bool sign, double number);

void page_write_cross(const struct page *page);
void page_write_games(const struct page *page);
void page_write_faults(const struct page *page);

/* Two bots in mirrored pairs: how the pairs went, which the interval rests on. */
void page_write_pairs(const struct page *page);

#endif
