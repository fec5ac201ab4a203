#include "server/net/channel_tcp.h"

#include "server/config/log.h"

#include <assert.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>

enum {
    SEND_BUFFER = 32 << 10,
    NOTSENT_LOWAT = 8 << 10,
    KEEPALIVE_S = 60,       /* of silence before the first keep-alive probe */
    UNHEARD_MS = 120 * 1000 /* without an answer, or without taking data: the connection ends */
};

typedef struct tcp_channel {
    tr_channel base;
    tr_tcp_scratch *scratch;
    tr_peers *peers;
    tr_peer *peer; /* counts this connection */
    int parts;     /* tcp and taken, until they have closed */
    uv_tcp_t tcp;
    uv_idle_t taken; /* active while a batch that the kernel took at once is to be reported */
    uv_write_t write;
    uv_shutdown_t shutdown;
} tcp_channel;

/* --- callbacks of the loop --- */

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    (void)suggested;
    tcp_channel *channel = handle->data;
    *out = uv_buf_init(channel->scratch->bytes, sizeof channel->scratch->bytes);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    tcp_channel *channel = stream->data;
    tr_channel *base = &channel->base;
    if (count < 0)
        base->listener->ended(base->context);
    else if (count > 0)
        base->listener->bytes(base->reader, (const uint8_t *)buffer->base, (size_t)count);
}

static void on_written(uv_write_t *request, int status) {
    tcp_channel *channel = request->data;
    tr_channel *base = &channel->base;
    if (base->closing)
        return;
    if (status == 0)
        base->listener->written(base->context);
    else
        base->listener->ended(base->context);
}

static void on_taken(uv_idle_t *handle) {
    tcp_channel *channel = handle->data;
    uv_idle_stop(handle);
    channel->base.listener->written(channel->base.context);
}

static void on_shut_down(uv_shutdown_t *request, int status) {
    (void)request, (void)status; /* next the peer closes, or the session's time-out ends */
}

static void on_closed(uv_handle_t *handle) {
    tcp_channel *channel = handle->data;
    if (--channel->parts > 0)
        return;
    if (channel->base.listener)
        channel->base.listener->closed(channel->base.context);
    tr_peers_leave(channel->peers, channel->peer, &channel->base);
    free(channel);
}

/* --- calls of the session --- */

/* What is left of the buffers after `sent` bytes; returns how many buffers. */
static int skip_sent(const uv_buf_t *buffers, int count, size_t sent, uv_buf_t *out) {
    int left = 0;
    for (int i = 0; i < count; i++) {
        size_t skipped = sent < buffers[i].len ? sent : buffers[i].len;
        sent -= skipped;
        if (skipped < buffers[i].len)
            out[left++] =
                uv_buf_init(buffers[i].base + skipped, (unsigned)(buffers[i].len - skipped));
    }
    return left;
}

/* Most batches are taken by the kernel at once. After each uv_write that has ended libuv 1.44 asks
 * epoll about the socket again, a system call a batch, which uv_try_write does not. */
static tr_status tcp_write(tr_channel *base, const uv_buf_t *buffers, int count) {
    tcp_channel *channel = (tcp_channel *)base;
    uv_stream_t *stream = (uv_stream_t *)&channel->tcp;
    uv_buf_t rest[TR_CHANNEL_BUFFERS_MAX];
    assert(!base->closing && count > 0 && count <= TR_CHANNEL_BUFFERS_MAX);
    int sent = uv_try_write(stream, buffers, (unsigned)count); /* uv_write meets an error again */
    int left = skip_sent(buffers, count, sent > 0 ? (size_t)sent : 0, rest);
    int status = left > 0 ? uv_write(&channel->write, stream, rest, (unsigned)left, on_written)
                          : uv_idle_start(&channel->taken, on_taken);
    return status == 0 ? TR_OK : TR_UNAVAILABLE;
}

static tr_status tcp_read(tr_channel *base, bool on) {
    tcp_channel *channel = (tcp_channel *)base;
    uv_stream_t *stream = (uv_stream_t *)&channel->tcp;
    int status = on ? uv_read_start(stream, on_allocate, on_read) : uv_read_stop(stream);
    return status == 0 ? TR_OK : TR_UNAVAILABLE;
}

static tr_status tcp_finish(tr_channel *base) {
    tcp_channel *channel = (tcp_channel *)base;
    int status = uv_shutdown(&channel->shutdown, (uv_stream_t *)&channel->tcp, on_shut_down);
    return status == 0 ? TR_OK : TR_UNAVAILABLE;
}

static void tcp_close(tr_channel *base) {
    tcp_channel *channel = (tcp_channel *)base;
    uv_close((uv_handle_t *)&channel->tcp, on_closed);
    uv_close((uv_handle_t *)&channel->taken, on_closed);
}

static const tr_channel_kind tcp_kind = {
    .name = "tcp", .write = tcp_write, .read = tcp_read, .finish = tcp_finish, .close = tcp_close};

/* --- the beginning --- */

/* Sets socket options for a connection that carries frames: small writes are sent without delay, a
 * dead peer is noticed, and the kernel buffers little that the client has not read (a large buffer
 * would hide slow readers for minutes). */
static void tr_tcp_set_options(uv_tcp_t *tcp) {
    uv_os_fd_t fd;
    int size = SEND_BUFFER, lowat = NOTSENT_LOWAT, unheard = UNHEARD_MS;
    uv_tcp_nodelay(tcp, 1);
    uv_tcp_keepalive(tcp, 1, KEEPALIVE_S);
    uv_send_buffer_size((uv_handle_t *)tcp, &size);
    if (uv_fileno((uv_handle_t *)tcp, &fd) == 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &lowat, sizeof lowat);
        setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unheard, sizeof unheard);
    }
}

/* False: the connection must be closed without an answer. */
static bool join_peers(tcp_channel *channel) {
    bool joined = !tr_peers_join(channel->peers, &channel->base, &channel->peer);
    if (!joined || channel->base.crowded)
        tr_log_line(TR_LOG_WARN, "peers.crowded", "peer=%s told=%s", channel->base.peer,
                    joined ? "yes" : "no");
    return joined;
}

tr_status tr_channel_tcp_accept(uv_stream_t *stream, tr_tcp_scratch *scratch, tr_peers *peers,
                                tr_channel **out) {
    struct sockaddr_storage address = {0};
    int size = sizeof address;
    tcp_channel *channel = calloc(1, sizeof *channel);
    if (!channel)
        return TR_RESOURCE_EXHAUSTED;
    uv_tcp_init(stream->loop, &channel->tcp);
    uv_idle_init(stream->loop, &channel->taken);
    channel->parts = 2;
    channel->scratch = scratch;
    channel->peers = peers;
    channel->tcp.data = channel->taken.data = channel->write.data = channel;
    bool accepted = uv_accept(stream, (uv_stream_t *)&channel->tcp) == 0;
    bool named =
        accepted && uv_tcp_getpeername(&channel->tcp, (struct sockaddr *)&address, &size) == 0;
    tr_channel_init(&channel->base, &tcp_kind, named ? (struct sockaddr *)&address : NULL);
    if (!accepted || !join_peers(channel)) {
        tr_channel_close(&channel->base);
        return TR_UNAVAILABLE;
    }
    tr_tcp_set_options(&channel->tcp);
    *out = &channel->base;
    return TR_OK;
}
