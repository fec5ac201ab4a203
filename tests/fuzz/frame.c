/* Frames from arbitrary bytes: however the stream is cut, it gives the same frames and the same
 * end. */
#include "fuzz/target.h"

#include "proto/frame.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 16 };

/* What a decoder made of a stream. */
typedef struct outcome {
    tr_status status;
    size_t frames, bytes; /* how many frames, and bytes in them */
    uint64_t sum;         /* over the bytes of the frames and where they end */
} outcome;

static void add_frame(outcome *out, const tr_frame_view *frame) {
    out->frames++;
    out->bytes += frame->size;
    for (size_t i = 0; i < frame->size; i++)
        out->sum = out->sum * 31 + frame->data[i];
    out->sum = out->sum * 31 + 257;
}

/* Feeds pieces of `piece` bytes, each in a separate block so that reading past it is caught. */
static outcome decode(const uint8_t *data, size_t size, size_t piece) {
    outcome out = {0};
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, LIMIT);
    for (size_t begin = 0; begin < size && !out.status; begin += piece) {
        size_t left = size - begin < piece ? size - begin : piece;
        uint8_t *copy = malloc(left);
        memcpy(copy, data + begin, left);
        const uint8_t *bytes = copy;
        tr_frame_view frame = {0};
        do {
            out.status = tr_frame_decoder_take(&decoder, &bytes, &left, &frame);
            if (frame.data)
                add_frame(&out, &frame);
        } while (!out.status && left > 0);
        if (decoder.capacity > 2 * size + TR_FRAME_BEFORE_HELLO_MAX)
            abort();
        free(copy);
    }
    tr_frame_decoder_deinit(&decoder);
    return out;
}

static void expect_same(outcome a, outcome b) {
    if (a.status != b.status || a.frames != b.frames || a.bytes != b.bytes || a.sum != b.sum)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    outcome whole = decode(data, size, size ? size : 1);
    expect_same(whole, decode(data, size, 1));
    expect_same(whole, decode(data, size, 7));
    if (whole.bytes > size)
        abort();
    return 0;
}
