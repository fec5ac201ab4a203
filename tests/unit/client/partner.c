#include "unit/client/partner.h"

#include "proto/message.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void on_buffer_wanted(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    (void)suggested;
    tr_partner *partner = handle->data;
    *out = uv_buf_init(partner->input, sizeof partner->input);
}

static void handle_frame(tr_partner *partner, const tr_frame_view *frame) {
    ProtobufCMessage *decoded = NULL;
    tr_status status =
        tr_message_decode(&troupe__client_message__descriptor, frame->data, frame->size, &decoded);
    assert(!status);
    (void)status;
    Troupe__ClientMessage *message = (Troupe__ClientMessage *)decoded;
    partner->ids_rise = partner->ids_rise && message->request_id > partner->last_id;
    partner->last_id = message->request_id;
    partner->messages++;
    partner->handler(partner, message);
    tr_message_destroy(decoded);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    tr_partner *partner = stream->data;
    const uint8_t *bytes = (const uint8_t *)buffer->base;
    size_t size = count > 0 ? (size_t)count : 0;
    if (count < 0)
        tr_partner_hang_up(partner);
    while (size > 0 && partner->peer_open) {
        tr_frame_view frame;
        tr_status status = tr_frame_decoder_take(&partner->decoder, &bytes, &size, &frame);
        assert(!status);
        (void)status;
        if (frame.data)
            handle_frame(partner, &frame);
    }
}

static void on_connection(uv_stream_t *listener, int code) {
    tr_partner *partner = listener->data;
    assert(code == 0 && !partner->peer_open);
    (void)code;
    uv_tcp_init(partner->loop, &partner->peer);
    partner->peer.data = partner;
    partner->peer_open = true;
    partner->ids_rise = true;
    partner->last_id = 0;
    uv_accept(listener, (uv_stream_t *)&partner->peer);
    uv_read_start((uv_stream_t *)&partner->peer, on_buffer_wanted, on_read);
}

void tr_partner_start(tr_partner *partner, uv_loop_t *loop, tr_partner_handler *handler,
                      void *user) {
    *partner = (tr_partner){.loop = loop, .handler = handler, .user = user, .ids_rise = true};
    tr_frame_decoder_init(&partner->decoder, TR_FRAME_CLIENT_MAX);
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 0, &address);
    uv_tcp_init(loop, &partner->listener);
    partner->listener.data = partner;
    uv_tcp_bind(&partner->listener, (const struct sockaddr *)&address, 0);
    int code = uv_listen((uv_stream_t *)&partner->listener, 4, on_connection);
    assert(code == 0);
    (void)code;
    int size = sizeof address;
    uv_tcp_getsockname(&partner->listener, (struct sockaddr *)&address, &size);
    partner->port = ntohs(address.sin_port);
}

void tr_partner_hang_up(tr_partner *partner) {
    if (partner->peer_open)
        uv_close((uv_handle_t *)&partner->peer, NULL);
    partner->peer_open = false;
}

void tr_partner_stop(tr_partner *partner) {
    tr_partner_hang_up(partner);
    uv_close((uv_handle_t *)&partner->listener, NULL);
    tr_frame_decoder_deinit(&partner->decoder);
}

/* --- sending --- */

static void on_written(uv_write_t *request, int code) {
    (void)code;
    free(request->data);
    free(request);
}

void tr_partner_send_bytes(tr_partner *partner, const void *bytes, size_t size) {
    uv_write_t *request = malloc(sizeof *request);
    request->data = malloc(size);
    memcpy(request->data, bytes, size);
    uv_buf_t buffer = uv_buf_init(request->data, (unsigned)size);
    uv_write(request, (uv_stream_t *)&partner->peer, &buffer, 1, on_written);
}

void tr_partner_send(tr_partner *partner, const Troupe__ServerMessage *message) {
    uint8_t *frame = NULL;
    size_t size = 0;
    tr_status status = tr_message_frame(&message->base, TR_FRAME_SERVER_MAX, &frame, &size);
    assert(!status);
    (void)status;
    tr_partner_send_bytes(partner, frame, size);
    free(frame);
}

static void send_response(tr_partner *partner, Troupe__Response *response) {
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE;
    message.response = response;
    tr_partner_send(partner, &message);
}

void tr_partner_welcome(tr_partner *partner, uint64_t request_id) {
    Troupe__HelloResult hello = TROUPE__HELLO_RESULT__INIT;
    hello.protocol_major = 1;
    hello.server_version = (char[]){"9.9"};
    hello.session_id = 77;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = request_id;
    response.result_case = TROUPE__RESPONSE__RESULT_HELLO;
    response.hello = &hello;
    send_response(partner, &response);
}

void tr_partner_respond(tr_partner *partner, uint64_t request_id, Troupe__StatusCode code,
                        const char *text) {
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = request_id;
    response.code = code;
    response.message = (char *)(uintptr_t)text;
    send_response(partner, &response);
}

void tr_partner_apply(tr_partner *partner, uint64_t request_id, int64_t tick) {
    Troupe__CommandResult result = TROUPE__COMMAND_RESULT__INIT;
    result.tick = tick;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = request_id;
    response.result_case = TROUPE__RESPONSE__RESULT_COMMAND;
    response.command = &result;
    send_response(partner, &response);
}
