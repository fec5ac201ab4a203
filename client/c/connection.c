#include "client/c/connection.h"

#include "proto/frame.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_SIZE = 64 * 1024, REASON_MAX = 512 };

struct tr_connection {
    tr_connection_def def;
    char host[TR_CONNECTION_HOST_MAX + 1];
    uv_getaddrinfo_t resolver;
    struct addrinfo *addresses, *next; /* all, and the next one to try */
    uv_connect_t connecting;
    uv_tcp_t tcp;
    uv_timer_t deadline;
    int pending; /* handles and requests that libuv still holds */
    bool resolving;
    bool tcp_ready; /* tcp is initialised and not closing */
    bool connected;
    bool ended;            /* on_ended has been called, handles are closing */
    bool released;         /* released by its owner: freed when pending is 0 */
    size_t queued;         /* bytes of frames handed to libuv and not yet written */
    tr_tls_stream *stream; /* NULL: plain, or not connected yet */
    tr_frame_decoder decoder;
    char failure[REASON_MAX]; /* of the last address tried */
    char input[INPUT_SIZE];
};

/* A frame on its way out. */
typedef struct outgoing {
    uv_write_t request;
    tr_connection *connection;
    uint8_t *frame;
    size_t size;
} outgoing;

static void connect_next(tr_connection *connection);
static tr_status send_waiting(tr_connection *connection);

static void become_connected(tr_connection *connection) {
    connection->connected = true;
    connection->def.on_connected(connection->def.user);
}

/* --- the end --- */

static void free_when_done(tr_connection *connection) {
    if (!connection->released || connection->pending > 0)
        return;
    void (*on_released)(void *) = connection->def.on_released;
    void *user = connection->def.user;
    if (connection->addresses)
        uv_freeaddrinfo(connection->addresses);
    tr_frame_decoder_deinit(&connection->decoder);
    tr_tls_stream_destroy(connection->stream);
    free(connection);
    on_released(user);
}

static void one_less(tr_connection *connection) {
    connection->pending--;
    free_when_done(connection);
}

static void on_handle_closed(uv_handle_t *handle) {
    one_less(handle->data);
}

static void close_handles(tr_connection *connection) {
    if (connection->resolving)
        uv_cancel((uv_req_t *)&connection->resolver);
    if (connection->tcp_ready) {
        connection->tcp_ready = false;
        uv_close((uv_handle_t *)&connection->tcp, on_handle_closed);
    }
    if (!uv_is_closing((uv_handle_t *)&connection->deadline))
        uv_close((uv_handle_t *)&connection->deadline, on_handle_closed);
}

bool tr_connection_binding(const tr_connection *connection, uint8_t out[TR_TLS_BINDING_SIZE]) {
    return connection->stream && tr_tls_stream_binding(connection->stream, out);
}

void tr_connection_end(tr_connection *connection, tr_status status, const char *reason) {
    if (connection->ended)
        return;
    connection->ended = true;
    connection->connected = false;
    close_handles(connection);
    connection->def.on_ended(connection->def.user, status, reason);
}

void tr_connection_close(tr_connection *connection) {
    if (!connection->ended) {
        connection->ended = true;
        connection->connected = false;
        close_handles(connection);
    }
    connection->released = true;
    free_when_done(connection);
}

static void end_with(tr_connection *connection, tr_status status, const char *what,
                     const char *detail) {
    char reason[REASON_MAX];
    snprintf(reason, sizeof reason, "%s: %s", what, detail);
    tr_connection_end(connection, status, reason);
}

/* --- reading --- */

static void on_buffer_wanted(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    (void)suggested;
    tr_connection *connection = handle->data;
    *out = uv_buf_init(connection->input, INPUT_SIZE);
}

static void end_lost(tr_connection *connection, ssize_t code) {
    end_with(connection, TR_UNAVAILABLE, "connection lost",
             code == UV_EOF ? "closed by the server" : uv_strerror((int)code));
}

