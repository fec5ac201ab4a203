/* A character seen from the ground that it stands on. What drivers know was learned on the plane z = 0:
 * whatever compares a character with it takes heights from the local ground (tr_world_local_ground).
 * On that plane nothing changes, to the bit. */
#pragma once

#include "control/driver/driver.h"
#include "control/fragments/features.h"

/* The state, lowered by the height of the local ground. */
tr_state tr_state_above_ground(const tr_state *state, const tr_ground *ground);

/* Is it at most 0.5 degrees steep? */
bool tr_ground_is_level(const tr_ground *ground);

/* Features of the character that a driver sees: heights above its local ground, the slope of that ground,
 * each component at most 0.25, and the steps before the feet, at most 0.3 m. A step is the highest ground
 * under a foot, from heel to toes, where it is and where its velocity takes it within 0.15 s: then a kerb
 * is a step before the toes reach it. */
tr_features tr_features_above_ground(const tr_sight *sight);
