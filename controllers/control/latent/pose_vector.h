/* Poses as vectors of numbers without a place and a heading (levine2012, section 4.1).
 *
 * Channels, in this order:
 *   0      height of the root, m
 *   1, 2   tilt of the root: x and y of the rotation vector of its orientation, after the heading
 *          has been taken out on the left, rad (z is 0 by the definition of the heading)
 *   3 ...  joints by body index: a ball has three channels, the rotation vector from the joint's
 *          reference rotation, in its frame, rad; a hinge has one, its angle, rad
 *
 * The paper uses quaternions. Rotation vectors about a reference, the mean of the clips, need no
 * hemisphere and no renormalisation, and leave hinges one channel. They are one-to-one for joints
 * within half a turn of the reference and for roots that are not upside down.
 *
 * Deterministic; no state; any thread. */
#pragma once

#include "model/state.h"

/* Bodies of a model whose poses are learned; stored ones are padded to this. */
enum { TR_POSE_BODY_MAX = 32, TR_POSE_VECTOR_MAX = 3 * TR_POSE_BODY_MAX };

/* Reference rotations of the joints; [0] is unused. */
typedef struct tr_pose_reference {
    tr_quat joint[TR_POSE_BODY_MAX];
} tr_pose_reference;

/* Number of channels of a model. */
int tr_pose_vector_size(const tr_model *model);

/* First channel of a body's joint; of the root: 0. */
int tr_pose_vector_channel(const tr_model *model, int body);

/* out: [tr_pose_vector_size]. */
void tr_pose_vector_from(const tr_model *model, const tr_pose_reference *reference,
                         const tr_pose *pose, double *out);

/* The place where a vector's pose is put: planar position of the root, m, and heading, rad. */
typedef struct tr_pose_place {
    double x, y, heading_rad;
} tr_pose_place;

tr_pose_place tr_pose_place_of(const tr_pose *pose);

/* The pose of a vector: [tr_pose_vector_size], with its root placed. */
tr_pose tr_pose_vector_to(const tr_model *model, const tr_pose_reference *reference,
                          const double *vector, const tr_pose_place *place);

/* A place moved by a root step: change of heading, rad, and displacement, m, in the heading frame
 * before the step (velocity channels of levine2012, section 4.1). */
typedef struct tr_root_step {
    double turn_rad, forward, left;
} tr_root_step;

tr_pose_place tr_pose_place_moved(const tr_pose_place *place, const tr_root_step *step);

/* The step that leads from one place to another: inverse of tr_pose_place_moved. */
tr_root_step tr_root_step_between(const tr_pose_place *from, const tr_pose_place *to);
