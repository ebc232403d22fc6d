/* The strict walk in front of cJSON: whatever it lets pass is one JSON value, in
 * UTF-8, within the limits, and cJSON builds from it what the text says. Only
 * json.c uses it. */
#ifndef HAKEM_BASE_JSON_SCAN_H
#define HAKEM_BASE_JSON_SCAN_H

#include "base/json.h"

enum { JSON_KEYS_MAX = 256 }; /* keys of one object; no limit may be above it */

/* What was refused: an English sentence, marked for translation, and its byte. */
struct json_fault {
    const char *why;
    size_t where;
};

/* Blanks the comments of the text in place where the limits allow them, then checks
 * it; false with the first fault. */
bool json_scan(char *text, size_t length, const struct json_limits *limits,
               struct json_fault *fault) __attribute__((warn_unused_result));

#endif
