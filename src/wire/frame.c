#include "wire/frame.h"

#include <string.h>

enum frame_state frame_cut(const char *data, size_t length, size_t limit, struct frame *frame) {
    size_t within = length < limit ? length : limit;
    const char *end = within > 0 ? memchr(data, '\n', within) : NULL;
    if (end == NULL) {
        return length < limit ? FRAME_PARTIAL : FRAME_TOO_LONG;
    }
    size_t size = (size_t)(end - data);
    frame->consumed = size + 1;
    frame->line = data;
    frame->length = size > 0 && data[size - 1] == '\r' ? size - 1 : size;
    return FRAME_LINE;
}

int frame_first_byte(const char *data, size_t length) {
    static const char mark[3] = {'\xEF', '\xBB', '\xBF'};
    for (size_t at = 0; at < length;) {
        char c = data[at];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            at++;
            continue;
        }
        size_t left = length - at;
        size_t size = left < sizeof mark ? left : sizeof mark;
        if (memcmp(data + at, mark, size) != 0) {
            return (unsigned char)c;
        }
        if (size < sizeof mark) {
            return -1; /* perhaps a BOM; its rest has not come yet */
        }
        at += size;
    }
    return -1;
}
