/* What clients older than compact poses do with quantised arrays. */
#pragma once

#include "proto/quantise.h"

#include <math.h>

static inline uint64_t get_bits(const uint8_t bytes[TR_QUANTISED_SIZE]) {
    uint64_t bits = 0;
    for (int i = 0; i < TR_QUANTISED_SIZE; i++)
        bits |= (uint64_t)bytes[i] << (8 * i);
    return bits;
}

static inline void dequantise_rotation(const uint8_t bytes[TR_QUANTISED_SIZE], float out[4]) {
    uint64_t bits = get_bits(bytes);
    int largest = (int)(bits >> 45 & 3);
    double rest = 1;
    for (int i = 0; i < 4; i++) {
        if (i == largest)
            continue;
        double value = (2 * (double)(bits & 32767) / 32767 - 1) * 0.70710678118654752;
        bits >>= 15;
        out[i] = (float)value;
        rest -= value * value;
    }
    out[largest] = (float)sqrt(fmax(rest, 0));
}

static inline void dequantise_vector(const uint8_t bytes[TR_QUANTISED_SIZE], float unit,
                                     float out[3]) {
    uint64_t bits = get_bits(bytes);
    for (int i = 0; i < 3; i++)
        out[i] = (float)(int16_t)(uint16_t)(bits >> (16 * i)) * unit;
}
