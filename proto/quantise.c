#include "proto/quantise.h"

#include <math.h>

enum { LEVELS = 32767, LEVEL_BITS = 15 };

static const double limit =
    0.70710678118654752; /* bound of the components that are not the largest */

static void put_bits(uint64_t bits, uint8_t out[TR_QUANTISED_SIZE]) {
    for (int i = 0; i < TR_QUANTISED_SIZE; i++)
        out[i] = (uint8_t)(bits >> (8 * i));
}

static uint64_t level_of(double value) {
    double level = (value / limit + 1) * 0.5 * LEVELS;
    return level <= 0 ? 0 : level >= LEVELS ? LEVELS : (uint64_t)lround(level);
}

void tr_quantise_rotation(const float q[4], uint8_t out[TR_QUANTISED_SIZE]) {
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (fabsf(q[i]) > fabsf(q[largest]))
            largest = i;
    double sign = q[largest] < 0 ? -1 : 1;
    uint64_t bits = (uint64_t)largest << (3 * LEVEL_BITS);
    for (int i = 0, shift = 0; i < 4; i++) {
        if (i == largest)
            continue;
        bits |= level_of(sign * (double)q[i]) << shift;
        shift += LEVEL_BITS;
    }
    put_bits(bits, out);
}

static int16_t step_of(double value) {
    return (int16_t)lround(fmin(fmax(value, INT16_MIN), INT16_MAX));
}

void tr_quantise_vector(const float v[3], float unit, uint8_t out[TR_QUANTISED_SIZE]) {
    uint64_t bits = 0;
    for (int i = 0; i < 3; i++)
        if (!isnan(v[i]))
            bits |= (uint64_t)(uint16_t)step_of((double)v[i] / (double)unit) << (16 * i);
    put_bits(bits, out);
}
