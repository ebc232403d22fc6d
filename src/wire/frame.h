/* Frames: cuts a stream of bytes into lines. */
#ifndef HAKEM_WIRE_FRAME_H
#define HAKEM_WIRE_FRAME_H

#include <stddef.h>

enum frame_state {
    FRAME_LINE,    /* a whole line; `consumed` bytes may be dropped */
    FRAME_PARTIAL, /* no line end yet, and still room for one */
    FRAME_TOO_LONG /* no line end within the limit */
};

struct frame {
    const char *line;   /* without LF and trailing CR */
    size_t length;
    size_t consumed;    /* bytes of the stream that it took, LF included */
};

/* Cuts the first line of `data`; `limit` counts the line end. */
enum frame_state frame_cut(const char *data, size_t length, size_t limit, struct frame *frame);

/* The first byte that counts of a stream: skips BOM, blanks, CR, LF. -1: none yet. */
int frame_first_byte(const char *data, size_t length);

#endif
