/* WebSocket frames from arbitrary bytes: however the stream is cut, the same payload, the same
 * control frames and the same end come out of it. */
#include "fuzz/target.h"

#include "server/websocket.h"

#include <stdlib.h>
#include <string.h>

typedef struct outcome {
    tr_status status;
    size_t bytes;
    uint64_t sum;
} outcome;

static void add_piece(outcome *out, const tr_websocket_piece *piece) {
    out->bytes += piece->size;
    for (size_t i = 0; i < piece->size; i++)
        out->sum = out->sum * 31 + piece->data[i];
    if (piece->opcode != TR_WEBSOCKET_BINARY)
        out->sum = out->sum * 31 + 256 + (uint64_t)piece->opcode;
}

static outcome decode(const uint8_t *data, size_t size, size_t cut) {
    outcome out = {0};
    tr_websocket_decoder decoder = {0};
    for (size_t begin = 0; begin < size && out.status == TR_OK; begin += cut) {
        size_t left = size - begin < cut ? size - begin : cut;
        uint8_t *copy = malloc(left);
        memcpy(copy, data + begin, left);
        const uint8_t *bytes = copy;
        while (left > 0 && out.status == TR_OK) {
            tr_websocket_piece piece;
            out.status = tr_websocket_take(&decoder, &bytes, &left, &piece);
            if (out.status == TR_OK && piece.data != NULL)
                add_piece(&out, &piece);
        }
        free(copy);
    }
    return out;
}

static void expect_same(outcome a, outcome b) {
    if (a.status != b.status || a.bytes != b.bytes || a.sum != b.sum)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char accept[TR_WEBSOCKET_ACCEPT_SIZE];
    outcome whole = decode(data, size, size != 0 ? size : 1);
    expect_same(whole, decode(data, size, 1));
    expect_same(whole, decode(data, size, 7));
    if (whole.bytes > size ||
        (tr_websocket_accept((const char *)data, size, accept) == TR_OK && strlen(accept) != 28))
        abort();
    return 0;
}
