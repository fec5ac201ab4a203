/* Which way the short pushes of hardening go, and when. Pure functions; deterministic. */
#ifndef TROUPE_LEARN_GAIT_BLOW_H
#define TROUPE_LEARN_GAIT_BLOW_H

#include <stdint.h>

/* along: direction of the force, share of a circle, from forwards to the left, at least 0; it may exceed 1
 * when: share of the second in which pushes begin, in [0, 1) */
typedef struct tr_gait_blow {
    double along, when;
} tr_gait_blow;

/* Both are drawn. */
tr_gait_blow tr_gait_blow_draw(uint64_t seed);

/* Number `number` of `count` that share a seed: they go in directions 1 / count of a circle apart, and
 * at times by the golden ratio (Weyl's sequence), which spreads any number of them over the second; only
 * the first is drawn. */
tr_gait_blow tr_gait_blow_even(uint64_t seed, int number, int count);

#endif
