#include "db/store/blob.h"

#include "math/hash.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t magic[4] = {'T', 'R', 'U', 'P'};

enum { KIND_AT = 4, VERSION_AT = 6, SIZE_AT = 8, CHECKSUM_AT = 16 };

static void store(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t fetch(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static uint64_t checksum(const uint8_t *data, size_t size) {
    uint64_t hash = tr_hash_add(TR_HASH_START, data, CHECKSUM_AT);
    return tr_hash_add(hash, data + TR_BLOB_HEADER_SIZE, size - TR_BLOB_HEADER_SIZE);
}

/* "targets", "policy", "state", ... */
static const char *kind_name(tr_blob_kind kind) {
    static const char *const names[] = {[TR_BLOB_TARGETS] = "targets",
                                        [TR_BLOB_POLICY] = "policy",
                                        [TR_BLOB_STATE] = "state",
                                        [TR_BLOB_SCORES] = "scores",
                                        [TR_BLOB_SECTION] = "section"};
    return names[kind];
}

void tr_blob_deinit(tr_blob *blob) {
    free(blob->data);
    *blob = (tr_blob){0};
}

/* --- writing --- */

tr_blob_writer tr_blob_begin(tr_blob_kind kind, int version, size_t payload) {
    tr_blob_writer writer = {
        .kind = kind, .size = TR_BLOB_HEADER_SIZE, .capacity = TR_BLOB_HEADER_SIZE + payload};
    writer.data = malloc(writer.capacity);
    if (!writer.data) {
        writer.status = TR_RESOURCE_EXHAUSTED;
        return writer;
    }
    memcpy(writer.data, magic, sizeof magic);
    store(writer.data + KIND_AT, (uint64_t)kind, 2);
    store(writer.data + VERSION_AT, (uint64_t)version, 2);
    store(writer.data + SIZE_AT, payload, 8);
    return writer;
}

static uint8_t *extend(tr_blob_writer *writer, size_t size) {
    uint8_t *at = writer->data + writer->size;
    writer->size += size;
    assert(writer->size <= writer->capacity);
    return at;
}

void tr_blob_put_int(tr_blob_writer *writer, uint32_t value) {
    if (!writer->status)
        store(extend(writer, 4), value, 4);
}

void tr_blob_put_doubles(tr_blob_writer *writer, const double *values, size_t count) {
    for (size_t i = 0; i < count && !writer->status; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        store(extend(writer, 8), bits, 8);
        if (!isfinite(values[i]))
            writer->status = TR_INVALID_ARGUMENT;
    }
}

void tr_blob_put_bytes(tr_blob_writer *writer, const void *bytes, size_t size) {
    if (!writer->status && size > 0)
        memcpy(extend(writer, size), bytes, size);
}

tr_status tr_blob_seal(tr_blob_writer *writer, tr_blob *out, tr_error *error) {
    const char *name = kind_name(writer->kind);
    if (writer->status) {
        free(writer->data);
        writer->data = NULL;
        return tr_fail(error, writer->status,
                       writer->status == TR_INVALID_ARGUMENT ? "%s: expected finite numbers"
                                                             : "%s: no memory to encode them",
                       name);
    }
    assert(writer->size == writer->capacity);
    store(writer->data + CHECKSUM_AT, checksum(writer->data, writer->size), 8);
    *out = (tr_blob){writer->data, writer->size};
    writer->data = NULL;
    return TR_OK;
}

/* --- reading --- */

static void reject(tr_blob_reader *reader, tr_status status, const char *what) {
    if (!reader->status)
        reader->status = tr_fail(reader->error, status, "%s: %s", kind_name(reader->kind), what);
}

tr_blob_reader tr_blob_open(tr_blob_view blob, tr_blob_kind kind, int version, tr_error *error) {
    const uint8_t *bytes = blob.data;
    size_t size = blob.size;
    tr_blob_reader reader = {.kind = kind, .error = error};
    if (size < TR_BLOB_HEADER_SIZE || memcmp(bytes, magic, sizeof magic) != 0)
        reject(&reader, TR_DATA_LOSS, "not a sealed blob");
    else if (fetch(bytes + KIND_AT, 2) != (uint64_t)kind)
        reject(&reader, TR_DATA_LOSS, "a blob of another kind");
    else if (fetch(bytes + SIZE_AT, 8) != size - TR_BLOB_HEADER_SIZE)
        reject(&reader, TR_DATA_LOSS, "wrong size");
    else if (fetch(bytes + CHECKSUM_AT, 8) != checksum(bytes, size))
        reject(&reader, TR_DATA_LOSS, "its checksum does not match");
    else if (fetch(bytes + VERSION_AT, 2) != (uint64_t)version)
        reject(&reader, TR_UNIMPLEMENTED, "unknown version");
    if (!reader.status)
        reader.payload =
            (tr_byte_reader){.at = bytes + TR_BLOB_HEADER_SIZE, .left = size - TR_BLOB_HEADER_SIZE};
    return reader;
}

static const uint8_t *take(tr_blob_reader *reader, size_t size) {
    const uint8_t *at = reader->status ? NULL : tr_byte_reader_take(&reader->payload, size);
    if (!at)
        reject(reader, TR_DATA_LOSS, "shorter than its counts say");
    return at;
}

int tr_blob_get_int(tr_blob_reader *reader, int low, int high) {
    const uint8_t *at = take(reader, 4);
    int64_t value = at ? (int64_t)fetch(at, 4) : 0;
    if (at && (value < low || value > high)) {
        reject(reader, TR_DATA_LOSS, "a count out of its bounds");
        return 0;
    }
    return (int)value;
}

void tr_blob_get_doubles(tr_blob_reader *reader, double *out, size_t count) {
    const uint8_t *at = take(reader, 8 * count);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = at ? fetch(at + 8 * i, 8) : 0;
        memcpy(&out[i], &bits, sizeof out[i]);
        if (!isfinite(out[i])) {
            reject(reader, TR_DATA_LOSS, "a number that is not finite");
            out[i] = 0;
        }
    }
}

void tr_blob_get_bytes(tr_blob_reader *reader, void *out, size_t size) {
    const uint8_t *at = take(reader, size);
    if (at)
        memcpy(out, at, size);
    else
        memset(out, 0, size);
}

size_t tr_blob_left(const tr_blob_reader *reader) {
    return reader->payload.left;
}

tr_status tr_blob_close(tr_blob_reader *reader) {
    if (reader->payload.left > 0)
        reject(reader, TR_DATA_LOSS, "longer than its counts say");
    return reader->status;
}
