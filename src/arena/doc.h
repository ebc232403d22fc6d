/* A document: a JSON file that a user wrote, read field by field. Every refusal
 * names the file, the line, the field and what is allowed, and returns -1. */
#ifndef HAKEM_ARENA_DOC_H
#define HAKEM_ARENA_DOC_H

#include "arena/place.h"
#include "base/fail.h"

#include <stdbool.h>
#include <stdint.h>

enum { DOC_TIME_MAX = 86400000 /* ms */ };

struct cJSON;

struct doc {
    const char *path, *text; /* for messages */
    size_t length;
    struct fail *fail;
    struct place at; /* the object that is read: key NULL is the top one, else an item of a list */
};

/* Refuses a field of the object that is read; NULL is the object itself. */
int doc_refuse(const struct doc *doc, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts the place of such a field before the sentence that is already in `fail`. */
int doc_wrap(const struct doc *doc, const char *key);

/* Refuses a word that is no field, with the nearest of those that are; `command` lists them. */
int doc_refuse_unknown(const struct doc *doc, const char *key, const char *const *known,
                       size_t count, const char *command);

/* Reads a whole number within [min, max]. */
int doc_int(const struct doc *doc, const struct cJSON *value, int min, int max, int *out)
    __attribute__((warn_unused_result));

/* Reads a time, at most a day, into ms. */
int doc_time(const struct doc *doc, const struct cJSON *value, int64_t *out)
    __attribute__((warn_unused_result));

/* Reads true or false. */
int doc_bool(const struct doc *doc, const struct cJSON *value, bool *out)
    __attribute__((warn_unused_result));

/* The text of a field, NULL with a refusal when it is none. */
const char *doc_text(const struct doc *doc, const struct cJSON *value);

/* Whether the field is that very text. */
bool doc_is(const struct cJSON *value, const char *word);

#endif