/* Plain bytes. */
static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    tr_connection *connection = stream->data;
    const uint8_t *bytes = (const uint8_t *)buffer->base;
    size_t size = count > 0 ? (size_t)count : 0;
    if (count < 0)
        end_lost(connection, count);
    while (size > 0 && !connection->ended) {
        tr_frame_view frame;
        tr_status status = tr_frame_decoder_take(&connection->decoder, &bytes, &size, &frame);
        if (status)
            end_with(connection, TR_DATA_LOSS, "malformed frame from the server",
                     tr_status_text(status));
        else if (frame.data)
            connection->def.on_frame(connection->def.user, frame.data, frame.size);
    }
}

/* Decrypted bytes are read as if they had arrived plain. */
static bool on_decrypted(void *context, const uint8_t *bytes, size_t size) {
    tr_connection *connection = context;
    uv_buf_t buffer = uv_buf_init((char *)bytes, (unsigned)size);
    if (!connection->connected)
        become_connected(connection);
    on_read((uv_stream_t *)&connection->tcp, (ssize_t)size, &buffer);
    return !connection->ended;
}

/* Decrypts received bytes, or continues the handshake with them. */
static void on_read_secret(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    tr_connection *connection = stream->data;
    if (count < 0) {
        end_lost(connection, count);
        return;
    }
    tr_status status = tr_tls_stream_receive(connection->stream, (const uint8_t *)buffer->base,
                                             (size_t)count, on_decrypted, connection);
    if (connection->ended)
        return;
    tr_status sent = send_waiting(connection);
    if (status == TR_CANCELLED)
        tr_connection_end(connection, TR_UNAVAILABLE, "connection lost: closed by the server");
    else if (status || sent)
        end_with(connection, status ? status : sent, "the connection is not secure",
                 tr_tls_stream_reason(connection->stream));
    else if (!connection->connected && tr_tls_stream_is_ready(connection->stream))
        become_connected(connection);
}

/* --- connecting --- */

static void on_tcp_closed_for_next(uv_handle_t *handle) {
    tr_connection *connection = handle->data;
    connection->pending--;
    if (connection->ended)
        free_when_done(connection);
    else
        connect_next(connection);
}

/* Notes why this address failed, and tries the next one when the socket is closed. */
static void give_address_up(tr_connection *connection, int code) {
    snprintf(connection->failure, sizeof connection->failure, "cannot connect to %s:%d: %s",
             connection->host, connection->def.port, uv_strerror(code));
    connection->tcp_ready = false;
    uv_close((uv_handle_t *)&connection->tcp, on_tcp_closed_for_next);
}

static void begin_handshake(tr_connection *connection) {
    tr_status status =
        tr_tls_stream_create(connection->def.tls, connection->host, &connection->stream);
    if (!status)
        status = tr_tls_stream_start(connection->stream);
    if (!status)
        status = send_waiting(connection);
    if (status)
        end_with(connection, status, "cannot begin TLS", tr_status_text(status));
}

static void on_connect(uv_connect_t *request, int code) {
    tr_connection *connection = request->data;
    if (connection->ended)
        return;
    if (code == 0)
        code = uv_read_start((uv_stream_t *)&connection->tcp, on_buffer_wanted,
                             connection->def.tls ? on_read_secret : on_read);
    if (code < 0) {
        give_address_up(connection, code);
        return;
    }
    uv_tcp_nodelay(&connection->tcp, 1);
    if (connection->def.tls)
        begin_handshake(connection);
    else
        become_connected(connection);
}

static void connect_next(tr_connection *connection) {
    const struct addrinfo *address = connection->next;
    if (!address) {
        tr_connection_end(connection, TR_UNAVAILABLE, connection->failure);
        return;
    }
    connection->next = address->ai_next;
    int code = uv_tcp_init(connection->def.loop, &connection->tcp);
    if (code < 0) {
        end_with(connection, TR_RESOURCE_EXHAUSTED, "cannot make a socket", uv_strerror(code));
        return;
    }
    connection->tcp.data = connection;
    connection->tcp_ready = true;
    connection->pending++;
    connection->connecting.data = connection;
    code = uv_tcp_connect(&connection->connecting, &connection->tcp, address->ai_addr, on_connect);
    if (code < 0)
        give_address_up(connection, code);
}

