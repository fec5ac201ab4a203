/* The equations of motion of one character, for code that computes what torques it needs: momenta,
 * accelerations, and inverse dynamics, in generalised coordinates.
 *
 * There are `dof` coordinates: the root's angular velocity, then the velocity of its origin, both in
 * world axes; then, body by body, the rates of its joint in the joint frame, or the one rate about
 * the axis of a hinge or along that of a slide. Spatial vectors are in world axes about `origin`, the
 * centroid (spatial.h), so momenta are those about the centroid (Orin and Goswami 2008,
 * "centroidal momentum matrix").
 * Contacts, limits and servos are not included.
 *
 * Plain data, derived from one state; deterministic; any thread. It holds vectors that must be
 * aligned: keep it on the stack. */
#pragma once

#include "model/state.h"
#include "physics/spatial/spatial.h"

enum { TR_DOF_MAX = 6 + 3 * (TR_BODY_MAX - 1) };

/* A rigid body about the origin. first_moment: mass times place; inertia: about the origin. */
typedef struct tr_rigid {
    double mass;
    tr_v4 first_moment;
    tr_m3 inertia;
} tr_rigid;

/* Symbols of the derivation: S is `axis`, V `velocity`, I `rigid`; a_0 is `bias`, the acceleration of
 * each body when the coordinates do not accelerate.
 *   first, dofs:   [body] the coordinates of its joint
 *   axis:          [dof] velocity of the bodies behind the joint at a rate of 1
 *   rate:          [dof]
 *   whole:         [body] the body and all bodies behind it, as one rigid body
 *   momentum_axis: [dof] momentum at a rate of 1: whole * axis
 *   momentum:      sum of momentum_axis * rate
 *   momentum_bias: its rate at accelerations 0 */
typedef struct tr_dynamics {
    const tr_model *model;
    int dof;
    int first[TR_BODY_MAX], dofs[TR_BODY_MAX];
    tr_v4 origin;
    tr_spatial axis[TR_DOF_MAX];
    double rate[TR_DOF_MAX];
    tr_spatial velocity[TR_BODY_MAX], bias[TR_BODY_MAX];
    tr_rigid rigid[TR_BODY_MAX], whole[TR_BODY_MAX];
    tr_spatial momentum_axis[TR_DOF_MAX], momentum, momentum_bias;
} tr_dynamics;

/* bodies: [body_count] of the same state. The model must outlive *out. O(bodies). */
void tr_dynamics_init(tr_dynamics *out, const tr_model *model, const tr_state *state,
                      const tr_body_state *bodies);

/* Torques that give the character these accelerations while forces act on it from outside.
 * accel:      [dof]
 * gravity:    world, m/s2
 * outside:    [body_count] forces about the origin; NULL: none
 * out_torque: [body_count] joint frame, of a hinge or slide along its axis; [0] is not set
 * out_root:   the force from outside that is still missing, about the origin: zero where `outside`
 *             and the accelerations agree */
void tr_dynamics_inverse(const tr_dynamics *dynamics, const double *accel, tr_vec3 gravity,
                         const tr_spatial *outside, tr_vec3 *out_torque, tr_spatial *out_root);
