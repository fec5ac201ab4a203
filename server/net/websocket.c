#include "server/net/websocket.h"

#include "proto/text.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <wslay/wslay.h>

enum { KEY_SIZE = 24 };

_Static_assert((int)TR_WEBSOCKET_BINARY == (int)WSLAY_BINARY_FRAME &&
                   (int)TR_WEBSOCKET_CLOSE == (int)WSLAY_CONNECTION_CLOSE &&
                   (int)TR_WEBSOCKET_PONG == (int)WSLAY_PONG,
               "the opcodes are those of RFC 6455");

struct tr_websocket {
    wslay_frame_context_ptr frames;
    const uint8_t **bytes; /* bytes being taken, during a call */
    size_t *size;
    uint8_t *head; /* head being written, during a call */
    size_t head_size;
    bool in_frame, in_message;
    uint64_t left; /* payload bytes of the frame that have not arrived */
    size_t control_size;
    /* payload of a control frame: [control_size] so far */
    uint8_t control[TR_WEBSOCKET_CONTROL_MAX];
};

/* --- handshake --- */

/* RFC 6455, 4.2.2: base64(SHA-1(key . GUID)). */
tr_status tr_websocket_accept(const char *key, size_t size, char out[TR_WEBSOCKET_ACCEPT_SIZE]) {
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    unsigned char text[KEY_SIZE + sizeof guid], nonce[KEY_SIZE], digest[EVP_MAX_MD_SIZE];
    unsigned digest_size = 0;
    if (size != KEY_SIZE || memcmp(key + KEY_SIZE - 2, "==", 2) != 0 ||
        EVP_DecodeBlock(nonce, (const unsigned char *)key, KEY_SIZE) < 0)
        return TR_INVALID_ARGUMENT;
    memcpy(text, key, KEY_SIZE);
    memcpy(text + KEY_SIZE, guid, sizeof guid);
    if (EVP_Digest(text, KEY_SIZE + sizeof guid - 1, digest, &digest_size, EVP_sha1(), NULL) != 1)
        return TR_INVALID_ARGUMENT;
    EVP_EncodeBlock((unsigned char *)out, digest, (int)digest_size);
    return TR_OK;
}

