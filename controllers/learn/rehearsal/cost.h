/* The cost of a simulated fragment: how far its end is from the reference end
 * (liu2015-guided, eq. 20).
 *
 *   E = wp Ep + wr Er + we Ee + wb Eb + wc Ec + wv Ev + wL EL + wa Ea
 *
 *   Ep  pose: mean angle between joint orientations, toes left out, rad
 *   Er  root: angle between root orientations, headings counted from the fragment's start, rad
 *   Ee  end effectors: mean difference of their heights, m
 *   Eb  balance: mean planar difference of the vectors from centroid to end effectors, over the
 *       body height
 *   Ec  centroid: relative to the root in the plane, above the ground, m
 *   Ev  velocity of the centroid, m/s
 *   EL  angular momentum about the centroid, kg m2/s
 *   Ea  Euclidean norm of the action, rad
 *
 * Positions and headings in the world do not count, so that a random walk may drift at no cost.
 * Pure functions. */
#pragma once

#include "control/driver/bank.h"
#include "model/state.h"

#include <stdbool.h>

typedef struct tr_cost_weights {
    double pose, root, effector, balance, centroid, velocity, angular, action;
} tr_cost_weights;

/* Returns the published weights: 4, 4, 10, 1, 3, 0.1, 0.03, 0.5. */
tr_cost_weights tr_cost_weights_default(void);

/* The part of a state at a fragment's end that the cost compares. */
typedef struct tr_cost_view {
    tr_quat root_rot; /* heading of the fragment's start taken out */
    double root_height;
    tr_quat joint[TR_BODY_MAX];
    /* Heading frame of the end; x and y relative to the root, z above the ground. */
    tr_vec3 centroid;
    tr_vec3 velocity, angular; /* heading frame of the end */
    tr_vec3 effector[8];       /* relative to the centroid, heading frame of the end */
} tr_cost_view;

/* bodies: [body_count] of `state`; heading_start_rad: the root's heading when the fragment began.
 */
void tr_cost_look(const tr_model *model, const tr_state *state, const tr_body_state *bodies,
                  double heading_start_rad, tr_cost_view *out);

/* Looks at an entry's reference end. The heading of a reference does not count. */
void tr_cost_reference(const tr_model *model, const tr_state *end, tr_cost_view *out);

/* Looks at the reference ends of all fragments; out: [fragment_count]. */
void tr_cost_references(const tr_model *model, const tr_bank *bank, tr_cost_view *out);

/* Returns the terms without their weights, Ea left at 0. */
tr_cost_weights tr_cost_terms(const tr_model *model, const tr_cost_view *view,
                              const tr_cost_view *reference);

/* Returns E; action: [size] rad. */
double tr_cost_total(const tr_cost_weights *weights, const tr_cost_weights *terms,
                     const double *action, int size);

/* Has the character lost its motion? The root is 0.3 m or more off the reference height, or 1 rad
 * or more off the reference orientation, or anything is not finite. */
bool tr_cost_is_lost(const tr_cost_view *view, const tr_cost_view *reference);

/* The same from the root alone, without a view. */
typedef struct tr_cost_root {
    tr_quat rot; /* heading frame of the fragment's start */
    double height;
} tr_cost_root;
bool tr_cost_root_is_lost(const tr_cost_root *root, const tr_cost_root *reference);
