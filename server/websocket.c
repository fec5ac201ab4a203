#include "server/websocket.h"

#include <openssl/evp.h>
#include <string.h>

enum {
    KEY_SIZE = 24,
    FIN = 0x80,
    RESERVED_BITS = 0x70,
    OPCODE_BITS = 0x0f,
    MASKED = 0x80,
    LENGTH_BITS = 0x7f
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

/* --- writing --- */

size_t tr_websocket_head(tr_websocket_opcode opcode, uint64_t payload_size,
                         uint8_t out[TR_WEBSOCKET_HEAD_MAX]) {
    out[0] = (uint8_t)(FIN | (int)opcode);
    if (payload_size <= TR_WEBSOCKET_CONTROL_MAX) {
        out[1] = (uint8_t)payload_size;
        return 2;
    }
    int length_bytes = payload_size <= 0xffff ? 2 : 8;
    out[1] = length_bytes == 2 ? 126 : 127;
    for (int i = 0; i < length_bytes; i++)
        out[2 + i] = (uint8_t)(payload_size >> (8 * (length_bytes - 1 - i)));
    return 2 + (size_t)length_bytes;
}

/* --- reading --- */

static bool is_control(tr_websocket_opcode opcode) {
    return opcode >= TR_WEBSOCKET_CLOSE;
}

/* Of the head, as far as its second byte is there: 2, and behind it length and mask. */
static size_t head_size_of(const tr_websocket_decoder *decoder) {
    int length = decoder->head[1] & LENGTH_BITS;
    return 2 + (length == 126 ? 2u : length == 127 ? 8u : 0u) + 4;
}

/* What the first two bytes may be. */
static tr_status check_head(const tr_websocket_decoder *decoder) {
    tr_websocket_opcode opcode = decoder->head[0] & OPCODE_BITS;
    bool final = (decoder->head[0] & FIN) != 0;
    int length = decoder->head[1] & LENGTH_BITS;
    if ((decoder->head[0] & RESERVED_BITS) != 0 || (decoder->head[1] & MASKED) == 0)
        return TR_INVALID_ARGUMENT;
    switch (opcode) {
    case TR_WEBSOCKET_CONTINUATION:
        return decoder->in_message ? TR_OK : TR_INVALID_ARGUMENT;
    case TR_WEBSOCKET_BINARY:
        return decoder->in_message ? TR_INVALID_ARGUMENT : TR_OK;
    case TR_WEBSOCKET_CLOSE:
    case TR_WEBSOCKET_PING:
    case TR_WEBSOCKET_PONG:
        return final && length <= TR_WEBSOCKET_CONTROL_MAX ? TR_OK : TR_INVALID_ARGUMENT;
    case TR_WEBSOCKET_TEXT:
        return TR_UNIMPLEMENTED;
    default:
        return TR_INVALID_ARGUMENT;
    }
}

/* The head is whole. The length must be written in the fewest bytes. */
static tr_status begin_payload(tr_websocket_decoder *decoder) {
    size_t length_bytes = decoder->head_size - 6;
    uint64_t length = decoder->head[1] & LENGTH_BITS;
    if (length_bytes > 0)
        length = 0;
    for (size_t i = 0; i < length_bytes; i++)
        length = length << 8 | decoder->head[2 + i];
    if ((length_bytes == 2 && length < 126) || (length_bytes == 8 && length <= 0xffff) ||
        length > INT64_MAX)
        return TR_INVALID_ARGUMENT;
    decoder->opcode = decoder->head[0] & OPCODE_BITS;
    decoder->left = length;
    decoder->mask_at = 0;
    decoder->in_payload = true;
    decoder->control_size = 0;
    if (!is_control(decoder->opcode))
        decoder->in_message = (decoder->head[0] & FIN) == 0;
    return TR_OK;
}

static tr_status take_head(tr_websocket_decoder *decoder, const uint8_t **bytes, size_t *size) {
    while (*size > 0 && !decoder->in_payload) {
        decoder->head[decoder->head_size++] = *(*bytes)++;
        --*size;
        tr_status status = decoder->head_size == 2 ? check_head(decoder) : TR_OK;
        if (status == TR_OK && decoder->head_size > 2 &&
            decoder->head_size == head_size_of(decoder))
            status = begin_payload(decoder);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

static void unmask(tr_websocket_decoder *decoder, const uint8_t *bytes, size_t size, uint8_t *out) {
    const uint8_t *mask = &decoder->head[decoder->head_size - 4];
    for (size_t i = 0; i < size; i++)
        out[i] = bytes[i] ^ mask[(decoder->mask_at + i) & 3];
    decoder->mask_at = (unsigned)((decoder->mask_at + size) & 3);
}

/* Of data some is handed out as it comes, of a control frame nothing before its end. */
static tr_websocket_piece take_payload(tr_websocket_decoder *decoder, const uint8_t *bytes,
                                       size_t size) {
    uint8_t *payload = decoder->payload;
    if (!is_control(decoder->opcode)) {
        unmask(decoder, bytes, size, payload);
        return (tr_websocket_piece){TR_WEBSOCKET_BINARY, size > 0 ? payload : NULL, size};
    }
    unmask(decoder, bytes, size, payload + decoder->control_size);
    decoder->control_size += size;
    if (decoder->left > 0)
        return (tr_websocket_piece){0};
    return (tr_websocket_piece){decoder->opcode, payload, decoder->control_size};
}

tr_status tr_websocket_take(tr_websocket_decoder *decoder, const uint8_t **bytes, size_t *size,
                            tr_websocket_piece *out) {
    *out = (tr_websocket_piece){0};
    tr_status status = take_head(decoder, bytes, size);
    if (status != TR_OK || !decoder->in_payload)
        return status;
    size_t take = *size < TR_WEBSOCKET_PIECE_MAX ? *size : TR_WEBSOCKET_PIECE_MAX;
    if (decoder->left < take)
        take = (size_t)decoder->left;
    const uint8_t *payload = *bytes;
    *bytes += take;
    *size -= take;
    decoder->left -= take;
    *out = take_payload(decoder, payload, take);
    if (decoder->left == 0) {
        decoder->in_payload = false;
        decoder->head_size = 0;
    }
    return TR_OK;
}
