#include "net/notify.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/system.h"
#include "base/text.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { NOTIFY_STATUS_MAX = 256, MICROS_PER_MILLI = 1000 };

struct notify {
    int fd;
    struct sockaddr_un address;
    socklen_t size;
    int64_t every; /* ms between two words of the watchdog, 0: it does not listen */
    int64_t next;  /* when the next one is due */
    char status[NOTIFY_STATUS_MAX];
};

/* The address behind the words: a path, or a name that is kept without a file. */
static bool read_address(struct notify *notify, const char *text) {
    size_t length = strlen(text);
    bool abstract = text[0] == '@';
#ifndef HAKEM_LINUX
    if (abstract) {
        return false;
    }
#endif
    if ((text[0] != '/' && !abstract) || length < 2 || length >= sizeof notify->address.sun_path) {
        return false;
    }
    notify->address.sun_family = AF_UNIX;
    memcpy(notify->address.sun_path, text, length);
    if (abstract) {
        notify->address.sun_path[0] = '\0';
    }
    notify->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + !abstract);
    return true;
}

/* Half of what the watchdog grants, so that one late turn is no death. */
static int64_t read_watchdog(const struct notify_wish *wish) {
    uint64_t micros;
    uint64_t pid;
    if (wish->watchdog == NULL || !text_u64(wish->watchdog, strlen(wish->watchdog), &micros) ||
        micros > INT64_MAX) {
        return 0;
    }
    const char *text = wish->watchdog_pid;
    bool ours = text == NULL || (text_u64(text, strlen(text), &pid) && pid == (uint64_t)getpid());
    return ours ? (int64_t)micros / MICROS_PER_MILLI / 2 : 0;
}

struct notify *notify_open(const struct notify_wish *wish) {
    if (wish->socket == NULL) {
        return NULL;
    }
    struct notify *notify = alloc_zeroed(1, sizeof *notify);
    notify->fd = -1;
    if (read_address(notify, wish->socket)) {
        notify->fd = system_socket(AF_UNIX, SOCK_DGRAM, false);
    }
    if (notify->fd < 0) {
        char shown[80];
        text_escape(wish->socket, strlen(wish->socket), shown, sizeof shown);
        log_line(LOG_LEVEL_WARN, "notify missing socket=%s", shown);
        notify_close(notify);
        return NULL;
    }
    notify->every = read_watchdog(wish);
    return notify;
}

struct notify *notify_open_environment(void) {
    const struct notify_wish wish = {getenv("NOTIFY_SOCKET"), getenv("WATCHDOG_USEC"),
                                     getenv("WATCHDOG_PID")};
    struct notify *notify = notify_open(&wish);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    return notify;
}

void notify_close(struct notify *notify) {
    if (notify != NULL) {
        if (notify->fd >= 0) {
            close(notify->fd);
        }
        free(notify);
    }
}

void notify_say(const struct notify *notify, const char *line) {
    if (notify == NULL) {
        return;
    }
    if (sendto(notify->fd, line, strlen(line), 0, (const struct sockaddr *)&notify->address,
               notify->size) < 0) {
        log_line(LOG_LEVEL_DEBUG, "notify unheard error=%s", strerror(errno));
    }
}

void notify_status(struct notify *notify, const char *text) {
    char line[NOTIFY_STATUS_MAX];
    if (notify == NULL) {
        return;
    }
    snprintf(line, sizeof line, "STATUS=%s", text);
    if (strcmp(line, notify->status) != 0) {
        memcpy(notify->status, line, sizeof line);
        notify_say(notify, line);
    }
}

int64_t notify_turn(struct notify *notify, int64_t now) {
    if (notify == NULL || notify->every == 0) {
        return INT64_MAX;
    }
    if (now >= notify->next) {
        notify_say(notify, "WATCHDOG=1");
        notify->next = now + notify->every;
    }
    return notify->next;
}
