/* Counter-based random numbers: a stream is a function of its seed and of nothing else.
 *
 * Give every sample its own stream, tr_random_split(seed, stage, sample), and results do not depend
 * on which thread drew them. The generator is SplitMix64 (Steele, Lea, Flood 2014). The state is
 * one word, so that a snapshot keeps it by value. */
#pragma once

#include "math/elementary.h"

#include <stdint.h>

typedef struct tr_random {
    uint64_t state;
} tr_random;

static inline uint64_t tr_random_next(tr_random *r) {
    uint64_t z = (r->state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static inline tr_random tr_random_seed(uint64_t seed) {
    return (tr_random){seed};
}

/* Independent stream for the pair (a, b) under `seed`. */
static inline tr_random tr_random_split(uint64_t seed, uint64_t a, uint64_t b) {
    tr_random r = {seed};
    r.state = tr_random_next(&r) ^ (a * 0xc2b2ae3d27d4eb4fULL);
    r.state = tr_random_next(&r) ^ (b * 0x165667b19e3779f9ULL);
    r.state = tr_random_next(&r);
    return r;
}

/* Uniform in [0, 1). */
static inline double tr_random_uniform(tr_random *r) {
    return (double)(tr_random_next(r) >> 11) * 0x1p-53;
}

/* Standard normal (Box-Muller; two words per draw, no state kept between draws). */
static inline double tr_random_normal(tr_random *r) {
    double a = tr_random_uniform(r), b = tr_random_uniform(r);
    if (a < 1e-300)
        a = 1e-300;
    return sqrt(-2.0 * tr_log(a)) * tr_cos(6.28318530717958647692 * b);
}

/* Puts `count` numbers into a random order. */
static inline void tr_random_shuffle(tr_random *r, int *number, int count) {
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)(tr_random_uniform(r) * (i + 1)), kept = number[i];
        number[i] = number[j];
        number[j] = kept;
    }
}
