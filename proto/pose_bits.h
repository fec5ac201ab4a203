/* The numbers of a compact pose as bits, the lowest first: STATE_FIELD_COMPACT, "Compact states" of
 * PROTOCOL.md. Small numbers take few bits.
 *
 * A writer puts numbers at `at`, a reader takes them in the same order. What does not fit sets
 * `ended`; a reader then gets zeros. Plain functions, thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR_POSE_POSITION_M 0.001 /* unit of the root's position */

enum { TR_POSE_NUMBER_BITS = 36, TR_POSE_ROTATION_BITS = 29 }; /* at most */

typedef struct tr_pose_bits {
    uint8_t *bytes;  /* [size]; a writer's are zero; a reader does not change them */
    size_t size, at; /* bytes; the next bit */
    bool ended;
} tr_pose_bits;

/* A whole number of at most 31 bits; others become the nearest, NaN becomes 0. */
void tr_pose_put_number(tr_pose_bits *bits, double value);
double tr_pose_take_number(tr_pose_bits *bits);

/* q: (w, x, y, z), a unit quaternion; off by at most 0.0125 rad. */
void tr_pose_put_rotation(tr_pose_bits *bits, const double q[4]);
void tr_pose_take_rotation(tr_pose_bits *bits, double out[4]);

/* An angle of a hinge, rad, or the way of a slide, m, up to whole turns; off by at most 3.1e-3. */
void tr_pose_put_angle(tr_pose_bits *bits, double rad);
double tr_pose_take_angle(tr_pose_bits *bits);
