#include "server/config/web_origins.h"

#include <string.h>
#include <strings.h>

size_t tr_web_scheme_size(const char *origin, size_t size) {
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t length = strlen(schemes[i]);
        if (size > length && strncasecmp(origin, schemes[i], length) == 0)
            return length;
    }
    return 0;
}

/* The text after a host: empty, or a colon and digits. */
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

bool tr_web_host(const char *authority, size_t size, char out[TR_HOST_TEXT_MAX]) {
    if (size == 0)
        return false;
    bool v6 = authority[0] == '[';
    const char *from = authority + v6, *end = authority + size;
    const char *behind = memchr(from, v6 ? ']' : ':', (size_t)(end - from));
    if (!behind && v6)
        return false;
    size_t length = (size_t)((behind ? behind : end) - from);
    if (length == 0 || length >= TR_HOST_TEXT_MAX || (behind && !is_port(behind + v6, end)))
        return false;
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

bool tr_web_origin_is_valid(const char *origin) {
    size_t size = strlen(origin), scheme = tr_web_scheme_size(origin, size);
    char host[TR_HOST_TEXT_MAX];
    return size < TR_WEB_ORIGIN_MAX && scheme > 0 && !strpbrk(origin + scheme, "/?#@ \t,") &&
           tr_web_host(origin + scheme, size - scheme, host);
}
