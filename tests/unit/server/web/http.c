/* Requests of HTTP/1.1: those that are read, and those that are refused, with their status. */
#include "cmocka_test.h"

#include "server/web/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse(const char *text, tr_http_request *out) {
    return tr_http_parse(text, strlen(text), out);
}

static int code_of(const char *text) {
    tr_http_request request;
    return parse(text, &request);
}

TEST(test_a_request_is_read) {
    tr_http_request request;
    const char text[] =
        "GET /a%20b/c.js?d=%2F HTTP/1.1\r\nHost: here:1\r\nX-Other: \t two words \r\n\r\nrest";
    assert_int_equal(parse(text, &request), 200);
    assert_string_equal(request.path, "/a b/c.js");
    assert_true(request.keep_alive);
    assert_false(request.head);
    assert_int_equal(request.size, strlen(text) - 4);
    assert_true(tr_http_text_is(tr_http_field(&request, "host"), "here:1"));
    assert_true(tr_http_text_is(tr_http_field(&request, "x-other"), "two words"));
    assert_null(tr_http_field(&request, "origin").at);
}

/* Cut anywhere, a request asks for more, and nothing behind the cut is touched. */
TEST(test_every_beginning_asks_for_more) {
    const char text[] = "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\nA:\r\n\r\n";
    for (size_t size = 0; size < sizeof text - 1; size++) {
        OWN_MEMORY char *copy = malloc(size + 1);
        tr_http_request request;
        memcpy(copy, text, size);
        assert_int_equal(tr_http_parse(copy, size, &request), 0);
    }
    assert_int_equal(code_of(text), 200);
}

TEST(test_what_is_refused) {
    static const struct {
        int code;
        const char *text;
    } cases[] = {
        {400, "\r\n"},
        {400, "GET\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\n\r\n"},                          /* no Host */
        {400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},    /* two */
        {400, "GET / HTTP/1.1\nHost: a\n\n"},                     /* bare LF */
        {400, "GET / HTTP/1.1\rHost: a\r\n\r\n"},                 /* bare CR */
        {400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},              /* two spaces */
        {400, "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"},              /* trailing space */
        {400, "GET / HTTP/1.1\r\nHost : a\r\n\r\n"},              /* before the colon */
        {400, "GET / HTTP/1.1\r\nHost: a\r\n b: folded\r\n\r\n"}, /* folded */
        {400, "GET / HTTP/1.1\r\nHost: a\r\n: no name\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n"},
        {400, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET http://ab/ HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET /%0 HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET /%0a HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "G(T / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {405, "POST / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {405, "PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {405, "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "get / HTTP/1.1\r\nHost: a\r\n\r\n"}, /* an unknown method */
        {400, "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"},
        /* What http-parser alone would take. */
        {400, "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET / HXXX/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET /\r\n\r\n"}, /* HTTP/0.9 */
        {400, "GET / HTTP/1.1\r\nHo st: a\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\nX: a\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\tb\r\n\r\n"},
        {400, "GET /\x0c HTTP/1.1\r\nHost: a\r\n\r\n"},
        {400, "SOURCE / ICE/1.1\r\nHost: a\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n"
              "\r\n"},
        {413, "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n"},
        {413, "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"},
        {400, "\x16\x03\x01\x02\r\n"}, /* a TLS hello */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (code_of(cases[i].text) != cases[i].code)
            fail_msg("case %zu: %d, expected %d", i, code_of(cases[i].text), cases[i].code);
    assert_int_equal(code_of("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"), 200);
}

TEST(test_sizes_are_bounded) {
    tr_http_request request;
    char text[2 * TR_HTTP_REQUEST_MAX];
    memset(text, 'a', sizeof text);
    memcpy(text, "GET /", 5);
    assert_int_equal(tr_http_parse(text, TR_HTTP_REQUEST_MAX - 1, &request), 0);
    assert_int_equal(tr_http_parse(text, TR_HTTP_REQUEST_MAX, &request), 431);
    assert_int_equal(tr_http_parse(text, sizeof text, &request), 431);
    memcpy(text + TR_HTTP_PATH_MAX + 4, " HTTP/1.1\r\nHost: a\r\n\r\n", 23);
    assert_int_equal(parse(text, &request), 414);

    size_t size = (size_t)sprintf(text, "GET / HTTP/1.1\r\nHost: a\r\n");
    for (int i = 1; i < TR_HTTP_FIELDS_MAX; i++)
        size += (size_t)sprintf(text + size, "a: b\r\n");
    sprintf(text + size, "\r\n");
    assert_int_equal(parse(text, &request), 200);
    sprintf(text + size, "a: b\r\n\r\n");
    assert_int_equal(parse(text, &request), 431);
}

TEST(test_the_connection_stays_open_when_both_sides_allow_it) {
    tr_http_request request;
    assert_int_equal(parse("GET / HTTP/1.0\r\n\r\n", &request), 200);
    assert_false(request.keep_alive);
    assert_int_equal(parse("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, CLOSE\r\n\r\n", &request),
                     200);
    assert_false(request.keep_alive);
    assert_int_equal(parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", &request), 200);
    assert_false(request.keep_alive); /* the answer would have to say so */
}

/* A header without a value, and one with blanks around it. */
TEST(test_values) {
    tr_http_request request;
    const char text[] = "GET /?a=b&c#d HTTP/1.1\r\nHost: a\r\nA:\r\nB:  \r\nC: \tc\t \r\n\r\n";
    assert_int_equal(parse(text, &request), 200);
    assert_string_equal(request.path, "/");
    assert_int_equal(request.field_count, 4);
    assert_int_equal(tr_http_field(&request, "a").size, 0);
    assert_non_null(tr_http_field(&request, "b").at);
    assert_int_equal(tr_http_field(&request, "b").size, 0);
    assert_true(tr_http_text_is(tr_http_field(&request, "c"), "c"));
}

TEST(test_lists) {
    tr_http_request request;
    const char text[] =
        "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br;q=1, GZIP ; q=0.5\r\n"
        "Accept-Encoding: deflate;q=0,zstd;q=0.00, q;q=0.001\r\nUpgrade: websockets\r\n\r\n";
    assert_int_equal(parse(text, &request), 200);
    assert_true(tr_http_lists(&request, "accept-encoding", "gzip"));
    assert_true(tr_http_lists(&request, "accept-encoding", "br"));
    assert_true(tr_http_lists(&request, "accept-encoding", "q"));
    assert_false(tr_http_lists(&request, "accept-encoding", "deflate"));
    assert_false(tr_http_lists(&request, "accept-encoding", "zstd"));
    assert_false(tr_http_lists(&request, "accept-encoding", "zip"));
    assert_false(tr_http_lists(&request, "upgrade", "websocket"));
}

TEST(test_a_head_is_whole) {
    char out[TR_HTTP_HEAD_MAX];
    tr_http_answer answer = {.code = 200,
                             .type = "text/css",
                             .body_size = 7,
                             .etag = "\"e\"",
                             .close = true,
                             .caching = "no-cache",
                             .encoding = "gzip",
                             .more = "A: b\r\n"};
    out[tr_http_head(&answer, out)] = '\0';
    assert_memory_equal(out, "HTTP/1.1 200 OK\r\n", 17);
    assert_non_null(strstr(out, "\r\nContent-Length: 7\r\n"));
    assert_non_null(strstr(out, "\r\nContent-Encoding: gzip\r\n"));
    assert_non_null(strstr(out, "\r\nConnection: close\r\n"));
    assert_non_null(strstr(out, "\r\nA: b\r\n"));
    assert_string_equal(out + strlen(out) - 4, "\r\n\r\n");
}
