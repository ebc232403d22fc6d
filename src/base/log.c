#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LOG_LINE_MAX = 2048,
    LOG_BURST = 500, /* lines at once, */
    LOG_RATE = 50,   /* and a second */
    LOG_SHARE = 1000 /* an allowance counts in thousandths */
};

/* The sink: what is written, and how. */
static struct {
    enum log_level ceiling;
    bool journal;      /* lines begin with their priority */
    bool counted;      /* there is an allowance */
    int64_t allowance; /* lines that may be written now, in thousandths */
    int64_t at;        /* ms: when that was so */
    int64_t lost;      /* lines that were not written */
} log_sink = {.ceiling = LOG_LEVEL_WARN};

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
    log_sink.ceiling = level;
}

int log_wants(enum log_level level) {
    return level <= log_sink.ceiling;
}

void log_open_journal(const char *text) {
    struct stat status;
    char own[64];
    if (text != NULL && fstat(STDERR_FILENO, &status) == 0) {
        snprintf(own, sizeof own, "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
        log_sink.journal = strcmp(own, text) == 0;
    }
}

/* Whether one more line is allowed; takes it. */
static bool take_line(enum log_level level) {
    if (!log_sink.counted || level == LOG_LEVEL_ERROR || log_sink.ceiling == LOG_LEVEL_DEBUG) {
        return true;
    }
    if (log_sink.allowance < LOG_SHARE) {
        log_sink.lost++;
        return false;
    }
    log_sink.allowance -= LOG_SHARE;
    return true;
}

void log_turn(int64_t now) {
    int64_t most = (int64_t)LOG_BURST * LOG_SHARE;
    int64_t passed = log_sink.counted ? now - log_sink.at : 0;
    int64_t grown = passed < LOG_SHARE * LOG_BURST ? passed * LOG_RATE : most;
    log_sink.allowance =
        log_sink.counted && log_sink.allowance + grown < most ? log_sink.allowance + grown : most;
    log_sink.counted = true;
    log_sink.at = now;
    if (log_sink.lost > 0 && log_sink.allowance >= 2 * LOG_SHARE) {
        int64_t lost = log_sink.lost;
        log_sink.lost = 0;
        log_line(LOG_LEVEL_WARN, "log short lines=%lld", (long long)lost);
    }
}

void log_line(enum log_level level, const char *format, ...) {
    static const int priorities[] = {
        [LOG_LEVEL_ERROR] = 3, [LOG_LEVEL_WARN] = 4, [LOG_LEVEL_INFO] = 6, [LOG_LEVEL_DEBUG] = 7};
    if (!log_wants(level) || !take_line(level)) {
        return;
    }
    char line[LOG_LINE_MAX];
    int at = log_sink.journal ? snprintf(line, sizeof line, "<%d>", priorities[level]) : 0;
    at += snprintf(line + at, sizeof line - (size_t)at, "%s ", log_words[level]);
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
