#include "server/net/channel_websocket.h"

#include "server/net/bucket.h"
#include "server/net/websocket.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLOSE_MS = 2000,
    CONTROL_SIZE = 2 + TR_WEBSOCKET_CONTROL_MAX,
    IDLE_FRAMES_MAX = 1000 /* burst, and per second */
};

/* The kind of data that the inner channel is writing. */
typedef enum in_flight { NOTHING, BATCH, PONG, CLOSE } in_flight;

/* A control frame to be sent when the inner channel is free. */
typedef struct control_frame {
    bool waits;
    size_t size;
    uint8_t bytes[CONTROL_SIZE];
} control_frame;

typedef struct websocket_channel {
    tr_channel base;
    tr_channel *inner;
    uv_timer_t timer; /* reports the backlog; ends a Close that the peer does not take */
    int open_handles; /* of inner and timer */
    bool reading;     /* whether the session wants bytes */
    bool peer_closed; /* no more bytes: the peer sent Close, broke the protocol, or is lost */
    bool finishing;   /* the session will write nothing more */
    tr_websocket *framing;
    bool unreported;  /* it may hold bytes that the session has not received, with the rest here */
    tr_bucket idle;   /* limits frames that hold no payload for the session */
    uint8_t *backlog; /* [backlog_size]: bytes that it has not taken */
    size_t backlog_size;
    size_t kept_below; /* by the inner channel */
    in_flight flying;
    control_frame pong, close;
    uint8_t control[CONTROL_SIZE]; /* the control frame being written */
    bool batch_waits;              /* until a control frame has been written */
    uint8_t head[TR_WEBSOCKET_HEAD_MAX];
    uv_buf_t batch[TR_CHANNEL_BUFFERS_MAX]; /* its head first */
    int batch_count;
} websocket_channel;

static uv_buf_t buffer_of(uint8_t *bytes, size_t size) {
    return uv_buf_init((char *)bytes, (unsigned)size);
}

static void tell_ended(websocket_channel *channel) {
    if (!channel->base.closing)
        channel->base.listener->ended(channel->base.context);
}

/* --- writing --- */

static void fill_control(websocket_channel *channel, control_frame *frame,
                         tr_websocket_opcode opcode, const uint8_t *payload, size_t size) {
    size_t head = tr_websocket_head(channel->framing, opcode, size, frame->bytes);
    if (size > 0)
        memcpy(frame->bytes + head, payload, size);
    frame->size = head + size;
    frame->waits = true;
}

static tr_status write_control(websocket_channel *channel, control_frame *frame, in_flight what) {
    uv_buf_t buffer = buffer_of(channel->control, frame->size);
    memcpy(channel->control, frame->bytes, frame->size);
    frame->waits = false;
    channel->flying = what;
    return channel->inner->kind->write(channel->inner, &buffer, 1);
}

/* Writes the next frame if the inner channel is free: pongs before data, Close last. */
static tr_status write_next(websocket_channel *channel) {
    if (channel->flying != NOTHING)
        return TR_OK;
    if (channel->close.waits)
        return write_control(channel, &channel->close, CLOSE);
    if (channel->pong.waits)
        return write_control(channel, &channel->pong, PONG);
    if (!channel->batch_waits)
        return TR_OK;
    channel->batch_waits = false;
    channel->flying = BATCH;
    return channel->inner->kind->write(channel->inner, channel->batch, channel->batch_count);
}

static tr_status websocket_write(tr_channel *base, const uv_buf_t *buffers, int count) {
    websocket_channel *channel = (websocket_channel *)base;
    size_t size = 0;
    assert(count <= TR_CHANNEL_BATCH_MAX && !channel->batch_waits);
    if (channel->peer_closed)
        return TR_UNAVAILABLE;
    for (int i = 0; i < count; i++) {
        channel->batch[1 + i] = buffers[i];
        size += buffers[i].len;
    }
    size_t head = tr_websocket_head(channel->framing, TR_WEBSOCKET_BINARY, size, channel->head);
    channel->batch[0] = buffer_of(channel->head, head);
    channel->batch_count = 1 + count;
    channel->batch_waits = true;
    return write_next(channel);
}

static void on_close_late(uv_timer_t *timer) {
    tell_ended(timer->data);
}

/* Reports the end to the session, from the loop. */
static void give_up(websocket_channel *channel) {
    channel->peer_closed = true;
    uv_timer_start(&channel->timer, on_close_late, 0, 0);
}

