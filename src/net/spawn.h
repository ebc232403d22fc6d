/* Starting a program through the launcher, with pipes: the system calls of
 * child.c, which owns what comes of them. */
#ifndef HAKEM_NET_SPAWN_H
#define HAKEM_NET_SPAWN_H

#include "base/address.h"
#include "base/bytes.h"
#include "base/fail.h"
#include "wire/dialect.h"

#include <sys/types.h>

enum { SPAWN_WORDS_MAX = 512, SPAWN_ERRORS_MAX = 65536 /* bytes kept of an error output */ };

/* How a program is spoken to. */
struct speech {
    const struct dialect_rule *rule; /* NULL: as the referee does */
    const char *name;                /* in whose name a dialect says hello */
    const char *script;              /* NULL: over its pipes; else it is given these lines on its
                                        input, and then listens at `address`. Copied. */
    struct address address;
};

/* What a started program is held by; the descriptors are ours and non-blocking. */
struct spawned {
    pid_t pid;
    int input;   /* we write, it reads */
    int output;  /* it writes, we read */
    int errors;  /* it writes, we read */
};

/* Starts it and waits (some milliseconds) until it was executed or could not be. */
int spawn_program(char *const *argv, struct spawned *out, struct fail *fail)
    __attribute__((warn_unused_result));

/* Where a program of ours lies that is called `built` in a build: beside this one there, in
 * libexec by its last word once installed. The caller frees. */
char *spawn_own_program(const char *built);

/* Keeps the end of what it wrote on its error output, SPAWN_ERRORS_MAX bytes at most. */
void spawn_keep_errors(struct bytes *kept, const char *data, size_t length);

/* The last line of that, made printable; "" when there is none. */
void spawn_last_words(const struct bytes *kept, char out[SPAWN_WORDS_MAX]);

#endif
