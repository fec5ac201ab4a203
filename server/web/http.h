/* HTTP/1.1 requests, as far as needed to serve files, metrics and a WebSocket.
 *
 * GET and HEAD without a body. http-parser reads them, and stricter checks follow, because attacks
 * use requests that two readers of RFC 9112 understand differently: lines end in CR LF, no header
 * is folded, there is one Host and no space before a colon, although the library would accept more.
 * Pure functions over bytes; nothing here reads a socket, takes memory or decides what is served.
 *
 * Why http-parser: it is the only library of Debian 12 that only parses. It passes pieces of the
 * caller's bytes to callbacks and takes no memory, so the daemon's channels keep connections, time
 * limits and TLS. Its authors no longer maintain it (its successor llhttp is not packaged); Debian
 * fixes it (2.9.4-5 has the fix for CVE-2020-8287), and the chunked bodies of its advisories are
 * never read here. libmicrohttpd 0.9.75 owns sockets and responses and has its own loop; with TLS,
 * an upgraded connection leaves it only through a socket pair. libwebsockets 4.1.6 would own the
 * whole loop with TLS and queues, and its Debian revision has had no fix since 2022. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    TR_HTTP_REQUEST_MAX = 8 << 10, /* bytes of request line and headers */
    TR_HTTP_FIELDS_MAX = 64,
    TR_HTTP_PATH_MAX = 512, /* decoded, with terminator */
    TR_HTTP_HEAD_MAX = 2 << 10
};

/* A piece of the request's bytes. */
typedef struct tr_http_text {
    const char *at;
    size_t size;
} tr_http_text;

typedef struct tr_http_request {
    bool head;                   /* HEAD: as GET, without the body */
    bool keep_alive;             /* the connection may serve another */
    char path[TR_HTTP_PATH_MAX]; /* from '/', percent-decoded, without the query */
    int field_count;
    tr_http_text name[TR_HTTP_FIELDS_MAX],
        value[TR_HTTP_FIELDS_MAX]; /* valid as long as the bytes */
    size_t size;                   /* bytes it took */
} tr_http_request;

/* Reads the request at the start of bytes[size]. 200: it is complete, in *out. 0: more bytes are
 * needed. Otherwise the status to refuse it with, after which the connection must be closed: 400
 * malformed, 405 neither GET nor HEAD, 413 it has a body, 414 the path is too long, 431 too many or
 * too long headers, 505 not HTTP/1. *out is undefined then. */
int tr_http_parse(const char *bytes, size_t size, tr_http_request *out);

/* The value of a header (name in lower case); {NULL, 0}: no such header. The first if there are
 * several. */
tr_http_text tr_http_field(const tr_http_request *request, const char *name);

/* Does the comma-separated header hold this token, in any case? Parameters after ';' are ignored,
 * except "q=0", which means that the element is absent. */
bool tr_http_lists(const tr_http_request *request, const char *name, const char *token);

bool tr_http_text_is(tr_http_text text, const char *expected);         /* case-sensitive */
bool tr_http_text_matches(tr_http_text text, const char *ignore_case); /* case-insensitive */

/* The head of a response. NULL and 0 leave a header out. */
typedef struct tr_http_answer {
    int code;
    bool close;       /* the connection ends after it */
    const char *type; /* of the body */
    size_t body_size;
    const char *etag;     /* with its quotes */
    const char *caching;  /* Cache-Control; NULL: no-store */
    const char *encoding; /* of the body, "gzip" */
    const char *more;     /* further header lines, each with its CR LF */
} tr_http_answer;

/* Writes status line and headers into out[TR_HTTP_HEAD_MAX] and returns their size. Every response
 * has security headers. */
size_t tr_http_head(const tr_http_answer *answer, char *out);

/* "Not Found" for 404; static. */
const char *tr_http_reason(int code);
