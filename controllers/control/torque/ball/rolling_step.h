/* The torques of one step of a character on a ball that rolls: the momentum controller of
 * momentum/momentum_step.h, with the motion of the ball in its equations. The derivation is in
 * rolling_step.c.
 *
 * Pure functions; deterministic. */
#pragma once

#include "control/parts/program_body.h"
#include "control/torque/ball/ball_steps.h"

/* Everything that a step reads.
 *   root_rot: of the stance, heading 0
 *   plan:     of the steps
 *   turn_left_rad, turn_radps: from the trunk to the heading, and how fast that turns
 *   load:     its height_m is kept */
typedef struct tr_rolling_view {
    tr_program_body body;
    const tr_rolling_numbers *numbers;
    const tr_ball_load *load;
    tr_quat root_rot;
    const tr_ball_scene *scene;
    const tr_ball_step_plan *plan;
    double turn_left_rad, turn_radps;
} tr_rolling_view;

/* out_accel: [dof]; out_torque: [body_count] joint frame, N m, each component at most strength_nm;
 * [0] is not set; out_pressure: where soles can have it. TR_DATA_LOSS: the numbers do not stay finite. */
tr_status tr_rolling_step(const tr_rolling_view *view, double *out_accel, tr_vec3 *out_torque,
                          tr_vec3 *out_pressure) TR_NODISCARD;
