/* A trial: a gait walks in a rehearsal world under a course of forces, from a disturbed start, with
 * noise on its servos, and is watched until it falls (Shum et al., section 3.3).
 *
 * It does what a character in a world does: the felt force is observed and filtered by the gait's
 * own step (control/gait/gait_step.h). The walk heads along x. gait_walker.h says what a fall is. */
#pragma once

#include "learn/gait/gait_style.h"
#include "learn/gait/gait_walker.h"
#include "learn/measure/force_course.h"
#include "learn/rehearsal/ensemble.h"

typedef struct tr_gait_trial_def {
    tr_force_def force;
    tr_gait_noise noise;
    double duration_s;
    double speed_mps;           /* wanted; 0: the gait's own */
    double steady_s;            /* speed and drift are measured from here on */
    const tr_gait_style *style; /* NULL: not compared */
    bool hauls;                 /* of exams: several push a box instead (gait_haul.h) */
    uint64_t seed;
} tr_gait_trial_def;

/* Its result.
 *   survived_s:  time until the fall, or duration_s
 *   speed_mps:   mean along x while steady; 0 when it fell before
 *   drift_mps:   mean along y likewise
 *   pitch_rad, root_m: mean forward lean of the trunk, and height of the root, likewise
 *   heading_rad: mean of the root's heading off the gait frame's, by size
 *   effort:      mean of the sum of squared torques, (N m)^2
 *   style_rad:   tr_gait_comparison_error; NAN where not compared */
typedef struct tr_gait_outcome {
    bool fell;
    double survived_s, speed_mps, drift_mps, pitch_rad, root_m, heading_rad, effort, style_rad;
} tr_gait_outcome;

/* TR_DATA_LOSS counts as a fall; other statuses are the world's. */
tr_status tr_gait_trial(const tr_gait *gait, const tr_gait_trial_def *def, tr_rehearsal *rehearsal,
                        tr_gait_outcome *out) TR_NODISCARD;

/* Finds the states in which keyframes 0 and 1 of the unmirrored half begin after ten seconds of
 * undisturbed walking; heading 0, x = y = 0. TR_FAILED_PRECONDITION: it falls. out:
 * [TR_GAIT_KEYFRAMES]. */
tr_status tr_gait_trial_starts(const tr_gait *gait, tr_rehearsal *rehearsal,
                               tr_state *out) TR_NODISCARD;
