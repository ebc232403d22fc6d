/* A TCP listener on this machine's own addresses. What dials in becomes a
 * connection and a session; who it is, its `hello` says. */
#ifndef HAKEM_NET_LISTEN_H
#define HAKEM_NET_LISTEN_H

#include "net/loop.h"

enum { LISTEN_NAME_MAX = 80 };

struct listener;

/* Listens on "HOST:PORT", "[::1]:PORT" or ":PORT" (127.0.0.1); port 0 takes a free
 * one. Other addresses than loopback are refused: nobody proves who it is yet. */
int listener_open(struct loop *loop, const char *where, struct listener **out, struct fail *fail)
    __attribute__((warn_unused_result));
void listener_close(struct listener *listener);

/* The address with the real port: "127.0.0.1:43211". */
const char *listener_name(const struct listener *listener);

#endif
