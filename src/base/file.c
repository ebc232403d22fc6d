#include "base/file.h"

#include "base/alloc.h"
#include "base/lang.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_STEP = 65536, FILE_FOLDER_MODE = 0700, FILE_MODE = 0666 };

/* Reads until the end; a file that is just as long as the ceiling is still good. */
static int read_all(int fd, const char *name, struct bytes *out, struct fail *fail) {
    for (;;) {
        size_t left = out->ceiling - out->length;
        char extra;
        size_t want = left < FILE_STEP ? left : FILE_STEP;
        char *room = want > 0 ? bytes_reserve(out, want) : &extra;
        ssize_t got = read(fd, room, want > 0 ? want : 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && errno == EISDIR) {
            return fail_set(fail, EXIT_CODE_IO, _("%s is a folder, not a file"), name);
        }
        if (got < 0) {
            return fail_set(fail, EXIT_CODE_IO, _("cannot read %s: %s"), name, strerror(errno));
        }
        if (got == 0) {
            return 0;
        }
        if (want == 0) {
            return fail_set(fail, EXIT_CODE_IO, _("%s is larger than %zu bytes"), name,
                            out->ceiling);
        }
        bytes_took(out, (size_t)got);
    }
}

int file_read(const char *path, struct bytes *out, struct fail *fail) {
    if (strcmp(path, "-") == 0) {
        return read_all(STDIN_FILENO, _("standard input"), out, fail);
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fail_set(fail, EXIT_CODE_IO, _("cannot read %s: %s"), path, strerror(errno));
    }
    int status = read_all(fd, path, out, fail);
    close(fd);
    return status;
}

bool file_put(int fd, const void *data, size_t length) {
    const char *at = data;
    while (length > 0) {
        ssize_t put = write(fd, at, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return false;
        }
        at += put;
        length -= (size_t)put;
    }
    return true;
}

/* Makes a rename durable: the folder that holds the name is synced as well. */
static bool sync_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = NULL;
    if (slash == NULL) {
        folder = alloc_text(".", 1);
    } else {
        folder = alloc_text(path, slash > path ? (size_t)(slash - path) : 1);
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0) {
        close(fd);
    }
    free(folder);
    errno = reason;
    return good;
}

int file_write(const char *path, const void *data, size_t length, struct fail *fail) {
    char *beside = alloc_print("%s.tmp-%ld", path, (long)getpid());
    /* A file of that name can only be left over from a process of the same number that died. */
    unlink(beside);
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    bool good = fd >= 0 && (file_put(fd, data, length) && fsync(fd) == 0);
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && rename(beside, path) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) {
        if (fd >= 0) {
            unlink(beside);
        }
    } else if (!sync_folder_of(path)) {
        good = false;
        reason = errno;
    }
    free(beside);
    if (!good) {
        return fail_set(fail, EXIT_CODE_IO, _("cannot write %s: %s"), path, strerror(reason));
    }
    return 0;
}

/* One level; a folder that is there already is good. */
static int make_one(const char *path, struct fail *fail) {
    if (mkdir(path, FILE_FOLDER_MODE) == 0) {
        return 0;
    }
    int reason = errno;
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            return 0;
        }
        return fail_set(fail, EXIT_CODE_IO, _("%s is in the way: it is not a folder"), path);
    }
    return fail_set(fail, EXIT_CODE_IO, _("cannot make the folder %s: %s"), path, strerror(reason));
}

int file_make_folder(const char *path, struct fail *fail) {
    char *copy = alloc_text(path, strlen(path));
    int status = 0;
    for (char *at = copy; *at != '\0' && status == 0; at++) {
        if (*at == '/' && at > copy) {
            *at = '\0';
            status = make_one(copy, fail);
            *at = '/';
        }
    }
    free(copy);
    return status == 0 ? make_one(path, fail) : status;
}
