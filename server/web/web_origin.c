#include "server/web/web_origin.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

static bool is_own_name(const char *host) {
    struct in6_addr address;
    return strcasecmp(host, "localhost") == 0 || inet_pton(AF_INET, host, &address) == 1 ||
           inet_pton(AF_INET6, host, &address) == 1;
}

static bool is_host_of(const char *host, const char *origin) {
    size_t size = strlen(origin), scheme = tr_web_scheme_size(origin, size);
    char other[TR_HOST_TEXT_MAX];
    return scheme > 0 && tr_web_host(origin + scheme, size - scheme, other) &&
           strcasecmp(host, other) == 0;
}

/* Does the origin name the host and port that the request was sent to? */
static bool is_same_place(tr_http_text origin, tr_http_text host) {
    size_t scheme = tr_web_scheme_size(origin.at, origin.size);
    return scheme > 0 && host.at && origin.size - scheme == host.size &&
           strncasecmp(origin.at + scheme, host.at, host.size) == 0;
}

bool tr_web_origin_allowed(const tr_http_request *request, const tr_web_origins *allowed) {
    tr_http_text origin = tr_http_field(request, "origin");
    tr_http_text host = tr_http_field(request, "host");
    if (!origin.at)
        return true;
    for (int i = 0; i < allowed->count; i++)
        if (tr_http_text_matches(origin, allowed->origin[i]))
            return true;
    char name[TR_HOST_TEXT_MAX];
    return is_same_place(origin, host) && tr_web_host(host.at, host.size, name) &&
           is_own_name(name);
}

bool tr_web_host_allowed(const tr_http_request *request, const tr_web_origins *allowed) {
    tr_http_text authority = tr_http_field(request, "host");
    char host[TR_HOST_TEXT_MAX];
    if (!authority.at)
        return true;
    if (!tr_web_host(authority.at, authority.size, host))
        return false;
    for (int i = 0; i < allowed->count; i++)
        if (is_host_of(host, allowed->origin[i]))
            return true;
    return is_own_name(host);
}
