/* How the joint frames of a clip lie in the body.
 *
 * Two skeletons with the same names can have quite different joint frames: a calibration belongs to
 * a clip, not to a person or a source. It is found from the clip itself, from the first of these
 * that applies:
 *   frames that the caller names, in which the character stands upright;
 *   the zero pose, in which all rotations are zero, if it stands;
 *   the first frame, if it is a pose apart from the motion and stands;
 *   the calibration of the joint map, if it was made for this very skeleton;
 *   frames in which the character stands still;
 *   the bones: their directions in the trunk, right to about 10 degrees of pitch.
 * Feet are calibrated the same way. A zero pose may show the soles wrong: where feet stand flat under
 * upright legs and both would be off by more than 13 degrees, they are calibrated by that. */
#pragma once

#include "motion/clips/skeleton.h"

typedef enum tr_calibration_source {
    TR_CALIBRATION_GIVEN,
    TR_CALIBRATION_ZERO_POSE,
    TR_CALIBRATION_FIRST_FRAME,
    TR_CALIBRATION_MAP,
    TR_CALIBRATION_STANDING,
    TR_CALIBRATION_BONES,
    TR_CALIBRATION_SOLES
} tr_calibration_source;

/* Frames of a clip, both included; last < first: none. */
typedef struct tr_frame_range {
    int first, last;
} tr_frame_range;

/* What was found.
 *   turn         by part: the character's frame in the joint's frame (tr_skeleton.calibration)
 *   trunk, foot  what hips, chest and head, and each foot, were calibrated from
 *   frames       of TR_CALIBRATION_GIVEN and TR_CALIBRATION_STANDING */
typedef struct tr_calibration {
    tr_quat turn[TR_PART_COUNT];
    tr_calibration_source trunk, foot[2];
    tr_frame_range frames;
} tr_calibration;

/* Calibrates a loaded clip. given: frames that stand; NULL: none are named. TR_OUT_OF_RANGE: the
 * clip has no such frames. Deterministic. */
tr_status tr_calibrate(const tr_clip *clip, const tr_frame_range *given,
                       tr_calibration *out) TR_NODISCARD;

/* "zero pose", "standing frames", ... */
const char *tr_calibration_source_name(tr_calibration_source source);

/* Calibrates hips, chest, head and feet of a map by frames of the clip in which the character
 * stands, both included: hips, chest and head look where the hips do, each foot where its toe
 * points. TR_OUT_OF_RANGE: no such frames. */
tr_status tr_skeleton_calibrate(tr_skeleton *skeleton, const tr_clip *clip, int first,
                                int last) TR_NODISCARD;
