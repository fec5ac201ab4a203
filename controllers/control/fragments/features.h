/* State features of a feedback policy (Liu 2015 guided, section 4: the s of eq. 2).
 *
 * s = (q0*, h0, c, c_dot, d_l, d_r, L), 18 numbers, all in the heading frame: its z axis is
 * vertical, its x axis is the character's heading. SI units, unscaled. Velocities and momentum are
 * those of the world, only turned. Pure functions; thread-safe.
 *
 *   s[0..1]   q0*   root orientation without its heading: x and y of the rotation vector, rad
 *   s[2]      h0    root height above the ground, m
 *   s[3..5]   c     centroid: relative to the root in x and y, height above the ground in z, m
 *   s[6..8]   c_dot centroid velocity, m/s
 *   s[9..11]  d_l   left foot relative to the centroid, m
 *   s[12..14] d_r   right foot relative to the centroid, m
 *   s[15..17] L     angular momentum about the centroid, kg m2/s
 *
 * A foot is where the centre of mass of its body is; the ground is z = 0.
 *
 * Beside them stands the ground, g, all 0 on the plane:
 *
 *   g[0..1]         its slope: metres that it rises per metre along the heading and to the left
 *   g[2], g[3]      the step before the left and the right foot: how much higher than the plane of that
 *                   slope the ground is where the foot is and moves, m */
#pragma once

#include "model/state.h"

enum { TR_FEATURE_COUNT = 18, TR_GROUND_SLOPES = 2, TR_GROUND_COUNT = 4 };

typedef struct tr_features {
    double s[TR_FEATURE_COUNT];
    double ground[TR_GROUND_COUNT];
} tr_features;

/* Spreads that are typical of the disturbed motions of a grown human; features divided by them are
 * comparable: rad, m, m/s and kg m2/s. */
extern const double tr_feature_spread[TR_FEATURE_COUNT];
extern const double tr_ground_spread[TR_GROUND_COUNT];

/* Features of a character on the plane z = 0; `bodies`: [body_count] of the same state (tr_state_forward or
 * tr_world_bodies). The model must name its feet (tr_controller_check makes sure). */
tr_features tr_features_of(const tr_model *model, const tr_state *state,
                           const tr_body_state *bodies);

/* The same for a state alone. */
tr_features tr_features_at(const tr_model *model, const tr_state *state);

/* The squared distance of two, in typical spreads; the ground does not count. */
double tr_features_distance(const tr_features *a, const tr_features *b);

/* Features of the mirror image, without mirroring the state. */
tr_features tr_features_mirror(const tr_features *features);