/* Sends Close once. When it is written, or after a time-out, reports the end to the session. */
static void say_close(websocket_channel *channel, const uint8_t *payload, size_t size) {
    if (channel->peer_closed)
        return;
    channel->peer_closed = true;
    uv_timer_start(&channel->timer, on_close_late, CLOSE_MS, 0);
    if (!channel->finishing) /* otherwise ours has been sent */
        fill_control(channel, &channel->close, TR_WEBSOCKET_CLOSE, payload, size);
    if (channel->finishing || write_next(channel))
        give_up(channel);
}

static tr_status websocket_finish(tr_channel *base) {
    websocket_channel *channel = (websocket_channel *)base;
    const uint8_t code[] = {TR_WEBSOCKET_NORMAL >> 8, TR_WEBSOCKET_NORMAL & 0xff};
    if (channel->peer_closed)
        return TR_OK;
    channel->finishing = true;
    fill_control(channel, &channel->close, TR_WEBSOCKET_CLOSE, code, sizeof code);
    return write_next(channel);
}

static void on_inner_written(void *context) {
    websocket_channel *channel = context;
    in_flight written = channel->flying;
    channel->flying = NOTHING;
    if (written == CLOSE) {
        if (tr_channel_finish(channel->inner) || channel->peer_closed)
            tell_ended(channel);
        return;
    }
    if (write_next(channel))
        tell_ended(channel);
    else if (written == BATCH)
        channel->base.listener->written(channel->base.context);
}

/* --- reading --- */

static void say_close_code(websocket_channel *channel, int code) {
    const uint8_t payload[] = {(uint8_t)(code >> 8), (uint8_t)code};
    say_close(channel, payload, sizeof payload);
}

static void break_protocol(websocket_channel *channel, tr_status status) {
    say_close_code(channel, status == TR_UNIMPLEMENTED ? TR_WEBSOCKET_UNSUPPORTED
                                                       : TR_WEBSOCKET_PROTOCOL_ERROR);
}

/* No limit of a role counts a frame without payload for the session, so a client that sent only
 * such frames would keep the loop busy. */
static bool is_flood(websocket_channel *channel, const tr_websocket_piece *piece) {
    bool idle = piece->opcode != TR_WEBSOCKET_BINARY || piece->size == 0;
    return idle && !tr_bucket_take(&channel->idle, IDLE_FRAMES_MAX, IDLE_FRAMES_MAX, 1,
                                   uv_now(channel->timer.loop));
}

static void take_piece(websocket_channel *channel, const tr_websocket_piece *piece) {
    if (is_flood(channel, piece)) {
        say_close_code(channel, TR_WEBSOCKET_POLICY);
        return;
    }
    switch (piece->opcode) {
    case TR_WEBSOCKET_BINARY:
        if (piece->size > 0)
            channel->base.listener->bytes(channel->base.reader, piece->data, piece->size);
        return;
    case TR_WEBSOCKET_PING:
        fill_control(channel, &channel->pong, TR_WEBSOCKET_PONG, piece->data, piece->size);
        if (write_next(channel))
            give_up(channel);
        return;
    case TR_WEBSOCKET_CLOSE: /* its code is echoed */
        if (!tr_websocket_close_is_valid(piece->data, piece->size))
            break_protocol(channel, TR_INVALID_ARGUMENT);
        else if (!tr_websocket_reason_is_valid(piece->data, piece->size))
            say_close_code(channel, TR_WEBSOCKET_BAD_TEXT);
        else
            say_close(channel, piece->data, piece->size > 0 ? 2 : 0);
        return;
    default:
        return; /* an unrequested pong */
    }
}

/* May more bytes be given to the session? */
static bool may_tell(const websocket_channel *channel) {
    return !channel->base.closing && channel->reading && !channel->peer_closed;
}

/* Gives the session as much of bytes[size] as it may, and returns the number of bytes taken. */
static size_t tell(websocket_channel *channel, const uint8_t *bytes, size_t size) {
    size_t left = size;
    channel->unreported = true;
    while (channel->unreported && may_tell(channel)) {
        tr_websocket_piece piece;
        tr_status status = tr_websocket_take(channel->framing, &bytes, &left, &piece);
        if (status)
            break_protocol(channel, status);
        else if (piece.data)
            take_piece(channel, &piece);
        else
            channel->unreported = false;
    }
    return size - left;
}

static void tell_kept(websocket_channel *channel) {
    if (!channel->base.closing)
        channel->base.listener->kept(channel->base.reader,
                                     channel->backlog_size + channel->kept_below);
}

