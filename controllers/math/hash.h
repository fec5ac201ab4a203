/* FNV-1a, 64 bits: checksums of blobs and hashes of simulation state. Not for secrets. */
#ifndef TROUPE_MATH_HASH_H
#define TROUPE_MATH_HASH_H

#include <stddef.h>
#include <stdint.h>

#define TR_HASH_START 0xcbf29ce484222325ULL

static inline uint64_t tr_hash_add(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    /* The analyzer keeps integers whole, and takes a byte of one for garbage. */
    for (size_t i = 0; i < size; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
    return hash;
}

#endif
