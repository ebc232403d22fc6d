/* Growing bytes with a ceiling set at birth.
 *
 * Adding past the ceiling adds nothing and marks the buffer `full`; the owner
 * decides what that costs whom. A pointer into the data is invalid after any
 * add. Values: bytes_init, bytes_clear.
 */
#ifndef HAKEM_BASE_BYTES_H
#define HAKEM_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

struct bytes {
    char *data; /* not NUL-terminated, NULL while nothing was added */
    size_t length;
    size_t room;
    size_t ceiling; /* bytes it may ever hold */
    bool full;      /* an add was refused since birth */
};

/* An empty buffer that may grow to `ceiling` bytes. */
void bytes_init(struct bytes *bytes, size_t ceiling);

/* Frees the data and leaves an empty buffer with the same ceiling. */
void bytes_clear(struct bytes *bytes);

/* Adds bytes; false, with nothing added, past the ceiling. */
bool bytes_add(struct bytes *bytes, const void *data, size_t length);

/* Adds a NUL-terminated text without its NUL. */
bool bytes_add_text(struct bytes *bytes, const char *text);

/* Adds printed text. */
bool bytes_print(struct bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Room for `length` more bytes at the end, to be taken with bytes_took; NULL past the ceiling. */
char *bytes_reserve(struct bytes *bytes, size_t length);

/* Counts `length` bytes that were written into reserved room. */
void bytes_took(struct bytes *bytes, size_t length);

/* Drops the first `length` bytes. */
void bytes_drop(struct bytes *bytes, size_t length);

/* A NUL-terminated view (the NUL is not counted); "" when empty. */
const char *bytes_text(struct bytes *bytes);

#endif
