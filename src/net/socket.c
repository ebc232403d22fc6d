#include "net/socket.h"

#include "base/system.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

socklen_t socket_address(const struct address *address, struct sockaddr_storage *out) {
    memset(out, 0, sizeof *out);
    if (address->v6) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(address->port);
        inet_pton(AF_INET6, address->host, &v6->sin6_addr);
        return sizeof *v6;
    }
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    v4->sin_family = AF_INET;
    v4->sin_port = htons(address->port);
    inet_pton(AF_INET, address->host, &v4->sin_addr);
    return sizeof *v4;
}

void socket_name(const struct sockaddr_storage *address, char out[ADDRESS_TEXT_MAX]) {
    char host[ADDRESS_HOST_MAX] = "?";
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        inet_ntop(AF_INET6, &v6->sin6_addr, host, sizeof host);
        snprintf(out, ADDRESS_TEXT_MAX, "[%s]:%d", host, ntohs(v6->sin6_port));
    } else {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &v4->sin_addr, host, sizeof host);
        snprintf(out, ADDRESS_TEXT_MAX, "%s:%d", host, ntohs(v4->sin_port));
    }
}

int socket_new(bool v6) {
    return system_socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM, false);
}

uint16_t socket_free_port(void) {
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof here;
    int fd = socket_new(false);
    bool found = fd >= 0 && bind(fd, (const struct sockaddr *)&here, size) == 0 &&
                 getsockname(fd, (struct sockaddr *)&here, &size) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return found ? ntohs(here.sin_port) : 0;
}

static void set_flag(int fd, int level, int option, int value) {
    setsockopt(fd, level, option, &value, sizeof value);
}

void socket_tune(int fd) {
    set_flag(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set_flag(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
#ifdef HAKEM_LINUX
    set_flag(fd, IPPROTO_TCP, TCP_KEEPIDLE, 20);
    set_flag(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);
    set_flag(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
    set_flag(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 30 * 1000); /* ms that bytes may stay untaken */
#endif
}
