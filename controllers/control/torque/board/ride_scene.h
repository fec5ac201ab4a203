/* What a character sees of itself and of the board on which it stands with both feet. The axes are
 * horizontal along the board, to its left, and up; the origin is above the middle of the rear axle.
 * Plain data; deterministic. */
#pragma once

#include "control/driver/rig.h"
#include "control/parts/axes.h"
#include "control/parts/foothold.h"

typedef struct tr_dynamics tr_dynamics; /* physics/spatial/dynamics.h */

/* The board, from its rig.
 *   kg:        mass that moves along with it, with what the turning of its wheels adds
 *   drag_kgps: force that slows it, N for each m/s
 *   rear_m, front_m: axles, ahead of the middle of the deck
 *   deck_kgm2: moment of inertia about the rear axle, of a nose that rises or a board that turns
 *   nose_nm:   moment of its weight about the rear axle */
typedef struct tr_ride_board {
    double kg, drag_kgps, rear_m, front_m, deck_kgm2, nose_nm;
} tr_ride_board;

/* object, pins: of the rig. leading: side of the foot in front, 0 left, 1 right */
tr_ride_board tr_ride_board_of(const tr_rig *rig, int board, int leading);

/* axis:        world, unit
 * body:        [side] feet
 * sole:        [side] middle of the sole from the centroid, world axes
 * foot:        [side] the same from the origin, along the axes
 * slip:        [side] its velocity against the board, along the axes
 * centroid, centroid_vel: from the origin, and relative to the board
 * nose_rad, nose_rad_s:   how far the nose is up
 * heading_rad, yaw_rad_s: of a character that faces across the board
 * speed_mps:   of the board along itself */
typedef struct tr_ride_scene {
    tr_vec3 axis[3];
    int body[2];
    tr_vec3 sole[2], foot[2], slip[2];
    tr_vec3 centroid, centroid_vel;
    double nose_rad, nose_rad_s, heading_rad, yaw_rad_s, speed_mps;
} tr_ride_scene;

typedef struct tr_ride_scene_def {
    const tr_dynamics *dynamics;
    const tr_body_state *bodies;
    const tr_foot_sole *sole; /* [side] */
    const tr_object_state *deck;
    const tr_ride_board *board;
    int leading;
} tr_ride_scene_def;

void tr_ride_scene_look(const tr_ride_scene_def *def, tr_ride_scene *out);
