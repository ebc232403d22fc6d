#include "net/stray.h"

#include "base/system.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef HAKEM_LINUX
#include <sys/prctl.h>
#endif

enum { STRAY_ROUNDS = 20, STRAY_PAUSE = 2000000 /* ns */, STAT_MAX = 512 };

/* The parent of a process, from its stat line; -1 when it is gone. The command's
 * name stands in brackets and may hold anything, so the last one counts. */
static pid_t parent_of(const char *pid) {
    char path[64];
    char line[STAT_MAX];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return -1;
    }
    size_t got = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[got] = '\0';
    const char *after = strrchr(line, ')');
    if (after == NULL || strlen(after) < 5) {
        return -1;
    }
    return (pid_t)strtol(after + 4, NULL, 10); /* ") S PARENT" */
}

/* Our children that are not innate; at most `room`. */
static int children_list(const struct innate *innate, pid_t *out, int room) {
    DIR *folder = opendir("/proc");
    int count = 0;
    struct dirent *entry;
    while (folder != NULL && count < room && (entry = readdir(folder)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0]) || parent_of(entry->d_name) != getpid()) {
            continue;
        }
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        bool known = false;
        for (int i = 0; i < innate->count; i++) {
            known = known || innate->pid[i] == pid;
        }
        if (!known) {
            out[count++] = pid;
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

bool stray_adopt(struct innate *innate) {
    static const struct innate nobody;
    innate->count = children_list(&nobody, innate->pid, STRAY_INNATE_MAX);
#ifdef HAKEM_LINUX
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
#else
    return false;
#endif
}

int stray_await(const struct innate *innate, int ms) {
    static const struct timespec pause = {.tv_nsec = STRAY_PAUSE};
    pid_t list[STRAY_INNATE_MAX];
    int count = 0;
    for (int waited = 0; waited <= ms; waited += STRAY_PAUSE / 1000000) {
        int alive = 0;
        count = children_list(innate, list, STRAY_INNATE_MAX);
        for (int i = 0; i < count; i++) {
            alive += waitpid(list[i], NULL, WNOHANG) != list[i];
        }
        count = alive;
        if (count == 0) {
            break;
        }
        nanosleep(&pause, NULL);
    }
    return count;
}

int stray_kill_all(const struct innate *innate) {
    static const struct timespec pause = {.tv_nsec = STRAY_PAUSE};
    pid_t list[STRAY_INNATE_MAX];
    int killed = 0;
    for (int round = 0; round < STRAY_ROUNDS; round++) {
        int count = children_list(innate, list, STRAY_INNATE_MAX);
        if (count == 0) {
            break;
        }
        for (int i = 0; i < count; i++) {
            kill(list[i], SIGKILL);
        }
        /* What they had started becomes ours in turn: hence the rounds. */
        nanosleep(&pause, NULL);
        for (int i = 0; i < count; i++) {
            killed += waitpid(list[i], NULL, WNOHANG) == list[i];
        }
    }
    return killed;
}
