/* Dialling: a TCP connection to a bot that listens becomes a session, as if it had
 * dialled in. The bot speaks first all the same. */
#ifndef HAKEM_NET_DIAL_H
#define HAKEM_NET_DIAL_H

#include "base/address.h"
#include "net/loop.h"
#include "wire/dialect.h"

struct dial;

/* Begins to connect; `done` is told once, in a later turn of the loop: the session, or 0
 * and why not. The dial is gone when `done` is called. It takes over the dialect in which the
 * peer speaks (NULL: none). */
struct dial *dial_start(struct loop *loop, const struct address *address, struct dialect *dialect,
                        void (*done)(void *owner, uint32_t session, const char *why), void *owner);

/* Gives it up; `done` is not told. NULL is nothing. */
void dial_cancel(struct dial *dial);

#endif
