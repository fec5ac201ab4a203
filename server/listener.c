#include "server/listener.h"

#include "server/log.h"

enum { BACKLOG = 256 };

static void on_connection(uv_stream_t *stream, int status) {
    tr_listener *listener = stream->data;
    if (status != 0) {
        tr_log_line(TR_LOG_WARN, "listener.error", "error=\"%s\"", uv_strerror(status));
        return;
    }
    tr_sessions_accept(listener->sessions, stream);
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

tr_status tr_listener_open(tr_listener *listener, tr_sessions *sessions, const char *host, int port,
                           tr_error *error) {
    struct sockaddr_storage address;
    if (!parse_address(host, port, &address))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--listen: '%s': expected a numeric address, as in 127.0.0.1", host);
    listener->sessions = sessions;
    int status = uv_tcp_init(tr_sessions_server(sessions)->loop, &listener->tcp);
    if (status == 0) {
        listener->open = true;
        listener->tcp.data = listener;
        status = uv_tcp_bind(&listener->tcp, (const struct sockaddr *)&address, 0);
    }
    if (status == 0)
        status = uv_listen((uv_stream_t *)&listener->tcp, BACKLOG, on_connection);
    if (status != 0)
        return tr_fail(error, TR_UNAVAILABLE, "cannot listen on %s:%d: %s", host, port,
                       uv_strerror(status));
    listener->port = bound_port(&listener->tcp);
    return TR_OK;
}

void tr_listener_close(tr_listener *listener) {
    if (listener->open)
        uv_close((uv_handle_t *)&listener->tcp, NULL);
    listener->open = false;
}
