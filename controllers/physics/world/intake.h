/* Input from outside: orientations, poses and states are checked and then corrected. Internal to
 * physics/.
 *
 * A quaternion far from unit length and a hinge or slide off its axis are corrected; values within 1e-9
 * are taken to the bit, so that a state survives being read and set again. */
#pragma once

#include "model/model.h"
#include "model/state.h"

/* Whether the quaternion has a direction: finite and far enough from zero. */
bool tr_intake_quat_usable(tr_quat q);

/* Whether every number of the pose is finite and every quaternion usable. */
bool tr_intake_pose_usable(const tr_model *model, const tr_pose *pose);

/* The same for a pose with its rates. */
bool tr_intake_state_usable(const tr_model *model, const tr_state *state);

/* Of unit length. */
tr_quat tr_intake_quat(tr_quat q);

/* The targets of all joints. False: one of them has no direction, and nothing is written. */
bool tr_intake_targets(const tr_model *model, const tr_quat *target, tr_quat *out);

/* A joint's rate or torque: a hinge's and a slide's along the axis. */
tr_vec3 tr_intake_joint_vector(const tr_body *body, tr_vec3 v);

/* The same by bodies, [0] apart: unused parts of `out` are not written. */
void tr_intake_pose(const tr_model *model, const tr_pose *pose, tr_pose *out);
void tr_intake_state(const tr_model *model, const tr_state *state, tr_state *out);
