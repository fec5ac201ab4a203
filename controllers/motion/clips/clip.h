/* Motion-capture clips as their files hold them: a skeleton of joints and a joint frame for every
 * frame of time.
 *
 * A clip is read from BVH, ASF/AMC, DeepMimic JSON, glTF, FBX or SMPL (tr_clip_load picks the loader) and converted
 * into the conventions of this project: metres, z up, x forward, y left. What had to be found
 * out on the way (units, up axis, frame rate, channel order, skeleton) is kept in `found`, for
 * people to read. A clip never changes after loading; sharing it between threads is safe. One
 * owner: tr_clip_destroy. Everything a file controls is capped before memory is taken.
 *
 * A joint sits where its bone begins, as in BVH; the far end of a leaf bone is a separate joint,
 * named "<bone>_end". (ASF places bones; the loader turns them into joints.) */
#pragma once

#include "math/quat.h"
#include "math/vec3.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr_skeleton;
struct tr_skin;

enum {
    TR_CLIP_NAME_MAX = 64,
    TR_CLIP_JOINT_MAX = 256,
    TR_CLIP_FRAME_MAX = 1000000,
    TR_CLIP_FILE_MAX = 256 * 1024 * 1024, /* bytes */
    TR_CLIP_VALUE_MAX = 8 * 1024 * 1024,  /* joints times frames */
    TR_CLIP_REACH_M = 10000               /* from the origin to any joint */
};

typedef enum tr_clip_format {
    TR_CLIP_BVH,
    TR_CLIP_AMC,
    TR_CLIP_DEEPMIMIC,
    TR_CLIP_SCENE,
    TR_CLIP_SMPL
} tr_clip_format;

/* A joint.
 *   parent  -1 for the root; parents precede children
 *   offset  from the parent, in its frame; of the zero pose, m
 *   order   rotation axes in the order of the matrix product, e.g. "ZXY"; empty for an end and for
 *           rotations that are quaternions
 *   is_end  far end of a leaf bone: no channels */
typedef struct tr_clip_joint {
    char name[TR_CLIP_NAME_MAX];
    int parent;
    tr_vec3 offset;
    char order[4];
    bool is_end;
} tr_clip_joint;

/* What the loader detected, or took from the caller.
 *   skeleton    name of the joint map, see skeleton.h
 *   unit_m      metres per unit of the file
 *   unit_given  by the caller or by the format, not estimated from the leg length
 *   up          'x', 'y' or 'z'; upper case: this axis points down
 *   up_given    by the caller or by the joint map, not found from the data
 *   rate_given  by the caller; otherwise from the file, or 120 Hz for an AMC that states none
 *   rate_assumed  it states none
 *   announced_frames  by the file's head, which may be off; 0: it does not announce them
 *   leg_m       thigh and shank, mean of both sides */
typedef struct tr_clip_findings {
    char skeleton[TR_CLIP_NAME_MAX];
    double unit_m;
    bool unit_given;
    char up;
    bool up_given;
    bool rate_given, rate_assumed;
    int announced_frames;
    double leg_m;
} tr_clip_findings;

/* A clip.
 *   name    file name without folder and extension, cut to its buffer
 *   hash    tr_hash_add over the bytes of the motion file, after those of an .asf
 *   skeleton  its joint map, with the clip's own names
 *   joints  [joint_count]
 *   pos     [frame_count][joint_count] world, m; finite, within TR_CLIP_REACH_M
 *   rot     [frame_count][joint_count] joint frame to world, unit; the identity in the zero pose */
typedef struct tr_clip {
    char name[TR_CLIP_NAME_MAX];
    tr_clip_format format;
    uint64_t hash;
    tr_clip_findings found;
    struct tr_skeleton *skeleton;
    double dt_s;
    int joint_count, frame_count;
    tr_clip_joint *joints;
    tr_vec3 *pos;
    tr_quat *rot;
} tr_clip;

/* Zero-initialised: everything is detected.
 *   skeleton      name of a joint map, or path of one, or "drafted" (skeleton_draft.h)
 *   skeleton_dir  where the joint maps lie; NULL: TR_SKELETON_DIR of the build
 *   asf_path      skeleton of an AMC; NULL: the .asf in the same folder whose name fits best
 *   unit_m        metres per unit of the file, 1e-6 to 1000
 *   rate_hz       frames per second, 1 to 10000
 *   up            'x', 'y' or 'z'; upper case: this axis points down
 *   left_handed   the file's axes are left-handed, as Unity's: y is mirrored
 *   skin          receives the skin of a scene (scene.h), for the caller to deinit; NULL: not wanted */
typedef struct tr_clip_options {
    const char *skeleton;
    const char *skeleton_dir;
    const char *asf_path;
    double unit_m;
    double rate_hz;
    struct tr_skin *skin;
    char up;
    bool left_handed;
} tr_clip_options;

/* Reads a clip; options may be NULL. TR_NOT_FOUND: no such file, or no joint map fits.
 * TR_INVALID_ARGUMENT: broken, or an option out of range; the message says file, line and what was
 * expected. TR_RESOURCE_EXHAUSTED: over a cap above. On success *out is the caller's, to be given
 * to tr_clip_destroy. Deterministic. */
tr_status tr_clip_load(const char *path, const tr_clip_options *options, tr_clip **out,
                       tr_error *error) TR_NODISCARD;

/* Reads a clip as its file holds it, without a joint map: in units and axes of the file. For
 * drafting a map; statuses as above. */
tr_status tr_clip_read(const char *path, const tr_clip_options *options, tr_clip **out,
                       tr_error *error) TR_NODISCARD;

void tr_clip_destroy(tr_clip *clip); /* NULL is fine */

/* Index of the joint with this name (letter case ignored), or -1. */
int tr_clip_find_joint(const tr_clip *clip, const char *name);

/* Is the joint the ancestor or does it hang from it, over its parents? */
bool tr_clip_hangs(const tr_clip *clip, int joint, int ancestor);

/* "bvh", "amc", "deepmimic", "scene" (glTF, FBX), "smpl" */
const char *tr_clip_format_name(tr_clip_format format);

static inline tr_vec3 tr_clip_pos(const tr_clip *clip, int frame, int joint) {
    return clip->pos[(size_t)frame * (size_t)clip->joint_count + (size_t)joint];
}

static inline tr_quat tr_clip_rot(const tr_clip *clip, int frame, int joint) {
    return clip->rot[(size_t)frame * (size_t)clip->joint_count + (size_t)joint];
}
