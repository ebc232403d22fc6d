#include "base/lang.h"

#include "base/lang_tr.h"

#include <stdlib.h>
#include <string.h>

static int row_compare(const void *key, const void *row) {
    return strcmp(key, ((const struct lang_row *)row)->english);
}

/* The locale of a category, as setlocale would find it; "" when none is named. */
static const char *locale_of(const char *category) {
    const char *const names[] = {"LC_ALL", category, "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') {
            return value;
        }
    }
    return "";
}

bool lang_is_turkish(void) {
    return strncmp(locale_of("LC_MESSAGES"), "tr", 2) == 0;
}

bool lang_is_utf8(void) {
    const char *locale = locale_of("LC_CTYPE");
    return strcasestr(locale, "utf-8") != NULL || strcasestr(locale, "utf8") != NULL;
}

const char *lang_text_in(bool turkish, const char *english) {
    if (!turkish) {
        return english;
    }
    const struct lang_row *row = bsearch(english, lang_rows, sizeof lang_rows / sizeof lang_rows[0],
                                         sizeof lang_rows[0], row_compare);
    return row != NULL ? row->turkish : english;
}

const char *lang_text(const char *english) {
    return lang_text_in(lang_is_turkish(), english);
}
