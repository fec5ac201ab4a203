/* A force that acts on a character from outside, as far as its momenta show it: where they change
 * otherwise than planned, something pushes. With P the momentum, P' the one that the plan expected after
 * the step, and T the time in which a force is noticed:
 *
 *   F += (P - P') / T
 *
 * The plan then counts on F. Once F is the force, nothing differs any more, and F stays; it fades when the
 * force ends. Plain data; deterministic. */
#ifndef TROUPE_CONTROL_DISTURBANCE_H
#define TROUPE_CONTROL_DISTURBANCE_H

#include "math/vec3.h"

#include <stdbool.h>

/* Linear and angular, about the centroid. */
typedef struct tr_momenta {
    tr_vec3 linear, angular;
} tr_momenta;

/* force, moment: estimate, N and N m, along the ground and about it
 * expected:      P', if `expects` */
typedef struct tr_disturbance {
    bool expects;
    tr_vec3 force, moment;
    tr_momenta expected;
} tr_disturbance;

/* Compares the momenta with those expected. At most 150 N and 100 N m. */
void tr_disturbance_observe(tr_disturbance *disturbance, const tr_momenta *now, double time_s);

/* Notes P' of a plan. rate: of the momenta */
void tr_disturbance_expect(tr_disturbance *disturbance, const tr_momenta *now,
                           const tr_momenta *rate, double step_s);

#endif
