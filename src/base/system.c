#include "base/system.h"

#include "base/lang.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef HAKEM_LINUX
enum { ON_LINUX = true };
#else
enum { ON_LINUX = false };
#endif

#if defined(HAKEM_LINUX) || defined(HAVE_GETPEEREID)
enum { TELLS_PEERS = true };
#else
enum { TELLS_PEERS = false };
#endif

#ifdef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP
enum { CLOSES_FROM = true };
#else
enum { CLOSES_FROM = false };
#endif

/* -1 when the descriptor could not be made what it has to be; it is closed then. */
__attribute__((unused)) static int prepare(int fd, bool waits) {
    if (fd >= 0 && (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 ||
                    (!waits && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) != 0))) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

int system_socket(int family, int type, bool waits) {
#if defined(SOCK_CLOEXEC) && defined(SOCK_NONBLOCK) && !defined(HAKEM_NO_EXTRAS)
    return socket(family, type | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0);
#else
    return prepare(socket(family, type, 0), waits);
#endif
}

int system_accept(int listening, void *address, size_t size) {
    socklen_t room = (socklen_t)size;
    struct sockaddr *peer = size > 0 ? address : NULL;
#ifdef HAVE_ACCEPT4
    return accept4(listening, peer, size > 0 ? &room : NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
    return prepare(accept(listening, peer, size > 0 ? &room : NULL), false);
#endif
}

int system_pipe(int ends[2], bool waits) {
#ifdef HAVE_PIPE2
    return pipe2(ends, O_CLOEXEC | (waits ? 0 : O_NONBLOCK));
#else
    if (pipe(ends) != 0) {
        return -1;
    }
    if (prepare(ends[0], waits) < 0) {
        close(ends[1]);
        return -1;
    }
    if (prepare(ends[1], waits) < 0) {
        close(ends[0]);
        return -1;
    }
    return 0;
#endif
}

void system_yield_thread(void) {
#ifdef HAKEM_LINUX
    if (setpriority(PRIO_PROCESS, 0, 10) != 0) { /* of a thread, on this system */
        errno = 0;
    }
#endif
}

void system_wipe(void *data, size_t length) {
#ifdef HAVE_EXPLICIT_BZERO
    explicit_bzero(data, length);
#else
    volatile unsigned char *at = data;
    while (length-- > 0) {
        *at++ = 0;
    }
#endif
}

const struct system_feature *system_feature(size_t index) {
    static const struct system_feature features[] = {
        {"peer-user", N_("who speaks on the local socket is not known: its mode alone guards it"),
         TELLS_PEERS},
        {"death-signal", N_("bots outlive a hakem that is killed, until their input ends"),
         ON_LINUX},
        {"no-new-rights", N_("bots may gain rights by programs that give them"), ON_LINUX},
        {"strays", N_("processes that a bot left behind are not found"), ON_LINUX},
        {"close-from", N_("a bot inherits what hakem itself had inherited"), CLOSES_FROM},
        {"keepalive-times", N_("a peer that vanished is found out after hours"), ON_LINUX},
        {"abstract-sockets", N_("a service manager is told by paths only"), ON_LINUX},
        {"long-socket-paths", N_("the path of a store is limited to about 90 bytes"), ON_LINUX},
    };
    return index < sizeof features / sizeof features[0] ? &features[index] : NULL;
}
