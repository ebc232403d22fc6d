/* hakem-launch PARENT PROGRAM [ARGUMENT]...
 *
 * What must happen between fork and the bot's first instruction, where hakem
 * itself (a program with threads) may not run code: the bot dies with hakem,
 * leaves no core, cannot gain rights and has sane limits. Descriptor 3 is a
 * pipe that closes when the program runs, or brings the errno why it does not. */
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef HAKEM_LINUX
#include <sys/prctl.h>
#endif

enum { LAUNCH_STATUS_FD = 3, LAUNCH_FILES = 256, LAUNCH_FAILED = 127 };

static void lower(struct rlimit *limit, rlim_t most) {
    limit->rlim_cur = limit->rlim_cur > most ? most : limit->rlim_cur;
    limit->rlim_max = limit->rlim_max > most ? most : limit->rlim_max;
}

int main(int argc, char **argv) {
    if (argc < 3 || fcntl(LAUNCH_STATUS_FD, F_SETFD, FD_CLOEXEC) != 0) {
        static const char usage[] = "hakem-launch: started by hakem only\n";
        return write(STDERR_FILENO, usage, sizeof usage - 1) < 0 ? 1 : 2;
    }
#ifdef HAKEM_LINUX
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* hakem may have died before that call; then nobody would ever send the signal. */
    if (getppid() != (pid_t)strtol(argv[1], NULL, 10)) {
        return LAUNCH_FAILED;
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) == 0) {
        lower(&limit, 0);
        setrlimit(RLIMIT_CORE, &limit);
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        lower(&limit, LAUNCH_FILES);
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    execvp(argv[2], argv + 2);
    int error = errno;
    return write(LAUNCH_STATUS_FD, &error, sizeof error) == (ssize_t)sizeof error ? LAUNCH_FAILED
                                                                                  : 1;
}
