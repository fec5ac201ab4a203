#include "server/web/web_connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINGER_MS = 1000, CHUNK_SIZE = 64 << 10 };

typedef enum connection_state { READING, ANSWERING, LEAVING, CLOSING } connection_state;

struct tr_web_connection {
    tr_web *web;
    tr_web_places *places;
    tr_web_place place;
    tr_channel *channel; /* NULL: a session has it */
    uv_timer_t timer;
    int open_handles; /* of channel and timer */
    connection_state state;
    bool keep_alive, upgrade;
    size_t in_size, request_size;
    char in[TR_HTTP_REQUEST_MAX];
    char head[TR_HTTP_HEAD_MAX];
    tr_packet *body; /* NULL: no body to send */
    size_t body_sent;
};

/* --- closing --- */

static void release(tr_web_connection *connection) {
    if (--connection->open_handles > 0)
        return;
    tr_packet_release(connection->body);
    free(connection);
}

static void on_channel_closed(void *context) {
    release(context);
}

static void on_timer_closed(uv_handle_t *handle) {
    release(handle->data);
}

static void close_connection(tr_web_connection *connection) {
    if (connection->state == CLOSING)
        return;
    connection->state = CLOSING;
    tr_web_places_leave(connection->places, &connection->place);
    if (connection->channel)
        tr_channel_close(connection->channel);
    uv_close((uv_handle_t *)&connection->timer, on_timer_closed);
}

static void on_late(uv_timer_t *timer) {
    close_connection(timer->data);
}

/* Reads and drops further bytes, so that a reset does not lose the response. */
static void leave(tr_web_connection *connection) {
    connection->state = LEAVING;
    connection->place.phase = TR_WEB_LEAVING;
    uv_timer_start(&connection->timer, on_late, LINGER_MS, 0);
    if (tr_channel_finish(connection->channel) || tr_channel_read(connection->channel, true))
        close_connection(connection);
}

/* --- answering --- */

static uv_buf_t buffer_of(const void *bytes, size_t size) {
    return uv_buf_init((char *)bytes, (unsigned)size);
}

/* Writes the next piece of the body, after `head_size` bytes of head. False: nothing is left. */
static bool write_piece(tr_web_connection *connection, size_t head_size) {
    uv_buf_t buffers[2];
    int count = 0;
    size_t left = connection->body ? connection->body->size - connection->body_sent : 0;
    if (left > CHUNK_SIZE)
        left = CHUNK_SIZE;
    if (head_size > 0)
        buffers[count++] = buffer_of(connection->head, head_size);
    if (left > 0)
        buffers[count++] = buffer_of(connection->body->bytes + connection->body_sent, left);
    if (count == 0)
        return false;
    connection->body_sent += left;
    connection->place.read_ms = uv_now(connection->timer.loop);
    uv_timer_start(&connection->timer, on_late, TR_WEB_ANSWER_MS, 0);
    if (connection->channel->kind->write(connection->channel, buffers, count))
        close_connection(connection);
    return true;
}

static size_t write_upgrade(const tr_web_page *page, char *out) {
    int size =
        snprintf(out, TR_HTTP_HEAD_MAX,
                 "HTTP/1.1 101 %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: " TR_WEB_PROTOCOL "\r\n\r\n",
                 tr_http_reason(101), page->accept);
    return (size_t)size;
}

/* Takes the page's body. The answer to a HEAD request describes it but does not contain it. */
static void answer(tr_web_connection *connection, tr_web_page *page, bool head) {
    connection->state = ANSWERING;
    connection->place.phase = TR_WEB_ANSWERED;
    connection->upgrade = page->upgrade;
    connection->body_sent = 0;
    page->answer.body_size = page->body ? page->body->size : 0;
    page->answer.close = !connection->keep_alive;
    if (head) {
        tr_packet_release(page->body);
        page->body = NULL;
    }
    connection->body = page->body;
    size_t size = page->upgrade ? write_upgrade(page, connection->head)
                                : tr_http_head(&page->answer, connection->head);
    if (tr_channel_read(connection->channel, false))
        close_connection(connection);
    else
        (void)write_piece(connection, size);
}

static void answer_failure(tr_web_connection *connection, int code) {
    tr_web_page page = tr_web_failure(code);
    connection->keep_alive = false;
    answer(connection, &page, false);
}

