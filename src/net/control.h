/* The local socket of a running program (0600, in its store's folder): a client
 * sends one line, gets one answer, and is closed. Where the system tells who a
 * client is, only its own user and root are heard. */
#ifndef HAKEM_NET_CONTROL_H
#define HAKEM_NET_CONTROL_H

#include "base/bytes.h"
#include "net/loop.h"

struct control;

/* Listens on a path; what stands there is taken away first, so the caller must
 * hold the folder. `answer` fills the reply to a line of at most `longest` bytes (its LF is
 * cut). NULL, with errno, when it cannot be made: the run goes on without. */
struct control *control_open(struct loop *loop, const char *path, size_t longest,
                             void (*answer)(void *owner, const char *line, struct bytes *reply),
                             void *owner);

/* A connection to such a socket, for a client; -1 with errno. */
int control_connect(const char *path);

/* Closes it and removes the path. */
void control_close(struct control *control);

#endif
