/* The skin of a rig, sorted by the body that it moves with and turned into that body's frame, where
 * limbs hang. Both sides lie on each other, mirrored to the left. Internal to motion. */
#pragma once

#include "model/model.h"
#include "motion/body/landmarks.h"

/* What measures the skin of one body. weight: of all its skin, m2
 *   across   mean squares of x, y and z about `mean`
 *   low, high  the 2nd and 98th percentile */
typedef struct tr_flesh {
    int count;
    double weight;
    tr_vec3 mean, across, low, high;
} tr_flesh;

/* Segments of the body by role; a role of the left stands for both sides. */
typedef enum tr_segment {
    TR_SEGMENT_PELVIS,
    TR_SEGMENT_WAIST,
    TR_SEGMENT_CHEST,
    TR_SEGMENT_HEAD,
    TR_SEGMENT_UPPER_ARM,
    TR_SEGMENT_FOREARM,
    TR_SEGMENT_HAND,
    TR_SEGMENT_THIGH,
    TR_SEGMENT_SHANK,
    TR_SEGMENT_FOOT,
    TR_SEGMENT_TOE,
    TR_SEGMENT_COUNT
} tr_segment;

/* waist_z, chest_z: where the trunk is divided. Skin that moves with what is not part of the body is
 * left out. A foot and its toes are measured from the ankle. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_flesh_measure(const tr_clip *clip, const tr_skeleton *map, const tr_skin *skin,
                           const tr_landmarks *marks, double waist_z, double chest_z,
                           tr_flesh out[static TR_SEGMENT_COUNT], tr_error *error) TR_NODISCARD;
