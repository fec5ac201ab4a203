/* How the sole of a foot lies in its joint's frame, from frames in which it stands flat. Internal to
 * motion. */
#pragma once

#include "motion/clips/skeleton.h"

/* The frame of a foot that stands level and points where its toe does (without a toe: where the hips
 * look), in the joint's frame. side: 0 left, 1 right. false: the foot never stands flat. */
bool tr_sole_calibrate(const tr_clip *clip, const tr_part_joints *joints, int side, tr_quat *out);
