/* Key tracks: a vector over time, given at a few key times.
 *
 * Between keys it follows monotone cubics (Fritsch and Carlson 1980, "Monotone piecewise cubic
 * interpolation"; tangents after Fritsch and Butland 1984): continuous rates, no overshoot, and no
 * movement between two equal keys, as a standing foot requires. Plain data; pure. */
#pragma once

#include "math/vec3.h"

enum { TR_KEY_MAX = 200 };

typedef struct tr_track_key {
    double t_s;
    tr_vec3 value;
} tr_track_key;

/* key: [count], times increase
 * period_s: 0: not periodic; else the keys lie in [0, period_s) and repeat
 * shift:    by which each period is further than the one before */
typedef struct tr_key_track {
    int count;
    tr_track_key key[TR_KEY_MAX];
    double period_s;
    tr_vec3 shift;
} tr_key_track;

/* At least one key. t_s: any; of a track that repeats 0 to period_s. */
tr_vec3 tr_key_track_at(const tr_key_track *track, double t_s);
