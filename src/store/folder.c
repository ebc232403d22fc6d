#include "store/folder.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LOCK_TRIES = 20, /* a holder that is about to end gets a second to do so */
    LOCK_WAIT_MS = 50
};

char *folder_path(const char *folder, const char *name) {
    return alloc_print("%s/%s", folder, name);
}

bool store_exists(const char *folder) {
    char *path = folder_path(folder, "hakem.db");
    struct stat status;
    bool found = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    free(path);
    return found;
}

int folder_check(const char *folder, struct fail *fail) {
    struct stat status;
    if (stat(folder, &status) != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("there is no store %s: %s"), folder,
                        strerror(errno));
    }
    if (!store_exists(folder)) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("%s is not a store (no hakem.db in it): name the folder of --store"),
                        folder);
    }
    return 0;
}

int folder_lock(const char *folder, int *lock, struct fail *fail) {
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) {
        return fail_set(fail, EXIT_CODE_IO, _("cannot open the store %s: %s"), folder,
                        strerror(errno));
    }
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(*lock, LOCK_EX | LOCK_NB) == 0) {
            return 0;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return fail_set(fail, EXIT_CODE_IO, _("cannot lock the store %s: %s"), folder,
                            strerror(errno));
        }
        poll(NULL, 0, LOCK_WAIT_MS);
    }
    return fail_set(fail, EXIT_CODE_BUSY,
                    _("the store %s is held by another hakem: stop that one or wait for its end "
                      "(hakem show %s looks at it meanwhile)"),
                    folder, folder);
}
