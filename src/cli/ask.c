#include "cli/ask.h"

#include "base/lang.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

enum { ASK_MS = 30000, ASK_READ = 65536 };

bool ask_send(int peer, const char *line, size_t length) {
    signal(SIGPIPE, SIG_IGN);
    while (length > 0) {
        ssize_t put = write(peer, line, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return false;
        }
        line += put;
        length -= (size_t)put;
    }
    return true;
}

int ask_read(int peer, struct bytes *out, const char *where, struct fail *fail) {
    struct pollfd ready = {.fd = peer, .events = POLLIN};
    for (;;) {
        int count = poll(&ready, 1, ASK_MS);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        char *room = count > 0 ? bytes_reserve(out, ASK_READ) : NULL;
        ssize_t size = room != NULL ? read(peer, room, ASK_READ) : -1;
        if (size < 0) {
            return fail_set(fail, EXIT_CODE_IO,
                            _("the program that runs %s does not answer: try again"), where);
        }
        if (size == 0) {
            return 0;
        }
        bytes_took(out, (size_t)size);
    }
}
