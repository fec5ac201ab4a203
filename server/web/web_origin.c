#include "server/web/web_origin.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { HOST_MAX = 64 };

/* "host:port" behind the scheme; {NULL, 0}: neither http nor https. */
static tr_http_text without_scheme(tr_http_text origin) {
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t size = strlen(schemes[i]);
        if (origin.size > size && strncasecmp(origin.at, schemes[i], size) == 0)
            return (tr_http_text){origin.at + size, origin.size - size};
    }
    return (tr_http_text){NULL, 0};
}

/* What stands behind a host: nothing, or a colon and digits. */
static bool is_port(const char *from, const char *end) {
    if (from == end)
        return true;
    if (*from != ':')
        return false;
    while (++from < end)
        if (*from < '0' || *from > '9')
            return false;
    return true;
}

/* The host of "host", "host:port", "[v6]" or "[v6]:port", without brackets; false: malformed or too
 * long. */
static bool read_host(tr_http_text authority, char out[HOST_MAX]) {
    if (authority.size == 0)
        return false;
    bool v6 = authority.at[0] == '[';
    const char *from = authority.at + v6, *end = authority.at + authority.size;
    const char *behind = memchr(from, v6 ? ']' : ':', (size_t)(end - from));
    if (behind == NULL && v6)
        return false;
    size_t size = (size_t)((behind != NULL ? behind : end) - from);
    if (size == 0 || size >= HOST_MAX || (behind != NULL && !is_port(behind + v6, end)))
        return false;
    memcpy(out, from, size);
    out[size] = '\0';
    return true;
}

static bool is_own_name(const char *host) {
    struct in6_addr address;
    return strcasecmp(host, "localhost") == 0 || inet_pton(AF_INET, host, &address) == 1 ||
           inet_pton(AF_INET6, host, &address) == 1;
}

static bool is_host_of(const char *host, const char *origin) {
    char other[HOST_MAX];
    return read_host(without_scheme((tr_http_text){origin, strlen(origin)}), other) &&
           strcasecmp(host, other) == 0;
}

bool tr_web_origin_is_valid(const char *origin) {
    tr_http_text authority = without_scheme((tr_http_text){origin, strlen(origin)});
    char host[HOST_MAX];
    return strlen(origin) < TR_WEB_ORIGIN_MAX && authority.at != NULL &&
           strpbrk(authority.at, "/?#@ \t,") == NULL && read_host(authority, host);
}

bool tr_web_origin_allowed(const tr_http_request *request, const tr_web_origins *allowed) {
    tr_http_text origin = tr_http_field(request, "origin");
    tr_http_text host = tr_http_field(request, "host");
    if (origin.at == NULL)
        return true;
    for (int i = 0; i < allowed->count; i++)
        if (tr_http_text_matches(origin, allowed->origin[i]))
            return true;
    tr_http_text authority = without_scheme(origin);
    char name[HOST_MAX];
    return authority.at != NULL && host.at != NULL && authority.size == host.size &&
           strncasecmp(authority.at, host.at, host.size) == 0 && read_host(host, name) &&
           is_own_name(name);
}

bool tr_web_host_allowed(const tr_http_request *request, const tr_web_origins *allowed) {
    tr_http_text authority = tr_http_field(request, "host");
    char host[HOST_MAX];
    if (authority.at == NULL)
        return true;
    if (!read_host(authority, host))
        return false;
    for (int i = 0; i < allowed->count; i++)
        if (is_host_of(host, allowed->origin[i]))
            return true;
    return is_own_name(host);
}
