/* Strict JSON on top of cJSON: a pre-scan refuses what cJSON lets pass (bad
 * UTF-8, control bytes, \u0000, duplicate keys, depth, trailing bytes), `//`
 * comments may be blanked in place, and positions in files are kept as line and
 * column. The tree is cJSON's; read it only with the functions below. */
#ifndef HAKEM_BASE_JSON_H
#define HAKEM_BASE_JSON_H

#include "base/fail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

struct json_limits {
    int depth;     /* brackets, at most */
    int keys;      /* keys of one object */
    int items;     /* items of one array */
    bool comments; /* `//` to the end of the line is blanked */
    bool people;   /* refusals are read by people, in their language; else English */
};

extern const struct json_limits json_limits_wire; /* 8, 96, 512, no comments, English */
extern const struct json_limits json_limits_file; /* 16, 256, 65536, comments */

/* Parses a document; NULL with a sentence ("line 3, column 7: ...") on anything
 * that is not one strict JSON value. Free with json_free. */
struct cJSON *json_parse(const char *text, size_t length, const struct json_limits *limits,
                         struct fail *fail);
void json_free(struct cJSON *json);

/* Member of an object by exact key, or NULL. */
const struct cJSON *json_member(const struct cJSON *object, const char *key);

bool json_is_object(const struct cJSON *json);
bool json_is_array(const struct cJSON *json);
bool json_is_null(const struct cJSON *json);

/* Text of a string, or NULL. */
const char *json_text(const struct cJSON *json);

/* A whole number within [min, max]; false on anything else (fractions, huge, strings). */
bool json_integer(const struct cJSON *json, int64_t min, int64_t max, int64_t *value);

/* true/false; false is returned when it is no boolean. */
bool json_boolean(const struct cJSON *json, bool *value);

/* A number as it is; false when it is none or not finite. */
bool json_number(const struct cJSON *json, double *value);

/* First child of an object or array, and the next one after it; NULL at the end. */
const struct cJSON *json_first(const struct cJSON *json);
const struct cJSON *json_next(const struct cJSON *json);

/* The key under which this child stands, or NULL in an array. */
const char *json_key(const struct cJSON *json);

/* Line (1-based) where `key` first stands as a key in the text, 0 when nowhere. */
int json_line_of(const char *text, size_t length, const char *key);

struct bytes;

/* Adds a JSON string with quotes and escapes. */
void json_add_string(struct bytes *out, const char *text, size_t length);

/* Adds a member behind others: a comma, the key, and a string as its value. */
void json_add_member(struct bytes *out, const char *key, const char *text);

#endif
