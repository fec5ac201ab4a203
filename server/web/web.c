#include "server/web/web.h"

#include "server/config/log.h"
#include "server/net/channel_websocket.h"
#include "server/net/listener.h"
#include "server/net/websocket.h"
#include "server/web/asset.h"
#include "server/web/metrics.h"
#include "server/web/web_connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct tr_web {
    tr_web_def def;
    tr_listener listener;
    tr_web_places places;
    tr_assets *assets;   /* NULL: no root */
    int64_t stamp;       /* of the folder as read; 0: none */
    const char *why_not; /* NULL: ready */
    bool sockets;        /* may be opened */
};

static const char no_root_page[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Troupe</title>\n"
    "<h1>Troupe</h1>\n"
    "<p>The daemon runs, and the viewer is not built yet. Build it with "
    "<code>deploy/build-viewer.sh</code>, then load this page again.</p>\n"
    "<p><a href=\"/metrics\">/metrics</a> <a href=\"/healthz\">/healthz</a> "
    "<a href=\"/readyz\">/readyz</a></p>\n";

/* --- pages --- */

static tr_packet *packet_of(const char *text) {
    tr_packet *packet = tr_packet_create(strlen(text));
    if (packet)
        memcpy(packet->bytes, text, packet->size);
    return packet;
}

static tr_web_page text_page(int code, const char *type, const char *text) {
    tr_web_page page = {.answer = {.code = code, .type = type}, .body = packet_of(text)};
    if (!page.body) /* no memory: an empty answer */
        page.answer.code = 503;
    return page;
}

/* An explanation beyond the code's reason. */
static const char *explanation(int code) {
    return code == 421   ? ": the daemon does not answer for this host name; add it to "
                           "web.allowed_origins"
           : code == 429 ? ": too many connections from your address"
           : code == 503 ? ": busy, starting or ending; /healthz and /readyz are answered"
                         : "";
}

static tr_web_page failure_because(int code, const char *why) {
    char text[192];
    snprintf(text, sizeof text, "%d %s%s\n", code, tr_http_reason(code), why);
    tr_web_page page = text_page(code, "text/plain; charset=utf-8", text);
    if (code == 405)
        page.answer.more = "Allow: GET, HEAD\r\n";
    return page;
}

tr_web_page tr_web_failure(int code) {
    return failure_because(code, explanation(code));
}

static tr_web_page metrics_page(const tr_web *web) {
    tr_web_page page = {.answer = {.code = 200, .type = TR_METRICS_TYPE}};
    if (web->def.metrics(web->def.context, &page.body))
        return tr_web_failure(503);
    return page;
}

static tr_web_page state_page(const char *why_not) {
    char text[32];
    snprintf(text, sizeof text, "%s\n", why_not ? why_not : "ready");
    return text_page(why_not ? 503 : 200, "text/plain; charset=utf-8", text);
}

/* Changes whenever files come to the folder or to its bundles; 0: there is no folder. */
static int64_t stamp_of(const char *root) {
    char bundles[4200];
    struct stat own, below = {0};
    if (root[0] == '\0' || stat(root, &own) != 0)
        return 0;
    snprintf(bundles, sizeof bundles, "%s/assets", root);
    (void)stat(bundles, &below);
    int64_t stamp = (int64_t)own.st_mtim.tv_sec * 1000003 + own.st_mtim.tv_nsec +
                    (int64_t)below.st_mtim.tv_sec * 31 + below.st_mtim.tv_nsec * 17;
    return stamp != 0 ? stamp : 1;
}

/* The viewer may be built, or built again, while the daemon runs. */
static void look_again(tr_web *web) {
    tr_error error = {0};
    int64_t stamp = stamp_of(web->def.root(web->def.context));
    if (stamp == 0 || stamp == web->stamp)
        return;
    if (tr_web_reload(web, &error))
        tr_log_line(TR_LOG_WARN, "web.root_refused", "error=\"%s\"", error.message);
}

static tr_web_page asset_page(tr_web *web, const tr_http_request *request) {
    const tr_asset *asset = web->assets ? tr_assets_find(web->assets, request->path) : NULL;
    if (!asset || strcmp(request->path, "/") == 0) {
        look_again(web);
        asset = web->assets ? tr_assets_find(web->assets, request->path) : NULL;
    }
    if (!asset && strcmp(request->path, "/") == 0)
        return text_page(200, "text/html; charset=utf-8", no_root_page);
    if (!asset)
        return tr_web_failure(404);
    bool gzip = asset->gzip && tr_http_lists(request, "accept-encoding", "gzip");
    const char *etag = gzip ? asset->gzip_etag : asset->etag;
    tr_web_page page = {.answer = {.code = 200,
                                   .type = asset->type,
                                   .etag = etag,
                                   .caching = strncmp(asset->path, "/assets/", 8) == 0
                                                  ? "public, max-age=31536000, immutable"
                                                  : "no-cache",
                                   .encoding = gzip ? "gzip" : NULL}};
    if (tr_http_lists(request, "if-none-match", etag))
        page.answer.code = 304;
    else
        page.body = tr_packet_share(gzip ? asset->gzip : asset->plain);
    return page;
}

/* --- origins and hosts --- */

/* A header's value in printable ASCII, cut to fit. */
static void quote_field(const tr_http_request *request, const char *name,
                        char out[TR_WEB_ORIGIN_MAX]) {
    char value[TR_WEB_ORIGIN_MAX];
    tr_http_text text = tr_http_field(request, name);
    size_t size = text.size < sizeof value ? text.size : sizeof value - 1;
    memcpy(value, text.at, size);
    value[size] = '\0';
    tr_log_quote(value, out, TR_WEB_ORIGIN_MAX);
}

static tr_web_page refuse_origin(const tr_http_request *request) {
    char origin[TR_WEB_ORIGIN_MAX];
    quote_field(request, "origin", origin);
    tr_log_line(TR_LOG_WARN, "web.origin_refused", "origin=\"%s\"", origin);
    return tr_web_failure(403);
}

static tr_web_page refuse_host(const tr_http_request *request) {
    char host[TR_WEB_ORIGIN_MAX];
    quote_field(request, "host", host);
    tr_log_line(TR_LOG_WARN, "web.host_refused", "host=\"%s\"", host);
    return tr_web_failure(421);
}

/* --- sockets --- */

/* A client that is written against another server needs the reason, and so does its operator. */
static tr_web_page refuse_socket(const char *why) {
    tr_log_line(TR_LOG_WARN, "web.socket_refused", "expected=\"%s\"", why + 2);
    return failure_because(400, why);
}

/* RFC 6455, 4.2.1. */
static tr_web_page socket_page(const tr_web *web, const tr_http_request *request) {
    tr_web_page page = {.upgrade = true};
    tr_http_text key = tr_http_field(request, "sec-websocket-key");
    if (!tr_http_lists(request, "upgrade", "websocket") ||
        !tr_http_lists(request, "connection", "upgrade") ||
        !tr_http_text_is(tr_http_field(request, "sec-websocket-version"), "13")) {
        page = tr_web_failure(426);
        page.answer.more = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
        return page;
    }
    if (!tr_web_origin_allowed(request, &web->def.origins))
        return refuse_origin(request);
    if (!web->sockets)
        return tr_web_failure(503);
    if (request->head)
        return refuse_socket(": open a socket with GET");
    if (!key.at || tr_websocket_accept(key.at, key.size, page.accept))
        return refuse_socket(": Sec-WebSocket-Key: expected 16 bytes in base64");
    if (!tr_http_lists(request, "sec-websocket-protocol", TR_WEB_PROTOCOL))
        return refuse_socket(": offer the subprotocol " TR_WEB_PROTOCOL);
    return page;
}

void tr_web_adopt(tr_web *web, tr_channel *channel) {
    tr_channel *socket = NULL;
    if (!web->sockets || tr_channel_websocket_open(web->def.loop, channel, &socket))
        tr_channel_close(channel);
    else
        web->def.adopt(web->def.context, socket);
}

/* Probes may use any host name, and get one word. Sockets are for allowed origins. All other
 * requests must use one of the daemon's host names. */
tr_web_page tr_web_route_probe(tr_web *web, const tr_http_request *request) {
    if (strcmp(request->path, "/healthz") == 0)
        return text_page(200, "text/plain; charset=utf-8", "ok\n");
    if (strcmp(request->path, "/readyz") == 0)
        return state_page(web->why_not);
    return tr_web_failure(503);
}

static bool is_for_probes(const char *path) {
    return strcmp(path, "/healthz") == 0 || strcmp(path, "/readyz") == 0;
}

tr_web_page tr_web_route(tr_web *web, const tr_http_request *request) {
    if (is_for_probes(request->path))
        return tr_web_route_probe(web, request);
    if (strcmp(request->path, "/socket") == 0)
        return socket_page(web, request);
    if (!tr_web_host_allowed(request, &web->def.origins))
        return refuse_host(request);
    if (strcmp(request->path, "/metrics") == 0)
        return metrics_page(web);
    return asset_page(web, request);
}

/* --- the port --- */

static void on_connection(void *context, tr_channel *channel) {
    tr_web *web = context;
    tr_web_connection_def def = {.loop = web->def.loop, .places = &web->places};
    tr_web_place *leaves = NULL;
    if (!tr_web_places_find(&web->places, tr_peer_key(channel->peer), uv_now(def.loop), &def.kind,
                            &leaves)) {
        tr_channel_close(channel);
        return;
    }
    if (leaves)
        tr_web_connection_close(leaves->owner);
    tr_channel *open = tr_gate_open(web->def.gate, TR_GATE_WEB, channel);
    if (open)
        tr_web_connection_open(web, &def, open);
}

void tr_web_set_state(tr_web *web, const char *why_not, bool sockets) {
    web->why_not = why_not;
    web->sockets = sockets;
}

void tr_web_set_origins(tr_web *web, const tr_web_origins *origins) {
    web->def.origins = *origins;
}

/* Are all bundles there that the first page names? The page itself may only be missing where none was
 * served before: bundlers empty the folder first, and write the page and its bundles one by one. */
static bool is_complete(const tr_web *web, const tr_assets *assets) {
    static const char bundle[] = "assets/";
    const tr_asset *page = tr_assets_find(assets, "/");
    if (!page)
        return !web->assets || !tr_assets_find(web->assets, "/");
    const char *at = (const char *)page->plain->bytes, *end = at + page->plain->size;
    while ((at = memmem(at, (size_t)(end - at), bundle, strlen(bundle)))) {
        char path[TR_ASSET_PATH_MAX] = "/";
        size_t size = 0;
        while (at + size < end && size < sizeof path - 2 && !strchr("\"'?#> \t\r\n", at[size]))
            size++;
        memcpy(path + 1, at, size);
        if (!tr_assets_find(assets, path))
            return false;
        at += size;
    }
    return true;
}

tr_status tr_web_reload(tr_web *web, tr_error *error) {
    tr_assets *assets = NULL;
    const char *root = web->def.root(web->def.context);
    if (root[0] == '\0')
        return TR_OK;
    /* Before reading, so that later files are seen; a folder that is refused is read again once it has
     * changed. */
    web->stamp = stamp_of(root);
    tr_status status = tr_assets_load(root, &assets, error);
    if (status)
        return status;
    if (!is_complete(web, assets)) {
        tr_log_line(TR_LOG_INFO, "web.root_incomplete", "path=\"%s\"", root);
        tr_assets_destroy(assets);
        return TR_OK;
    }
    tr_assets_destroy(web->assets);
    web->assets = assets;
    tr_log_line(TR_LOG_INFO, "web.root", "path=\"%s\" files=%d", root, tr_assets_count(assets));
    return TR_OK;
}

tr_status tr_web_open(const tr_web_def *def, tr_web **out, tr_error *error) {
    tr_web *web = calloc(1, sizeof *web);
    if (!web)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the web port");
    web->def = *def;
    web->why_not = "starting";
    tr_web_places_init(&web->places, def->connections_max);
    *out = web;
    tr_status status = tr_web_reload(web, error);
    if (!status)
        status = tr_listener_open(&web->listener,
                                  &(tr_listener_def){.loop = def->loop,
                                                     .option = "web-listen",
                                                     .host = def->host,
                                                     .port = def->port,
                                                     .peers = tr_gate_peers(def->gate),
                                                     .accept = on_connection,
                                                     .context = web},
                                  error);
    return status;
}

int tr_web_port(const tr_web *web) {
    return web->listener.port;
}

void tr_web_close(tr_web *web) {
    if (!web)
        return;
    tr_listener_close(&web->listener);
    tr_web_connections_close(&web->places);
}

void tr_web_destroy(tr_web *web) {
    if (!web)
        return;
    tr_assets_destroy(web->assets);
    free(web);
}
