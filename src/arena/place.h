/* Places in a JSON text that has been checked: the line of a field, so that a
 * refusal can name it. */
#ifndef HAKEM_ARENA_PLACE_H
#define HAKEM_ARENA_PLACE_H

#include <stddef.h>

/* A field of the top object (item < 0), or of object number `item` (from 0) in
 * the array under that key; without `member`, the item itself. */
struct place {
    const char *key;
    int item;
    const char *member;
};

/* The line (from 1) where it stands, 0 when it is not found. `//` comments are skipped. */
int place_line(const char *text, size_t length, const struct place *place);

#endif