static void on_resolved(uv_getaddrinfo_t *request, int code, struct addrinfo *addresses) {
    tr_connection *connection = request->data;
    connection->pending--;
    connection->resolving = false;
    connection->addresses = connection->next = addresses;
    if (connection->ended)
        free_when_done(connection);
    else if (code < 0)
        end_with(connection, TR_UNAVAILABLE, connection->host, uv_strerror(code));
    else
        connect_next(connection);
}

static void on_deadline(uv_timer_t *timer) {
    tr_connection *connection = timer->data;
    char reason[REASON_MAX + TR_CONNECTION_HOST_MAX];
    snprintf(reason, sizeof reason, "%s:%d did not complete the handshake within %d ms",
             connection->host, connection->def.port, connection->def.connect_timeout_ms);
    tr_connection_end(connection, TR_DEADLINE_EXCEEDED, reason);
}

tr_status tr_connection_open(const tr_connection_def *def, tr_connection **out) {
    tr_connection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return TR_RESOURCE_EXHAUSTED;
    connection->def = *def;
    connection->def.host = connection->host;
    snprintf(connection->host, sizeof connection->host, "%s", def->host);
    tr_frame_decoder_init(&connection->decoder, TR_FRAME_SERVER_MAX);
    char port[8];
    snprintf(port, sizeof port, "%d", def->port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    connection->resolver.data = connection;
    if (uv_getaddrinfo(def->loop, &connection->resolver, on_resolved, connection->host, port,
                       &hints) < 0) {
        free(connection);
        return TR_RESOURCE_EXHAUSTED;
    }
    connection->resolving = true;
    uv_timer_init(def->loop, &connection->deadline);
    connection->deadline.data = connection;
    uv_timer_start(&connection->deadline, on_deadline, (uint64_t)def->connect_timeout_ms, 0);
    connection->pending = 2; /* resolver and timer */
    *out = connection;
    return TR_OK;
}

void tr_connection_welcome(tr_connection *connection) {
    uv_timer_stop(&connection->deadline);
}

/* --- writing --- */

static void on_written(uv_write_t *request, int code) {
    outgoing *out = (outgoing *)request;
    tr_connection *connection = out->connection;
    connection->queued -= out->size;
    free(out->frame);
    free(out);
    if (code < 0)
        end_with(connection, TR_UNAVAILABLE, "connection lost", uv_strerror(code));
}

/* Hands a block to the socket; takes it. */
static tr_status write_block(tr_connection *connection, uint8_t *take_block, size_t size) {
    outgoing *out = malloc(sizeof *out);
    if (!out) {
        free(take_block);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = (outgoing){.connection = connection, .frame = take_block, .size = size};
    uv_buf_t buffer = uv_buf_init((char *)take_block, (unsigned)size);
    if (uv_write(&out->request, (uv_stream_t *)&connection->tcp, &buffer, 1, on_written) < 0) {
        free(take_block);
        free(out);
        return TR_UNAVAILABLE;
    }
    connection->queued += size;
    return TR_OK;
}

/* Sends the bytes that the TLS stream has for the wire. */
static tr_status send_waiting(tr_connection *connection) {
    size_t size = 0;
    uint8_t *block = tr_tls_stream_take(connection->stream, &size);
    return block ? write_block(connection, block, size) : TR_OK;
}

static tr_status send_secret(tr_connection *connection, const uint8_t *frame, size_t size) {
    enum { PIECE_MAX = 256 * 1024 };
    tr_status status = TR_OK;
    for (size_t at = 0; at < size && !status; at += PIECE_MAX) {
        size_t piece = size - at < PIECE_MAX ? size - at : PIECE_MAX;
        status = tr_tls_stream_send(connection->stream, frame + at, piece);
        if (!status)
            status = send_waiting(connection);
    }
    return status;
}

tr_status tr_connection_send(tr_connection *connection, uint8_t *take_frame, size_t size) {
    tr_status status = !connection->connected ? TR_UNAVAILABLE
                       : connection->queued + size > (size_t)TR_CONNECTION_QUEUE_MAX
                           ? TR_RESOURCE_EXHAUSTED
                           : TR_OK;
    if (!status && !connection->stream)
        return write_block(connection, take_frame, size);
    if (!status)
        status = send_secret(connection, take_frame, size);
    free(take_frame);
    return status;
}
