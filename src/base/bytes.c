#include "base/bytes.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_FIRST_ROOM = 64 };

void bytes_init(struct bytes *bytes, size_t ceiling) {
    *bytes = (struct bytes){.ceiling = ceiling};
}

void bytes_clear(struct bytes *bytes) {
    free(bytes->data);
    bytes_init(bytes, bytes->ceiling);
}

char *bytes_reserve(struct bytes *bytes, size_t length) {
    if (length > bytes->ceiling - bytes->length) {
        bytes->full = true;
        return NULL;
    }
    /* One byte more than is counted, so that bytes_text always finds room for its NUL. */
    size_t need = bytes->length + length + 1;
    if (need > bytes->room) {
        size_t room = bytes->room > 0 ? bytes->room : BYTES_FIRST_ROOM;
        while (room < need) {
            room = room <= bytes->ceiling / 2 ? room * 2 : bytes->ceiling + 1;
        }
        bytes->data = alloc_resize(bytes->data, room, 1);
        bytes->room = room;
    }
    return bytes->data + bytes->length;
}

void bytes_took(struct bytes *bytes, size_t length) {
    assert(length < bytes->room - bytes->length || length == 0);
    bytes->length += length;
}

bool bytes_add(struct bytes *bytes, const void *data, size_t length) {
    char *end = bytes_reserve(bytes, length);
    if (end == NULL) {
        return false;
    }
    if (length > 0) {
        memcpy(end, data, length);
    }
    bytes->length += length;
    return true;
}

bool bytes_add_text(struct bytes *bytes, const char *text) {
    return bytes_add(bytes, text, strlen(text));
}

bool bytes_print(struct bytes *bytes, const char *format, ...) {
    va_list args;
    va_start(args, format);
    /* The first try goes into the room that is there; most texts fit. */
    size_t free_room = bytes->room - bytes->length;
    char *end = free_room > 0 ? bytes->data + bytes->length : NULL;
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(end, free_room, format, args);
    va_end(args);
    bool good = length >= 0;
    if (good && ((size_t)length >= free_room || (size_t)length > bytes->ceiling - bytes->length)) {
        end = bytes_reserve(bytes, (size_t)length);
        good = end != NULL;
        if (good) {
            good = vsnprintf(end, (size_t)length + 1, format, again) == length;
        }
    }
    va_end(again);
    if (good) {
        bytes->length += (size_t)length;
    }
    return good;
}

void bytes_drop(struct bytes *bytes, size_t length) {
    assert(length <= bytes->length);
    bytes->length -= length;
    if (bytes->length > 0) {
        memmove(bytes->data, bytes->data + length, bytes->length);
    }
}

const char *bytes_text(struct bytes *bytes) {
    if (bytes->data == NULL) {
        return "";
    }
    bytes->data[bytes->length] = '\0';
    return bytes->data;
}
