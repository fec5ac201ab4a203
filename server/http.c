#include "server/http.h"

#include "proto/status.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Nothing is loaded that this daemon does not serve itself; scripts and styles come from files. */
static const char security_headers[] =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

/* --- characters --- */

static bool is_token(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool is_text(char c) {
    return c == '\t' || ((unsigned char)c >= 0x20 && c != 0x7f);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool tr_http_text_is(tr_http_text text, const char *expected) {
    return text.size == strlen(expected) && memcmp(text.at, expected, text.size) == 0;
}

bool tr_http_text_matches(tr_http_text text, const char *ignore_case) {
    return text.size == strlen(ignore_case) && strncasecmp(text.at, ignore_case, text.size) == 0;
}

static tr_http_text trimmed(tr_http_text text) {
    while (text.size > 0 && is_blank(text.at[0]))
        text = (tr_http_text){text.at + 1, text.size - 1};
    while (text.size > 0 && is_blank(text.at[text.size - 1]))
        text.size--;
    return text;
}

/* --- lines --- */

/* The first line of `rest` without its CR LF, and moves behind it. 200, 0: it is not whole, 400: a
 * character that must not be there. */
static int take_line(tr_http_text *rest, tr_http_text *out) {
    for (size_t i = 0; i < rest->size; i++) {
        char c = rest->at[i];
        if (c == '\r') {
            if (i + 1 == rest->size)
                return 0;
            if (rest->at[i + 1] != '\n')
                return 400;
            *out = (tr_http_text){rest->at, i};
            *rest = (tr_http_text){rest->at + i + 2, rest->size - i - 2};
            return 200;
        }
        if (!is_text(c))
            return 400;
    }
    return 0;
}

/* Up to the next space, and moves behind that. */
static tr_http_text take_word(tr_http_text *line) {
    const char *space = memchr(line->at, ' ', line->size);
    size_t size = space != NULL ? (size_t)(space - line->at) : line->size;
    tr_http_text word = {line->at, size};
    size_t step = space != NULL ? size + 1 : size;
    *line = (tr_http_text){line->at + step, line->size - step};
    return word;
}

/* --- the request line --- */

static int read_method(tr_http_text word, tr_http_request *out) {
    out->head = tr_http_text_is(word, "HEAD");
    if (out->head || tr_http_text_is(word, "GET"))
        return 200;
    for (size_t i = 0; i < word.size; i++)
        if (!is_token(word.at[i]))
            return 400;
    return word.size > 0 ? 405 : 400;
}

/* Control characters have no place in a path, encoded or not. */
static int read_path(tr_http_text word, char *out) {
    size_t size = 0;
    if (word.size == 0 || word.at[0] != '/')
        return 400;
    for (size_t i = 0; i < word.size && word.at[i] != '?'; i++) {
        int byte = (unsigned char)word.at[i];
        if (byte == '%') {
            int high = i + 2 < word.size ? hex_digit(word.at[i + 1]) : -1;
            int low = high >= 0 ? hex_digit(word.at[i + 2]) : -1;
            if (low < 0)
                return 400;
            byte = 16 * high + low;
            i += 2;
        }
        if (byte < 0x20 || byte == 0x7f)
            return 400;
        if (size == TR_HTTP_PATH_MAX - 1)
            return 414;
        out[size++] = (char)byte;
    }
    out[size] = '\0';
    return 200;
}

static int read_version(tr_http_text word, tr_http_request *out) {
    out->keep_alive = tr_http_text_is(word, "HTTP/1.1");
    if (out->keep_alive || tr_http_text_is(word, "HTTP/1.0"))
        return 200;
    return word.size == 8 && memcmp(word.at, "HTTP/", 5) == 0 ? 505 : 400;
}

static int read_request_line(tr_http_text line, tr_http_request *out) {
    tr_http_text method = take_word(&line), target = take_word(&line);
    int code = read_version(line, out); /* first: what is not HTTP has no method either */
    if (code == 200)
        code = read_method(method, out);
    return code == 200 ? read_path(target, out->path) : code;
}

/* --- headers --- */

static int read_field(tr_http_text line, tr_http_request *out) {
    const char *colon = memchr(line.at, ':', line.size);
    if (colon == NULL || colon == line.at)
        return 400;
    tr_http_text name = {line.at, (size_t)(colon - line.at)};
    for (size_t i = 0; i < name.size; i++)
        if (!is_token(name.at[i]))
            return 400;
    if (out->field_count == TR_HTTP_FIELDS_MAX)
        return 431;
    out->name[out->field_count] = name;
    out->value[out->field_count++] = trimmed((tr_http_text){colon + 1, line.size - name.size - 1});
    return 200;
}

static int count_of(const tr_http_request *request, const char *name) {
    int count = 0;
    for (int i = 0; i < request->field_count; i++)
        count += tr_http_text_matches(request->name[i], name);
    return count;
}

/* What may stand once at most, and what a request without a body must not have. */
static int check_fields(tr_http_request *request) {
    static const char *const single[] = {"host",
                                         "origin",
                                         "upgrade",
                                         "content-length",
                                         "sec-websocket-key",
                                         "sec-websocket-version"};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (count_of(request, single[i]) > 1)
            return 400;
    if (count_of(request, "host") == 0 && request->keep_alive) /* HTTP/1.1 */
        return 400;
    if (count_of(request, "transfer-encoding") > 0)
        return 413;
    if (count_of(request, "content-length") > 0 &&
        !tr_http_text_is(tr_http_field(request, "content-length"), "0"))
        return 413;
    if (tr_http_lists(request, "connection", "close"))
        request->keep_alive = false;
    return 200;
}

static int read_request(tr_http_text rest, tr_http_request *out) {
    const char *begin = rest.at;
    tr_http_text line;
    out->field_count = 0;
    int code = take_line(&rest, &line);
    if (code == 200)
        code = read_request_line(line, out);
    while (code == 200) {
        code = take_line(&rest, &line);
        if (code == 200 && line.size == 0)
            break;
        if (code == 200)
            code = read_field(line, out);
    }
    out->size = (size_t)(rest.at - begin);
    return code == 200 ? check_fields(out) : code;
}

int tr_http_parse(const char *bytes, size_t size, tr_http_request *out) {
    bool longer = size > TR_HTTP_REQUEST_MAX;
    int code = read_request((tr_http_text){bytes, longer ? TR_HTTP_REQUEST_MAX : size}, out);
    return code == 0 && size >= TR_HTTP_REQUEST_MAX ? 431 : code;
}

tr_http_text tr_http_field(const tr_http_request *request, const char *name) {
    for (int i = 0; i < request->field_count; i++)
        if (tr_http_text_matches(request->name[i], name))
            return request->value[i];
    return (tr_http_text){NULL, 0};
}

/* "q=0", "q=0.", "q=0.000": not wanted. */
static bool is_refusal(tr_http_text parameter) {
    if (parameter.size < 3 || strncasecmp(parameter.at, "q=0", 3) != 0)
        return false;
    for (size_t i = 3; i < parameter.size; i++)
        if (parameter.at[i] != (i == 3 ? '.' : '0'))
            return false;
    return true;
}

/* An element of a list: a token, and perhaps parameters. */
static bool element_is(tr_http_text element, const char *token) {
    const char *parameters = memchr(element.at, ';', element.size);
    if (parameters == NULL)
        return tr_http_text_matches(element, token);
    tr_http_text name = {element.at, (size_t)(parameters - element.at)};
    tr_http_text parameter = {parameters + 1, element.size - name.size - 1};
    return tr_http_text_matches(trimmed(name), token) && !is_refusal(trimmed(parameter));
}

static bool list_holds(tr_http_text list, const char *token) {
    while (list.size > 0) {
        const char *comma = memchr(list.at, ',', list.size);
        size_t size = comma != NULL ? (size_t)(comma - list.at) : list.size;
        if (element_is(trimmed((tr_http_text){list.at, size}), token))
            return true;
        size_t step = comma != NULL ? size + 1 : size;
        list = (tr_http_text){list.at + step, list.size - step};
    }
    return false;
}

bool tr_http_lists(const tr_http_request *request, const char *name, const char *token) {
    for (int i = 0; i < request->field_count; i++)
        if (tr_http_text_matches(request->name[i], name) && list_holds(request->value[i], token))
            return true;
    return false;
}

/* --- responses --- */

const char *tr_http_reason(int code) {
    static const struct {
        int code;
        const char *reason;
    } reasons[] = {{101, "Switching Protocols"},
                   {200, "OK"},
                   {304, "Not Modified"},
                   {400, "Bad Request"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {408, "Request Timeout"},
                   {413, "Content Too Large"},
                   {414, "URI Too Long"},
                   {426, "Upgrade Required"},
                   {431, "Request Header Fields Too Large"},
                   {500, "Internal Server Error"},
                   {503, "Service Unavailable"},
                   {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].code == code)
            return reasons[i].reason;
    return "Unknown";
}

/* Appends to out[TR_HTTP_HEAD_MAX], which holds *size bytes. */
static void put(char *out, size_t *size, const char *format, ...) TR_PRINTF(3, 4);
static void put(char *out, size_t *size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int more = vsnprintf(out + *size, TR_HTTP_HEAD_MAX - *size, format, args);
    va_end(args);
    assert(more >= 0 && *size + (size_t)more < TR_HTTP_HEAD_MAX);
    *size += (size_t)more;
}

size_t tr_http_head(const tr_http_answer *answer, char *out) {
    size_t size = 0;
    put(out, &size, "HTTP/1.1 %d %s\r\n", answer->code, tr_http_reason(answer->code));
    if (answer->code != 304)
        put(out, &size, "Content-Length: %zu\r\n", answer->body_size);
    if (answer->type != NULL)
        put(out, &size, "Content-Type: %s\r\n", answer->type);
    if (answer->encoding != NULL)
        put(out, &size, "Content-Encoding: %s\r\n", answer->encoding);
    if (answer->etag != NULL)
        put(out, &size, "ETag: %s\r\nVary: Accept-Encoding\r\n", answer->etag);
    put(out, &size, "Cache-Control: %s\r\n",
        answer->caching != NULL ? answer->caching : "no-store");
    put(out, &size, "%s%s", security_headers, answer->more != NULL ? answer->more : "");
    put(out, &size, "%s\r\n", answer->close ? "Connection: close\r\n" : "");
    return size;
}
