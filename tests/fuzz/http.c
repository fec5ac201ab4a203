/* Requests of HTTP from arbitrary bytes: read whole or refused at the same byte however they are
 * cut, and what was read lies within them. */
#include "fuzz/target.h"

#include "server/web/http.h"
#include "server/web/web_origin.h"

#include <stdlib.h>
#include <string.h>

static void expect_within(tr_http_text text, const char *bytes, size_t size) {
    if (text.at < bytes || text.at + text.size > bytes + size)
        abort();
}

static void check_request(const tr_http_request *request, const char *bytes, size_t size) {
    if (request->path[0] != '/' || strlen(request->path) >= TR_HTTP_PATH_MAX ||
        request->size > size || request->field_count > TR_HTTP_FIELDS_MAX)
        abort();
    for (int i = 0; i < request->field_count; i++) {
        expect_within(request->name[i], bytes, request->size);
        expect_within(request->value[i], bytes, request->size);
    }
    const tr_web_origins one = {1, {"https://play.example.org:8443"}};
    (void)tr_web_origin_allowed(request, &one);
    (void)tr_web_host_allowed(request, &one);
    (void)tr_http_lists(request, "accept-encoding", "gzip");
}

/* In a block of the exact size, so that reading past it is caught. */
static int parse(const uint8_t *data, size_t size) {
    char *copy = malloc(size + (size == 0));
    tr_http_request request;
    memcpy(copy, data, size);
    int code = tr_http_parse(copy, size, &request);
    if (code == 200)
        check_request(&request, copy, size);
    free(copy);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int code = parse(data, size);
    for (size_t part = size; part-- > 0;) {
        int before = parse(data, part);
        if (before != 0 && before != code)
            abort();
        if (part > 64) /* the long ones in steps */
            part -= part / 16;
    }
    return 0;
}
