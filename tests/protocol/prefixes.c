/* Every message there is: whole, in pieces, cut short anywhere, and with bytes flipped. */
/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "proto/frame.h"
#include "proto/message.h"
#include "protocol/samples.h"
#include "troupe/envelope.pb-c.h"

#include <stdlib.h>
#include <string.h>

/* Steer counts once for each of its aims, Advance once for each choice of its orders. */
enum {
    SAMPLE_MAX = 160,
    /* What follows a + are further kinds: of steering, of an order, of a surface in a scene. */
    CLIENT_REQUESTS = 40 + 2,
    COMMANDS = 30 + 1 + 3 + 11,
    RESULTS = 27 + 3,
    SERVER_MESSAGES = 6 + 1
};

static const ProtobufCMessageDescriptor *const types[] = {&troupe__client_message__descriptor,
                                                          &troupe__server_message__descriptor};

/* Calls `check` with every sample of both directions. */
static void each_sample(void (*check)(const ProtobufCMessageDescriptor *type,
                                      const tr_sample *sample)) {
    for (size_t t = 0; t < 2; t++) {
        tr_sample samples[SAMPLE_MAX];
        int count = tr_samples_make(types[t], samples, SAMPLE_MAX);
        for (int i = 0; i < count; i++)
            check(types[t], &samples[i]);
        tr_samples_free(samples, count);
    }
}

/* A copy of exactly `size` bytes, so that reading past its end is caught. */
static uint8_t *copy_of(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    return copy;
}

TEST(samples_cover_the_schema) {
    tr_sample samples[SAMPLE_MAX];
    int count = tr_samples_make(types[0], samples, SAMPLE_MAX);
    assert_int_equal(count, CLIENT_REQUESTS + COMMANDS);
    tr_samples_free(samples, count);
    count = tr_samples_make(types[1], samples, SAMPLE_MAX);
    assert_int_equal(count, RESULTS + SERVER_MESSAGES - 1);
    tr_samples_free(samples, count);
}

/* --- whole --- */

static void check_round_trip(const ProtobufCMessageDescriptor *type, const tr_sample *sample) {
    ProtobufCMessage *message = NULL;
    assert_int_equal(tr_message_decode(type, sample->data, sample->size, &message), TR_OK);
    uint8_t *frame = NULL;
    size_t size = 0;
    assert_int_equal(tr_message_frame(message, TR_FRAME_CLIENT_MAX, &frame, &size), TR_OK);
    assert_true(size > sample->size);
    assert_memory_equal(frame + size - sample->size, sample->data, sample->size);
    free(frame);
    tr_message_destroy(message);
}

TEST(every_message_survives_encoding) {
    each_sample(check_round_trip);
}

/* --- in pieces --- */

static void check_byte_at_a_time(const ProtobufCMessageDescriptor *type, const tr_sample *sample) {
    (void)type;
    uint8_t prefix[TR_FRAME_PREFIX_MAX];
    size_t prefix_size = tr_frame_prefix((uint32_t)sample->size, prefix),
           total = prefix_size + sample->size;
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, TR_FRAME_CLIENT_MAX);
    for (size_t i = 0; i < total; i++) {
        uint8_t byte = i < prefix_size ? prefix[i] : sample->data[i - prefix_size];
        const uint8_t *bytes = &byte;
        size_t one = 1;
        tr_frame_view frame;
        assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &one, &frame), TR_OK);
        assert_int_equal(frame.data != NULL, i + 1 == total);
        assert_int_equal(tr_frame_decoder_in_progress(&decoder), i + 1 < total);
        if (frame.data)
            assert_memory_equal(frame.data, sample->data, sample->size);
    }
    tr_frame_decoder_deinit(&decoder);
}

TEST(every_message_arrives_byte_by_byte) {
    each_sample(check_byte_at_a_time);
}

/* --- cut short: an error or a smaller message, never more --- */

static void check_every_prefix(const ProtobufCMessageDescriptor *type, const tr_sample *sample) {
    int refused = 0;
    for (size_t size = 0; size < sample->size; size++) {
        OWN_MEMORY uint8_t *cut = copy_of(sample->data, size);
        ProtobufCMessage *message = NULL;
        tr_status status = tr_message_decode(type, cut, size, &message);
        assert_true(!status || status == TR_INVALID_ARGUMENT);
        assert_int_equal(message != NULL, !status);
        if (message)
            assert_true(protobuf_c_message_get_packed_size(message) <= size);
        refused += status != TR_OK;
        tr_message_destroy(message);
    }
    assert_true(refused > 0);
}

TEST(every_prefix_of_every_message_is_survived) {
    each_sample(check_every_prefix);
}

/* --- flipped --- */

static void check_every_flip(const ProtobufCMessageDescriptor *type, const tr_sample *sample) {
    OWN_MEMORY uint8_t *copy = copy_of(sample->data, sample->size);
    for (size_t at = 0; at < sample->size; at++)
        for (int bit = 0; bit < 8; bit++) {
            copy[at] = (uint8_t)(copy[at] ^ (1u << bit));
            ProtobufCMessage *message = NULL;
            tr_status status = tr_message_decode(type, copy, sample->size, &message);
            assert_int_equal(message != NULL, !status);
            tr_message_destroy(message);
            copy[at] = (uint8_t)(copy[at] ^ (1u << bit));
        }
}

TEST(every_flipped_bit_is_survived) {
    each_sample(check_every_flip);
}
