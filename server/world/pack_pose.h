/* A character's pose as the bytes of CharacterState.pose: "Compact states" of PROTOCOL.md. */
#pragma once

#include "model/state.h"

#include <stddef.h>

enum { TR_PACKED_POSE_MAX = 272 }; /* bytes, of any model */

/* Returns the number of bytes. Each joint makes up for the rounding of those before it, so that
 * rotations of bodies in the world are off by no more than one rounding. */
size_t tr_pack_pose(const tr_model *model, const tr_pose *pose, uint8_t out[TR_PACKED_POSE_MAX]);
