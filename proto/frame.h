/* Frames: a message behind its length, as protobuf's parseDelimitedFrom and writeDelimitedTo have
 * it.
 *
 *     frame = varint(length) bytes[length]        length <= limit
 *
 * The decoder is incremental: it takes bytes as they come, in pieces of any size, and hands out one
 * frame at a time. A length above the limit is refused as soon as its last byte is read, before
 * memory is taken; memory then grows with the bytes that really came, never with the length that
 * was promised.
 *
 * One decoder per connection, one thread at a time. Nothing here knows what a frame holds
 * (message.h does). */
#ifndef TROUPE_PROTO_FRAME_H
#define TROUPE_PROTO_FRAME_H

#include "proto/limits.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_frame_decoder {
    size_t limit;     /* largest length accepted */
    uint64_t length;  /* of the frame in progress, as far as its prefix is read */
    int prefix_size;  /* bytes of the prefix read so far */
    bool in_body;     /* the prefix is whole */
    bool lent;        /* the buffer holds the frame handed out last */
    tr_status failed; /* a broken stream stays broken */
    uint8_t *buffer;  /* [capacity]: what has come of a frame that came in pieces */
    size_t size, capacity;
} tr_frame_decoder;

/* A frame handed out: valid until the next call on its decoder, and as long as the bytes that were
 * fed. */
typedef struct tr_frame_view {
    const uint8_t *data; /* never NULL in a frame; NULL when there is none yet */
    size_t size;         /* may be 0 */
} tr_frame_view;

/* Ready for the first byte; takes no memory. */
void tr_frame_decoder_init(tr_frame_decoder *decoder, size_t limit);
void tr_frame_decoder_deinit(tr_frame_decoder *decoder);

/* Holds from the next length prefix on: raise it when Hello has been accepted. */
void tr_frame_decoder_set_limit(tr_frame_decoder *decoder, size_t limit);

/* Takes bytes from the front of (*bytes)[*size], moving both past what it took, until one frame is
 * whole or the bytes are used up (out_frame->data is NULL then). A frame that lies whole in the
 * bytes is not copied.
 *
 *     while (size > 0) {
 *         tr_frame_view frame;
 *         tr_status status = tr_frame_decoder_take(&decoder, &bytes, &size, &frame);
 *         if (status || !frame.data) break;
 *         handle(frame.data, frame.size);
 *     }
 *
 * TR_OUT_OF_RANGE: a length above the limit. TR_INVALID_ARGUMENT: a prefix longer than five bytes
 * or above 32 bits. TR_RESOURCE_EXHAUSTED: no memory. After a failure the stream cannot be read on:
 * close the connection. */
tr_status tr_frame_decoder_take(tr_frame_decoder *decoder, const uint8_t **bytes, size_t *size,
                                tr_frame_view *out_frame) TR_NODISCARD;

/* The frame handed out last is no longer used: a large buffer is freed, a small one is kept for the
 * next. The next tr_frame_decoder_take does this too. */
void tr_frame_decoder_recall(tr_frame_decoder *decoder);

/* Has a frame begun that is not whole? While it has, the progress timer runs
 * (TR_FRAME_TIMEOUT_MS). */
bool tr_frame_decoder_in_progress(const tr_frame_decoder *decoder);

/* Writes the prefix of a frame of `length` bytes; returns how many bytes it took, 1 to
 * TR_FRAME_PREFIX_MAX. */
size_t tr_frame_prefix(uint32_t length, uint8_t out_prefix[TR_FRAME_PREFIX_MAX]);

#endif
