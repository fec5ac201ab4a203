/* Writes numbers as bytes, little-endian and unaligned, to memory that is large enough.
 * math/byte_reader.h reads them. */
#pragma once

#include "math/byte_reader.h"

/* at NULL: bytes are counted and not written. */
typedef struct tr_byte_writer {
    unsigned char *at;
    size_t size; /* written so far */
} tr_byte_writer;

static inline void tr_byte_put(tr_byte_writer *writer, const void *data, size_t size) {
    if (writer->at && size > 0)
        memcpy(writer->at + writer->size, data, size);
    writer->size += size;
}
