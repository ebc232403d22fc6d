#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LOG_LINE_MAX = 2048 };

static enum log_level log_ceiling = LOG_LEVEL_WARN;

static const char *const log_words[] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARN] = "warn",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

int log_level_find(const char *word) {
    for (int level = 0; level <= LOG_LEVEL_DEBUG; level++) {
        if (strcmp(log_words[level], word) == 0) {
            return level;
        }
    }
    return -1;
}

void log_set_level(enum log_level level) {
    log_ceiling = level;
}

int log_wants(enum log_level level) {
    return level <= log_ceiling;
}

void log_line(enum log_level level, const char *format, ...) {
    if (!log_wants(level)) {
        return;
    }
    char line[LOG_LINE_MAX];
    int at = snprintf(line, sizeof line, "%s ", log_words[level]);
    va_list args;
    va_start(args, format);
    vsnprintf(line + at, sizeof line - (size_t)at - 1, format, args);
    va_end(args);
    /* A forged second line is the one thing a log must never show. */
    size_t length = 0;
    for (; line[length] != '\0'; length++) {
        if ((unsigned char)line[length] < 0x20 || line[length] == 0x7F) {
            line[length] = ' ';
        }
    }
    line[length++] = '\n';
    fwrite(line, 1, length, stderr);
}
