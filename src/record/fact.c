#include "record/fact.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fact_refuse(char why[RECORD_WHY_MAX], const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why, RECORD_WHY_MAX, format, args);
    va_end(args);
    return -1;
}

/* Reads X, Y or none; false on anything else. */
bool fact_read_side(const struct message *message, enum field field, int *side) {
    const char *text = message_text(message, field);
    for (int i = -1; i < SIDE_COUNT; i++) {
        if (strcmp(text, side_name(i)) == 0) {
            *side = i;
            return true;
        }
    }
    return false;
}

/* Reads "31" into two dice. */
bool fact_read_dice(const char *text, size_t length, uint8_t dice[2]) {
    if (length != 2) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (text[i] < '1' || text[i] > '6') {
            return false;
        }
        dice[i] = (uint8_t)(text[i] - '0');
    }
    return true;
}

int fact_read_time(const struct message *message, enum field field, int64_t absent, int64_t *ms,
                   char *why) {
    *ms = message_int(message, field, absent);
    if (*ms > RECORD_TIME_MAX) {
        return fact_refuse(why, "%s= is more than %lld ms", field_row(field)->name,
                           (long long)RECORD_TIME_MAX);
    }
    return 0;
}

bool fact_is_lower(const char *hex) {
    return strpbrk(hex, "ABCDEF") == NULL;
}

/* A text of the record must be the one that follows from the lines before. */
int fact_require_text(const struct message *message, enum field field, const char *want,
                      char *why) {
    const char *got = message_text(message, field);
    if (strcmp(got, want) != 0) {
        return fact_refuse(why, "%s= has to be %s here, not \"%.40s\"", field_row(field)->name,
                           want, got);
    }
    return 0;
}

int fact_require_number(const struct message *message, enum field field, uint64_t want, char *why) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, want);
    return fact_require_text(message, field, text, why);
}
