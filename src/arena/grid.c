#include "arena/grid.h"

#include "base/alloc.h"
#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void grid_init(struct grid *grid) {
    memset(grid, 0, sizeof *grid);
}

void grid_clear(struct grid *grid) {
    free(grid->cell);
    grid_init(grid);
}

static char *next_cell(struct grid *grid) {
    if (grid->used == grid->room) {
        grid->room = grid->room == 0 ? 64 : grid->room * 2;
        grid->cell = alloc_resize(grid->cell, (size_t)grid->room, sizeof *grid->cell);
    }
    return grid->cell[grid->used++];
}

void grid_column(struct grid *grid, bool left, const char *head) {
    assert(grid->columns < GRID_COLUMNS_MAX && grid->used == grid->columns);
    grid->left[grid->columns++] = left;
    grid_cell(grid, "%s", head);
}

/* Drops the bytes of a character that was cut in the middle. */
static void trim(char *text) {
    size_t length = strlen(text);
    size_t good = 0;
    while (good < length) {
        size_t size = text_utf8_next(text + good, length - good);
        if (size == 0) {
            break;
        }
        good += size;
    }
    text[good] = '\0';
}

void grid_cell(struct grid *grid, const char *format, ...) {
    char *cell = next_cell(grid);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(cell, GRID_CELL_MAX, format, args);
    va_end(args);
    if (length >= GRID_CELL_MAX) {
        trim(cell);
    }
}

size_t grid_width(const char *text) {
    size_t width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return width;
}

static void pad(struct bytes *out, size_t count) {
    while (count-- > 0) {
        bytes_add_text(out, " ");
    }
}

static void write_row(const struct grid *grid, const size_t *width, int first, struct bytes *out) {
    for (int column = 0; column < grid->columns; column++) {
        const char *cell = grid->cell[first + column];
        size_t blanks = width[column] - grid_width(cell);
        bool last = column + 1 == grid->columns;
        if (column > 0) {
            pad(out, 2);
        }
        if (!grid->left[column]) {
            pad(out, blanks);
        }
        bytes_add_text(out, cell);
        if (grid->left[column] && !last) {
            pad(out, blanks);
        }
    }
    bytes_add_text(out, "\n");
}

void grid_write(struct grid *grid, struct bytes *out) {
    size_t width[GRID_COLUMNS_MAX] = {0};
    for (int i = 0; i < grid->used; i++) {
        size_t *most = &width[i % grid->columns];
        size_t size = grid_width(grid->cell[i]);
        *most = size > *most ? size : *most;
    }
    assert(grid->used % grid->columns == 0);
    for (int first = 0; first < grid->used; first += grid->columns) {
        write_row(grid, width, first, out);
    }
    grid_clear(grid);
}
