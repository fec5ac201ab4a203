/* What the files about motions share. Internal to motion. */
#pragma once

#include "motion/poses/motion.h"

/* A motion with the properties of `motion` and room for frame_count poses, all zero. */
tr_status tr_motion_allocate_like(const tr_motion *motion, int frame_count,
                                  tr_motion **out) TR_NODISCARD;

/* Pose of any frame number: continued in cycles, or held at the ends. */
tr_pose tr_motion_frame(const tr_motion *motion, int frame);

/* Samples a motion by natural cubic splines at start_s + i * step_s, i < count, into *out (not
 * cyclic, spacing step_s). The times must lie within the motion. */
tr_status tr_motion_sample(const tr_motion *motion, double start_s, double step_s, int count,
                           tr_motion **out) TR_NODISCARD;

/* Joint centres and orientations of the bodies of a model in a pose, world. */
typedef struct tr_pose_joints {
    tr_vec3 centre[TR_BODY_MAX];
    tr_quat rot[TR_BODY_MAX];
} tr_pose_joints;
void tr_pose_find_joints(const tr_model *model, const tr_pose *pose, tr_pose_joints *out);

/* An open motion between two poses: from_s from the first and to_s to the second, in which it stays as
 * long; each 0 to 10 s. */
tr_status tr_motion_join_poses(const tr_motion *motion, const tr_pose ends[2], double from_s,
                               double to_s, tr_motion **out) TR_NODISCARD;

/* Makes consecutive quaternions of every joint lie in one hemisphere. */
void tr_motion_align(tr_motion *motion);
