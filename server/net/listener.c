#include "server/net/listener.h"

#include "server/config/log.h"

enum { BACKLOG = 256 };

static void refuse_connection(tr_listener *listener);

static void on_refused(uv_handle_t *handle) {
    tr_listener *listener = handle->data;
    listener->refusing = false;
    if (listener->refusal_waits && listener->open)
        refuse_connection(listener);
}

static void refuse_connection(tr_listener *listener) {
    listener->refusal_waits = listener->refusing;
    if (listener->refusing)
        return;
    listener->refusing = true;
    uv_tcp_init(listener->tcp.loop, &listener->refusal);
    listener->refusal.data = listener;
    (void)!uv_accept((uv_stream_t *)&listener->tcp, (uv_stream_t *)&listener->refusal);
    uv_close((uv_handle_t *)&listener->refusal, on_refused);
}

static void accept_connection(tr_listener *listener) {
    tr_channel *channel = NULL;
    tr_status accepted = tr_channel_tcp_accept((uv_stream_t *)&listener->tcp, &listener->scratch,
                                               listener->peers, &channel);
    listener->turn_accepts++;
    if (!accepted)
        listener->accept(listener->context, channel);
    else if (accepted == TR_RESOURCE_EXHAUSTED)
        refuse_connection(listener);
}

static void on_turn(uv_idle_t *turn) {
    tr_listener *listener = turn->data;
    uv_idle_stop(turn);
    listener->turn_accepts = 0;
    if (!listener->waits)
        return;
    listener->waits = false;
    accept_connection(listener); /* accepting one makes libuv listen again */
}

static void on_connection(uv_stream_t *stream, int status) {
    tr_listener *listener = stream->data;
    if (status != 0) {
        tr_log_line(TR_LOG_WARN, "listener.error", "error=\"%s\"", uv_strerror(status));
        return;
    }
    uv_idle_start(&listener->turn, on_turn);
    if (listener->turn_accepts < TR_LISTENER_TURN_ACCEPTS)
        accept_connection(listener);
    else
        listener->waits = true;
}

static int bound_port(const uv_tcp_t *tcp) {
    struct sockaddr_storage address;
    int size = sizeof address;
    if (uv_tcp_getsockname(tcp, (struct sockaddr *)&address, &size) != 0)
        return 0;
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address;
    return ntohs(address.ss_family == AF_INET6 ? v6->sin6_port : v4->sin_port);
}

static bool parse_address(const char *host, int port, struct sockaddr_storage *out) {
    return uv_ip4_addr(host, port, (struct sockaddr_in *)out) == 0 ||
           uv_ip6_addr(host, port, (struct sockaddr_in6 *)out) == 0;
}

tr_status tr_listener_open(tr_listener *listener, const tr_listener_def *def, tr_error *error) {
    struct sockaddr_storage address;
    if (!parse_address(def->host, def->port, &address))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--%s: '%s': expected a numeric address, as in 127.0.0.1", def->option,
                       def->host);
    listener->peers = def->peers;
    listener->accept = def->accept;
    listener->context = def->context;
    int status = uv_tcp_init(def->loop, &listener->tcp);
    if (status == 0) {
        listener->open = true;
        uv_idle_init(def->loop, &listener->turn);
        listener->tcp.data = listener->turn.data = listener;
        status = uv_tcp_bind(&listener->tcp, (const struct sockaddr *)&address, 0);
    }
    if (status == 0)
        status = uv_listen((uv_stream_t *)&listener->tcp, BACKLOG, on_connection);
    if (status != 0)
        return tr_fail(error, TR_UNAVAILABLE, "cannot listen on %s:%d: %s", def->host, def->port,
                       uv_strerror(status));
    listener->port = bound_port(&listener->tcp);
    return TR_OK;
}

void tr_listener_close(tr_listener *listener) {
    if (listener->open) {
        uv_close((uv_handle_t *)&listener->tcp, NULL);
        uv_close((uv_handle_t *)&listener->turn, NULL);
    }
    listener->open = false;
}
