/* Retargeting: from the joints of a source clip to the poses of a character model.
 *
 * Bones point where they point in the source: limbs follow world bone directions, with the hinge
 * axis of elbow and knee taken from the bend of the limb over the whole clip (so that a straight
 * limb does not spin); trunk, head and feet follow the source's joint frames, through the
 * calibration of its joint map. Positions are scaled by the ratio of leg lengths. Any model works
 * whose marks name feet, hands, head and trunk. */
#pragma once

#include "motion/clips/clip.h"
#include "motion/clips/skeleton.h"
#include "motion/poses/motion.h"

/* Every frame of the clip on the model, at the clip's rate; not grounded, not placed.
 * TR_INVALID_ARGUMENT: the model lacks a mark, or the clip a joint; the message says which. */
tr_status tr_retarget(const tr_clip *clip, const tr_skeleton *skeleton, const tr_model *model,
                      tr_motion **out, tr_error *error) TR_NODISCARD;

/* Length of the model's legs, thigh and shank, m; lengths are scaled by it. 0: the model's marks do
 * not name feet. */
double tr_retarget_leg_length(const tr_model *model);
