/* What a character on a ball sees of itself and the ball. Components are along three axes: ahead in
 * the heading that it keeps, to the left, and up; places are relative to the middle of the ball,
 * unless a comment says otherwise. Plain data; deterministic. */
#pragma once

#include "control/parts/axes.h"
#include "control/parts/foothold.h"

typedef struct tr_dynamics tr_dynamics; /* physics/spatial/dynamics.h */

/* A foot and its sole.
 *   middle, middle_vel:   of the sole; the speed is relative to the middle of the ball
 *   corner:               [4]
 *   touch:                point of the sole that is nearest to the ball
 *   touch_from_centroid:  the same from the centroid, world axes
 *   slip:                 its speed against the surface of the ball
 *   gap_m:                between sole and ball; below 0: sunk in */
typedef struct tr_ball_foot {
    int body;
    tr_vec3 middle, middle_vel, corner[4];
    tr_vec3 touch, touch_from_centroid, slip;
    double gap_m;
} tr_ball_foot;

/* axis:      world, unit
 * centroid, centroid_vel: the speed is relative to the middle of the ball
 * roll, spin: velocity of the middle of the ball, and its angular velocity
 * momentum:  angular, about the centroid
 * foot:      left, right */
typedef struct tr_ball_scene {
    double heading_rad, radius_m;
    tr_vec3 axis[3];
    tr_vec3 centroid, centroid_vel, roll, spin, momentum;
    tr_ball_foot foot[2];
} tr_ball_scene;

/* sole: [side]; ball: its state */
typedef struct tr_ball_scene_def {
    const tr_dynamics *dynamics;
    const tr_body_state *bodies;
    const tr_foot_sole *sole;
    const tr_object_state *ball;
    double radius_m, heading_rad;
} tr_ball_scene_def;

void tr_ball_scene_look(const tr_ball_scene_def *def, tr_ball_scene *out);

/* The world vector with these components along the axes. */
tr_vec3 tr_ball_scene_world(const tr_ball_scene *scene, tr_vec3 along);

/* The point of the upper half of the ball above this place; z of `place` is not used. */
tr_vec3 tr_ball_surface(double radius_m, tr_vec3 place);

/* The point of a sole, `margin_m` within its edges, that is nearest to a place, seen from above. */
tr_vec3 tr_ball_foot_nearest(const tr_ball_foot *foot, tr_vec3 place, double margin_m);

/* Is the place such a point? */
bool tr_ball_foot_reaches(const tr_ball_foot *foot, tr_vec3 place, double margin_m);

/* The part of a sole that stands on a ball: without toes, which are beyond the point where it
 * touches. */
tr_foot_sole tr_ball_sole_of(const tr_model *model, int side);
