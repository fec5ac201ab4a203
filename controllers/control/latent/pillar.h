/* Pillars: upright cylinders of infinite height that the arms of a pose stay out of (levine2012,
 * section 6.1: non-penetration).
 *
 * The shapes of an arm are taken as capsules about their longest axes. Where one is within a pillar, the
 * point of its axis nearest to the pillar's is moved outwards, as a constraint of a plane
 * (pose_constraint.h); this repeats until all arms are outside. Deterministic; no state; any thread. */
#pragma once

#include "control/latent/pose_constraint.h"

/* x, y: world, m */
typedef struct tr_pillar {
    double x, y, radius_m;
} tr_pillar;

/* Moves the arms out: the model's hands and what leads to them from the trunk. Returns how deep they
 * are within the pillar then, m: 0, unless trunk or legs stand too near. */
double tr_pillar_avoid(const tr_model *model, const tr_pillar *pillar, tr_pose *pose);
