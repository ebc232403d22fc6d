/* Allocation that does not fail: when the machine has no memory the program
 * stops with one line (house: the machine fails, fatal). Free with free(). */
#ifndef HAKEM_BASE_ALLOC_H
#define HAKEM_BASE_ALLOC_H

#include <stddef.h>

/* Zeroed room for `count` things of `size` bytes; never NULL. */
void *alloc_zeroed(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* Resizes; the old pointer is invalid afterwards. New room is not cleared. */
void *alloc_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull));

/* Room for one thing more than the `count` that are there; `*room` is what there is room for,
 * and grows by doubling. */
void *alloc_more(void *old, size_t count, size_t *room, size_t size)
    __attribute__((returns_nonnull));

/* Copy of a text of `length` bytes, NUL added. */
char *alloc_text(const char *text, size_t length) __attribute__((malloc, returns_nonnull));

/* Printed text; the caller frees. */
char *alloc_print(const char *format, ...)
    __attribute__((format(printf, 1, 2), malloc, returns_nonnull));

#endif
