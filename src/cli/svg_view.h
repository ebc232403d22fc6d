/* A board as SVG, for pages and papers: the same view as board_view draws in a terminal. Text only,
 * no outside reference; colours of its own, so that it looks the same everywhere. */
#ifndef HAKEM_CLI_SVG_VIEW_H
#define HAKEM_CLI_SVG_VIEW_H

#include "cli/board_view.h"

enum { SVG_BOARD_WIDTH = 460, SVG_BOARD_HEIGHT = 340 };

/* Where a board stands, and the words around it (UTF-8, not escaped yet). */
struct svg_place {
    int x, y;
    const char *upper, *lower; /* a line for each side: name, score */
    const char *cube;          /* "" where there is none */
    const char *caption;       /* below the board */
};

/* Adds the head of a picture of that size, and its end. */
void svg_view_begin(int width, int height, const char *title, struct bytes *out);
void svg_view_end(struct bytes *out);

/* Adds one board; the texts beside a board_view are not used. */
void svg_view_draw(const struct board_view *view, const struct svg_place *place,
                   struct bytes *out);

#endif
