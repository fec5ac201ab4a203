/* Sealed blobs: arrays of numbers with a header that identifies them and shows damage. Inside db/
 * only.
 *
 *     offset size
 *          0    4  "TRUP"
 *          4    2  kind (tr_blob_kind)
 *          6    2  version of the kind's payload
 *          8    8  bytes of payload
 *         16    8  FNV-1a, 64 bits, over bytes 0 to 15 and the payload
 *         24       payload: 32-bit unsigned integers, doubles (IEEE 754, 64 bits), bytes
 *
 * Everything is little-endian and unaligned. Doubles keep their bits and are finite. FNV-1a changes
 * with every change of a single byte; it guards against accidents, the digests of rows against
 * intent. */
#pragma once

#include "math/byte_reader.h"
#include "proto/status.h"

#include <stddef.h>
#include <stdint.h>

enum { TR_BLOB_HEADER_SIZE = 24 };

typedef enum tr_blob_kind {
    TR_BLOB_TARGETS = 1,
    TR_BLOB_POLICY = 2,
    TR_BLOB_STATE = 3,
    TR_BLOB_SCORES = 5,
    TR_BLOB_SECTION = 6
} tr_blob_kind;

typedef struct tr_blob {
    uint8_t *data; /* owned; NULL: none */
    size_t size;
} tr_blob;

void tr_blob_deinit(tr_blob *blob);

/* A blob that another object owns. */
typedef struct tr_blob_view {
    const void *data;
    size_t size;
} tr_blob_view;

static inline tr_blob_view tr_blob_look(const tr_blob *blob) {
    return (tr_blob_view){blob->data, blob->size};
}

typedef struct tr_blob_writer {
    tr_blob_kind kind;
    uint8_t *data;
    size_t size, capacity;
    tr_status status;
} tr_blob_writer;

/* Begins a blob with room for exactly `payload` bytes. */
tr_blob_writer tr_blob_begin(tr_blob_kind kind, int version, size_t payload);
void tr_blob_put_int(tr_blob_writer *writer, uint32_t value);
void tr_blob_put_doubles(tr_blob_writer *writer, const double *values, size_t count);
void tr_blob_put_bytes(tr_blob_writer *writer, const void *bytes, size_t size);

/* Seals. TR_INVALID_ARGUMENT: a double was not finite. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_blob_seal(tr_blob_writer *writer, tr_blob *out, tr_error *error) TR_NODISCARD;

typedef struct tr_blob_reader {
    tr_blob_kind kind;
    tr_byte_reader payload;
    tr_status status; /* the first failure is kept; later reads give zero */
    tr_error *error;
} tr_blob_reader;

/* Checks the header and the checksum; `version` is the only one this build knows. The data must
 * outlive the reader. */
tr_blob_reader tr_blob_open(tr_blob_view blob, tr_blob_kind kind, int version, tr_error *error);
int tr_blob_get_int(tr_blob_reader *reader, int low, int high);
void tr_blob_get_doubles(tr_blob_reader *reader, double *out, size_t count);
void tr_blob_get_bytes(tr_blob_reader *reader, void *out, size_t size); /* zeros after a failure */
size_t tr_blob_left(const tr_blob_reader *reader);                      /* bytes not yet read */

/* TR_DATA_LOSS: broken, too short, too long or out of bounds. TR_UNIMPLEMENTED: unknown version. */
tr_status tr_blob_close(tr_blob_reader *reader) TR_NODISCARD;
