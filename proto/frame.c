#include "proto/frame.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void tr_frame_decoder_init(tr_frame_decoder *decoder, size_t limit) {
    *decoder = (tr_frame_decoder){.limit = limit};
}

void tr_frame_decoder_deinit(tr_frame_decoder *decoder) {
    free(decoder->buffer);
    *decoder = (tr_frame_decoder){.limit = decoder->limit};
}

void tr_frame_decoder_set_limit(tr_frame_decoder *decoder, size_t limit) {
    decoder->limit = limit;
}

/* Takes one byte of the prefix: seven bits of the length, lowest first, and whether another
 * follows. */
static tr_status take_prefix_byte(tr_frame_decoder *decoder, uint8_t byte) {
    int shift = 7 * decoder->prefix_size++;
    decoder->length |= (uint64_t)(byte & 0x7f) << shift;
    bool last = !(byte & 0x80);
    if (decoder->length > UINT32_MAX || (!last && decoder->prefix_size == TR_FRAME_PREFIX_MAX))
        return TR_INVALID_ARGUMENT;
    if (last && decoder->length > decoder->limit)
        return TR_OUT_OF_RANGE;
    decoder->in_body = last;
    return TR_OK;
}

/* Makes room for `extra` more bytes of the body. At most doubles the bytes that have arrived, so
 * that a long prefix alone takes no memory. */
static tr_status reserve(tr_frame_decoder *decoder, size_t extra) {
    size_t wanted = decoder->size + extra;
    if (wanted <= decoder->capacity)
        return TR_OK;
    size_t capacity = 2 * decoder->capacity > wanted ? 2 * decoder->capacity : wanted;
    if (capacity > decoder->length)
        capacity = (size_t)decoder->length;
    assert(capacity > 0);
    uint8_t *buffer = realloc(decoder->buffer, capacity);
    if (!buffer)
        return TR_RESOURCE_EXHAUSTED;
    decoder->buffer = buffer;
    decoder->capacity = capacity;
    return TR_OK;
}

/* Completes the current frame; the next byte begins a prefix. */
static void finish(tr_frame_decoder *decoder, const uint8_t *data, tr_frame_view *out_frame) {
    *out_frame = (tr_frame_view){.data = data, .size = (size_t)decoder->length};
    decoder->length = 0;
    decoder->prefix_size = 0;
    decoder->in_body = false;
}

/* Takes bytes of the body. If they contain the whole frame it is not copied, otherwise they are
 * gathered. */
static tr_status take_body(tr_frame_decoder *decoder, const uint8_t **bytes, size_t *size,
                           tr_frame_view *out_frame) {
    size_t missing = (size_t)decoder->length - decoder->size;
    size_t taken = missing < *size ? missing : *size;
    const uint8_t *data = *bytes;
    if (decoder->size > 0 || taken < missing) {
        tr_status status = reserve(decoder, taken);
        if (status)
            return status;
        memcpy(decoder->buffer + decoder->size, *bytes, taken);
        decoder->size += taken;
        data = decoder->buffer;
    }
    *bytes += taken;
    *size -= taken;
    if (taken == missing) {
        decoder->lent = decoder->size > 0;
        finish(decoder, data, out_frame);
    }
    return TR_OK;
}

void tr_frame_decoder_recall(tr_frame_decoder *decoder) {
    if (!decoder->lent)
        return;
    decoder->lent = false;
    decoder->size = 0;
    if (decoder->capacity > TR_FRAME_BEFORE_HELLO_MAX) {
        free(decoder->buffer);
        decoder->buffer = NULL;
        decoder->capacity = 0;
    }
}

tr_status tr_frame_decoder_take(tr_frame_decoder *decoder, const uint8_t **bytes, size_t *size,
                                tr_frame_view *out_frame) {
    *out_frame = (tr_frame_view){0};
    tr_frame_decoder_recall(decoder);
    while (!decoder->failed && !decoder->in_body && *size > 0) {
        decoder->failed = take_prefix_byte(decoder, **bytes);
        ++*bytes;
        --*size;
    }
    if (!decoder->failed && decoder->in_body && (*size > 0 || decoder->length == 0))
        decoder->failed = take_body(decoder, bytes, size, out_frame);
    return decoder->failed;
}

bool tr_frame_decoder_in_progress(const tr_frame_decoder *decoder) {
    return decoder->prefix_size > 0;
}

size_t tr_frame_prefix(uint32_t length, uint8_t out_prefix[TR_FRAME_PREFIX_MAX]) {
    size_t count = 0;
    for (; length > 0x7f; length >>= 7)
        out_prefix[count++] = (uint8_t)(length | 0x80);
    out_prefix[count++] = (uint8_t)length;
    return count;
}
