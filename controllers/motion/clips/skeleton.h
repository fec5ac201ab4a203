/* Joint maps: which joint of a source skeleton plays which part of a body.
 *
 * A map is a small JSON file in controllers/skeletons (SKELETONS.md describes it), so that a new
 * skeleton is data, not code. It names the source joint for each part, and for the parts whose
 * orientation matters the calibration: the turn from the source's joint frame to the frame of a
 * character that stands upright, facing x. Read only after loading. */
#ifndef TROUPE_MOTION_SKELETON_H
#define TROUPE_MOTION_SKELETON_H

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

/* A joint map.
 *   joint        source joint by part; empty: the skeleton has no such part (head, toes)
 *   calibration  by part, the character's frame in the source joint's frame; the identity when the
 *                zero pose stands facing x
 *   forward      where the zero pose faces in a file with y up: "+x", "-x", "+z" or "-z"
 *   unit_m       where the format fixes it (DeepMimic); 0: found from the leg length
 *   up           where the format fixes it; 0: found from the data
 *   ignore       joints that are not part of the body; with '*' at either end, patterns */
typedef struct tr_skeleton {
    char name[TR_CLIP_NAME_MAX];
    char joint[TR_PART_COUNT][TR_CLIP_NAME_MAX];
    tr_quat calibration[TR_PART_COUNT];
    char forward[3];
    double unit_m;
    char up;
    int ignore_count;
    char ignore[TR_SKELETON_IGNORE_MAX][TR_CLIP_NAME_MAX];
} tr_skeleton;

/* Reads the joint map `name_or_path` (a name is looked up in `dir`; NULL: TR_SKELETON_DIR). */
tr_status tr_skeleton_load(const char *name_or_path, const char *dir, tr_skeleton *out,
                           tr_error *error) TR_NODISCARD;

/* The map in `dir` that names most joints of the clip, among those that find all they name.
 * TR_NOT_FOUND: none fits; the message lists what was tried and what each lacks. */
tr_status tr_skeleton_detect(const char *dir, const tr_clip *clip, tr_skeleton *out,
                             tr_error *error) TR_NODISCARD;

/* TR_INVALID_ARGUMENT when the clip lacks a joint that the map names; the message says which. */
tr_status tr_skeleton_check(const tr_skeleton *skeleton, const tr_clip *clip,
                            tr_error *error) TR_NODISCARD;

/* Index of the joint that plays `part`, or -1. */
int tr_skeleton_joint(const tr_skeleton *skeleton, const tr_clip *clip, tr_part part);

/* Calibrates a map whose zero pose does not stand upright: over the frames first to last (both
 * included) of the clip, loaded with this map, the character stands. Hips, chest and head are taken
 * to look where the hips do, each foot where its toe points. TR_OUT_OF_RANGE: no such frames. */
tr_status tr_skeleton_calibrate(tr_skeleton *skeleton, const tr_clip *clip, int first,
                                int last) TR_NODISCARD;

/* Whether a joint belongs to the body (is not on the ignore list). */
bool tr_skeleton_shows(const tr_skeleton *skeleton, const char *joint_name);

#endif
