#include "base/address.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

enum { PORT_MAX = 65535, LOOPBACK_NET = 127 };

static bool read_host(struct address *address) {
    struct in_addr v4;
    struct in6_addr v6;
    if (address->host[0] == '\0' || strcmp(address->host, "localhost") == 0) {
        snprintf(address->host, sizeof address->host, "127.0.0.1");
    }
    if (inet_pton(AF_INET, address->host, &v4) == 1) {
        address->v6 = false;
        address->loopback = ntohl(v4.s_addr) >> 24 == LOOPBACK_NET;
        return true;
    }
    address->v6 = true;
    bool good = inet_pton(AF_INET6, address->host, &v6) == 1;
    address->loopback = good && IN6_IS_ADDR_LOOPBACK(&v6);
    return good;
}

bool address_read(const char *text, struct address *address) {
    const char *colon = strrchr(text, ':');
    uint64_t port;
    if (colon == NULL || !text_u64(colon + 1, strlen(colon + 1), &port) || port > PORT_MAX) {
        return false;
    }
    const char *begin = text;
    const char *end = colon;
    bool brackets = end - begin >= 2 && begin[0] == '[' && end[-1] == ']';
    if (brackets) {
        begin++;
        end--;
    }
    if (end - begin >= ADDRESS_HOST_MAX) {
        return false;
    }
    memset(address, 0, sizeof *address);
    memcpy(address->host, begin, (size_t)(end - begin));
    address->port = (uint16_t)port;
    return read_host(address) && address->v6 == brackets;
}
