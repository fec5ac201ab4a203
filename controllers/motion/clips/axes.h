/* Units and axes: from a clip as its file holds it to metres, z up, x forward. Internal to motion. */
#pragma once

#include "motion/clips/clip.h"

/* Finds unit and up axis, and converts. The options prevail over the joint map, the map over the
 * data: the unit is the customary one in which the legs come nearest to 0.82 m, up is the axis
 * along which the body stands while some part of it stays at one height, the ground. Fills `found`.
 * TR_INVALID_ARGUMENT: no human legs, no axis to stand along, or a joint beyond TR_CLIP_REACH_M;
 * the message says which. */
tr_status tr_clip_settle(tr_clip *clip, const tr_clip_options *options,
                         tr_error *error) TR_NODISCARD;
