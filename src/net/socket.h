/* TCP sockets: what the listener and the dialler share. */
#ifndef HAKEM_NET_SOCKET_H
#define HAKEM_NET_SOCKET_H

#include "base/address.h"

#include <sys/socket.h>

/* The address for bind and connect; its size. */
socklen_t socket_address(const struct address *address, struct sockaddr_storage *out);

/* "127.0.0.1:43211", "[::1]:43211". */
void socket_name(const struct sockaddr_storage *address, char out[ADDRESS_TEXT_MAX]);

/* A port of this machine that is free now: nobody promises that it stays so. 0: none. */
uint16_t socket_free_port(void);

/* A new stream socket, non-blocking and closed on exec; -1 with errno. */
int socket_new(bool v6);

/* Answers go out at once; a peer that vanished without a word is found out. */
void socket_tune(int fd);

#endif
