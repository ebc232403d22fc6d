/* The test kit: checks that print TAP. A test program calls CHECK and friends
 * and ends with `return check_done();`. Exit is 0 after a plan even when checks
 * failed (the TAP lines say so); any other exit means a crash or a sanitizer. */
#ifndef HAKEM_TESTS_CHECK_H
#define HAKEM_TESTS_CHECK_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int check_count;

/* One check with a printed name. */
__attribute__((format(printf, 4, 5), unused)) static bool
check_at(bool good, const char *file, int line, const char *format, ...) {
    va_list args;
    printf("%s %d - ", good ? "ok" : "not ok", ++check_count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    if (!good) {
        printf("# at %s:%d\n", file, line);
    }
    fflush(stdout);
    return good;
}

/* A text check: says both texts when they differ. */
__attribute__((unused)) static bool check_text_at(const char *got, const char *want,
                                                  const char *file, int line, const char *name) {
    bool good = strcmp(got, want) == 0;
    check_at(good, file, line, "%s", name);
    if (!good) {
        printf("#   got: %s\n#  want: %s\n", got, want);
    }
    return good;
}

/* A number check: says both when they differ. */
__attribute__((unused)) static bool check_int_at(int64_t got, int64_t want, const char *file,
                                                 int line, const char *name) {
    bool good = got == want;
    check_at(good, file, line, "%s", name);
    if (!good) {
        printf("#   got: %" PRId64 "\n#  want: %" PRId64 "\n", got, want);
    }
    return good;
}

#define CHECK(condition, ...)       check_at((condition), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_TEXT(got, want, name) check_text_at((got), (want), __FILE__, __LINE__, (name))
#define CHECK_INT(got, want, name)                                                                 \
    check_int_at((int64_t)(got), (int64_t)(want), __FILE__, __LINE__, (name))

/* Prints the plan. */
static inline int check_done(void) {
    printf("1..%d\n", check_count);
    return 0;
}

#endif
