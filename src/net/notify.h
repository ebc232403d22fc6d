/* Words to the service manager, as systemd's sd_notify(3) has them, without its
 * library: datagrams to the socket that NOTIFY_SOCKET names. Where it names none,
 * nothing is said. */
#ifndef HAKEM_NET_NOTIFY_H
#define HAKEM_NET_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

struct notify;

/* What the manager has said in the environment; each may be NULL. */
struct notify_wish {
    const char *socket;       /* NOTIFY_SOCKET: a path, or "@name" in the abstract space */
    const char *watchdog;     /* WATCHDOG_USEC: it wants to hear that often, µs */
    const char *watchdog_pid; /* WATCHDOG_PID: from this process */
};

/* Opens the socket; NULL when there is nobody to tell, or no such socket. */
struct notify *notify_open(const struct notify_wish *wish);
void notify_close(struct notify *notify);

/* The same, from the environment, which is then taken out of it: bots are not to speak for us. */
struct notify *notify_open_environment(void);

/* Says a line such as "READY=1"; NULL says nothing. Never waits. */
void notify_say(const struct notify *notify, const char *line);

/* Says "STATUS=" and the text when it is another one than before. */
void notify_status(struct notify *notify, const char *text);

/* Says that the loop turns, when it is time to; when it wants to be called again, INT64_MAX for
 * never. */
int64_t notify_turn(struct notify *notify, int64_t now);

#endif
