/* What the service manager hears, on real datagram sockets. */
#include "check.h"

#include "base/system.h"
#include "net/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A socket of the manager's; `name` as NOTIFY_SOCKET has it. */
static int manager_open(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    memcpy(address.sun_path, name, length);
    if (name[0] == '@') {
        address.sun_path[0] = '\0';
    }
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0, "the manager listens at %s",
          name);
    return fd;
}

/* The next datagram, "" for none. */
static const char *heard(int fd) {
    static char text[512];
    ssize_t got = recv(fd, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

static void test_words(const char *name) {
    int manager = manager_open(name);
    const struct notify_wish wish = {.socket = name};
    struct notify *notify = notify_open(&wish);
    CHECK(notify != NULL, "it is found");
    notify_say(notify, "READY=1");
    CHECK_TEXT(heard(manager), "READY=1", "a word is one datagram");
    notify_status(notify, "2 rooms");
    notify_status(notify, "2 rooms");
    CHECK_TEXT(heard(manager), "STATUS=2 rooms", "so is a status");
    CHECK_TEXT(heard(manager), "", "which is not said twice");
    notify_status(notify, "3 rooms");
    CHECK_TEXT(heard(manager), "STATUS=3 rooms", "but when it changes");
    char lengthy[1000];
    memset(lengthy, 'x', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    notify_status(notify, lengthy);
    CHECK_INT(strlen(heard(manager)), 255, "a long one is cut");
    CHECK(notify_turn(notify, 5000) == INT64_MAX, "no watchdog, no word of it");
    close(manager);
    notify_say(notify, "STOPPING=1");
    notify_close(notify);
    if (name[0] == '/') {
        unlink(name);
    }
}

static void test_watchdog(const char *name) {
    char own[32];
    int manager = manager_open(name);
    snprintf(own, sizeof own, "%ld", (long)getpid());
    const struct notify_wish wish = {name, "3000000", own};
    struct notify *notify = notify_open(&wish);
    CHECK(notify_turn(notify, 10000) == 11500, "it wants to speak twice as often as it must");
    CHECK_TEXT(heard(manager), "WATCHDOG=1", "and does so");
    CHECK(notify_turn(notify, 11499) == 11500, "not before it is time");
    CHECK_TEXT(heard(manager), "", "nothing");
    CHECK(notify_turn(notify, 11600) == 13100, "then again");
    CHECK_TEXT(heard(manager), "WATCHDOG=1", "a word");
    notify_close(notify);
    static const struct {
        const char *every, *pid;
    } none[] = {{"3000000", "1"}, {"x", NULL},  {"-5", NULL},
                {"0", NULL},      {NULL, NULL}, {"3000000", "me"}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const struct notify_wish other = {name, none[i].every, none[i].pid};
        notify = notify_open(&other);
        CHECK(notify_turn(notify, 10000) == INT64_MAX, "no watchdog of ours: %s of %s",
              none[i].every != NULL ? none[i].every : "-", none[i].pid != NULL ? none[i].pid : "-");
        notify_close(notify);
    }
    close(manager);
    unlink(name);
}

static void test_nobody(void) {
    static const char *const bad[] = {"", "@", "relative", "/"};
    const struct notify_wish nothing = {.socket = NULL};
    CHECK(notify_open(&nothing) == NULL, "nobody listens");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct notify_wish wish = {.socket = bad[i]};
        struct notify *notify = notify_open(&wish);
        CHECK(notify == NULL, "no socket: \"%s\"", bad[i]);
        notify_close(notify);
    }
    char lengthy[300];
    memset(lengthy, '/', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    const struct notify_wish wish = {.socket = lengthy};
    CHECK(notify_open(&wish) == NULL, "no socket: a path that is too long");
    notify_say(NULL, "READY=1");
    notify_status(NULL, "x");
    CHECK(notify_turn(NULL, 0) == INT64_MAX, "and nobody is told anything");
}

static void test_environment(const char *name) {
    int manager = manager_open(name);
    setenv("NOTIFY_SOCKET", name, 1);
    setenv("WATCHDOG_USEC", "2000000", 1);
    unsetenv("WATCHDOG_PID");
    struct notify *notify = notify_open_environment();
    notify_say(notify, "READY=1");
    CHECK_TEXT(heard(manager), "READY=1", "the environment says where");
    CHECK(notify_turn(notify, 1) == 1001, "and how often");
    CHECK(getenv("NOTIFY_SOCKET") == NULL && getenv("WATCHDOG_USEC") == NULL,
          "and is cleaned: what is started here does not speak for us");
    notify_close(notify);
    close(manager);
    unlink(name);
}

int main(void) {
    char folder[] = "/tmp/hakem-notify.XXXXXX";
    char path[64], abstract[64];
    CHECK(mkdtemp(folder) != NULL, "a folder");
    snprintf(path, sizeof path, "%s/socket", folder);
    snprintf(abstract, sizeof abstract, "@hakem-notify-%ld", (long)getpid());
    test_words(path);
#ifdef HAKEM_LINUX
    test_words(abstract);
#endif
    test_watchdog(path);
    test_nobody();
    test_environment(path);
    rmdir(folder);
    return check_done();
}
