#include "server/config/address.h"

#include "proto/option.h"

#include <string.h>
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

bool tr_address_split(const char *text, char *host, size_t capacity, int *out_port) {
    const char *colon = strrchr(text, ':'), *from = text;
    size_t size = colon ? (size_t)(colon - text) : 0;
    int64_t port = 0;
    if (size > 2 && from[0] == '[' && from[size - 1] == ']') {
        from++;
        size -= 2;
    }
    if (size == 0 || size >= capacity || !tr_option_integer(colon + 1, &port) || port > 65535)
        return false;
    memcpy(host, from, size);
    host[size] = '\0';
    *out_port = (int)port;
    return true;
}
