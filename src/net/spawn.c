#include "net/spawn.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/system.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SPAWN_STATUS_FD = 3, SPAWN_PATIENCE = 10000, SPAWN_PIPES = 4, ARGUMENTS_MAX = 4096 };

/* Pipe roles, and which end is the child's. */
enum { PIPE_INPUT, PIPE_OUTPUT, PIPE_ERRORS, PIPE_STATUS };
static const int child_end[SPAWN_PIPES] = {0, 1, 1, 1};

struct pipes {
    int end[SPAWN_PIPES][2]; /* -1: closed or never opened */
};

static void close_end(struct pipes *pipes, int pipe, int end) {
    if (pipes->end[pipe][end] >= 0) {
        close(pipes->end[pipe][end]);
        pipes->end[pipe][end] = -1;
    }
}

static void pipes_close(struct pipes *pipes, bool ours, bool theirs) {
    for (int i = 0; i < SPAWN_PIPES; i++) {
        if (theirs) {
            close_end(pipes, i, child_end[i]);
        }
        if (ours) {
            close_end(pipes, i, 1 - child_end[i]);
        }
    }
}

/* Ours do not block; theirs do, as programs expect. The child's ends lie above
 * the numbers they are put on, so that no dup2 of the row hits a later source. */
static bool pipes_open(struct pipes *pipes) {
    memset(pipes->end, -1, sizeof pipes->end);
    for (int i = 0; i < SPAWN_PIPES; i++) {
        if (system_pipe(pipes->end[i], true) != 0) {
            return false;
        }
        int *theirs = &pipes->end[i][child_end[i]];
        int above = fcntl(*theirs, F_DUPFD_CLOEXEC, SPAWN_STATUS_FD + 1);
        if (above < 0) {
            return false;
        }
        close(*theirs);
        *theirs = above;
        int ours = pipes->end[i][1 - child_end[i]];
        if (fcntl(ours, F_SETFL, fcntl(ours, F_GETFL) | O_NONBLOCK) != 0) {
            return false;
        }
    }
    return true;
}

char *spawn_own_program(const char *built) {
    const char *slash = strrchr(built, '/');
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length > 0) {
        own[length] = '\0';
        char *beside = alloc_print("%.*s/%s", (int)(strrchr(own, '/') - own), own, built);
        if (access(beside, X_OK) == 0) {
            return beside;
        }
        free(beside);
    }
    return alloc_print("%s/%s", HAKEM_LIBEXECDIR, slash != NULL ? slash + 1 : built);
}

static int spawn_launcher(const struct pipes *pipes, const char *launcher, char *const *argv,
                          pid_t *pid) {
    static const int put_on[SPAWN_PIPES] = {0, 1, 2, SPAWN_STATUS_FD};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < SPAWN_PIPES; i++) {
        posix_spawn_file_actions_adddup2(&actions, pipes->end[i][child_end[i]], put_on[i]);
    }
#ifdef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP
    posix_spawn_file_actions_addclosefrom_np(&actions, SPAWN_STATUS_FD + 1);
#endif
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#if defined(POSIX_SPAWN_SETSID) && !defined(HAKEM_NO_EXTRAS)
    flags |= POSIX_SPAWN_SETSID;
#else
    flags |= POSIX_SPAWN_SETPGROUP;
#endif
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, flags);
    int error = posix_spawn(pid, launcher, &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* The launcher's word on the exec: 0 done, else its errno. */
static int launch_status(int fd) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int error = 0;
    for (;;) {
        int count = poll(&ready, 1, SPAWN_PATIENCE);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count == 0) {
            return ETIMEDOUT;
        }
        ssize_t got = read(fd, &error, sizeof error);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        return got == (ssize_t)sizeof error ? error : 0;
    }
}

/* Why a program could not be executed, and what to do about it. */
static int refuse_program(const char *program, int error, struct fail *fail) {
    struct stat status;
    bool there = stat(program, &status) == 0;
    bool plain = strchr(program, '/') == NULL;
    if (error == ENOENT && plain && there) {
        return fail_set(fail, EXIT_CODE_BOT, _("cannot start \"%s\": it is not on the PATH; for "
                                               "the file in this folder write ./%s"), program,
                        program);
    }
    if (error == ENOENT && there) {
        return fail_set(fail, EXIT_CODE_BOT, _("cannot start \"%s\": the interpreter its first "
                                               "line names does not exist"), program);
    }
    if (error == ENOENT) {
        return fail_set(fail, EXIT_CODE_BOT, _("cannot start \"%s\": there is no such program; "
                                               "check the path"), program);
    }
    if (error == EACCES) {
        return fail_set(fail, EXIT_CODE_BOT, _("cannot start \"%s\": it is not executable; "
                                               "chmod +x it, or name its interpreter"), program);
    }
    return fail_set(fail, EXIT_CODE_BOT, _("cannot start \"%s\": %s"), program, strerror(error));
}

static int spawn_with(struct pipes *pipes, char *const *argv, pid_t *pid, struct fail *fail) {
    char *launcher = spawn_own_program("hakem-launch");
    char parent[24];
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    char *line[ARGUMENTS_MAX] = {launcher, parent};
    int count = 0;
    while (argv[count] != NULL && count < ARGUMENTS_MAX - 3) {
        line[count + 2] = argv[count];
        count++;
    }
    int error = spawn_launcher(pipes, launcher, line, pid);
    pipes_close(pipes, false, true);
    if (error != 0) {
        fail_set(fail, EXIT_CODE_IO, _("cannot start the launcher %s: %s; build or install hakem "
                                       "as a whole"), launcher, strerror(error));
        free(launcher);
        return -1;
    }
    free(launcher);
    int why = launch_status(pipes->end[PIPE_STATUS][0]);
    if (why != 0) {
        kill(-*pid, SIGKILL);
        kill(*pid, SIGKILL);
        waitpid(*pid, NULL, 0);
        return refuse_program(argv[0], why, fail);
    }
    return 0;
}

int spawn_program(char *const *argv, struct spawned *out, struct fail *fail) {
    struct pipes pipes;
    if (!pipes_open(&pipes)) {
        int error = errno;
        pipes_close(&pipes, true, true);
        return fail_set(fail, EXIT_CODE_IO, _("cannot open the pipes to \"%s\": %s"), argv[0],
                        strerror(error));
    }
    if (spawn_with(&pipes, argv, &out->pid, fail) != 0) {
        pipes_close(&pipes, true, true);
        return -1;
    }
    out->input = pipes.end[PIPE_INPUT][1];
    out->output = pipes.end[PIPE_OUTPUT][0];
    out->errors = pipes.end[PIPE_ERRORS][0];
    close_end(&pipes, PIPE_STATUS, 0);
    return 0;
}

/* Of a flood, the first half goes. */
void spawn_keep_errors(struct bytes *kept, const char *data, size_t length) {
    size_t half = SPAWN_ERRORS_MAX / 2;
    if (length > half) {
        data += length - half;
        length = half;
    }
    if (kept->length + length > SPAWN_ERRORS_MAX) {
        bytes_drop(kept, kept->length - half);
    }
    bytes_add(kept, data, length);
}

void spawn_last_words(const struct bytes *kept, char out[SPAWN_WORDS_MAX]) {
    const char *data = kept->data;
    size_t end = kept->length;
    while (end > 0 && (data[end - 1] == '\n' || data[end - 1] == '\r' || data[end - 1] == ' ')) {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && data[begin - 1] != '\n') {
        begin--;
    }
    out[0] = '\0';
    if (end > begin) {
        text_escape(data + begin, end - begin, out, SPAWN_WORDS_MAX);
    }
}
