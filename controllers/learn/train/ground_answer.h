/* Answers to the ground from which hardening begins: the first K of a policy that was trained on
 * the plane (fragment.h).
 *
 * Pure functions of their arguments. */
#pragma once

#include "control/fragments/fragment.h"

/* Lets a policy see on a slope what it sees on the level: K g = -M ds, ds what the slope adds to
 * the features `origin` of the reference start. There the heights of centroid and feet, and the
 * velocity upwards, grow by g times what lies horizontally. Adds to the columns of slopes. */
void tr_ground_answer_level(tr_policy *policy, const tr_features *origin);

/* Lets a policy lift each foot by half of the step before it: hip and knee bend, so that the leg
 * becomes shorter in its direction, and the ankle keeps the sole as it was. Linear in the step,
 * exact for one of 5 cm from the reference start. Replaces the columns of steps; a leg keeps its
 * columns if the map does not hold its hip, knee and ankle, two balls and a hinge about y. */
void tr_ground_answer_lift(const tr_model *model, const tr_action_map *map, tr_fragment *fragment);
