/* Frames: a message after its length, as in protobuf's parseDelimitedFrom and writeDelimitedTo.
 *
 *     frame = varint(length) bytes[length]        length <= limit
 *
 * The decoder is incremental: it takes bytes in pieces of any size, and hands out one frame at a
 * time. It refuses a length above the limit when its last byte is read, before memory is taken.
 * Memory then grows with the bytes received, never with the announced length.
 *
 * One decoder per connection, one thread at a time. message.h decodes the content of frames. */
#pragma once

#include "proto/limits.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_frame_decoder {
    size_t limit;     /* largest length accepted */
    uint64_t length;  /* of the current frame, as far as its prefix is read */
    int prefix_size;  /* bytes of the prefix read so far */
    bool in_body;     /* the prefix is complete */
    bool lent;        /* the buffer holds the frame handed out last */
    tr_status failed; /* a failure is permanent */
    uint8_t *buffer;  /* [capacity]: bytes of a frame that arrives in pieces */
    size_t size, capacity;
} tr_frame_decoder;

/* A frame handed out: valid until the next call on its decoder, and as long as the bytes passed
 * in. */
typedef struct tr_frame_view {
    const uint8_t *data; /* NULL: no frame yet */
    size_t size;         /* may be 0 */
} tr_frame_view;

/* Initialises a decoder; takes no memory. */
void tr_frame_decoder_init(tr_frame_decoder *decoder, size_t limit);
void tr_frame_decoder_deinit(tr_frame_decoder *decoder);

/* Sets the limit from the next length prefix on; raised when Hello has been accepted. */
void tr_frame_decoder_set_limit(tr_frame_decoder *decoder, size_t limit);

/* Takes bytes from the front of (*bytes)[*size] and advances both, until one frame is complete or
 * the bytes are used up (then out_frame->data is NULL). A frame that is completely in the bytes is
 * not copied.
 *
 *     while (size > 0) {
 *         tr_frame_view frame;
 *         tr_status status = tr_frame_decoder_take(&decoder, &bytes, &size, &frame);
 *         if (status || !frame.data) break;
 *         handle(frame.data, frame.size);
 *     }
 *
 * TR_OUT_OF_RANGE: a length above the limit. TR_INVALID_ARGUMENT: a prefix longer than five bytes
 * or above 32 bits. TR_RESOURCE_EXHAUSTED: no memory. After a failure the stream cannot be read any
 * further: close the connection. */
tr_status tr_frame_decoder_take(tr_frame_decoder *decoder, const uint8_t **bytes, size_t *size,
                                tr_frame_view *out_frame) TR_NODISCARD;

/* The frame handed out last is no longer used: a large buffer is freed, a small one is kept for the
 * next. The next tr_frame_decoder_take does this too. */
void tr_frame_decoder_recall(tr_frame_decoder *decoder);

/* Has an incomplete frame begun? If so, the progress timer runs (TR_FRAME_TIMEOUT_MS). */
bool tr_frame_decoder_in_progress(const tr_frame_decoder *decoder);

/* Writes the prefix of a frame of `length` bytes; returns its size, 1 to TR_FRAME_PREFIX_MAX. */
size_t tr_frame_prefix(uint32_t length, uint8_t out_prefix[TR_FRAME_PREFIX_MAX]);
