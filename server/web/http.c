#include "server/web/http.h"

#include "proto/status.h"

#include <http_parser.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Pages load only content from this daemon; scripts and styles only from files. */
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
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c));
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

/* --- checks that http-parser does not make --- */

/* The library accepts a line end without CR, a folded header and empty lines before a request, each
 * of which other readers may understand differently. Moves the end of `text` to the end of its
 * headers, if they are complete. */
static bool check_lines(tr_http_text *text) {
    for (size_t i = 0; i < text->size; i++) {
        char c = text->at[i], before = i > 0 ? text->at[i - 1] : '\n';
        if ((before == '\r') != (c == '\n') || (c != '\r' && c != '\n' && !is_text(c)))
            return false;
        if (before == '\n' && (is_blank(c) || (i == 0 && c == '\r')))
            return false;
        if (c == '\n' && i > 2 && text->at[i - 2] == '\n') {
            text->size = i + 1;
            return true;
        }
    }
    return true;
}

/* Requires one space before and one after the target, and "HTTP/"; the library accepts any number
 * of spaces and any four letters. */
static bool check_request_line(tr_http_text text, const char *method, tr_http_text target) {
    const char *behind = target.at + target.size;
    return target.at == text.at + strlen(method) + 1 && text.at + text.size - behind > 6 &&
           memcmp(behind, " HTTP/", 6) == 0;
}

static bool check_names(const tr_http_request *request) {
    for (int i = 0; i < request->field_count; i++)
        for (size_t k = 0; k < request->name[i].size; k++)
            if (!is_token(request->name[i].at[k]))
                return false;
    return true;
}

/* --- the target --- */

/* Control characters are not allowed in a path, encoded or not. */
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

/* --- headers --- */

static int count_of(const tr_http_request *request, const char *name) {
    int count = 0;
    for (int i = 0; i < request->field_count; i++)
        count += tr_http_text_matches(request->name[i], name);
    return count;
}

/* Checks headers that may appear at most once, and those that a request without a body must not
 * have. */
static int check_fields(const tr_http_request *request, bool host_needed) {
    static const char *const single[] = {"host",
                                         "origin",
                                         "upgrade",
                                         "content-length",
                                         "sec-websocket-key",
                                         "sec-websocket-version"};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (count_of(request, single[i]) > 1)
            return 400;
    if (host_needed && count_of(request, "host") == 0)
        return 400;
    if (count_of(request, "transfer-encoding") > 0)
        return 413;
    if (count_of(request, "content-length") > 0 &&
        !tr_http_text_is(tr_http_field(request, "content-length"), "0"))
        return 413;
    return 200;
}

/* --- callbacks of http-parser --- */

typedef struct reading {
    tr_http_request *request;
    tr_http_text target;
    bool whole, too_many;
} reading;

static int on_target(http_parser *parser, const char *at, size_t size) {
    ((reading *)parser->data)->target = (tr_http_text){at, size};
    return 0;
}

static int on_name(http_parser *parser, const char *at, size_t size) {
    reading *r = parser->data;
    r->too_many |= r->request->field_count == TR_HTTP_FIELDS_MAX;
    if (r->too_many)
        return 0;
    r->request->name[r->request->field_count] = (tr_http_text){at, size};
    r->request->value[r->request->field_count++] = (tr_http_text){at + size, 0};
    return 0;
}

static int on_value(http_parser *parser, const char *at, size_t size) {
    reading *r = parser->data;
    if (!r->too_many && size > 0)
        r->request->value[r->request->field_count - 1] = trimmed((tr_http_text){at, size});
    return 0;
}

/* The library must not read past the headers. */
static int on_headers(http_parser *parser) {
    ((reading *)parser->data)->whole = true;
    return -1;
}

static const http_parser_settings settings = {.on_url = on_target,
                                              .on_header_field = on_name,
                                              .on_header_value = on_value,
                                              .on_headers_complete = on_headers};

/* "http://host/path", as clients of proxies write it (RFC 9112, section 3.2.2), becomes "/path". The host
 * must be that of the Host field, by which requests are judged. */
