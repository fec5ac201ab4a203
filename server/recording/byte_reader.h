/* Reading little-endian fields from bytes that are not to be trusted.
 *
 * Once something is missing, every further read fails and gives zeros, so that a function may read
 * on and look at `failed` once. Plain data; nothing is copied but what is asked for. */
#ifndef TROUPE_SERVER_BYTE_READER_H
#define TROUPE_SERVER_BYTE_READER_H

#include "model/model.h"
#include "proto/text.h"

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

static inline void tr_byte_reader_get(tr_byte_reader *r, void *out, size_t size) {
    const uint8_t *data = tr_byte_reader_take(r, size);
    if (data != NULL)
        memcpy(out, data, size);
    else
        memset(out, 0, size);
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

/* TR_NAME_MAX bytes that end in a zero, UTF-8 up to the first; other bytes fail. */
static inline void tr_byte_reader_name(tr_byte_reader *r, char out[TR_NAME_MAX]) {
    tr_byte_reader_get(r, out, TR_NAME_MAX);
    if (out[TR_NAME_MAX - 1] != '\0')
        r->failed = true;
    out[TR_NAME_MAX - 1] = '\0';
    if (!tr_text_is_utf8(out))
        r->failed = true;
}

#endif
