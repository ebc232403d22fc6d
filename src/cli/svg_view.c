#include "cli/svg_view.h"

#include <string.h>

/* The board lies in a place of SVG_BOARD_WIDTH x SVG_BOARD_HEIGHT; all figures are in its units. */
enum {
    LEFT = 10,
    TOP = 34,
    POINT_WIDTH = 30,
    HALF_WIDTH = HOME_POINTS * POINT_WIDTH,
    BAR_WIDTH = 30,
    BOARD_WIDTH = 2 * HALF_WIDTH + BAR_WIDTH,
    BOARD_HEIGHT = 264,
    TRAY_WIDTH = 42,
    SPIKE = 112,
    MAN = 13, /* radius */
    DEPTH = 5 /* checkers drawn of a stack; a higher one has its number */
};

static const char *const man_fill[SIDE_COUNT] = {"#fdfaf2", "#33302b"};
static const char *const man_text[SIDE_COUNT] = {"#33302b", "#fdfaf2"};

static void add_escaped(struct bytes *out, const char *text) {
    for (; *text != '\0'; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity != NULL) {
            bytes_add_text(out, entity);
        } else {
            bytes_add(out, text, 1);
        }
    }
}

static void add_text(struct bytes *out, int x, int y, const char *class, const char *text) {
    bytes_print(out, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
    add_escaped(out, text);
    bytes_add_text(out, "</text>\n");
}

void svg_view_begin(int width, int height, const char *title, struct bytes *out) {
    bytes_print(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\" role=\"img\">\n<title>",
                width, height, width, height);
    add_escaped(out, title);
    bytes_add_text(out, "</title>\n<style>text{font-family:sans-serif;font-size:13px;fill:#33302b}"
                        ".m{text-anchor:middle}.e{text-anchor:end}.s{font-size:10px;fill:#6b6558}"
                        ".c{font-size:12px}</style>\n");
    bytes_print(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fffdf8\"/>\n", width, height);
}

void svg_view_end(struct bytes *out) {
    bytes_add_text(out, "</svg>\n");
}

/* The middle of a point of the frame: 1 to 6 lie at the lower right, 24 above 1. */
static int point_x(int point) {
    int column = point <= 12 ? 12 - point : point - 13; /* from the left */
    int bar = column >= HOME_POINTS ? BAR_WIDTH : 0;
    return LEFT + column * POINT_WIDTH + bar + POINT_WIDTH / 2;
}

static void draw_frame(struct bytes *out) {
    bytes_print(out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#efe6d2\" "
                "stroke=\"#6b5a3e\" stroke-width=\"2\"/>\n",
                LEFT, TOP, BOARD_WIDTH, BOARD_HEIGHT);
    for (int point = 1; point <= 24; point++) {
        int x = point_x(point) - POINT_WIDTH / 2;
        int base = point <= 12 ? TOP + BOARD_HEIGHT : TOP;
        int tip = point <= 12 ? base - SPIKE : base + SPIKE;
        char number[4] = {(char)(point < 10 ? '0' + point : '0' + point / 10),
                          (char)(point < 10 ? '\0' : '0' + point % 10), '\0'};
        bytes_print(out, "<path d=\"M%d %dh%dL%d %dz\" fill=\"%s\"/>\n", x, base, POINT_WIDTH,
                    point_x(point), tip, point % 2 == 0 ? "#c9a66b" : "#8f6f45");
        add_text(out, point_x(point), point <= 12 ? TOP + BOARD_HEIGHT + 11 : TOP - 4, "s m",
                 number);
    }
    bytes_print(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#6b5a3e\"/>\n",
                LEFT + HALF_WIDTH, TOP, BAR_WIDTH, BOARD_HEIGHT);
}

/* A stack that grows from `y` by `step`; what is above DEPTH is a number on the last one. */
static void draw_stack(struct bytes *out, enum side side, int men, int x, int y, int step) {
    for (int i = 0; i < men && i < DEPTH; i++) {
        bytes_print(out,
                    "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\" stroke=\"#6b6558\"/>\n", x,
                    y + i * step, MAN, man_fill[side]);
    }
    if (men > DEPTH) {
        bytes_print(out, "<text x=\"%d\" y=\"%d\" class=\"m\" style=\"fill:%s\">%d</text>\n", x,
                    y + (DEPTH - 1) * step + 5, man_text[side], men);
    }
}

static void draw_men(const struct board_view *view, struct bytes *out) {
    for (int point = 1; point <= 24; point++) {
        bool lower = point <= 12;
        int y = lower ? TOP + BOARD_HEIGHT - MAN - 1 : TOP + MAN + 1;
        for (int side = 0; side < SIDE_COUNT; side++) {
            int own = (enum side)side == view->frame
                          ? point
                          : point_mirror(view->rules->variant->path, point);
            draw_stack(out, (enum side)side, view->board->men[side][own], point_x(point), y,
                       lower ? -2 * MAN + 2 : 2 * MAN - 2);
        }
    }
}

/* The bar: who enters above waits above the middle; the trays hold what was borne off. */
static void draw_bar_and_trays(const struct board_view *view, struct bytes *out) {
    int middle = TOP + BOARD_HEIGHT / 2;
    for (int side = 0; side < SIDE_COUNT; side++) {
        bool own = (enum side)side == view->frame;
        int sign = own ? -1 : 1;
        int off = view->board->men[side][POINT_OFF];
        int x = LEFT + BOARD_WIDTH + 6;
        draw_stack(out, (enum side)side, view->board->men[side][POINT_BAR],
                   LEFT + HALF_WIDTH + BAR_WIDTH / 2, middle + sign * (MAN + 4),
                   sign * (2 * MAN - 6));
        for (int i = 0; i < off; i++) {
            bytes_print(out,
                        "<rect x=\"%d\" y=\"%d\" width=\"26\" height=\"6\" fill=\"%s\" "
                        "stroke=\"#6b6558\"/>\n",
                        x, own ? TOP + BOARD_HEIGHT - 7 - 8 * i : TOP + 1 + 8 * i, man_fill[side]);
        }
    }
}

/* The pips of a die as places of a 3 x 3 grid, bit by bit from the upper left. */
static const unsigned short pips[7] = {0, 0x010, 0x101, 0x111, 0x145, 0x155, 0x16D};

static void draw_die(struct bytes *out, enum side side, int value, int x, int y) {
    bytes_print(out,
                "<rect x=\"%d\" y=\"%d\" width=\"24\" height=\"24\" rx=\"4\" fill=\"%s\" "
                "stroke=\"#6b6558\"/>\n",
                x, y, man_fill[side]);
    for (int i = 0; i < 9; i++) {
        if ((pips[value] >> i & 1) != 0) {
            bytes_print(out, "<circle cx=\"%d\" cy=\"%d\" r=\"2.4\" fill=\"%s\"/>\n",
                        x + 5 + 7 * (i % 3), y + 5 + 7 * (i / 3), man_text[side]);
        }
    }
}

static void draw_dice(const struct board_view *view, struct bytes *out) {
    int half = view->thrower == view->frame ? LEFT + HALF_WIDTH + BAR_WIDTH : LEFT;
    int y = TOP + BOARD_HEIGHT / 2 - 12;
    if (view->dice[0] != 0) {
        draw_die(out, view->thrower, view->dice[0], half + HALF_WIDTH / 2 - 28, y);
        draw_die(out, view->thrower, view->dice[1], half + HALF_WIDTH / 2 + 4, y);
    }
}

void svg_view_draw(const struct board_view *view, const struct svg_place *place,
                   struct bytes *out) {
    bytes_print(out, "<g transform=\"translate(%d,%d)\">\n", place->x, place->y);
    draw_frame(out);
    draw_men(view, out);
    draw_bar_and_trays(view, out);
    draw_dice(view, out);
    add_text(out, LEFT, TOP - 17, "c", place->upper);
    add_text(out, LEFT, TOP + BOARD_HEIGHT + 25, "c", place->lower);
    add_text(out, LEFT + BOARD_WIDTH + TRAY_WIDTH, TOP - 17, "c e", place->cube);
    add_text(out, LEFT + BOARD_WIDTH + TRAY_WIDTH, TOP + BOARD_HEIGHT + 25, "c e",
             place->caption);
    bytes_add_text(out, "</g>\n");
}
