/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "proto/frame.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1000 };

/* --- a stream of frames, and what a decoder makes of it --- */

/* A frame of `length` bytes, each a function of its index. Returns its size with the prefix. */
static size_t write_frame(uint8_t *out, uint32_t length) {
    size_t prefix = tr_frame_prefix(length, out);
    for (uint32_t i = 0; i < length; i++)
        out[prefix + i] = (uint8_t)(i * 7 + length);
    return prefix + length;
}

static void assert_frame(const tr_frame_view *frame, uint32_t length) {
    assert_non_null(frame->data);
    assert_int_equal(frame->size, length);
    for (uint32_t i = 0; i < length; i++)
        assert_int_equal(frame->data[i], (uint8_t)(i * 7 + length));
}

/* Feeds `stream` in pieces of `piece` bytes and expects frames of the given lengths, all of
 * them. */
static void assert_frames(const uint8_t *stream, size_t size, size_t piece, const uint32_t *lengths,
                          int count) {
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, LIMIT);
    int got = 0;
    for (size_t begin = 0; begin < size; begin += piece) {
        size_t left = size - begin < piece ? size - begin : piece;
        OWN_MEMORY uint8_t *copy =
            malloc(left); /* exactly sized, so that reading past it is caught */
        memcpy(copy, stream + begin, left);
        const uint8_t *bytes = copy;
        while (left > 0) {
            tr_frame_view frame;
            assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &left, &frame), TR_OK);
            if (!frame.data)
                break;
            assert_true(got < count);
            assert_frame(&frame, lengths[got++]);
        }
        assert_int_equal(left, 0);
    }
    assert_int_equal(got, count);
    assert_false(tr_frame_decoder_in_progress(&decoder));
    tr_frame_decoder_deinit(&decoder);
}

TEST(any_pieces_give_the_same_frames) {
    static const uint32_t lengths[] = {0, 1, 127, 128, 129, 0, 0, 999, 1000, 3};
    enum { COUNT = sizeof lengths / sizeof lengths[0] };
    uint8_t stream[COUNT * (LIMIT + TR_FRAME_PREFIX_MAX)];
    size_t size = 0;
    for (int i = 0; i < COUNT; i++)
        size += write_frame(stream + size, lengths[i]);
    for (size_t piece = 1; piece <= size; piece += piece < 300 ? 1 : 97)
        assert_frames(stream, size, piece, lengths, COUNT);
}

TEST(a_frame_that_is_whole_is_not_copied) {
    uint8_t stream[64];
    size_t size = write_frame(stream, 20);
    const uint8_t *bytes = stream;
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, LIMIT);
    tr_frame_view frame;
    assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &size, &frame), TR_OK);
    assert_ptr_equal(frame.data, stream + 1);
    assert_null(decoder.buffer);
    tr_frame_decoder_deinit(&decoder);
}

/* --- refused frames --- */

/* Feeds the bytes one by one; the status of the last. */
static tr_status status_of(const uint8_t *stream, size_t size, tr_frame_decoder *decoder) {
    tr_status status = TR_OK;
    for (size_t i = 0; i < size; i++) {
        const uint8_t *bytes = stream + i;
        size_t one = 1;
        tr_frame_view frame;
        status = tr_frame_decoder_take(decoder, &bytes, &one, &frame);
        assert_null(frame.data);
        if (i + 1 < size)
            assert_int_equal(status, TR_OK);
    }
    return status;
}

TEST(a_length_above_the_limit_takes_no_memory) {
    static const uint32_t lengths[] = {LIMIT + 1, 65536, 0x7fffffff, UINT32_MAX};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t prefix[TR_FRAME_PREFIX_MAX];
        size_t size = tr_frame_prefix(lengths[i], prefix);
        tr_frame_decoder decoder;
        tr_frame_decoder_init(&decoder, LIMIT);
        assert_int_equal(status_of(prefix, size, &decoder), TR_OUT_OF_RANGE);
        assert_null(decoder.buffer);
    }
}

