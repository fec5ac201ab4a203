#include "server/config/address.h"

#include <uv.h>

bool tr_sockaddr_is_loopback(const struct sockaddr *address) {
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
    if (address->sa_family != AF_INET6)
        return false;
    const struct in6_addr *v6 = &((const struct sockaddr_in6 *)address)->sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(v6) || (IN6_IS_ADDR_V4MAPPED(v6) && v6->s6_addr[12] == 127);
}

static bool parse(const char *host, struct sockaddr_storage *out) {
    return uv_ip4_addr(host, 0, (struct sockaddr_in *)out) == 0 ||
           uv_ip6_addr(host, 0, (struct sockaddr_in6 *)out) == 0;
}

bool tr_address_is_numeric(const char *host) {
    struct sockaddr_storage address;
    return parse(host, &address);
}

bool tr_address_is_loopback(const char *host) {
    struct sockaddr_storage address;
    return parse(host, &address) && tr_sockaddr_is_loopback((const struct sockaddr *)&address);
}