static void keep(websocket_channel *channel, const uint8_t *bytes, size_t size) {
    if (size == 0 || channel->base.closing || channel->peer_closed)
        return;
    channel->backlog = malloc(size);
    if (!channel->backlog) {
        give_up(channel);
        return;
    }
    memcpy(channel->backlog, bytes, size);
    channel->backlog_size = size;
    tell_kept(channel);
}

static void on_inner_kept(void *context, size_t size) {
    websocket_channel *channel = context;
    channel->kept_below = size;
    tell_kept(channel);
}

static void on_inner_bytes(void *context, const uint8_t *bytes, size_t size) {
    websocket_channel *channel = context;
    size_t taken = tell(channel, bytes, size);
    keep(channel, bytes + taken, size - taken);
}

static tr_status read_inner(websocket_channel *channel, bool on) {
    return tr_channel_read(channel->inner, on);
}

/* Reports the backlog first; the inner channel is read when the backlog is empty. */
static void on_backlog(uv_timer_t *timer) {
    websocket_channel *channel = timer->data;
    uint8_t *backlog = channel->backlog;
    size_t size = channel->backlog_size;
    channel->backlog = NULL;
    channel->backlog_size = 0;
    size_t taken = tell(channel, backlog, size);
    if (taken < size)
        keep(channel, backlog + taken, size - taken);
    free(backlog);
    tell_kept(channel);
    if (may_tell(channel) && !channel->unreported && read_inner(channel, true))
        tell_ended(channel);
}

static tr_status websocket_read(tr_channel *base, bool on) {
    websocket_channel *channel = (websocket_channel *)base;
    channel->reading = on;
    if (channel->peer_closed)
        return TR_OK; /* the timer runs */
    if (!on) {
        if (channel->unreported)
            uv_timer_stop(&channel->timer);
        return read_inner(channel, false);
    }
    if (!channel->unreported)
        return read_inner(channel, true);
    return uv_timer_start(&channel->timer, on_backlog, 0, 0) == 0 ? TR_OK : TR_UNAVAILABLE;
}

/* --- the end --- */

static void on_inner_ended(void *context) {
    tell_ended(context);
}

static void release(websocket_channel *channel) {
    if (--channel->open_handles > 0)
        return;
    if (channel->base.listener)
        channel->base.listener->closed(channel->base.context);
    tr_websocket_destroy(channel->framing);
    free(channel->backlog);
    free(channel);
}

static void on_inner_closed(void *context) {
    release(context);
}

static void on_timer_closed(uv_handle_t *handle) {
    release(handle->data);
}

static void websocket_close(tr_channel *base) {
    websocket_channel *channel = (websocket_channel *)base;
    tr_channel_close(channel->inner);
    uv_close((uv_handle_t *)&channel->timer, on_timer_closed);
}

/* --- the beginning --- */

static const tr_channel_listener inner_listener = {.bytes = on_inner_bytes,
                                                   .kept = on_inner_kept,
                                                   .written = on_inner_written,
                                                   .ended = on_inner_ended,
                                                   .closed = on_inner_closed};

static bool websocket_binding(const tr_channel *base, uint8_t out[TR_TLS_BINDING_SIZE]) {
    const tr_channel *inner = ((const websocket_channel *)base)->inner;
    return inner->kind->binding(inner, out);
}

static const tr_channel_kind plain_kind = {.name = "websocket",
                                           .write = websocket_write,
                                           .read = websocket_read,
                                           .finish = websocket_finish,
                                           .close = websocket_close};

static const tr_channel_kind secret_kind = {.name = "websocket-tls",
                                            .binding = websocket_binding,
                                            .write = websocket_write,
                                            .read = websocket_read,
                                            .finish = websocket_finish,
                                            .close = websocket_close};

tr_status tr_channel_websocket_open(uv_loop_t *loop, tr_channel *inner, tr_channel **out) {
    websocket_channel *channel = calloc(1, sizeof *channel);
    if (!channel || tr_websocket_create(&channel->framing)) {
        free(channel);
        return TR_RESOURCE_EXHAUSTED;
    }
    tr_channel_init(&channel->base, inner->kind->binding ? &secret_kind : &plain_kind, NULL);
    channel->base.local = inner->local;
    memcpy(channel->base.peer, inner->peer, sizeof inner->peer);
    channel->inner = inner;
    channel->open_handles = 2;
    uv_timer_init(loop, &channel->timer);
    channel->timer.data = channel;
    tr_channel_listen(inner, &inner_listener, channel, channel);
    *out = &channel->base;
    return TR_OK;
}
