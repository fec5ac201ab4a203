/* Bytes in and out: numbers, little-endian and unaligned, written to memory that is large enough and
 * read from memory that is not to be trusted. */
#ifndef TROUPE_CONTROL_BYTES_H
#define TROUPE_CONTROL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Numbers are copied as they lie in memory. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bytes are little-endian");

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

/* Once something is missing every further read fails and gives zeros. */
typedef struct tr_byte_source {
    const unsigned char *at;
    size_t left;
    bool failed;
} tr_byte_source;

/* The next `size` bytes; NULL: they are not there. */
static inline const unsigned char *tr_byte_take(tr_byte_source *source, size_t size) {
    if (source->failed || size > source->left) {
        source->failed = true;
        return NULL;
    }
    const unsigned char *data = source->at;
    source->at += size;
    source->left -= size;
    return data;
}

static inline bool tr_byte_get(tr_byte_source *source, void *out, size_t size) {
    const unsigned char *data = tr_byte_take(source, size);
    if (data && size > 0)
        memcpy(out, data, size);
    else
        memset(out, 0, size);
    return data != NULL;
}

#endif
