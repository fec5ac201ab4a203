/* Writes protobuf backwards, from the end to the beginning: the length of a message is known when
 * its head is written, and nothing must be measured first. So put fields in descending order of
 * their numbers, and the elements of a list from last to first. Fields that are zero or empty are
 * left out, as in proto3.
 *
 *     tr_wire_writer w = tr_wire_writer_start(max);
 *     size_t mark = tr_wire_mark(&w);
 *     tr_wire_put_floats(&w, 3, pos, 3);
 *     tr_wire_put_uint(&w, 1, entity);
 *     tr_wire_wrap(&w, 5, mark);                    // field 5 is a message of those two
 *     status = tr_wire_finish(&w, &packet);
 *
 * After a failure, further calls have no effect, so that a function may write everything and check
 * the status once. One thread at a time. */
#pragma once

#include "server/net/packet.h"

#include <stdbool.h>

typedef struct tr_wire_writer {
    uint8_t *block;           /* [capacity]; the written bytes end at its end; owned */
    size_t capacity, begin;   /* written: [begin, capacity) */
    size_t max;               /* bytes, including those that follow */
    const tr_packet *follows; /* bytes after everything written; borrowed, may be NULL */
    tr_status status;
} tr_wire_writer;

/* Starts an empty writer. More than `max` bytes fail with TR_OUT_OF_RANGE. */
tr_wire_writer tr_wire_writer_start(size_t max);

/* The same, followed by bytes that are already encoded; borrowed until tr_wire_finish. */
tr_wire_writer tr_wire_writer_before(const tr_packet *follows, size_t max);

/* Makes a packet of everything written and ends the writer. TR_RESOURCE_EXHAUSTED: no memory;
 * TR_OUT_OF_RANGE: longer than `max`. */
tr_status tr_wire_finish(tr_wire_writer *writer, tr_packet **out) TR_NODISCARD;

/* --- fields: numbers, texts and arrays --- */

void tr_wire_put_uint(tr_wire_writer *writer, unsigned field, uint64_t value);
void tr_wire_put_sint(tr_wire_writer *writer, unsigned field, int32_t value);
void tr_wire_put_fixed64(tr_wire_writer *writer, unsigned field, uint64_t value);
void tr_wire_put_double(tr_wire_writer *writer, unsigned field, double value);
void tr_wire_put_float(tr_wire_writer *writer, unsigned field, float value);
void tr_wire_put_text(tr_wire_writer *writer, unsigned field, const char *text);
void tr_wire_put_bytes(tr_wire_writer *writer, unsigned field, const void *bytes, size_t size);
void tr_wire_put_uints(tr_wire_writer *writer, unsigned field, const uint32_t *values,
                       size_t count);
void tr_wire_put_floats(tr_wire_writer *writer, unsigned field, const float *values, size_t count);

/* --- messages --- */

/* The number of bytes written so far. */
size_t tr_wire_mark(const tr_wire_writer *writer);

/* Turns everything written since `mark` into a field that holds a message, perhaps an empty one. */
void tr_wire_wrap(tr_wire_writer *writer, unsigned field, size_t mark);

/* Writes raw bytes, or a number without a field. Before a whole message they make a frame. */
void tr_wire_put_raw(tr_wire_writer *writer, const void *bytes, size_t size);
void tr_wire_put_varint(tr_wire_writer *writer, uint64_t value);

/* Encodes a number as protobuf does; returns the number of bytes. */
size_t tr_varint(uint8_t out[10], uint64_t value);
