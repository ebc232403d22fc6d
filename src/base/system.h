/* What systems differ in: descriptors that are made non-blocking and closed on exec in
 * one call where there is one, and the list of what this build makes use of beyond
 * POSIX. HAKEM_LINUX is set on Linux, unless configured with --disable-linux-extras. */
#ifndef HAKEM_BASE_SYSTEM_H
#define HAKEM_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__linux__) && !defined(HAKEM_NO_EXTRAS)
#define HAKEM_LINUX 1
#endif

/* A socket that is closed on exec; -1 with errno. */
int system_socket(int family, int type, bool waits);

/* The next connection of a listener, non-blocking and closed on exec; its address, where
 * `size` is not 0, goes to `address`. -1 with errno. */
int system_accept(int listening, void *address, size_t size);

/* A pipe whose ends are closed on exec; 0, or -1 with errno. */
int system_pipe(int ends[2], bool waits);

/* The calling thread gives way to all others, where a thread can by itself. */
void system_yield_thread(void);

/* Overwrites a secret. */
void system_wipe(void *data, size_t length);

/* Something that not every system has, and what is lost without it. */
struct system_feature {
    const char *name; /* a word */
    const char *lost; /* for people, marked for translation */
    bool here;
};

/* The features in order; NULL behind the last one. */
const struct system_feature *system_feature(size_t index);

#endif
