#include "base/json.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/json_scan.h"
#include "base/lang.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this a double no longer holds every whole number. */
static const double json_whole_max = 9007199254740991.0;

const struct json_limits json_limits_wire = {
    .depth = 8, .keys = 96, .items = 512, .comments = false, .people = false};
const struct json_limits json_limits_file = {
    .depth = 16, .keys = JSON_KEYS_MAX, .items = 65536, .comments = true, .people = true};

/* Says where it stopped: lines from 1, columns in characters from 1. */
static void explain(const char *text, const struct json_fault *fault, bool people,
                    struct fail *fail) {
    int line = 1;
    int column = 1;
    for (size_t at = 0; at < fault->where; at++) {
        if (text[at] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)text[at] & 0xC0) != 0x80) {
            column++;
        }
    }
    if (people) {
        fail_set(fail, EXIT_CODE_USAGE, _("line %d, column %d: %s"), line, column, _(fault->why));
    } else {
        fail_set(fail, EXIT_CODE_USAGE, "line %d, column %d: %s", line, column, fault->why);
    }
}

struct cJSON *json_parse(const char *text, size_t length, const struct json_limits *limits,
                         struct fail *fail) {
    char *copy = alloc_text(text, length);
    struct json_fault fault;
    struct cJSON *tree = NULL;
    if (json_scan(copy, length, limits, &fault)) {
        tree = cJSON_ParseWithLengthOpts(copy, length, NULL, false);
        if (tree == NULL) {
            fail_fatal("cJSON refused a checked text of %zu bytes: out of memory?", length);
        }
    } else {
        explain(copy, &fault, limits->people, fail);
    }
    free(copy);
    return tree;
}

void json_free(struct cJSON *json) {
    cJSON_Delete(json);
}

const struct cJSON *json_member(const struct cJSON *object, const char *key) {
    if (!json_is_object(object)) {
        return NULL;
    }
    const struct cJSON *child = object->child;
    while (child != NULL && strcmp(child->string, key) != 0) {
        child = child->next;
    }
    return child;
}

bool json_is_object(const struct cJSON *json) {
    return cJSON_IsObject(json) != 0;
}

bool json_is_array(const struct cJSON *json) {
    return cJSON_IsArray(json) != 0;
}

bool json_is_null(const struct cJSON *json) {
    return cJSON_IsNull(json) != 0;
}

const char *json_text(const struct cJSON *json) {
    return cJSON_IsString(json) ? json->valuestring : NULL;
}

bool json_number(const struct cJSON *json, double *value) {
    if (!cJSON_IsNumber(json) || !isfinite(json->valuedouble)) {
        return false;
    }
    *value = json->valuedouble;
    return true;
}

bool json_integer(const struct cJSON *json, int64_t min, int64_t max, int64_t *value) {
    double number;
    if (!json_number(json, &number) || fabs(number) > json_whole_max || trunc(number) != number) {
        return false;
    }
    int64_t whole = (int64_t)number;
    if (whole < min || whole > max) {
        return false;
    }
    *value = whole;
    return true;
}

bool json_boolean(const struct cJSON *json, bool *value) {
    if (!cJSON_IsBool(json)) {
        return false;
    }
    *value = cJSON_IsTrue(json) != 0;
    return true;
}

const struct cJSON *json_first(const struct cJSON *json) {
    return json_is_object(json) || json_is_array(json) ? json->child : NULL;
}

const struct cJSON *json_next(const struct cJSON *json) {
    return json->next;
}

const char *json_key(const struct cJSON *json) {
    return json->string;
}

int json_line_of(const char *text, size_t length, const char *key) {
    size_t size = strlen(key);
    int line = 1;
    for (size_t at = 0; at < length; at++) {
        if (text[at] == '\n') {
            line++;
        }
        if (text[at] != '"' || length - at < size + 2 || text[at + size + 1] != '"' ||
            memcmp(text + at + 1, key, size) != 0) {
            continue;
        }
        size_t behind = at + size + 2;
        while (behind < length && strchr(" \t\r\n", text[behind]) != NULL) {
            behind++;
        }
        if (behind < length && text[behind] == ':') {
            return line;
        }
    }
    return 0;
}

void json_add_string(struct bytes *out, const char *text, size_t length) {
    bytes_add_text(out, "\"");
    for (size_t at = 0; at < length;) {
        size_t size = text_utf8_next(text + at, length - at);
        char c = text[at];
        if (size == 0) {
            /* Not UTF-8: the replacement character, so that the line stays JSON. */
            bytes_add_text(out, "\\ufffd");
            size = 1;
        } else if (c == '"' || c == '\\') {
            bytes_print(out, "\\%c", c);
        } else if (c == '\n') {
            bytes_add_text(out, "\\n");
        } else if ((unsigned char)c < 0x20 || c == 0x7F) {
            bytes_print(out, "\\u%04x", (unsigned)(unsigned char)c);
        } else {
            bytes_add(out, text + at, size);
        }
        at += size;
    }
    bytes_add_text(out, "\"");
}

void json_add_member(struct bytes *out, const char *key, const char *text) {
    bytes_print(out, ",\"%s\":", key);
    json_add_string(out, text, strlen(text));
}
