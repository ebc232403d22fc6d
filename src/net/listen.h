/* A TCP listener. What dials in becomes a connection and a session; who it is, its
 * `hello` says. */
#ifndef HAKEM_NET_LISTEN_H
#define HAKEM_NET_LISTEN_H

#include "base/address.h"
#include "net/loop.h"

struct listener;

/* Checks an address to listen on (base/address.h); port 0 takes a free one. Other addresses
 * than loopback are refused unless `plaintext`: whoever is on the way reads along. */
int listener_check(const char *where, bool plaintext, struct address *address,
                   struct fail *fail) __attribute__((warn_unused_result));

/* Checks it and listens. */
int listener_open(struct loop *loop, const char *where, bool plaintext, struct listener **out,
                  struct fail *fail) __attribute__((warn_unused_result));
void listener_close(struct listener *listener);

/* The address with the real port: "127.0.0.1:43211". */
const char *listener_name(const struct listener *listener);

/* Without a loop: a socket that listens there, with its name; -1 with a sentence. */
int listen_socket(const char *where, bool plaintext, char name[ADDRESS_TEXT_MAX],
                  struct fail *fail);

#endif
