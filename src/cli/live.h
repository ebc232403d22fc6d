/* Live lines: a text on a terminal that is drawn again and again in its place. Each drawing
 * is one write over the last one, so that nothing flickers; it never scrolls, and lines are
 * cut so that the terminal does not fold them. */
#ifndef HAKEM_CLI_LIVE_H
#define HAKEM_CLI_LIVE_H

#include "base/bytes.h"

enum {
    LIVE_LINES_MAX = 512,
    LIVE_WIDTH = 80, /* where the terminal does not say */
    LIVE_HEIGHT = 24,
};

struct live {
    bool can;                   /* standard output is a terminal that can be redrawn */
    bool colour;                /* and may be coloured (NO_COLOR is not set) */
    int lines;                  /* of the last drawing */
    int columns[LIVE_LINES_MAX]; /* that each of them took */
};

/* Looks at standard output and the environment. */
void live_init(struct live *live);

/* How much room there is now, in characters. */
void live_size(int *width, int *height);

/* Draws a text, as much of it as there is room for. A line that begins with LIVE_ALARM stands
 * out. */
#define LIVE_ALARM "\a"
void live_draw(struct live *live, const struct bytes *text);

/* Takes the drawing away, so that other lines can be printed; the next one comes below. */
void live_take_away(struct live *live);

#endif
