#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes one line of whatever was printed; a text that was cut ends on a whole character. */
static void text_settle(char *text, size_t room, int printed) {
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\n' || *at == '\r') {
            *at = ' ';
        }
    }
    if (printed >= 0 && (size_t)printed < room) {
        return;
    }
    size_t end = strlen(text);
    while (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0x80) {
        end--;
    }
    if (end > 0 && (unsigned char)text[end - 1] >= 0xC0) {
        end--;
    }
    if ((unsigned char)text[end] >= 0x80) {
        text[end] = '\0';
    }
}

int fail_set(struct fail *fail, enum exit_code code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int printed = vsnprintf(fail->text, sizeof fail->text, format, args);
    va_end(args);
    fail->code = code;
    text_settle(fail->text, sizeof fail->text, printed);
    return -1;
}

int fail_wrap(struct fail *fail, const char *format, ...) {
    char inner[sizeof fail->text];
    memcpy(inner, fail->text, sizeof inner);
    va_list args;
    va_start(args, format);
    int printed = vsnprintf(fail->text, sizeof fail->text, format, args);
    va_end(args);
    if (printed >= 0 && (size_t)printed < sizeof fail->text) {
        size_t at = (size_t)printed;
        printed += snprintf(fail->text + at, sizeof fail->text - at, ": %s", inner);
    }
    text_settle(fail->text, sizeof fail->text, printed);
    return -1;
}

void fail_fatal(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("hakem: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(EXIT_CODE_BUG);
}
