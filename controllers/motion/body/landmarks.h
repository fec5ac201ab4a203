/* Where the parts of a rig are, in its own size: metres, z up, x ahead, the middle between the hip
 * joints at the origin. Internal to motion. */
#pragma once

#include "motion/clips/scene.h"
#include "motion/clips/skeleton.h"

/* pos: by part, of the pose in which the rig stands; has: the part exists. axes, centre, unit_m: from
 * the file to this frame: rotate by the inverse of axes, after subtracting the centre, and scale.
 * height_m: sole to top; frame: of the clip, that the pose is; -1: its zero pose */
typedef struct tr_landmarks {
    tr_vec3 pos[TR_PART_COUNT];
    bool has[TR_PART_COUNT];
    tr_quat axes;
    tr_vec3 centre;
    double unit_m, height_m;
    int frame;
} tr_landmarks;

/* clip: as its file holds it, with a map of all needed parts. A skin shows the pose and the size.
 * height_m > 0: the size. TR_INVALID_ARGUMENT: bones without length, or no pose that stands; the
 * message names the bone. */
tr_status tr_landmarks_find(const tr_clip *clip, const tr_skeleton *map, const tr_skin *skin,
                            double height_m, tr_landmarks *out, tr_error *error) TR_NODISCARD;

/* A point of the file in the frame of the landmarks. */
tr_vec3 tr_landmarks_place(const tr_landmarks *marks, tr_vec3 point);
