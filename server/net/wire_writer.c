#include "server/net/wire_writer.h"

#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5, FIRST_CAPACITY = 4096 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bytes are little-endian");

tr_wire_writer tr_wire_writer_start(size_t max) {
    return (tr_wire_writer){.max = max};
}

tr_wire_writer tr_wire_writer_before(const tr_packet *follows, size_t max) {
    return (tr_wire_writer){.max = max, .follows = follows};
}

static size_t written(const tr_wire_writer *w) {
    return w->capacity - w->begin;
}

size_t tr_wire_mark(const tr_wire_writer *w) {
    return written(w) + (w->follows ? w->follows->size : 0);
}

/* --- memory --- */

/* Makes room before the bytes already written. */
static bool make_room(tr_wire_writer *w, size_t size) {
    if (w->status || size <= w->begin)
        return !w->status;
    if (tr_wire_mark(w) + size > w->max) {
        w->status = TR_OUT_OF_RANGE;
        return false;
    }
    size_t capacity = w->capacity == 0 ? FIRST_CAPACITY : 2 * w->capacity;
    while (capacity - written(w) < size)
        capacity *= 2;
    uint8_t *block = malloc(capacity);
    if (!block) {
        w->status = TR_RESOURCE_EXHAUSTED;
        return false;
    }
    if (w->block)
        memcpy(block + capacity - written(w), w->block + w->begin, written(w));
    free(w->block);
    w->begin = capacity - written(w);
    w->block = block;
    w->capacity = capacity;
    return true;
}

tr_status tr_wire_finish(tr_wire_writer *w, tr_packet **out) {
    tr_packet *packet = NULL;
    size_t size = written(w), total = tr_wire_mark(w);
    if (!w->status && total > w->max)
        w->status = TR_OUT_OF_RANGE;
    if (!w->status && !(packet = tr_packet_create(total)))
        w->status = TR_RESOURCE_EXHAUSTED;
    if (packet && size > 0)
        memcpy(packet->bytes, w->block + w->begin, size);
    if (packet && w->follows)
        memcpy(packet->bytes + size, w->follows->bytes, w->follows->size);
    if (packet)
        *out = packet;
    free(w->block);
    w->block = NULL;
    return w->status;
}

/* --- pieces --- */

size_t tr_varint(uint8_t out[10], uint64_t value) {
    size_t size = 0;
    for (; value >= 0x80; value >>= 7)
        out[size++] = (uint8_t)(value | 0x80);
    out[size++] = (uint8_t)value;
    return size;
}

void tr_wire_put_raw(tr_wire_writer *w, const void *bytes, size_t size) {
    if (size == 0 || !make_room(w, size))
        return;
    w->begin -= size;
    memcpy(w->block + w->begin, bytes, size);
}

void tr_wire_put_varint(tr_wire_writer *w, uint64_t value) {
    uint8_t bytes[10];
    tr_wire_put_raw(w, bytes, tr_varint(bytes, value));
}

static void put_tag(tr_wire_writer *w, unsigned field, unsigned type) {
    tr_wire_put_varint(w, (uint64_t)field << 3 | type);
}

/* --- fields --- */

void tr_wire_put_uint(tr_wire_writer *w, unsigned field, uint64_t value) {
    if (value == 0)
        return;
    tr_wire_put_varint(w, value);
    put_tag(w, field, WIRE_VARINT);
}

/* Zigzag encoding keeps small numbers of either sign short: 0, -1, 1, -2, ... become 0, 1, 2, 3,
 * ... */
void tr_wire_put_sint(tr_wire_writer *w, unsigned field, int32_t value) {
    tr_wire_put_uint(w, field, (uint32_t)value << 1 ^ (uint32_t)(value < 0 ? -1 : 0));
}

static void put_fixed(tr_wire_writer *w, unsigned field, unsigned type, const void *value,
                      size_t size) {
    tr_wire_put_raw(w, value, size);
    put_tag(w, field, type);
}

void tr_wire_put_fixed64(tr_wire_writer *w, unsigned field, uint64_t value) {
    if (value != 0)
        put_fixed(w, field, WIRE_64, &value, sizeof value);
}

void tr_wire_put_double(tr_wire_writer *w, unsigned field, double value) {
    if (value != 0)
        put_fixed(w, field, WIRE_64, &value, sizeof value);
}

void tr_wire_put_float(tr_wire_writer *w, unsigned field, float value) {
    if (value != 0)
        put_fixed(w, field, WIRE_32, &value, sizeof value);
}

void tr_wire_put_bytes(tr_wire_writer *w, unsigned field, const void *bytes, size_t size) {
    if (size == 0)
        return;
    tr_wire_put_raw(w, bytes, size);
    tr_wire_put_varint(w, size);
    put_tag(w, field, WIRE_LENGTH);
}

void tr_wire_put_text(tr_wire_writer *w, unsigned field, const char *text) {
    tr_wire_put_bytes(w, field, text, strlen(text));
}

void tr_wire_put_uints(tr_wire_writer *w, unsigned field, const uint32_t *values, size_t count) {
    size_t mark = tr_wire_mark(w);
    for (size_t i = count; i > 0; i--)
        tr_wire_put_varint(w, values[i - 1]);
    if (count > 0)
        tr_wire_wrap(w, field, mark);
}

void tr_wire_put_floats(tr_wire_writer *w, unsigned field, const float *values, size_t count) {
    tr_wire_put_bytes(w, field, values, count * sizeof *values);
}

void tr_wire_wrap(tr_wire_writer *w, unsigned field, size_t mark) {
    tr_wire_put_varint(w, tr_wire_mark(w) - mark);
    put_tag(w, field, WIRE_LENGTH);
}
