/* An exam: the trials by which a gait is judged, and the objective that makes one number of their
 * results (Shum et al., section 3.4, eqs. 5 to 8; a weighted sum, minimised here). The paper gives
 * no weights. */
#pragma once

#include "learn/gait/gait_trial.h"

enum { TR_GAIT_EXAM_MAX = 64 };

/* Cost of one trial:
 *   survival (1 - T / T_max), and fall if it fell                     stability, eq. 6
 *   else speed |v - v_wanted| + slow max(0, v_least - v)              distance, eq. 7
 *      + drift |v_y| + heading |off| + style (angle to the clip)      direction and posture, eq. 7
 *      + effort (mean sum of squared torques)
 * of a candidate: the mean, and variance times that of T / T_max (eq. 6)
 *      + difference (mean change in scales, eq. 5) + gain (mean log kp, eq. 8) */
typedef struct tr_gait_weights {
    double survival, fall, variance, speed, slow, drift, heading, effort, style, difference, gain;
    double wanted_mps, least_mps;
} tr_gait_weights;

typedef struct tr_gait_exam {
    tr_gait_weights weights;
    int count;
    bool races; /* a candidate that falls before 0.9 of a trial's time is not tried further */
    tr_gait_trial_def trial[TR_GAIT_EXAM_MAX];
} tr_gait_exam;

/* Means are over the trials made; speeds over those that did not fall. */
typedef struct tr_gait_result {
    double cost;
    int made, survived;
    double speed_mps, style_rad;
} tr_gait_result;

/* Judges a gait by an exam, without the terms of difference and gain. A trial that racing left out
 * counts as one that fell in its first step. */
tr_status tr_gait_examine(const tr_gait *gait, const tr_gait_exam *exam, tr_rehearsal *rehearsal,
                          tr_gait_result *out) TR_NODISCARD;

/* Does the same with the trials spread over an ensemble; all trials are made, without racing. */
tr_status tr_gait_examine_all(const tr_gait *gait, const tr_gait_exam *exam, tr_ensemble *ensemble,
                              tr_gait_result *out) TR_NODISCARD;
