/* The torques of one step that keep the momenta of a character near zero and its centroid over its
 * feet: the controller of Macchietto, Zordan and Shelton 2009, "Momentum control for balance", with
 * zero reference momenta. Liu and Hodgins 2017 use it in place of standing fragments (section
 * 5.2.4). The derivation is in momentum_step.c.
 *
 * Pure functions; deterministic. */
#pragma once

#include "control/parts/program_body.h"
#include "control/torque/ground/disturbance.h"
#include "control/torque/ground/momentum_numbers.h"
#include "physics/spatial/dynamics.h"

/* Everything that a step reads. up: normal of the ground, world */
typedef struct tr_momentum_view {
    tr_program_body body;
    const tr_momentum_numbers *numbers;
    const tr_momentum_stance *stance;
    const tr_foothold *foothold;
    const tr_disturbance *disturbance;
    tr_vec3 up;
} tr_momentum_view;

/* pressure:        centre of pressure on the ground, world
 * force, moment:   of the ground, about the centroid
 * rate:            of the momenta */
typedef struct tr_momentum_plan {
    tr_vec3 pressure, force, moment;
    tr_momenta rate;
} tr_momentum_plan;

/* At least one foot of the foothold stands. out_accel: [dof]; out_torque: [body_count] joint frame, N m, each component at
 * most strength_nm; [0] is not set. TR_DATA_LOSS: the numbers do not stay finite. */
tr_status tr_momentum_step(const tr_momentum_view *view, tr_momentum_plan *out_plan,
                           double *out_accel, tr_vec3 *out_torque) TR_NODISCARD;
