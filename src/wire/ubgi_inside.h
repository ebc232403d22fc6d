/* The inside of the UBGI dialect: what its files share. ubgi.c asks and hears, ubgi_setup.c begins,
 * ubgi_options.c knows what the engine said of its options (`key` of 0.2, `option` of 0.1). */
#ifndef HAKEM_WIRE_UBGI_INSIDE_H
#define HAKEM_WIRE_UBGI_INSIDE_H

#include "wire/dialect_inside.h"

/* Whether the line begins with that word, any case; `*rest` is what stands behind it. */
bool ubgi_begins(const char *line, const char *word, const char **rest);

/* Says `isready`: the step is done when that is answered. */
void ubgi_send_barrier(struct dialect *d, enum ubgi_step step);

/* The word of a game of ours, NULL: the protocol has none. */
const char *ubgi_variant_word(enum variant_id id);

/* The connection begins. */
void ubgi_open(struct dialect *d);

/* It says something before it is ready. */
void ubgi_hear_greeting(struct dialect *d, const char *line, size_t length);

/* It is ready after an option was set, and after it was read back. */
void ubgi_was_set(struct dialect *d);
void ubgi_read_back(struct dialect *d);

/* Whether the listed options are those of the unrelated interface for board games. */
bool ubgi_is_other(const struct dialect *d);

/* Whether the engine lists that game. */
bool ubgi_lists_variant(const struct dialect *d, const char *word);

/* Tells the engine to play that game. */
void ubgi_set_variant(struct dialect *d, const char *word);

/* Tells the engine an option. False when it is not told: the engine does not list it, or not with
 * that value; then it is let pass (lenient), or the dialect fails. */
bool ubgi_set_option(struct dialect *d, const struct dialect_option *option);

/* Whether an option can be read back. */
bool ubgi_may_read(const struct dialect *d, const char *name);

/* Whether two values are the same to an engine: case and leading zeros aside. */
bool ubgi_same_value(const char *a, const char *b);

#endif
