/* Joint maps: which joint of a source skeleton plays which part of a body.
 *
 * A map is a small JSON file in controllers/skeletons (SKELETONS.md describes it), so that a new
 * skeleton is data, not code. It names the source joint for each part. How the frames of these
 * joints lie in the body is the calibration; it is found from each clip (calibration.h). A map may
 * hold a calibration for one skeleton with known bones. */
#pragma once

#include "motion/clips/clip.h"

/* Parts of a body. Left precedes right, so that part + 1 is the other side. */
#define TR_PART_LIST(X)                                                                            \
    X(HIPS, "hips")                                                                                \
    X(CHEST, "chest")                                                                              \
    X(HEAD, "head")                                                                                \
    X(LEFT_SHOULDER, "left_shoulder")                                                              \
    X(RIGHT_SHOULDER, "right_shoulder")                                                            \
    X(LEFT_ELBOW, "left_elbow")                                                                    \
    X(RIGHT_ELBOW, "right_elbow")                                                                  \
    X(LEFT_WRIST, "left_wrist")                                                                    \
    X(RIGHT_WRIST, "right_wrist")                                                                  \
    X(LEFT_HIP, "left_hip")                                                                        \
    X(RIGHT_HIP, "right_hip")                                                                      \
    X(LEFT_KNEE, "left_knee")                                                                      \
    X(RIGHT_KNEE, "right_knee")                                                                    \
    X(LEFT_ANKLE, "left_ankle")                                                                    \
    X(RIGHT_ANKLE, "right_ankle")                                                                  \
    X(LEFT_TOE, "left_toe")                                                                        \
    X(RIGHT_TOE, "right_toe")

typedef enum tr_part {
#define X(name, text) TR_PART_##name,
    TR_PART_LIST(X)
#undef X
        TR_PART_COUNT
} tr_part;

const char *tr_part_name(tr_part part);

enum { TR_SKELETON_IGNORE_MAX = 32 };

/* How well a map fits a clip.
 *   part_count    parts that the map names
 *   named_count   of these, found in the clip by name
 *   test_count    tests of the shape that apply (skeleton_shape.h)
 *   passed_count  of these, passed */
typedef struct tr_skeleton_fit {
    int part_count, named_count;
    int test_count, passed_count;
} tr_skeleton_fit;

/* A joint map.
 *   joint        source joint by part; empty: the skeleton has no such part (head, toes)
 *   calibration  by part, the character's frame (x forward, z up) in the source joint's frame; the
 *                identity when the zero pose stands and faces x
 *   forward      where the zero pose faces in a file with y up: "+x", "-x", "+z" or "-z"
 *   unit_m       where the format fixes it (DeepMimic); 0: found from the leg length
 *   up           where the format fixes it; 0: found from the data
 *   bone         by part, offset of its joint from the parent joint in units and axes of the file:
 *                the skeleton that the calibration belongs to; (0, 0, 0): not stated
 *   has_bones    whether any is stated
 *   is_calibrated  the calibration belongs to the very skeleton of the clip that it was resolved for
 *   ignore       joints that are not part of the body; with '*' at either end, patterns
 *   fit          to the clip that it was resolved for */
typedef struct tr_skeleton {
    char name[TR_CLIP_NAME_MAX];
    char joint[TR_PART_COUNT][TR_CLIP_NAME_MAX];
    tr_quat calibration[TR_PART_COUNT];
    char forward[3];
    double unit_m;
    char up;
    tr_vec3 bone[TR_PART_COUNT];
    bool has_bones, is_calibrated;
    int ignore_count;
    char ignore[TR_SKELETON_IGNORE_MAX][TR_CLIP_NAME_MAX];
    tr_skeleton_fit fit;
} tr_skeleton;

/* Reads the joint map `name_or_path` (a name is looked up in `dir`; NULL: TR_SKELETON_DIR). */
tr_status tr_skeleton_load(const char *name_or_path, const char *dir, tr_skeleton *out,
                           tr_error *error) TR_NODISCARD;

/* TR_INVALID_ARGUMENT when the clip lacks a joint that the map names, or a limb's joints do not
 * hang from each other; the message says which. */
tr_status tr_skeleton_check(const tr_skeleton *skeleton, const tr_clip *clip,
                            tr_error *error) TR_NODISCARD;

/* The first needed part without a joint, or part whose joint is not in the clip; TR_PART_COUNT:
 * none is missing. */
tr_part tr_skeleton_lacking(const tr_skeleton *skeleton, const tr_clip *clip);

/* Head and toes may be missing; retargeting needs all others. */
bool tr_skeleton_needs(tr_part part);

/* Writes the map as JSON, as tr_skeleton_load reads it: name, parts, and calibration if it has any.
 * name: of the map in the file; NULL: its own. Statuses as tr_sink_write. */
tr_status tr_skeleton_save(const tr_skeleton *skeleton, const char *name, const char *path,
                           tr_error *error) TR_NODISCARD;

/* Index of the joint that plays each part, or -1. */
typedef struct tr_part_joints {
    int of[TR_PART_COUNT];
} tr_part_joints;

tr_part_joints tr_skeleton_joints(const tr_skeleton *skeleton, const tr_clip *clip);

/* The same of one part. */
int tr_skeleton_joint(const tr_skeleton *skeleton, const tr_clip *clip, tr_part part);

/* Whether a joint belongs to the body: it is not on the ignore list. */
bool tr_skeleton_shows(const tr_skeleton *skeleton, const char *joint_name);

/* Likewise, and not above the hips, where many files have a joint that stays at the origin. */
bool tr_skeleton_draws(const tr_skeleton *skeleton, const tr_clip *clip, int joint);
