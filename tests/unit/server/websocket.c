/* WebSocket framing: the worked examples of RFC 6455, cuts of any size, and what breaks the
 * protocol. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/websocket.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t mask[4] = {0x37, 0xfa, 0x21, 0x3d};

/* A client's frame behind out[at]; the position behind it. */
static size_t put_frame(uint8_t *out, size_t at, int first, const uint8_t *payload, size_t size) {
    uint8_t head[TR_WEBSOCKET_HEAD_MAX];
    size_t head_size = tr_websocket_head(TR_WEBSOCKET_BINARY, size, head);
    head[0] = (uint8_t)first;
    head[1] |= 0x80;
    memcpy(out + at, head, head_size);
    memcpy(out + at + head_size, mask, 4);
    at += head_size + 4;
    for (size_t i = 0; i < size; i++)
        out[at + i] = payload[i] ^ mask[i & 3];
    return at + size;
}

/* What came out of a stream: data one after the other, and control frames counted. */
typedef struct outcome {
    tr_status status;
    size_t data_size, control_size;
    int pings, pongs, closes;
    uint8_t data[80000], control[256];
} outcome;

static outcome *decode(const uint8_t *bytes, size_t size, size_t piece_size) {
    outcome *out = calloc(1, sizeof *out);
    tr_websocket_decoder decoder = {0};
    for (size_t at = 0; at < size && out->status == TR_OK; at += piece_size) {
        const uint8_t *from = bytes + at;
        size_t left = size - at < piece_size ? size - at : piece_size;
        while (left > 0 && out->status == TR_OK) {
            tr_websocket_piece piece;
            out->status = tr_websocket_take(&decoder, &from, &left, &piece);
            if (out->status != TR_OK || piece.data == NULL)
                continue;
            bool data = piece.opcode == TR_WEBSOCKET_BINARY;
            memcpy(data ? out->data + out->data_size : out->control, piece.data, piece.size);
            *(data ? &out->data_size : &out->control_size) += piece.size;
            out->pings += piece.opcode == TR_WEBSOCKET_PING;
            out->pongs += piece.opcode == TR_WEBSOCKET_PONG;
            out->closes += piece.opcode == TR_WEBSOCKET_CLOSE;
        }
    }
    return out;
}

/* RFC 6455, 1.3. */
static void test_the_key_of_the_specification(void **state) {
    (void)state;
    char accept[TR_WEBSOCKET_ACCEPT_SIZE];
    assert_int_equal(tr_websocket_accept("dGhlIHNhbXBsZSBub25jZQ==", 24, accept), TR_OK);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_int_equal(tr_websocket_accept("dGhlIHNhbXBsZSBub25jZQ=", 23, accept),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_websocket_accept("dGhlIHNhbXBsZSBub25jZTEy", 24, accept),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_websocket_accept("dGhl*HNhbXBsZSBub25jZQ==", 24, accept),
                     TR_INVALID_ARGUMENT);
}

/* RFC 6455, 5.7: the sizes of heads at the edges. */
static void test_heads(void **state) {
    (void)state;
    static const struct {
        uint64_t size;
        size_t head;
        uint8_t bytes[TR_WEBSOCKET_HEAD_MAX];
    } cases[] = {
        {0, 2, {0x82, 0}},
        {125, 2, {0x82, 125}},
        {126, 4, {0x82, 126, 0, 126}},
        {256, 4, {0x82, 126, 1, 0}},
        {65535, 4, {0x82, 126, 0xff, 0xff}},
        {65536, 10, {0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t out[TR_WEBSOCKET_HEAD_MAX];
        assert_int_equal(tr_websocket_head(TR_WEBSOCKET_BINARY, cases[i].size, out), cases[i].head);
        assert_memory_equal(out, cases[i].bytes, cases[i].head);
    }
}

/* Messages whole and in fragments with a ping and a pong in between: the same stream however it is
 * cut. */
static void test_a_stream_cut_anywhere_is_the_same(void **state) {
    (void)state;
    static uint8_t payload[70000], bytes[90000];
    static const size_t pieces[] = {1, 2, 3, 7, 1000, 65536, sizeof bytes};
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (uint8_t)(i * 7 + i / 251);
    size_t size = put_frame(bytes, 0, 0x82, payload, 5);
    size = put_frame(bytes, size, 0x02, payload + 5, 300);
    size = put_frame(bytes, size, 0x89, (const uint8_t *)"hello", 5);
    size = put_frame(bytes, size, 0x00, payload + 305, 0);
    size = put_frame(bytes, size, 0x8a, NULL, 0);
    size = put_frame(bytes, size, 0x80, payload + 305, 66000);
    size = put_frame(bytes, size, 0x88, (const uint8_t *)"\x03\xe8", 2);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        outcome *out = decode(bytes, size, pieces[i]);
        assert_int_equal(out->status, TR_OK);
        assert_int_equal(out->data_size, 66305);
        assert_memory_equal(out->data, payload, 66305);
        assert_int_equal(out->pings + 10 * out->pongs + 100 * out->closes, 111);
        assert_int_equal(out->control_size, 7);
        free(out);
    }
}

static tr_status status_of(const char *hex_free_bytes, size_t size) {
    outcome *out = decode((const uint8_t *)hex_free_bytes, size, 1);
    tr_status status = out->status;
    free(out);
    return status;
}

#define STATUS_OF(bytes) status_of(bytes, sizeof bytes - 1)

static void test_what_breaks_the_protocol(void **state) {
    (void)state;
    assert_int_equal(STATUS_OF("\x82\x85"), TR_OK);
    assert_int_equal(STATUS_OF("\x82\x05"), TR_INVALID_ARGUMENT); /* unmasked */
    assert_int_equal(STATUS_OF("\xc2\x85"), TR_INVALID_ARGUMENT); /* reserved bit */
    assert_int_equal(STATUS_OF("\x83\x85"), TR_INVALID_ARGUMENT); /* opcode 3 */
    assert_int_equal(STATUS_OF("\x8b\x85"), TR_INVALID_ARGUMENT); /* opcode 11 */
    assert_int_equal(STATUS_OF("\x80\x85"), TR_INVALID_ARGUMENT); /* nothing to continue */
    assert_int_equal(STATUS_OF("\x02\x80\0\0\0\0\x82\x80"), TR_INVALID_ARGUMENT); /* in a message */
    assert_int_equal(STATUS_OF("\x09\x80"), TR_INVALID_ARGUMENT); /* ping in parts */
    assert_int_equal(STATUS_OF("\x89\xfe"), TR_INVALID_ARGUMENT); /* too long */
    assert_int_equal(STATUS_OF("\x81\x85"), TR_UNIMPLEMENTED);    /* text */
    assert_int_equal(STATUS_OF("\x82\xfe\0\x7d\0\0\0\0"),
                     TR_INVALID_ARGUMENT); /* longer than needed */
    assert_int_equal(STATUS_OF("\x82\xff\0\0\0\0\0\0\xff\xff\0\0\0\0"), TR_INVALID_ARGUMENT);
    assert_int_equal(STATUS_OF("\x82\xff\x80\0\0\0\0\0\0\0\0\0\0\0"), TR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_key_of_the_specification),
        cmocka_unit_test(test_heads),
        cmocka_unit_test(test_a_stream_cut_anywhere_is_the_same),
        cmocka_unit_test(test_what_breaks_the_protocol),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
