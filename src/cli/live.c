#include "cli/live.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DRAWING_MAX = 1 << 20 };

void live_init(struct live *live) {
    const char *terminal = getenv("TERM");
    const char *plain = getenv("NO_COLOR");
    *live = (struct live){.can = isatty(STDOUT_FILENO) && terminal != NULL &&
                                 strcmp(terminal, "dumb") != 0};
    live->colour = live->can && (plain == NULL || plain[0] == '\0');
}

void live_size(int *width, int *height) {
    struct winsize size = {.ws_row = 0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 1 && size.ws_col > 1;
    *width = known ? size.ws_col : LIVE_WIDTH;
    *height = known ? size.ws_row : LIVE_HEIGHT;
}

/* The bytes of a line's first `width` characters; `*columns` how many there are. */
static size_t fit_line(const char *line, size_t length, int width, int *columns) {
    size_t at = 0;
    for (*columns = 0; at < length && *columns < width; ++*columns) {
        size_t size = text_utf8_next(line + at, length - at);
        at += size > 0 ? size : 1;
    }
    return at;
}

/* Back to the first line. A terminal that has become narrower has folded the longer ones. */
static void add_way_back(const struct live *live, int width, struct bytes *out) {
    int rows = 0;
    for (int i = 0; i < live->lines; i++) {
        rows += live->columns[i] > width ? (live->columns[i] + width - 1) / width : 1;
    }
    if (rows > 0) {
        bytes_print(out, "\033[%dA\r", rows);
    }
}

/* A line over whatever stands there; nothing is erased that is not written anew. */
static int add_line(const struct live *live, const char *line, size_t length, int width,
                    struct bytes *out) {
    bool alarm = length > 0 && line[0] == LIVE_ALARM[0];
    int columns;
    size_t shown = fit_line(line + alarm, length - alarm, width, &columns);
    bytes_add_text(out, alarm && live->colour ? "\033[31m" : "");
    bytes_add(out, line + alarm, shown);
    bytes_add_text(out, alarm && live->colour ? "\033[m" : "");
    /* Behind a full line the cursor still stands on its last character. */
    bytes_add_text(out, columns < width ? "\033[K\n" : "\n");
    return columns;
}

static void write_out(const struct bytes *out) {
    fwrite(out->data, 1, out->length, stdout);
    fflush(stdout);
}

void live_draw(struct live *live, const struct bytes *text) {
    struct bytes out;
    int width, height;
    bytes_init(&out, DRAWING_MAX);
    live_size(&width, &height);
    add_way_back(live, width, &out);
    live->lines = 0;
    for (size_t at = 0; at < text->length && live->lines < height - 1 &&
                        live->lines < LIVE_LINES_MAX;) {
        const char *line = text->data + at;
        const char *end = memchr(line, '\n', text->length - at);
        size_t length = end != NULL ? (size_t)(end - line) : text->length - at;
        live->columns[live->lines++] = add_line(live, line, length, width, &out);
        at += length + 1;
    }
    bytes_add_text(&out, "\033[J");
    write_out(&out);
    bytes_clear(&out);
}

void live_take_away(struct live *live) {
    if (live->lines > 0) {
        struct bytes out;
        int width, height;
        bytes_init(&out, DRAWING_MAX);
        live_size(&width, &height);
        add_way_back(live, width, &out);
        bytes_add_text(&out, "\033[J");
        live->lines = 0;
        write_out(&out);
        bytes_clear(&out);
    }
}
