#include "wire/spelling.h"

#include "wire/decoding.h"

#include <string.h>

/* Drops a BOM and blanks before the line, one CR and blanks after it. */
static void trim(const char **line, size_t *length) {
    static const char mark[3] = {'\xEF', '\xBB', '\xBF'};
    const char *start = *line;
    const char *end = start + *length;
    if (*length >= sizeof mark && memcmp(start, mark, sizeof mark) == 0) {
        start += sizeof mark;
    }
    while (start < end && (*start == ' ' || *start == '\t')) {
        start++;
    }
    if (start < end && end[-1] == '\r') {
        end--;
    }
    while (start < end && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    *line = start;
    *length = (size_t)(end - start);
}

enum decoded spelling_decode(enum spelling spelling, const char *line, size_t length,
                             unsigned senders, struct message *message, char why[160]) {
    struct decoding decoding = {.message = message, .row = NULL, .why = why, .bad = false};
    why[0] = '\0';
    message_init(message, MESSAGE_COUNT);
    trim(&line, &length);
    if (length == 0) {
        return DECODED_BLANK;
    }
    switch (spelling) {
    case SPELLING_TEXT:
        return text_decode(line, length, senders, &decoding);
    case SPELLING_JSON:
        return json_decode(line, length, senders, &decoding);
    }
    return DECODED_BLANK;
}

/* Adds the line or nothing at all. */
static bool encode(enum spelling spelling, const struct message *message, struct bytes *out,
                   bool line_end) {
    size_t start = out->length;
    bool full = out->full;
    out->full = false;
    switch (spelling) {
    case SPELLING_TEXT:
        text_encode(message, out);
        break;
    case SPELLING_JSON:
        json_encode(message, out);
        break;
    }
    if (line_end) {
        bytes_add(out, "\n", 1);
    }
    bool good = !out->full;
    if (!good) {
        out->length = start;
    }
    out->full = full || !good;
    return good;
}

bool spelling_encode(enum spelling spelling, const struct message *message, struct bytes *out) {
    return encode(spelling, message, out, true);
}

bool spelling_encode_bare(enum spelling spelling, const struct message *message,
                          struct bytes *out) {
    return encode(spelling, message, out, false);
}
