/* Failures of the machine or of a user's input: one sentence that names the
 * thing, the place and the remedy, and the exit code it deserves. A peer's
 * misdeed is never a `struct fail`; it is an outcome. */
#ifndef HAKEM_BASE_FAIL_H
#define HAKEM_BASE_FAIL_H

/* Exit codes of the program (README.md, "Exit codes"). */
enum exit_code {
    EXIT_CODE_DONE = 0,        /* complete */
    EXIT_CODE_BUG = 1,         /* hakem itself is wrong, or out of memory */
    EXIT_CODE_USAGE = 2,       /* bad option, bad file content, bad event */
    EXIT_CODE_FAULTS = 3,      /* complete, but bots had faults and --strict was given, or in
                                  `check` */
    EXIT_CODE_INTERRUPTED = 4, /* stopped before the end; the same command goes on */
    EXIT_CODE_IO = 5,          /* a file, a port or the disk failed */
    EXIT_CODE_VERIFY = 6,      /* `verify`: something does not hold */
    EXIT_CODE_BOT = 7,         /* a bot does not exist, or did not start */
    EXIT_CODE_BUSY = 8,        /* the store is held by another process */
    EXIT_CODE_UNFINISHED = 9,  /* `verify`: sound, but a record lacks its end */
};

struct fail {
    enum exit_code code; /* EXIT_CODE_DONE while nothing failed */
    char text[512];      /* one line, no LF */
};

/* Sets code and text; returns -1 so that `return fail_set(...)` reads well. */
int fail_set(struct fail *fail, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " before the text that is there; returns -1. */
int fail_wrap(struct fail *fail, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Stops the program: one line on stderr, exit code 1. For our own bugs and an empty machine. */
_Noreturn void fail_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
