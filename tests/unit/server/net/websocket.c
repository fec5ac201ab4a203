/* WebSocket framing: the worked examples of RFC 6455, cuts of any size, and what breaks the
 * protocol. */
#include "cmocka_test.h"

#include "server/net/websocket.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t mask[4] = {0x37, 0xfa, 0x21, 0x3d};

static tr_websocket *create(void) {
    tr_websocket *websocket = NULL;
    assert_int_equal(tr_websocket_create(&websocket), TR_OK);
    return websocket;
}

/* A client's frame behind out[at]; the position behind it. */
static size_t put_frame(uint8_t *out, size_t at, int first, const uint8_t *payload, size_t size) {
    uint8_t head[TR_WEBSOCKET_HEAD_MAX];
    tr_websocket *websocket = create();
    size_t head_size = tr_websocket_head(websocket, TR_WEBSOCKET_BINARY, size, head);
    tr_websocket_destroy(websocket);
    head[0] = (uint8_t)first;
    head[1] |= 0x80;
    memcpy(out + at, head, head_size);
    memcpy(out + at + head_size, mask, 4);
    at += head_size + 4;
    for (size_t i = 0; i < size; i++)
        out[at + i] = payload[i] ^ mask[i & 3];
    return at + size;
}

/* The content of a stream: all data in a row, and control frames counted. */
typedef struct outcome {
    tr_status status;
    size_t data_size, control_size;
    int pings, pongs, closes;
    uint8_t data[80000], control[256];
} outcome;

static void add_piece(outcome *out, const tr_websocket_piece *piece) {
    bool data = piece->opcode == TR_WEBSOCKET_BINARY;
    memcpy(data ? out->data + out->data_size : out->control, piece->data, piece->size);
    *(data ? &out->data_size : &out->control_size) += piece->size;
    out->pings += piece->opcode == TR_WEBSOCKET_PING;
    out->pongs += piece->opcode == TR_WEBSOCKET_PONG;
    out->closes += piece->opcode == TR_WEBSOCKET_CLOSE;
}

static outcome *decode(const uint8_t *bytes, size_t size, size_t piece_size) {
    outcome *out = calloc(1, sizeof *out);
    tr_websocket *websocket = create();
    for (size_t at = 0; at < size && !out->status; at += piece_size) {
        const uint8_t *from = bytes + at;
        size_t left = size - at < piece_size ? size - at : piece_size;
        tr_websocket_piece piece = {.data = from};
        while (piece.data && !out->status) {
            out->status = tr_websocket_take(websocket, &from, &left, &piece);
            if (!out->status && piece.data)
                add_piece(out, &piece);
        }
        assert_true(left == 0 || out->status);
    }
    tr_websocket_destroy(websocket);
    return out;
}

/* RFC 6455, 1.3. */
TEST(test_the_key_of_the_specification) {
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
TEST(test_heads) {
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
    tr_websocket *websocket = create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t out[TR_WEBSOCKET_HEAD_MAX];
        assert_int_equal(tr_websocket_head(websocket, TR_WEBSOCKET_BINARY, cases[i].size, out),
                         cases[i].head);
        assert_memory_equal(out, cases[i].bytes, cases[i].head);
    }
    tr_websocket_destroy(websocket);
}

/* Messages whole and in fragments with a ping and a pong in between: the same stream however it is
 * cut. */
TEST(test_a_stream_cut_anywhere_is_the_same) {
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
        OWN_MEMORY outcome *out = decode(bytes, size, pieces[i]);
        assert_int_equal(out->status, TR_OK);
        assert_int_equal(out->data_size, 66305);
        assert_memory_equal(out->data, payload, 66305);
        assert_int_equal(out->pings + 10 * out->pongs + 100 * out->closes, 111);
        assert_int_equal(out->control_size, 7);
    }
}

static tr_status status_of(const char *hex_free_bytes, size_t size) {
    OWN_MEMORY outcome *out = decode((const uint8_t *)hex_free_bytes, size, 1);
    tr_status status = out->status;
    return status;
}

#define STATUS_OF(bytes) status_of(bytes, sizeof bytes - 1)

