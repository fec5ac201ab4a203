/* Rotations and vectors in six bytes each, for clients older than compact poses (pose_bits.h):
 * STATE_FIELD_QUANTISED.
 *
 * A rotation is the three components of its unit quaternion that are not the largest, the largest
 * made positive: 15 bits each for -1/sqrt(2) to 1/sqrt(2), in the order w, x, y, z, the first in
 * the lowest bits; the two bits above them say which one is left out (0: w). A vector is three
 * signed 16-bit numbers of a unit. All little-endian. The error of a rotation is at most 2e-4 rad,
 * of a vector half a unit per component. Plain functions, thread-safe, the same on every
 * machine. */
#pragma once

#include <stdint.h>

enum { TR_QUANTISED_SIZE = 6 };

#define TR_QUANTISED_POSITION_M 0.0002f    /* unit of body_pos_q, from the root's origin */
#define TR_QUANTISED_RATE_RAD_S 0.0078125f /* unit of joint_rate_q */

/* q: (w, x, y, z), a unit quaternion. */
void tr_quantise_rotation(const float q[4], uint8_t out[TR_QUANTISED_SIZE]);

/* Values out of range become the nearest value in range; NaN becomes 0. */
void tr_quantise_vector(const float v[3], float unit, uint8_t out[TR_QUANTISED_SIZE]);
