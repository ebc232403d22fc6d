#include "referee/table.h"

#include <string.h>

/* What an `error` says, and a `refused`: protocol/README.md has the same lists. */
static const char *const error_codes[] = {"illegal",     "malformed", "ambiguous",
                                          "not-allowed", "timeout",   "late",
                                          "unexpected",  "unknown",   "too-long"};
static const char *const refusal_codes[] = {"version", "name",    "token",
                                            "full",    "late", "variant"};

static const char *at(const char *const *list, size_t length, size_t index) {
    return index < length ? list[index] : NULL;
}

const char *error_code(size_t index) {
    return at(error_codes, sizeof error_codes / sizeof *error_codes, index);
}

const char *refusal_code(size_t index) {
    return at(refusal_codes, sizeof refusal_codes / sizeof *refusal_codes, index);
}

bool code_is_among(const char *code, const char *(*list)(size_t index)) {
    for (size_t i = 0; list(i) != NULL; i++) {
        if (strcmp(list(i), code) == 0) {
            return true;
        }
    }
    return false;
}

void referee_set_retry(struct referee *referee, int64_t ms) {
    referee->retry = ms;
}

int referee_count_sessions(const struct referee *referee) {
    return (int)referee->sessions.count;
}

int referee_count_tables(const struct referee *referee) {
    return (int)referee->tables.count;
}

uint32_t referee_next_session(const struct referee *referee, uint32_t after) {
    uint32_t id = after;
    do {
        id = shelf_next(&referee->sessions, id);
    } while (id != 0 && referee_session(referee, id) == NULL);
    return id;
}

bool referee_has_begun(struct referee *referee, uint32_t id) {
    const struct table *table = referee_find_table(referee, id);
    return table != NULL && (table->in_game || table->match.games > 0);
}