/* Nothing is refused before the head and a byte of the payload, if there is any, have arrived. */
TEST(test_protocol_violations_are_errors) {
    assert_int_equal(STATUS_OF("\x82\x85\0\0\0\0a"), TR_OK);
    assert_int_equal(STATUS_OF("\x82\x05\0"), TR_INVALID_ARGUMENT); /* unmasked */
    assert_int_equal(STATUS_OF("\x82\0"), TR_INVALID_ARGUMENT);
    assert_int_equal(STATUS_OF("\x89\0"), TR_INVALID_ARGUMENT);
    assert_int_equal(STATUS_OF("\xc2\x80\0\0\0\0"), TR_INVALID_ARGUMENT); /* reserved bit */
    assert_int_equal(STATUS_OF("\x92\x80\0\0\0\0"), TR_INVALID_ARGUMENT);
    assert_int_equal(STATUS_OF("\x83\x80\0\0\0\0"), TR_INVALID_ARGUMENT); /* opcode 3 */
    assert_int_equal(STATUS_OF("\x8b\x80\0\0\0\0"), TR_INVALID_ARGUMENT); /* opcode 11 */
    assert_int_equal(STATUS_OF("\x80\x80\0\0\0\0"), TR_INVALID_ARGUMENT); /* nothing to continue */
    assert_int_equal(STATUS_OF("\x02\x80\0\0\0\0\x82\x80\0\0\0\0"),
                     TR_INVALID_ARGUMENT);                             /* in a message */
    assert_int_equal(STATUS_OF("\x09\x80"), TR_INVALID_ARGUMENT);      /* ping in parts */
    assert_int_equal(STATUS_OF("\x89\xfe"), TR_INVALID_ARGUMENT);      /* too long */
    assert_int_equal(STATUS_OF("\x81\x80\0\0\0\0"), TR_UNIMPLEMENTED); /* text */
    assert_int_equal(STATUS_OF("\x81\0"), TR_INVALID_ARGUMENT);        /* and unmasked */
    assert_int_equal(STATUS_OF("\x82\xfe\0\x7d\0\0\0\0"),
                     TR_INVALID_ARGUMENT); /* longer than needed */
    assert_int_equal(STATUS_OF("\x82\xff\0\0\0\0\0\0\xff\xff\0\0\0\0"), TR_INVALID_ARGUMENT);
    assert_int_equal(STATUS_OF("\x82\xff\x80\0\0\0\0\0\0\0\0\0\0\0"), TR_INVALID_ARGUMENT);
}

/* A frame of 2^63 - 1 bytes is a stream like any other: the bytes that have arrived are handed
 * out. */
TEST(test_an_endless_frame_is_handed_out_in_pieces) {
    static uint8_t bytes[14 + 70000] = {0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    OWN_MEMORY outcome *out = decode(bytes, sizeof bytes, 65536);
    assert_int_equal(out->status, TR_OK);
    assert_int_equal(out->data_size, 70000);
}

/* 10,000 fragments of nothing, each with a ping behind it, and then the end. */
TEST(test_many_empty_fragments) {
    enum { COUNT = 10000 };
    OWN_MEMORY uint8_t *bytes = malloc(12 * COUNT + 18);
    size_t size = put_frame(bytes, 0, 0x02, NULL, 0);
    for (int i = 0; i < COUNT; i++) {
        size = put_frame(bytes, size, 0x00, NULL, 0);
        size = put_frame(bytes, size, 0x89, NULL, 0);
    }
    size = put_frame(bytes, size, 0x80, (const uint8_t *)"end", 3);
    OWN_MEMORY outcome *out = decode(bytes, size, 4099);
    assert_int_equal(out->status, TR_OK);
    assert_int_equal(out->pings, COUNT);
    assert_int_equal(out->data_size, 3);
}

TEST(test_codes_of_a_close) {
    static const struct {
        int code;
        bool valid;
    } cases[] = {{0, false},    {999, false},  {1000, true}, {1003, true},  {1004, false},
                 {1005, false}, {1006, false}, {1007, true}, {1014, true},  {1015, false},
                 {2999, false}, {3000, true},  {4999, true}, {5000, false}, {65535, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t payload[] = {(uint8_t)(cases[i].code >> 8), (uint8_t)cases[i].code, 'x'};
        assert_int_equal(tr_websocket_close_is_valid(payload, 2), cases[i].valid);
        assert_int_equal(tr_websocket_close_is_valid(payload, 3), cases[i].valid);
        assert_false(tr_websocket_close_is_valid(payload, 1));
    }
    assert_true(tr_websocket_close_is_valid(NULL, 0));
}

TEST(test_reasons_of_a_close) {
    assert_true(tr_websocket_reason_is_valid(NULL, 0));
    assert_true(tr_websocket_reason_is_valid((const uint8_t *)"\x03\xe8", 2));
    assert_true(tr_websocket_reason_is_valid((const uint8_t *)"\x03\xe8\xc3\xb6\0", 5));
    assert_false(tr_websocket_reason_is_valid((const uint8_t *)"\x03\xe8\xc3", 3));
    assert_false(tr_websocket_reason_is_valid((const uint8_t *)"\x03\xe8\xff", 3));
}
