/* FNV-1a, 64 bits, and a faster hash by words: checksums of blobs and hashes of simulation state. Not for secrets. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TR_HASH_START 0xcbf29ce484222325ULL

static inline uint64_t tr_hash_add(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    /* The analyzer keeps integers whole, and takes a byte of one for garbage. */
    for (size_t i = 0; i < size; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
    return hash;
}

/* By words of eight bytes, the last filled up with zeros: some five times as fast. Each word is mixed
 * downwards after the product, which only carries upwards. */
static inline uint64_t tr_hash_words(const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t hash = TR_HASH_START ^ size;
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32;
    }
    return hash;
}
