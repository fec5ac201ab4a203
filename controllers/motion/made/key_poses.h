/* Made motions: key poses with times, feet and hands held to objects or to the ground, and what lies
 * between.
 *
 * A file of key poses (JSON; MOTIONS.md lists its keys) gives tracks (key_track.h) for the root, for
 * joints, for objects that only serve as handholds, and for the limbs, whose last bodies are
 * somewhere on an object or in the world. Each frame takes root and joints from their tracks, what no
 * track names from the rest pose, and bends the limbs by inverse kinematics (limb.h).
 *
 * Deterministic; no state. */
#pragma once

#include "motion/poses/motion.h"

/* limbs:       held
 * miss_m:      the largest distance by which one misses its place
 * bend_share:  the largest turn of a joint as a share of its range; 0 where none has a range
 * bent:        the body of that joint, and when */
typedef struct tr_key_poses_report {
    int limbs, keys;
    double miss_m, bend_share, bend_s;
    int bent;
} tr_key_poses_report;

/* The motion of a file. Its source names the file as clip, "made" as origin, and the file's licence.
 * TR_INVALID_ARGUMENT: a field is not as expected, or a limb misses its place by more than 5 mm; the
 * message names file, field and, of a limb, the time. */
tr_status tr_key_poses_make(const char *path, const tr_model *model, tr_motion **out,
                            tr_key_poses_report *out_report, tr_error *error) TR_NODISCARD;
