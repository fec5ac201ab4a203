/* The stance of a character on a skateboard, by inverse kinematics. */
#pragma once

#include "control/driver/rig.h"
#include "control/parts/foothold.h"
#include "control/parts/gait_body.h"
#include "motion/made/limb.h"

/* sole: its middle, in the frame of the foot
 * pose: with the root at x = y = 0, once it is solved */
typedef struct tr_board_stance {
    const tr_model *model;
    tr_gait_body body;
    tr_limb leg[2];
    tr_vec3 sole;
    tr_pose pose;
} tr_board_stance;

/* What is wanted. foot: [0 left, 1 right] middles of the soles; the right one bears. centroid_y: the
 * centroid is above x = 0 and this y. */
typedef struct tr_board_stance_def {
    tr_vec3 foot[2];
    double centroid_y;
} tr_board_stance_def;

/* TR_FAILED_PRECONDITION: the model lacks such legs. */
tr_status tr_board_stance_begin(const tr_model *model, tr_board_stance *out,
                                tr_error *error) TR_NODISCARD;

/* Returns how far a foot misses its place. out_origin: where x = y = 0 of the definition is then */
double tr_board_stance_solve(tr_board_stance *stance, const tr_board_stance_def *def,
                             tr_vec3 *out_origin);

/* Pins the right foot, whose sole has its middle there, to the first object, as the paper does. */
void tr_board_stance_pin(const tr_board_stance *stance, tr_vec3 sole, tr_rig *rig);

/* A foot misses its place by less. */
extern const double tr_board_stance_near_m;
