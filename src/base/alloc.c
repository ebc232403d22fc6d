#include "base/alloc.h"

#include "base/fail.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALLOC_FIRST = 16 }; /* things that there is room for at first */

void *alloc_zeroed(size_t count, size_t size) {
    /* calloc(0) may answer NULL, which callers must never see. */
    void *room = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (room == NULL) {
        fail_fatal("out of memory: %zu times %zu bytes", count, size);
    }
    return room;
}

void *alloc_resize(void *old, size_t count, size_t size) {
    void *room = NULL;
    if (size == 0 || count <= SIZE_MAX / size) {
        size_t total = count * size;
        room = realloc(old, total > 0 ? total : 1);
    }
    if (room == NULL) {
        fail_fatal("out of memory: %zu times %zu bytes", count, size);
    }
    return room;
}

void *alloc_more(void *old, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return old;
    }
    *room = *room == 0 ? ALLOC_FIRST : *room * 2;
    return alloc_resize(old, *room, size);
}

char *alloc_text(const char *text, size_t length) {
    char *copy = alloc_zeroed(length + 1, 1);
    if (length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *alloc_print(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = NULL;
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0 || text == NULL) {
        fail_fatal("out of memory: a printed text");
    }
    return text;
}
