/* How natural a sequence of poses is, by two measures that clips have too: whether the standing
 * foot slides, and how jerky the movement is. */
#pragma once

#include "control/latent/support.h"

/* Takes the poses in their order; begin a measure as zeros.
 *   slip   [slip_count], speeds of the slowest support point of the lower foot, m/s
 *   jerk   sum of the third differences' lengths, m/s3, over jerk_count bodies and frames */
typedef struct tr_gait_measure {
    const tr_model *model;
    const tr_support *support;
    int support_count;
    double dt_s;
    double *slip; /* room for as many as there are poses */
    int slip_count, jerk_count, pose_count;
    double jerk;
    tr_vec3 body[4][TR_BODY_MAX]; /* of the last poses, the newest first */
    tr_vec3 point[2][TR_SUPPORT_MAX];
} tr_gait_measure;

void tr_gait_measure_add(tr_gait_measure *measure, const tr_pose *pose);

/* Forgets the poses, but not what was measured: the next pose begins another sequence. */
void tr_gait_measure_break(tr_gait_measure *measure);

/* Return the median of the slips, which it sorts, and the mean of the third differences. 0: nothing
 * was measured. */
double tr_gait_measure_slip(tr_gait_measure *measure);
double tr_gait_measure_jerk(const tr_gait_measure *measure);
