/* The state of a character in reduced coordinates, and its bodies in the world.
 *
 * Plain flat data: a copy is an exact snapshot. */
#pragma once

#include "model/model.h"

/* A pose: where the root body's origin is, how it is turned, and the joint quaternions. joint[0] is
 * unused. A slide's quaternion is about its axis, 1 m for 1 rad (model.h). */
typedef struct tr_pose {
    tr_vec3 root_pos; /* world, m */
    tr_quat root_rot; /* root body to world */
    tr_quat joint[TR_BODY_MAX];
} tr_pose;

/* A pose with its rates. */
typedef struct tr_state {
    tr_pose pose;
    tr_vec3 root_vel;   /* velocity of the root body's origin, world, m/s */
    tr_vec3 root_omega; /* angular velocity of the root body, world, rad/s */
    /* Child relative to parent, joint frame, rad/s; of a hinge along its axis, and so of a slide, m/s.
     * [0] is unused. */
    tr_vec3 joint_rate[TR_BODY_MAX];
} tr_state;

/* One body in the world, derived from a tr_state. */
typedef struct tr_body_state {
    tr_vec3 com_pos; /* world, m */
    tr_quat rot;     /* body to world */
    tr_vec3 com_vel; /* world, m/s */
    tr_vec3 omega;   /* world, rad/s */
} tr_body_state;

/* The rest pose standing on z = 0: root above the ground by the height of its lowest geom. */
tr_pose tr_pose_rest(const tr_model *model);

/* Zero rates at `pose`. */
tr_state tr_state_at_rest(const tr_model *model, const tr_pose *pose);

/* The rotation that forward kinematics gives one body, to the bit. O(depth of the body). */
tr_quat tr_pose_body_rotation(const tr_model *model, const tr_pose *pose, int body);

/* Forward kinematics. out_bodies: [body_count]. Deterministic, O(bodies). */
void tr_state_forward(const tr_model *model, const tr_state *state, tr_body_state *out_bodies);
void tr_pose_forward(const tr_model *model, const tr_pose *pose,
                     tr_body_state *out_bodies); /* at rest */

/* State at the middle of three poses, rates by central difference; dt_s between neighbours. */
tr_state tr_state_from_poses(const tr_model *model, const tr_pose *before, const tr_pose *at,
                             const tr_pose *after, double dt_s);

/* Origin of a body's frame in the world, and a point given in that frame. */
tr_vec3 tr_body_origin(const tr_model *model, int body, const tr_body_state *state);
tr_vec3 tr_body_point(const tr_model *model, int body, tr_vec3 point, const tr_body_state *state);

/* From a (t = 0) to b (t = 1): positions on a line, rotations by the shortest turn. */
tr_pose tr_pose_between(const tr_pose *a, const tr_pose *b, int body_count, double t);

/* Mirror image through the plane y = 0, left and right bodies exchanged. */
tr_pose tr_pose_mirror(const tr_model *model, const tr_pose *pose);
tr_state tr_state_mirror(const tr_model *model, const tr_state *state);

/* Turns about the world origin, then shifts by `offset`. */
tr_state tr_state_turn(const tr_state *state, tr_quat turn, tr_vec3 offset);

/* Turns by `heading_rad` about the vertical through the world origin, then shifts by `offset`. */
tr_state tr_state_place(const tr_state *state, double heading_rad, tr_vec3 offset);

/* Height of the lowest point of body `body`'s geoms, m; of all bodies when body < 0. */
double tr_body_lowest_point(const tr_model *model, int body, const tr_body_state *bodies);

/* Whole-body sums. com_pos, com_vel: centroid; angular: about the centroid, kg m2/s. World axes. */
typedef struct tr_momentum {
    double mass;
    tr_vec3 com_pos, com_vel, angular;
} tr_momentum;
tr_momentum tr_body_momentum(const tr_model *model, const tr_body_state *bodies);
