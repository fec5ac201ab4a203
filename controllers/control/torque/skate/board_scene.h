/* What a skating character sees of itself and its board: both soles and the centroid, relative to
 * the standing sole. The axes point along the board, to its left, and up. Plain data;
 * deterministic. */
#pragma once

#include "control/parts/axes.h"
#include "control/parts/foothold.h"

typedef struct tr_dynamics tr_dynamics; /* physics/spatial/dynamics.h */

/* Index of a foot: the one on the board, and the one that pushes. */
enum { TR_STANDING, TR_PUSHING };

/* axis:         along the board, to its left, up; world, unit
 * body:         [foot] feet of the model
 * sole:         [foot] middle of the sole, from the centroid, world axes
 * standing_vel: of the standing sole; components along the axes, as in all that follow
 * centroid, centroid_vel, pushing, pushing_vel: relative to the standing sole
 * gap_m:        height of the pushing sole above the ground
 * board_mps:    speed of the board along itself */
typedef struct tr_board_scene {
    double heading_rad;
    tr_vec3 axis[3];
    int body[2];
    tr_vec3 sole[2];
    tr_vec3 standing_vel, centroid, centroid_vel, pushing, pushing_vel;
    double gap_m, board_mps;
} tr_board_scene;

/* standing: side of the standing foot, 0 left, 1 right; sole: [side] */
typedef struct tr_board_scene_def {
    const tr_dynamics *dynamics;
    const tr_body_state *bodies;
    const tr_foot_sole *sole;
    const tr_object_state *deck;
    int standing;
    double ground_m; /* below the pushing foot */
} tr_board_scene_def;

void tr_board_scene_look(const tr_board_scene_def *def, tr_board_scene *out);
