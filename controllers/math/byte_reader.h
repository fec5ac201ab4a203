/* Reading little-endian fields from bytes that are not to be trusted.
 *
 * After a missing byte, every further read fails and gives zeros, so that a function may read
 * everything and look at `failed` once. Plain data; only what is asked for is copied. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fields are copied as they lie in memory: their order is that of the machine. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bytes are little-endian");

typedef struct tr_byte_reader {
    const uint8_t *at;
    size_t left;
    bool failed;
} tr_byte_reader;

/* The next `size` bytes; NULL: they are not there. */
static inline const uint8_t *tr_byte_reader_take(tr_byte_reader *r, size_t size) {
    if (r->failed || size > r->left) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *data = r->at;
    r->at += size;
    r->left -= size;
    return data;
}

/* Copies them. False: they are not there, and `out` is zero. */
static inline bool tr_byte_reader_get(tr_byte_reader *r, void *out, size_t size) {
    const uint8_t *data = tr_byte_reader_take(r, size);
    if (data && size > 0)
        memcpy(out, data, size);
    else if (size > 0)
        memset(out, 0, size);
    return data != NULL;
}

static inline uint32_t tr_byte_reader_u8(tr_byte_reader *r) {
    uint8_t value;
    tr_byte_reader_get(r, &value, sizeof value);
    return value;
}

static inline uint32_t tr_byte_reader_u16(tr_byte_reader *r) {
    uint16_t value;
    tr_byte_reader_get(r, &value, sizeof value);
    return value;
}

static inline uint32_t tr_byte_reader_u32(tr_byte_reader *r) {
    uint32_t value;
    tr_byte_reader_get(r, &value, sizeof value);
    return value;
}

static inline uint64_t tr_byte_reader_u64(tr_byte_reader *r) {
    uint64_t value;
    tr_byte_reader_get(r, &value, sizeof value);
    return value;
}

/* A u32 that counts elements of at least `element_size` bytes, `most` of them at most, all of which
 * may still be there; else it fails and returns 0. */
static inline uint32_t tr_byte_reader_count(tr_byte_reader *r, uint32_t most, size_t element_size) {
    uint32_t count = tr_byte_reader_u32(r);
    if (count > most || count > r->left / element_size)
        r->failed = true;
    return r->failed ? 0 : count;
}

/* A text in `size` bytes that end in a zero; any other bytes fail. */
static inline void tr_byte_reader_text(tr_byte_reader *r, char *out, size_t size) {
    tr_byte_reader_get(r, out, size);
    if (out[size - 1] != '\0')
        r->failed = true;
    out[size - 1] = '\0';
}
