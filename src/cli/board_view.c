#include "cli/board_view.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH = 5 /* checkers drawn of a stack */, DICE_COLUMNS = 18 };

/* How the frame is drawn. */
struct strokes {
    const char *corner[2][2]; /* upper left, upper right, lower left, lower right */
    const char *cross[2];     /* where the bar meets the upper and lower border */
    const char *across, *down;
    const char *man[SIDE_COUNT];
};

static const struct strokes strokes_unicode = {
    .corner = {{"┌", "┐"}, {"└", "┘"}},
    .cross = {"┬", "┴"},
    .across = "─",
    .down = "│",
    .man = {"○", "●"},
};

static const struct strokes strokes_ascii = {
    .corner = {{"+", "+"}, {"+", "+"}},
    .cross = {"+", "+"},
    .across = "-",
    .down = "|",
    .man = {"X", "O"},
};

static const struct strokes *strokes_of(bool ascii) {
    return ascii ? &strokes_ascii : &strokes_unicode;
}

const char *board_view_man(enum side side, bool ascii) {
    return strokes_of(ascii)->man[side];
}

/* Checkers of `side` on the point that the frame calls `point`. */
static int men_on(const struct board_view *view, enum side side, int point) {
    if (side != view->frame) {
        point = point_mirror(view->rules->variant->path, point);
    }
    return view->board->men[side][point];
}

/* A border: the numbers of six points, the bar, six more. `first` is the leftmost. */
static void draw_border(const struct board_view *view, int row, int first, int step,
                        struct bytes *out) {
    const struct strokes *strokes = strokes_of(view->ascii);
    bytes_add_text(out, strokes->corner[row][0]);
    for (int i = 0; i < 12; i++) {
        int point = first + i * step;
        if (i == HOME_POINTS) {
            bytes_print(out, "%s%s%s%s%s", strokes->cross[row], strokes->across, strokes->across,
                        strokes->across, strokes->cross[row]);
        }
        bytes_print(out, "%s%d%s", point < 10 ? strokes->across : "", point, strokes->across);
    }
    bytes_add_text(out, strokes->corner[row][1]);
}

/* One place of a stack, three columns wide. `depth` counts from the border; the
 * innermost place of a higher stack holds its number. */
static void draw_place(const struct board_view *view, enum side side, int men, int depth,
                       struct bytes *out) {
    if (men > DEPTH && depth == DEPTH - 1) {
        bytes_print(out, "%2d ", men);
    } else if (men > depth) {
        bytes_print(out, " %s ", board_view_man(side, view->ascii));
    } else {
        bytes_add_text(out, "   ");
    }
}

/* The bar: whoever enters in the upper half waits there, from the middle outwards. */
static void draw_bar(const struct board_view *view, bool upper, int depth, struct bytes *out) {
    enum side side = upper ? view->frame : side_other(view->frame);
    int men = view->board->men[side][POINT_BAR];
    const char *down = strokes_of(view->ascii)->down;
    bytes_add_text(out, down);
    draw_place(view, side, men, DEPTH - 1 - depth, out);
    bytes_add_text(out, down);
}

static void draw_row(const struct board_view *view, bool upper, int depth, struct bytes *out) {
    const char *down = strokes_of(view->ascii)->down;
    bytes_add_text(out, down);
    for (int i = 0; i < 12; i++) {
        int point = upper ? 13 + i : 12 - i;
        int other = men_on(view, side_other(view->frame), point);
        enum side side = other > 0 ? side_other(view->frame) : view->frame;
        if (i == HOME_POINTS) {
            draw_bar(view, upper, depth, out);
        }
        draw_place(view, side, other > 0 ? other : men_on(view, side, point), depth, out);
    }
    bytes_add_text(out, down);
}

static void draw_dice(const struct board_view *view, struct bytes *out) {
    static const char *const faces[] = {"", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"};
    const uint8_t *dice = view->dice;
    const char *man = board_view_man(view->thrower, view->ascii);
    if (dice[0] == 0) {
        bytes_print(out, "%*s", DICE_COLUMNS, "");
    } else if (view->ascii) {
        bytes_print(out, "    %s [%d] [%d]     ", man, dice[0], dice[1]);
    } else {
        bytes_print(out, "    %s %s %s  %d%d     ", man, faces[dice[0]], faces[dice[1]], dice[0],
                    dice[1]);
    }
}

/* The middle line: dice lie on the half to the right of the one who threw them, behind his
 * figure. */
static void draw_middle(const struct board_view *view, struct bytes *out) {
    const char *down = strokes_of(view->ascii)->down;
    struct board_view bare = *view;
    bare.dice[0] = 0;
    bool right = view->thrower == view->frame;
    bytes_add_text(out, down);
    draw_dice(right ? &bare : view, out);
    bytes_print(out, "%s   %s", down, down);
    draw_dice(right ? view : &bare, out);
    bytes_add_text(out, down);
}

static void draw_line(const struct board_view *view, int line, struct bytes *out) {
    const int middle = BOARD_VIEW_LINES / 2;
    if (line == 0) {
        draw_border(view, 0, 13, 1, out);
    } else if (line == BOARD_VIEW_LINES - 1) {
        draw_border(view, 1, 12, -1, out);
    } else if (line < middle) {
        draw_row(view, true, line - 1, out);
    } else if (line > middle) {
        draw_row(view, false, BOARD_VIEW_LINES - 2 - line, out);
    } else {
        draw_middle(view, out);
    }
}

void board_view_draw(const struct board_view *view, struct bytes *out) {
    for (int line = 0; line < BOARD_VIEW_LINES; line++) {
        draw_line(view, line, out);
        if (view->beside[line] != NULL && view->beside[line][0] != '\0') {
            bytes_print(out, "   %s", view->beside[line]);
        }
        bytes_add_text(out, "\n");
    }
}
