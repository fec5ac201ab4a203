/* The stance of a character on a skateboard, by inverse kinematics. */
#pragma once

#include "learn/balance/skateboard.h"

/* What is wanted.
 *   foot        [0 left, 1 right] middles of the soles; the right one bears
 *   centroid_y  the centroid is above x = 0 and this y
 *   numbers     that the places come from, for messages */
typedef struct tr_board_stance_def {
    const tr_skateboard *board;
    tr_skateboard_way way;
    tr_vec3 foot[2];
    double centroid_y;
    char numbers[64];
} tr_board_stance_def;

/* Makes the stance, with the root at x = y = 0 and the speed of the board, and its rig: the board, to which the
 * right foot is pinned at the middle of its sole, as the paper does. TR_FAILED_PRECONDITION: the model
 * lacks such legs; TR_INVALID_ARGUMENT: the feet miss their places. */
tr_status tr_board_stance_make(const tr_model *model, const tr_board_stance_def *def,
                               tr_state *out_stance, tr_rig *out_rig, tr_error *error) TR_NODISCARD;
