#include "server/net/channel_tls.h"

#include "server/config/log.h"

#include <stdlib.h>
#include <string.h>

/* Limit of encrypted bytes being written to the socket; the rest of a batch waits. */
enum { FLIGHT_MAX = 64 << 10, PIECE_MAX = 16 << 10 };

typedef struct tls_channel {
    tr_channel base;
    tr_channel *inner;
    tr_tls_stream *stream;
    uv_idle_t again;          /* reports bytes kept while reading was off, from the loop */
    int parts;                /* inner and idle handle, until they have closed */
    bool reading;             /* the session wants bytes */
    bool finishing, finished; /* finish requested; end signalled to the peer */
    bool inner_finished;
    uint8_t *flight; /* owned: being written by inner; NULL: none */
    uv_buf_t batch[TR_CHANNEL_BUFFERS_MAX];
    int batch_count, batch_at; /* of the current batch; [batch_at] is next */
    size_t batch_offset;       /* bytes of batch[batch_at] already encrypted */
} tls_channel;

/* --- writing --- */

/* Encrypts as much of the batch as fits into one flight. */
static tr_status encrypt(tls_channel *channel) {
    while (channel->batch_at < channel->batch_count &&
           tr_tls_stream_waiting(channel->stream) < FLIGHT_MAX) {
        const uv_buf_t *buffer = &channel->batch[channel->batch_at];
        size_t size = buffer->len - channel->batch_offset;
        size = size < PIECE_MAX ? size : PIECE_MAX;
        const uint8_t *bytes = (const uint8_t *)buffer->base + channel->batch_offset;
        tr_status status = size == 0 ? TR_OK : tr_tls_stream_send(channel->stream, bytes, size);
        if (status)
            return status;
        channel->batch_offset += size;
        if (channel->batch_offset == buffer->len) {
            channel->batch_at++;
            channel->batch_offset = 0;
        }
    }
    return TR_OK;
}

static tr_status launch(tls_channel *channel) {
    size_t size = 0;
    channel->flight = tr_tls_stream_take(channel->stream, &size);
    if (!channel->flight)
        return TR_OK;
    uv_buf_t buffer = uv_buf_init((char *)channel->flight, (unsigned)size);
    return channel->inner->kind->write(channel->inner, &buffer, 1);
}

/* Writes the next flight, unless one is being written. */
static tr_status pump(tls_channel *channel) {
    if (channel->flight)
        return TR_OK;
    tr_status status = TR_OK;
    if (tr_tls_stream_is_ready(channel->stream))
        status = encrypt(channel);
    bool all = channel->batch_at == channel->batch_count;
    if (!status && channel->finishing && !channel->finished && all) {
        channel->finished = true;
        tr_tls_stream_finish(channel->stream);
    }
    if (!status)
        status = launch(channel);
    if (!status && channel->finished && !channel->flight && !channel->inner_finished) {
        channel->inner_finished = true;
        status = tr_channel_finish(channel->inner);
    }
    return status;
}

static void end(tls_channel *channel) {
    if (!channel->base.closing)
        channel->base.listener->ended(channel->base.context);
}

static void on_written(void *context) {
    tls_channel *channel = context;
    free(channel->flight);
    channel->flight = NULL;
    if (pump(channel)) {
        end(channel);
        return;
    }
    bool all = channel->batch_at == channel->batch_count;
    if (channel->batch_count > 0 && all && !channel->flight) {
        channel->batch_count = channel->batch_at = 0;
        channel->base.listener->written(channel->base.context);
    }
}

/* --- reading --- */

static bool on_plain(void *context, const uint8_t *bytes, size_t size) {
    tls_channel *channel = context;
    channel->base.listener->bytes(channel->base.reader, bytes, size);
    return channel->reading && !channel->base.closing;
}

static void receive(tls_channel *channel, const uint8_t *bytes, size_t size) {
    tr_status status = tr_tls_stream_receive(channel->stream, bytes, size, on_plain, channel);
    if (channel->base.closing)
        return;
    channel->base.listener->kept(channel->base.reader, tr_tls_stream_held(channel->stream));
    if (status == TR_DATA_LOSS)
        tr_log_line(TR_LOG_DEBUG, "tls.failed", "peer=%s reason=\"%s\"", channel->base.peer,
                    tr_tls_stream_reason(channel->stream));
    if (pump(channel) || status)
        end(channel);
}

static void on_bytes(void *context, const uint8_t *bytes, size_t size) {
    receive(context, bytes, size);
}

static void on_again(uv_idle_t *idle) {
    tls_channel *channel = idle->data;
    uv_idle_stop(idle);
    if (channel->reading)
        receive(channel, NULL, 0);
}

static void on_ended(void *context) {
    end(context);
}

/* --- the end --- */

static void on_part_closed(tls_channel *channel) {
    if (--channel->parts > 0)
        return;
    if (channel->base.listener)
        channel->base.listener->closed(channel->base.context);
    tr_tls_stream_destroy(channel->stream);
    free(channel->flight);
    free(channel);
}

static void on_inner_closed(void *context) {
    on_part_closed(context);
}

static void on_idle_closed(uv_handle_t *handle) {
    on_part_closed(handle->data);
}

static const tr_channel_listener inner_listener = {
    .bytes = on_bytes, .written = on_written, .ended = on_ended, .closed = on_inner_closed};

/* --- calls of the session --- */

static tr_status tls_write(tr_channel *base, const uv_buf_t *buffers, int count) {
    tls_channel *channel = (tls_channel *)base;
    memcpy(channel->batch, buffers, (size_t)count * sizeof *buffers);
    channel->batch_count = count;
    channel->batch_at = 0;
    channel->batch_offset = 0;
    return pump(channel);
}

static tr_status tls_read(tr_channel *base, bool on) {
    tls_channel *channel = (tls_channel *)base;
    channel->reading = on;
    if (on)
        uv_idle_start(&channel->again, on_again);
    return tr_channel_read(channel->inner, on);
}

static tr_status tls_finish(tr_channel *base) {
    tls_channel *channel = (tls_channel *)base;
    channel->finishing = true;
    return pump(channel);
}

static void tls_close(tr_channel *base) {
    tls_channel *channel = (tls_channel *)base;
    tr_channel_close(channel->inner);
    uv_close((uv_handle_t *)&channel->again, on_idle_closed);
}

static bool tls_binding(const tr_channel *base, uint8_t out[TR_TLS_BINDING_SIZE]) {
    return tr_tls_stream_binding(((const tls_channel *)base)->stream, out);
}

static const tr_channel_kind tls_kind = {.name = "tls",
                                         .binding = tls_binding,
                                         .write = tls_write,
                                         .read = tls_read,
                                         .finish = tls_finish,
                                         .close = tls_close};

tr_status tr_channel_tls_start(uv_loop_t *loop, tr_tls *tls, tr_channel *take_inner,
                               tr_channel **out) {
    tls_channel *channel = calloc(1, sizeof *channel);
    if (!channel || tr_tls_stream_create(tls, NULL, &channel->stream)) {
        free(channel);
        tr_channel_close(take_inner);
        return TR_RESOURCE_EXHAUSTED;
    }
    channel->base = *take_inner; /* the same peer */
    channel->base.kind = &tls_kind;
    channel->inner = take_inner;
    channel->parts = 2;
    uv_idle_init(loop, &channel->again);
    channel->again.data = channel;
    tr_channel_listen(take_inner, &inner_listener, channel, channel);
    *out = &channel->base;
    return TR_OK;
}
