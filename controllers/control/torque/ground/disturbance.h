/* Estimates the force that acts on a character from outside. If its momenta change otherwise than
 * planned, something pushes. With P the momentum, P' the one that the plan expected after
 * the step, and T the time constant of the estimate:
 *
 *   F += (P - P') / T
 *
 * The next plan includes F. Once F equals the force, P and P' agree, and F stays; it fades when the
 * force ends. Plain data; deterministic. */
#pragma once

#include "math/vec3.h"

#include <stdbool.h>

/* Linear and angular, about the centroid. */
typedef struct tr_momenta {
    tr_vec3 linear, angular;
} tr_momenta;

/* force, moment: the estimates, N and N m; horizontal, world
 * expected:      P', if `expects` */
typedef struct tr_disturbance {
    bool expects;
    tr_vec3 force, moment;
    tr_momenta expected;
} tr_disturbance;

/* Compares the momenta with those expected. The estimate is at most 150 N and 100 N m. time_s: T */
void tr_disturbance_observe(tr_disturbance *disturbance, const tr_momenta *now, double time_s);

/* Stores P' of a plan. rate: of the momenta */
void tr_disturbance_expect(tr_disturbance *disturbance, const tr_momenta *now,
                           const tr_momenta *rate, double step_s);
