/* A drawn board: two rows of points, the bar between, the dice of the last throw.
 * It is seen by one side, whose home is at the lower right. In uzun both sides
 * run the same way round. */
#ifndef HAKEM_CLI_BOARD_VIEW_H
#define HAKEM_CLI_BOARD_VIEW_H

#include "base/bytes.h"
#include "rules/variant.h"

enum { BOARD_VIEW_LINES = 13, BOARD_VIEW_WIDTH = 43 /* columns */ };

struct board_view {
    const struct rules *rules;
    const struct board *board;
    enum side frame;          /* whose numbers the points have */
    bool ascii;               /* no box lines, no figures */
    uint8_t dice[2];          /* 0: none are shown */
    enum side thrower;        /* on whose half they lie */
    const char *beside[BOARD_VIEW_LINES]; /* text to the right of each line, NULL none */
};

/* The figure that stands for a side's checkers. */
const char *board_view_man(enum side side, bool ascii);

/* Adds the board's lines, each with its LF and no blank before it. */
void board_view_draw(const struct board_view *view, struct bytes *out);

#endif
