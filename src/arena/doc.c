#include "arena/doc.h"

#include "base/json.h"
#include "base/lang.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int doc_wrap(const struct doc *doc, const char *key) {
    struct place place = doc->at;
    if (place.key == NULL) {
        place = (struct place){.key = key, .item = -1};
    } else {
        place.member = key;
    }
    int line = place.key != NULL ? place_line(doc->text, doc->length, &place) : 0;
    if (line > 0) {
        fail_wrap(doc->fail, _("line %d"), line);
    }
    return fail_wrap(doc->fail, "%s", doc->path);
}

int doc_refuse(const struct doc *doc, const char *key, const char *format, ...) {
    char text[sizeof doc->fail->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fail_set(doc->fail, EXIT_CODE_USAGE, "%s", text);
    return doc_wrap(doc, key);
}

int doc_refuse_unknown(const struct doc *doc, const char *key, const char *const *known,
                       size_t count, const char *command) {
    char shown[64];
    const char *nearest = text_nearest(key, known, count);
    text_escape(key, strlen(key), shown, sizeof shown);
    if (nearest != NULL) {
        return doc_refuse(doc, key, _("unknown field \"%s\": did you mean \"%s\"?"), shown,
                          nearest);
    }
    return doc_refuse(doc, key, _("unknown field \"%s\": hakem %s --help lists the fields"), shown,
                      command);
}

int doc_int(const struct doc *doc, const struct cJSON *value, int min, int max, int *out) {
    int64_t number;
    const char *key = json_key(value);
    if (!json_integer(value, min, max, &number)) {
        return doc_refuse(doc, key, _("\"%s\" must be a whole number from %d to %d"), key, min,
                          max);
    }
    *out = (int)number;
    return 0;
}

int doc_time(const struct doc *doc, const struct cJSON *value, int64_t *out) {
    const char *text = json_text(value);
    const char *key = json_key(value);
    bool good = text != NULL ? text_millis(text, strlen(text), out)
                             : json_integer(value, 0, DOC_TIME_MAX, out);
    if (!good || *out > DOC_TIME_MAX) {
        return doc_refuse(doc, key,
                          _("\"%s\" must be a time such as \"5s\" or \"250ms\" (a number is "
                            "milliseconds), at most a day"),
                          key);
    }
    return 0;
}

int doc_bool(const struct doc *doc, const struct cJSON *value, bool *out) {
    const char *key = json_key(value);
    if (!json_boolean(value, out)) {
        return doc_refuse(doc, key, _("\"%s\" must be true or false"), key);
    }
    return 0;
}

const char *doc_text(const struct doc *doc, const struct cJSON *value) {
    const char *text = json_text(value);
    const char *key = json_key(value);
    if (text == NULL) {
        doc_refuse(doc, key, _("\"%s\" must be a text"), key);
    }
    return text;
}

bool doc_is(const struct cJSON *value, const char *word) {
    const char *text = json_text(value);
    return text != NULL && strcmp(text, word) == 0;
}
