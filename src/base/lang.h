/* The two languages people read: `_("english")` gives the sentence in the
 * language of LC_ALL, LC_MESSAGES or LANG (tr, else English). The Turkish rows
 * are one const table; a lint proves that each marked sentence has its row and
 * that the conversions agree. Wire, records, logs and program output in JSON
 * are never translated. */
#ifndef HAKEM_BASE_LANG_H
#define HAKEM_BASE_LANG_H

#include <stdbool.h>
#include <stddef.h>

/* The sentence in the user's language; the argument itself where no row exists. */
const char *lang_text(const char *english) __attribute__((format_arg(1), returns_nonnull));

/* The same in a language that is given: who asks a running program may read another one. */
const char *lang_text_in(bool turkish, const char *english)
    __attribute__((format_arg(2), returns_nonnull));

/* Whether the user reads Turkish. */
bool lang_is_turkish(void);

/* Whether the user's terminal takes UTF-8: by LC_ALL, LC_CTYPE or LANG. */
bool lang_is_utf8(void);

#define _(english) lang_text(english)

/* Marks a sentence of a const table; whoever prints it says _(row->sentence). */
#define N_(english) english

#endif