bool tr_websocket_close_is_valid(const uint8_t *payload, size_t size) {
    int code = size > 1 ? payload[0] << 8 | payload[1] : 0;
    return size == 0 || (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

bool tr_websocket_reason_is_valid(const uint8_t *payload, size_t size) {
    char reason[TR_WEBSOCKET_CONTROL_MAX + 1];
    size_t length = size > 2 ? size - 2 : 0;
    if (length >= sizeof reason)
        return false;
    for (size_t i = 0; i < length; i++) /* U+0000 is an ordinary character */
        reason[i] = payload[2 + i] == 0 ? ' ' : (char)payload[2 + i];
    reason[length] = '\0';
    return tr_text_is_utf8(reason);
}

/* --- callbacks of wslay --- */

static ssize_t give_bytes(uint8_t *out, size_t room, int flags, void *user) {
    tr_websocket *websocket = user;
    size_t size = *websocket->size < room ? *websocket->size : room;
    (void)flags;
    if (size == 0)
        return -1;
    memcpy(out, *websocket->bytes, size);
    *websocket->bytes += size;
    *websocket->size -= size;
    return (ssize_t)size;
}

/* Keeps the head, which wslay sends first. The payload after it is written by the caller, so it is
 * ignored here. */
static ssize_t keep_head(const uint8_t *bytes, size_t size, int flags, void *user) {
    tr_websocket *websocket = user;
    (void)flags;
    if (websocket->head_size == 0) {
        memcpy(websocket->head, bytes, size);
        websocket->head_size = size;
    }
    return (ssize_t)size;
}

/* --- life --- */

tr_status tr_websocket_create(tr_websocket **out) {
    const struct wslay_frame_callbacks callbacks = {.send_callback = keep_head,
                                                    .recv_callback = give_bytes};
    tr_websocket *websocket = calloc(1, sizeof *websocket);
    if (!websocket || wslay_frame_context_init(&websocket->frames, &callbacks, websocket) != 0) {
        free(websocket);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = websocket;
    return TR_OK;
}

void tr_websocket_destroy(tr_websocket *websocket) {
    if (!websocket)
        return;
    wslay_frame_context_free(websocket->frames);
    free(websocket);
}

/* --- writing --- */

size_t tr_websocket_head(tr_websocket *websocket, tr_websocket_opcode opcode, uint64_t payload_size,
                         uint8_t out[TR_WEBSOCKET_HEAD_MAX]) {
    struct wslay_frame_iocb frame = {.fin = 1,
                                     .opcode = (uint8_t)opcode,
                                     .payload_length = payload_size,
                                     .data_length = payload_size};
    websocket->head = out;
    websocket->head_size = 0;
    (void)wslay_frame_send(websocket->frames, &frame);
    return websocket->head_size;
}

/* --- reading --- */

/* Checks that a frame with this head is allowed here. wslay has checked its length. */
static tr_status check_frame(const tr_websocket *websocket, const struct wslay_frame_iocb *frame) {
    if (frame->rsv != 0 || frame->mask == 0)
        return TR_INVALID_ARGUMENT;
    switch (frame->opcode) {
    case WSLAY_CONTINUATION_FRAME:
        return websocket->in_message ? TR_OK : TR_INVALID_ARGUMENT;
    case WSLAY_BINARY_FRAME:
        return websocket->in_message ? TR_INVALID_ARGUMENT : TR_OK;
    case WSLAY_CONNECTION_CLOSE:
    case WSLAY_PING:
    case WSLAY_PONG:
        return TR_OK;
    case WSLAY_TEXT_FRAME:
        return TR_UNIMPLEMENTED;
    default:
        return TR_INVALID_ARGUMENT;
    }
}

static void begin_frame(tr_websocket *websocket, const struct wslay_frame_iocb *frame) {
    websocket->left = frame->payload_length;
    websocket->control_size = 0;
    if (!wslay_is_ctrl_frame(frame->opcode))
        websocket->in_message = frame->fin == 0;
}

/* Hands out data as it arrives, and a control frame only when it is complete. */
static void take_part(tr_websocket *websocket, const struct wslay_frame_iocb *frame,
                      tr_websocket_piece *out) {
    size_t size = frame->data_length;
    websocket->left -= size;
    websocket->in_frame = websocket->left > 0;
    if (!wslay_is_ctrl_frame(frame->opcode)) {
        *out = (tr_websocket_piece){TR_WEBSOCKET_BINARY, frame->data, size};
        return;
    }
    memcpy(websocket->control + websocket->control_size, frame->data, size);
    websocket->control_size += size;
    if (!websocket->in_frame)
        *out = (tr_websocket_piece){(tr_websocket_opcode)frame->opcode, websocket->control,
                                    websocket->control_size};
}

tr_status tr_websocket_take(tr_websocket *websocket, const uint8_t **bytes, size_t *size,
                            tr_websocket_piece *out) {
    *out = (tr_websocket_piece){0};
    websocket->bytes = bytes;
    websocket->size = size;
    while (!out->data) {
        struct wslay_frame_iocb frame = {0};
        ssize_t took = wslay_frame_recv(websocket->frames, &frame);
        if (took == WSLAY_ERR_WANT_READ)
            return TR_OK;
        tr_status status = took < 0              ? TR_INVALID_ARGUMENT
                           : websocket->in_frame ? TR_OK
                                                 : check_frame(websocket, &frame);
        if (status)
            return status;
        if (!websocket->in_frame)
            begin_frame(websocket, &frame);
        take_part(websocket, &frame, out);
    }
    return TR_OK;
}