TEST(a_prefix_of_more_than_32_bits_is_refused) {
    static const uint8_t too_large[] = {0xff, 0xff, 0xff, 0xff, 0x10};
    static const uint8_t too_long[] = {0x80, 0x80, 0x80, 0x80, 0x80};
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, UINT32_MAX);
    assert_int_equal(status_of(too_large, sizeof too_large, &decoder), TR_INVALID_ARGUMENT);
    tr_frame_decoder_init(&decoder, UINT32_MAX);
    assert_int_equal(status_of(too_long, sizeof too_long, &decoder), TR_INVALID_ARGUMENT);
}

TEST(a_padded_prefix_is_accepted) {
    uint8_t stream[] = {0x82, 0x80, 0x80, 0x80, 0x00, 'a', 'b'};
    const uint8_t *bytes = stream;
    size_t size = sizeof stream;
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, LIMIT);
    tr_frame_view frame;
    assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &size, &frame), TR_OK);
    assert_int_equal(frame.size, 2);
    assert_memory_equal(frame.data, "ab", 2);
}

TEST(a_broken_stream_stays_broken) {
    uint8_t stream[TR_FRAME_PREFIX_MAX + 8];
    size_t size = tr_frame_prefix(LIMIT + 1, stream);
    stream[size] = 0;
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, LIMIT);
    assert_int_equal(status_of(stream, size, &decoder), TR_OUT_OF_RANGE);
    const uint8_t *bytes = stream + size;
    size_t left = 1;
    tr_frame_view frame;
    assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &left, &frame), TR_OUT_OF_RANGE);
    assert_null(frame.data);
}

/* --- limits and memory --- */

TEST(the_limit_can_be_raised_between_frames) {
    uint8_t stream[2 * LIMIT + TR_FRAME_PREFIX_MAX];
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, 10);
    const uint8_t *bytes = stream;
    size_t size = write_frame(stream, 10);
    tr_frame_view frame;
    assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &size, &frame), TR_OK);
    tr_frame_decoder_set_limit(&decoder, 2 * LIMIT);
    bytes = stream;
    size = write_frame(stream, 2 * LIMIT);
    assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &size, &frame), TR_OK);
    assert_frame(&frame, 2 * LIMIT);
    tr_frame_decoder_deinit(&decoder);
}

TEST(memory_follows_the_bytes_that_came) {
    uint8_t stream[TR_FRAME_PREFIX_MAX + 3];
    size_t size = tr_frame_prefix(TR_FRAME_CLIENT_MAX, stream);
    memset(stream + size, 1, 3);
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, TR_FRAME_CLIENT_MAX);
    assert_int_equal(status_of(stream, size + 3, &decoder), TR_OK);
    assert_true(tr_frame_decoder_in_progress(&decoder));
    assert_true(decoder.capacity <= 8);
    tr_frame_decoder_deinit(&decoder);
}

TEST(prefixes_are_as_short_as_can_be) {
    static const struct {
        uint32_t length;
        size_t size;
    } cases[] = {{0, 1},     {127, 1},       {128, 2},        {16383, 2},
                 {16384, 3}, {0xfffffff, 4}, {0x10000000, 5}, {UINT32_MAX, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t prefix[TR_FRAME_PREFIX_MAX];
        assert_int_equal(tr_frame_prefix(cases[i].length, prefix), cases[i].size);
    }
}

TEST(a_long_frame_leaves_no_memory_behind) {
    enum { LENGTH = 2 * TR_FRAME_BEFORE_HELLO_MAX };
    OWN_MEMORY uint8_t *stream = malloc(LENGTH + TR_FRAME_PREFIX_MAX);
    size_t size = write_frame(stream, LENGTH);
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, LENGTH);
    for (size_t at = 0; at < size;) {
        const uint8_t *bytes = stream + at;
        size_t left = size - at > 1000 ? 1000 : size - at, piece = left;
        tr_frame_view frame;
        assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &left, &frame), TR_OK);
        at += piece - left;
        assert_true(at < size ? !frame.data : frame.data && decoder.buffer);
    }
    tr_frame_decoder_recall(&decoder);
    assert_null(decoder.buffer);
}
