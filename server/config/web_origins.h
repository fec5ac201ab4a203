/* Origins of web pages as the configuration names them, "https://play.example.org": scheme, host and
 * port as browsers write them. Pure functions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    TR_WEB_ORIGIN_MAX = 128, /* bytes with the terminator */
    TR_WEB_ORIGINS_MAX = 16,
    TR_HOST_TEXT_MAX = 64 /* a host, with the terminator */
};

typedef struct tr_web_origins {
    int count;
    char origin[TR_WEB_ORIGINS_MAX][TR_WEB_ORIGIN_MAX];
} tr_web_origins;

/* Does the text have the form of an origin: "http://" or "https://", a host, perhaps a port, and
 * nothing else? */
bool tr_web_origin_is_valid(const char *origin);

/* Length of "http://" or "https://" at the start of origin[size]; 0: the text starts with neither,
 * or nothing follows. */
size_t tr_web_scheme_size(const char *origin, size_t size);

/* The host of "host", "host:port", "[v6]" or "[v6]:port" of `size` bytes, without brackets. False:
 * malformed, or too long. */
bool tr_web_host(const char *authority, size_t size, char out[TR_HOST_TEXT_MAX]);
