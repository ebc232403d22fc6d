/* What the programs of this folder share: ways to a bot, the bot's process, the
 * processor time of this one. */
#ifndef HAKEM_BENCH_KIT_H
#define HAKEM_BENCH_KIT_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KIT_BOT_FIRST_FD = 10000, KIT_FILES = 32768 };

/* One end of a connection; a socket has one descriptor twice. */
struct way {
    int in, out;
};

struct usage {
    double wall, cpu; /* seconds */
};

static inline void kit_fail(const char *what) {
    perror(what);
    exit(1);
}

static inline int kit_number(const char *text) {
    return (int)strtol(text, NULL, 10);
}

static inline double kit_seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static inline struct usage kit_usage(void) {
    struct rusage usage;
    struct timespec now;
    getrusage(RUSAGE_SELF, &usage);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (struct usage){
        .wall = (double)now.tv_sec + (double)now.tv_nsec * 1e-9,
        .cpu = kit_seconds(usage.ru_utime) + kit_seconds(usage.ru_stime),
    };
}

/* Waits for the processes that were started; seconds of processor time that they took. */
static inline double kit_wait(void) {
    struct rusage usage;
    while (wait(NULL) > 0) {
    }
    getrusage(RUSAGE_CHILDREN, &usage);
    return kit_seconds(usage.ru_utime) + kit_seconds(usage.ru_stime);
}

static inline void kit_more_files(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < KIT_FILES ? limit.rlim_max : KIT_FILES;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* A listening socket of the loopback and its address. */
static inline int kit_listen(struct sockaddr_in *address) {
    socklen_t size = sizeof *address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET};
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener < 0 || bind(listener, (struct sockaddr *)address, size) != 0 ||
        listen(listener, 64) != 0 || getsockname(listener, (struct sockaddr *)address, &size)) {
        kit_fail("listen");
    }
    return listener;
}

/* Both ends of one connection over TCP. */
static inline void kit_tcp(int end[2]) {
    static int listener = -1;
    static struct sockaddr_in address;
    int one = 1;
    if (listener < 0) {
        listener = kit_listen(&address);
    }
    end[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(end[0], (struct sockaddr *)&address, sizeof address) != 0) {
        kit_fail("connect");
    }
    end[1] = accept(listener, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        setsockopt(end[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
}

/* A connection over `kind`: pipe, socketpair or tcp. */
static inline void kit_connect(const char *kind, struct way *ours, struct way *theirs) {
    int end[2], back[2];
    if (strcmp(kind, "pipe") == 0) {
        if (pipe(end) != 0 || pipe(back) != 0) {
            kit_fail("pipe");
        }
        *ours = (struct way){back[0], end[1]};
        *theirs = (struct way){end[0], back[1]};
        return;
    }
    if (strcmp(kind, "tcp") == 0) {
        kit_tcp(end);
    } else if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0) {
        kit_fail("socketpair");
    }
    *ours = (struct way){end[1], end[1]};
    *theirs = (struct way){end[0], end[0]};
}

/* Starts the bot with our ends' other ends, from descriptor KIT_BOT_FIRST_FD on, which
 * are closed here. */
static inline void kit_start_bot(const char *program, const char *name, struct way *theirs,
                                 int count, const char *tables, bool echo) {
    char number[16];
    pid_t pid = fork();
    snprintf(number, sizeof number, "%d", count);
    if (pid == 0) {
        for (int i = 0; i < count; i++) {
            if (dup2(theirs[i].in, KIT_BOT_FIRST_FD + 2 * i) < 0 ||
                dup2(theirs[i].out, KIT_BOT_FIRST_FD + 2 * i + 1) < 0) {
                kit_fail("dup2");
            }
        }
        for (int fd = 3; fd < KIT_BOT_FIRST_FD; fd++) {
            close(fd);
        }
        execl(program, program, "--name", name, "--tables", tables, "--ways", number,
              echo ? "--echo" : (char *)NULL, (char *)NULL);
        kit_fail(program);
    }
    for (int i = 0; i < count; i++) {
        close(theirs[i].in);
        if (theirs[i].out != theirs[i].in) {
            close(theirs[i].out);
        }
    }
}

#endif
