/* Turning over: poses that bring a lying character onto its front. Servos pull a character that
 * lies on its back, arms and legs spread, or on a side, into the first pose: a leg and an arm swing
 * across, the other arm makes way, and it rolls over. The second pose unhooks crossed legs. Both
 * were found by random search over poses of the humanoid. Pure. */
#pragma once

#include "model/model.h"

/* The pose that rolls it over. out: [body_count] joint rotations; joints whose name the model does
 * not have stay as in `spread`, the pose to be reached on the front. */
void tr_turning_pose(const tr_model *model, const tr_quat *spread, tr_quat *out);

/* The pose that unhooks crossed legs. */
void tr_turning_free(const tr_model *model, const tr_quat *spread, tr_quat *out);
