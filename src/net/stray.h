/* Strays: processes a bot left behind outside its group. */
#ifndef HAKEM_NET_STRAY_H
#define HAKEM_NET_STRAY_H

#include <stdbool.h>
#include <sys/types.h>

enum { STRAY_INNATE_MAX = 64 };

/* Children that were there before any bot (a shell's `exec` hands its own over). */
struct innate {
    pid_t pid[STRAY_INNATE_MAX];
    int count;
};

/* Makes orphans of our children ours; false where the system cannot. Notes who is there
 * already. */
bool stray_adopt(struct innate *innate);

/* Waits until every child that is not innate has ended, `ms` at most; how many have not. */
int stray_await(const struct innate *innate, int ms);

/* Kills and reaps every child that is not innate until none is left (at most 20
 * rounds); how many there were. */
int stray_kill_all(const struct innate *innate);

#endif
