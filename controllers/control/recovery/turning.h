/* Turning over: poses by which a lying character gets onto its front. Servos pull a character that
 * lies on its back, arms and legs spread, or on a side, into the first pose: a leg and an arm swing
 * across, the other arm makes way, and it rolls over. The second pose unhooks crossed legs. Both were
 * found by random search over poses of the humanoid. Pure. */
#ifndef TROUPE_CONTROL_TURNING_H
#define TROUPE_CONTROL_TURNING_H

#include "model/model.h"

/* out: [body_count] joint rotations; joints that the model does not have by name stay as in
 * `spread`, the pose on the front that is wanted in the end. */
void tr_turning_pose(const tr_model *model, const tr_quat *spread, tr_quat *out);

/* The same for the pose that frees crossed legs. */
void tr_turning_free(const tr_model *model, const tr_quat *spread, tr_quat *out);

#endif
