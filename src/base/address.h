/* Addresses as people write them: HOST:PORT, where HOST is an IP address in
 * numbers or localhost (no name is looked up: that could stop the loop). */
#ifndef HAKEM_BASE_ADDRESS_H
#define HAKEM_BASE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { ADDRESS_HOST_MAX = 64, ADDRESS_TEXT_MAX = 80 };

struct address {
    char host[ADDRESS_HOST_MAX]; /* "127.0.0.1", "::1", no brackets */
    uint16_t port;
    bool v6;
    bool loopback; /* this machine only */
};

/* Reads "127.0.0.1:7000", "[::1]:7000", "localhost:7000" or ":7000" (this machine);
 * false on anything else. */
bool address_read(const char *text, struct address *address);

#endif