static bool strip_authority(const tr_http_request *request, tr_http_text *target) {
    static const char *const schemes[] = {"http://", "https://"};
    tr_http_text host = tr_http_field(request, "host");
    for (int i = 0; i < 2; i++) {
        size_t size = strlen(schemes[i]);
        if (target->size <= size || strncasecmp(target->at, schemes[i], size) != 0)
            continue;
        if (!host.at || target->size < size + host.size ||
            strncasecmp(target->at + size, host.at, host.size) != 0)
            return false;
        size += host.size;
        if (size < target->size && target->at[size] != '/' && target->at[size] != '?')
            return false;
        *target = size == target->size ? (tr_http_text){"/", 1}
                                       : (tr_http_text){target->at + size, target->size - size};
        return true;
    }
    return true;
}

/* Checks a request whose headers are complete. */
static int judge(const http_parser *parser, const reading *r, tr_http_text text) {
    tr_http_request *out = r->request;
    bool newer = parser->http_minor == 1; /* than HTTP/1.0 */
    if (!check_request_line(text, http_method_str(parser->method), r->target) || !check_names(out))
        return 400;
    if (parser->http_major != 1 || parser->http_minor > 1)
        return 505;
    if (parser->method != HTTP_GET && parser->method != HTTP_HEAD)
        return 405;
    if (r->too_many)
        return 431;
    out->head = parser->method == HTTP_HEAD;
    out->keep_alive = newer && http_should_keep_alive(parser) != 0;
    out->size = text.size;
    tr_http_text target = r->target;
    if (!strip_authority(out, &target))
        return 400;
    int code = read_path(target, out->path);
    return code == 200 ? check_fields(out, newer) : code;
}

/* Parses from the beginning each time: requests are short, and this keeps no state. */
static int read_request(tr_http_text text, tr_http_request *out) {
    http_parser parser;
    reading r = {.request = out};
    out->field_count = 0;
    if (!check_lines(&text))
        return 400;
    http_parser_init(&parser, HTTP_REQUEST);
    parser.data = &r;
    (void)http_parser_execute(&parser, &settings, text.at, text.size);
    if (r.whole)
        return judge(&parser, &r, text);
    return HTTP_PARSER_ERRNO(&parser) == HPE_OK ? 0 : 400;
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

/* "q=0", "q=0.", "q=0.000": refused by the client. */
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
    if (!parameters)
        return tr_http_text_matches(element, token);
    tr_http_text name = {element.at, (size_t)(parameters - element.at)};
    tr_http_text parameter = {parameters + 1, element.size - name.size - 1};
    return tr_http_text_matches(trimmed(name), token) && !is_refusal(trimmed(parameter));
}

static bool list_holds(tr_http_text list, const char *token) {
    while (list.size > 0) {
        const char *comma = memchr(list.at, ',', list.size);
        size_t size = comma ? (size_t)(comma - list.at) : list.size;
        if (element_is(trimmed((tr_http_text){list.at, size}), token))
            return true;
        size_t step = comma ? size + 1 : size;
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
    return http_status_str((enum http_status)code);
}

/* Appends to out[TR_HTTP_HEAD_MAX], which holds *size bytes; text that does not fit is left out. */
static void put(char *out, size_t *size, const char *format, ...) TR_PRINTF(3, 4);
static void put(char *out, size_t *size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int more = vsnprintf(out + *size, TR_HTTP_HEAD_MAX - *size, format, args);
    va_end(args);
    if (more >= 0 && *size + (size_t)more < TR_HTTP_HEAD_MAX)
        *size += (size_t)more;
}

size_t tr_http_head(const tr_http_answer *answer, char *out) {
    size_t size = 0;
    put(out, &size, "HTTP/1.1 %d %s\r\n", answer->code, tr_http_reason(answer->code));
    if (answer->code != 304)
        put(out, &size, "Content-Length: %zu\r\n", answer->body_size);
    if (answer->type)
        put(out, &size, "Content-Type: %s\r\n", answer->type);
    if (answer->encoding)
        put(out, &size, "Content-Encoding: %s\r\n", answer->encoding);
    if (answer->etag)
        put(out, &size, "ETag: %s\r\nVary: Accept-Encoding\r\n", answer->etag);
    put(out, &size, "Cache-Control: %s\r\n", answer->caching ? answer->caching : "no-store");
    put(out, &size, "%s%s", security_headers, answer->more ? answer->more : "");
    put(out, &size, "%s\r\n", answer->close ? "Connection: close\r\n" : "");
    return size;
}