/* --- reading --- */

/* Answers a request, if a complete one has arrived. */
static void take_request(tr_web_connection *connection) {
    tr_http_request request;
    int code = tr_http_parse(connection->in, connection->in_size, &request);
    if (code == 0)
        return;
    if (code == 200 && connection->channel->crowded)
        code = 429;
    if (code != 200) {
        answer_failure(connection, code);
        return;
    }
    bool probe = connection->place.kind == TR_WEB_PLACE_PROBE;
    tr_web_page page = probe ? tr_web_route_probe(connection->web, &request)
                             : tr_web_route(connection->web, &request);
    connection->keep_alive = request.keep_alive && !probe;
    connection->request_size = request.size;
    if (page.upgrade &&
        connection->in_size >
            request.size) /* a client must wait for the answer before it sends frames */
        answer_failure(connection, 400);
    else
        answer(connection, &page, request.head);
}

static void on_request_late(uv_timer_t *timer) {
    tr_web_connection *connection = timer->data;
    if (connection->in_size == 0)
        close_connection(connection);
    else
        answer_failure(connection, 408);
}

static void await_request(tr_web_connection *connection) {
    connection->state = READING;
    connection->place.phase = TR_WEB_ASKING;
    uv_timer_start(&connection->timer, on_request_late, TR_WEB_REQUEST_MS, 0);
    if (tr_channel_read(connection->channel, true))
        close_connection(connection);
}

static void on_bytes(void *context, const uint8_t *bytes, size_t size) {
    tr_web_connection *connection = context;
    size_t room = sizeof connection->in - connection->in_size;
    if (connection->state != READING)
        return;
    size_t take = size < room ? size : room;
    memcpy(connection->in + connection->in_size, bytes, take);
    connection->in_size += take;
    if (take == room || memchr(bytes, '\n', take))
        take_request(connection);
}

/* A request's bytes are bounded, and so are those of a TLS record. */
static void on_kept(void *context, size_t size) {
    (void)context, (void)size;
}

/* --- after a response --- */

/* Passes the channel to a session. */
static void become_socket(tr_web_connection *connection) {
    tr_channel *channel = connection->channel;
    tr_channel_listen(channel, NULL, NULL, NULL);
    connection->channel = NULL;
    connection->open_handles--;
    close_connection(connection);
    tr_web_adopt(connection->web, channel);
}

static void next_request(tr_web_connection *connection) {
    connection->in_size -= connection->request_size;
    memmove(connection->in, connection->in + connection->request_size, connection->in_size);
    tr_web_places_leave(connection->places, &connection->place);
    tr_web_places_join(connection->places, &connection->place);
    await_request(connection);
    if (connection->state == READING && connection->in_size > 0)
        take_request(connection);
}

static void on_written(void *context) {
    tr_web_connection *connection = context;
    if (connection->state != ANSWERING || write_piece(connection, 0))
        return;
    tr_packet_release(connection->body);
    connection->body = NULL;
    if (connection->upgrade)
        become_socket(connection);
    else if (connection->keep_alive)
        next_request(connection);
    else
        leave(connection);
}

static void on_ended(void *context) {
    close_connection(context);
}

/* --- the interface --- */

static const tr_channel_listener channel_listener = {.bytes = on_bytes,
                                                     .kept = on_kept,
                                                     .written = on_written,
                                                     .ended = on_ended,
                                                     .closed = on_channel_closed};

void tr_web_connection_open(tr_web *web, const tr_web_connection_def *def, tr_channel *channel) {
    tr_web_connection *connection = calloc(1, sizeof *connection);
    if (!connection) {
        tr_channel_close(channel);
        return;
    }
    connection->web = web;
    connection->places = def->places;
    connection->place.owner = connection;
    connection->place.address = tr_peer_key(channel->peer);
    connection->place.kind = def->kind;
    connection->channel = channel;
    connection->open_handles = 2;
    uv_timer_init(def->loop, &connection->timer);
    connection->timer.data = connection;
    tr_web_places_join(connection->places, &connection->place);
    tr_channel_listen(channel, &channel_listener, connection, connection);
    await_request(connection);
}

void tr_web_connection_close(tr_web_connection *connection) {
    close_connection(connection);
}

void tr_web_connections_close(tr_web_places *places) {
    while (places->first)
        close_connection(places->first->owner);
}
