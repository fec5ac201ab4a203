/* The torques of one step of a character that stands on a rolling board with both feet, and can lift
 * its nose. It is the momentum controller of momentum/momentum_step.h on a board that takes no force
 * in the direction in which it rolls. The derivation is in boarding_step.c.
 *
 * Pure functions; deterministic. */
#pragma once

#include "control/parts/program_body.h"
#include "control/torque/board/kick.h"
#include "control/torque/ground/momentum_numbers.h"

/* Everything that a step reads.
 *   at_rest:  centroid of the stance in the frame of the scene, and rotation of the root */
typedef struct tr_boarding_view {
    tr_program_body body;
    const tr_boarding_numbers *numbers;
    const tr_momentum_stance *at_rest;
    const tr_ride_board *board;
    const tr_ride_scene *scene;
    const tr_object_state *deck;
    const tr_kick_plan *kick;
} tr_boarding_view;

/* out_accel: [dof]; out_torque: [body_count] joint frame, N m, each component at most strength_nm;
 * [0] is not set. TR_DATA_LOSS: the numbers do not stay finite. */
tr_status tr_boarding_step(const tr_boarding_view *view, double *out_accel,
                           tr_vec3 *out_torque) TR_NODISCARD;
