#include "arena/grid.h"

#include "base/alloc.h"
#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LEFT_LEAST = 8 /* characters that a name keeps */ };

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

/* The byte at which character number `count` of a text begins. */
static size_t place_of(const char *text, size_t count) {
    size_t at = 0;
    while (text[at] != '\0' && count > 0) {
        do {
            at++;
        } while (((unsigned char)text[at] & 0xC0) == 0x80);
        count--;
    }
    return at;
}

/* A cell in `width` characters: names differ at their ends more often than in the middle. */
static void add_cut(struct bytes *out, const char *cell, size_t width) {
    size_t whole = grid_width(cell);
    if (whole <= width) {
        bytes_add_text(out, cell);
        return;
    }
    bytes_add(out, cell, place_of(cell, width / 2));
    bytes_add_text(out, "…");
    bytes_add_text(out, cell + place_of(cell, whole - (width - 1 - width / 2)));
}

static void write_row(const struct grid *grid, const size_t *width, size_t gap, int first,
                      struct bytes *out) {
    for (int column = 0; column < grid->columns; column++) {
        const char *cell = grid->cell[first + column];
        size_t taken = grid_width(cell);
        size_t blanks = taken < width[column] ? width[column] - taken : 0;
        bool last = column + 1 == grid->columns;
        if (column > 0) {
            pad(out, gap);
        }
        if (!grid->left[column]) {
            pad(out, blanks);
        }
        add_cut(out, cell, width[column]);
        if (grid->left[column] && !last) {
            pad(out, blanks);
        }
    }
    bytes_add_text(out, "\n");
}

/* Narrows the gap, then the left-aligned columns; the gap that is left. */
static size_t fit(const struct grid *grid, size_t *width, size_t limit) {
    size_t gap = GAP;
    size_t total = 0;
    for (int column = 0; column < grid->columns; column++) {
        total += width[column];
    }
    while (gap > 1 && total + gap * (size_t)(grid->columns - 1) > limit) {
        gap--;
    }
    total += gap * (size_t)(grid->columns - 1);
    for (int column = 0; column < grid->columns; column++) {
        while (grid->left[column] && total > limit && width[column] > LEFT_LEAST) {
            width[column]--;
            total--;
        }
    }
    return gap;
}

void grid_write(struct grid *grid, size_t limit, struct bytes *out) {
    size_t width[GRID_COLUMNS_MAX] = {0};
    for (int i = 0; i < grid->used; i++) {
        size_t *most = &width[i % grid->columns];
        size_t size = grid_width(grid->cell[i]);
        *most = size > *most ? size : *most;
    }
    assert(grid->used % grid->columns == 0);
    size_t gap = fit(grid, width, limit);
    for (int first = 0; first < grid->used; first += grid->columns) {
        write_row(grid, width, gap, first, out);
    }
    grid_clear(grid);
}

void grid_paragraph(const char *text, size_t width, struct bytes *out) {
    size_t used = 0;
    for (size_t length; text += strspn(text, " "), (length = strcspn(text, " ")) > 0;
         text += length) {
        size_t size = 0;
        for (size_t i = 0; i < length; i++) {
            size += ((unsigned char)text[i] & 0xC0u) != 0x80u;
        }
        if (used > 0) {
            bool fits = used + 1 + size <= width;
            bytes_add_text(out, fits ? " " : "\n");
            used = fits ? used + 1 : 0;
        }
        bytes_add(out, text, length);
        used += size;
    }
    bytes_add_text(out, "\n");
}
