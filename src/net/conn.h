/* Connections: a pair of descriptors and a session of the referee between them.
 * A connection knows neither lines nor spellings; where the peer speaks a dialect, that
 * stands between. It owns its descriptors and its dialect; the set owns the connections;
 * the outside holds session ids. */
#ifndef HAKEM_NET_CONN_H
#define HAKEM_NET_CONN_H

#include "net/loop.h"
#include "wire/dialect.h"

struct conn_set;

/* Opens a session over two non-blocking descriptors (the same one twice for a
 * socket), which it takes over in any case, and so the dialect (NULL: none); the
 * session's id, or 0 when the referee has no room. */
uint32_t conn_open(struct loop *loop, int in, int out, const char *who, struct dialect *dialect);

/* The peer is known to have ended: reads what it left, then closes. Nothing
 * happens when the session is over already. */
void conn_finish(struct loop *loop, uint32_t session);

/* Closes now; the session is over. */
void conn_cut(struct loop *loop, uint32_t session);

/* Two sessions have changed places: each connection goes on with the other id. One of them may
 * have no connection any more. */
void conn_swap(struct loop *loop, uint32_t session, uint32_t other);

/* Within net/ only. */
struct conn_set *conn_set_new(struct loop *loop);
void conn_set_free(struct conn_set *set);

bool conn_set_empty(const struct conn_set *set);

/* Says good-bye to every session. */
void conn_set_dismiss(struct conn_set *set, const char *reason);

/* Writes what is due, closes what has said good-bye. */
void conn_set_flush(struct conn_set *set);

#endif
