/* WebSocket frames from arbitrary bytes: however the stream is cut, it gives the same payload, the
 * same control frames and the same end. */
#include "fuzz/target.h"

#include "server/net/websocket.h"

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

/* In a block of the exact size, so that reading past it is caught. */
static void take(tr_websocket *websocket, const uint8_t *data, size_t size, outcome *out) {
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    const uint8_t *bytes = copy;
    tr_websocket_piece piece = {.data = copy};
    while (piece.data && !out->status) {
        out->status = tr_websocket_take(websocket, &bytes, &size, &piece);
        if (!out->status && piece.data)
            add_piece(out, &piece);
    }
    if (!out->status && size > 0)
        abort();
    free(copy);
}

static outcome decode(const uint8_t *data, size_t size, size_t cut) {
    outcome out = {0};
    tr_websocket *websocket = NULL;
    if (tr_websocket_create(&websocket))
        abort();
    for (size_t begin = 0; begin < size && !out.status; begin += cut)
        take(websocket, data + begin, size - begin < cut ? size - begin : cut, &out);
    tr_websocket_destroy(websocket);
    return out;
}

static void expect_same(outcome a, outcome b) {
    if (a.status != b.status || a.bytes != b.bytes || a.sum != b.sum)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char accept[TR_WEBSOCKET_ACCEPT_SIZE];
    outcome whole = decode(data, size, size != 0 ? size : 1);
    expect_same(whole, decode(data, size, 1 + size / 1024)); /* the long ones in steps */
    expect_same(whole, decode(data, size, 7 + size / 512));
    (void)tr_websocket_close_is_valid(data, size);
    if (whole.bytes > size ||
        (!tr_websocket_accept((const char *)data, size, accept) && strlen(accept) != 28))
        abort();
    return 0;
}
