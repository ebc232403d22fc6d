/* Grids: cells of UTF-8 text in aligned columns, fitted into a width. Widths are
 * counted in characters, not bytes. */
#ifndef HAKEM_ARENA_GRID_H
#define HAKEM_ARENA_GRID_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>

enum { GRID_COLUMNS_MAX = 64, GRID_CELL_MAX = 64 };

struct grid {
    char (*cell)[GRID_CELL_MAX];    /* rows of `columns` cells, owned */
    int columns;
    int used;                       /* cells filled */
    int room;
    unsigned char left[GRID_COLUMNS_MAX]; /* aligned left instead of right */
};

void grid_init(struct grid *grid);
void grid_clear(struct grid *grid);

/* Adds a column with its head; all columns come before the first cell. */
void grid_column(struct grid *grid, bool left, const char *head);

/* Adds the next cell, row by row; cut at a character's edge where it is too long. */
void grid_cell(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes every row as a line of at most `width` characters where that can be, and clears the
 * grid: cells stand two blanks apart, or one; then the columns aligned left give way, whose
 * cells lose their middle. */
void grid_write(struct grid *grid, size_t width, struct bytes *out);

/* Adds a text of words as lines of at most `width` characters where that can be. */
void grid_paragraph(const char *text, size_t width, struct bytes *out);

/* Characters of a UTF-8 text. */
size_t grid_width(const char *text);

#endif
