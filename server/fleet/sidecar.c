#include "server/fleet/sidecar.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct tr_sidecar {
    CURL *curl;
    struct curl_slist *headers;
    int port;
};

tr_status tr_sidecar_prepare(void) {
    return curl_global_init(CURL_GLOBAL_NOTHING) == CURLE_OK ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

/* What the sidecar answers beyond its status is not used. */
static size_t ignore(const void *data, size_t size, size_t count, void *context) {
    (void)data, (void)context;
    return size * count;
}

static bool set_options(tr_sidecar *sidecar) {
    CURL *curl = sidecar->curl;
    sidecar->headers = curl_slist_append(NULL, "Content-Type: application/json");
    return sidecar->headers &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, sidecar->headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROXY, "*") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore) == CURLE_OK;
}

tr_status tr_sidecar_open(int port, tr_sidecar **out) {
    tr_sidecar *sidecar = calloc(1, sizeof *sidecar);
    if (!sidecar)
        return TR_RESOURCE_EXHAUSTED;
    sidecar->port = port;
    sidecar->curl = curl_easy_init();
    if (!sidecar->curl || !set_options(sidecar)) {
        tr_sidecar_close(sidecar);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = sidecar;
    return TR_OK;
}

void tr_sidecar_close(tr_sidecar *sidecar) {
    if (!sidecar)
        return;
    curl_easy_cleanup(sidecar->curl);
    curl_slist_free_all(sidecar->headers);
    free(sidecar);
}

int tr_sidecar_send(tr_sidecar *sidecar, const tr_sidecar_request *request, int timeout_ms) {
    CURL *curl = sidecar->curl;
    char url[TR_SIDECAR_TEXT_MAX + 32];
    long status = 0;
    snprintf(url, sizeof url, "http://localhost:%d%s", sidecar->port, request->path);
    if (curl_easy_setopt(curl, CURLOPT_URL, url) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, request->body) != CURLE_OK ||
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)timeout_ms) != CURLE_OK ||
        curl_easy_perform(curl) != CURLE_OK ||
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK)
        return 0;
    return (int)status;
}
