/* How closely a controller keeps to its reference, and how its feet meet the ground.
 *
 * Undisturbed trials are watched over whole cycles. At the end of every entry with a reference, the
 * state is compared with that reference as the cost does (cost.h): headings are counted from the
 * entry's start, positions relative to the centroid. Mirrored half cycles are compared in the
 * mirror, and their errors count for the limb that made them. At every step the contacts of the
 * feet with the ground are measured.
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "control/driver/controller.h"
#include "learn/rehearsal/ensemble.h"

typedef struct tr_tracking_test {
    int trials;      /* each from its own disturbed start (trial.h) */
    double settle_s; /* before: at least this, in whole cycles */
    int cycles;      /* watched of each trial */
    uint64_t seed;
} tr_tracking_test;

/* Means over all ends of entries and all trials unless stated; errors are 0 without references.
 *   joint_rad     [body_count], angle between joint orientations, by body; [0] is 0
 *   effector_m    [end_effector_count], distance of the end effector's place relative to the
 *                 centroid, heading frame
 *   root_m        signed: height of the root above the reference's
 *   nsr           noise-to-signal ratio of the poses at the ends of entries (noise.h); NAN: none
 *   speed_mps     net distance of the root over a cycle, over the cycle's time; also of the
 *                 reference
 *   slip_mps      speed along the ground of the points of foot and toe that touch it, weighted by
 *                 the impulse with which they do
 *   depth_m       deepest penetration of the ground in a step, mean over the steps with contact */
typedef struct tr_tracking {
    int trials, held; /* held: to the end; the others count up to their loss */
    int64_t ends;
    double joint_rad[TR_BODY_MAX], effector_m[8];
    double root_m, root_rad, velocity_mps;
    double nsr;
    double speed_mps, reference_speed_mps;
    double root_low_m, root_high_m, root_mean_m;
    double slip_mps;
    double depth_m, depth_max_m;
} tr_tracking;

enum { TR_TRACKING_END_MAX = 1 << 16 }; /* of one trial: cycles times entries of a cycle */

/* TR_INVALID_ARGUMENT: a count out of range, or a controller without a cyclic skill; TR_ABORTED: no
 * trial reached the end of a cycle. */
tr_status tr_tracking_watch(tr_ensemble *ensemble, const tr_controller *controller,
                            const tr_tracking_test *test, tr_tracking *out) TR_NODISCARD;
