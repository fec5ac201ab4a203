/* Motion-capture clips as their files hold them: a skeleton of joints and a joint frame for every
 * frame of time.
 *
 * A clip is read from BVH, ASF/AMC or DeepMimic JSON (tr_clip_load picks the loader) and converted
 * at once to the conventions of this house: metres, z up, x forward, y left. What had to be found
 * out on the way (units, up axis, frame rate, channel order, skeleton) is kept in `found`, for
 * people to read. A clip never changes after loading; sharing it between threads is safe. One
 * owner: tr_clip_destroy. Everything a file controls is capped before memory is taken.
 *
 * A joint sits where its bone begins, as in BVH; the far end of a leaf bone is a joint of its own,
 * named
 * "<bone>_end". (ASF places bones; the loader turns them into joints.) */
#ifndef TROUPE_MOTION_CLIP_H
#define TROUPE_MOTION_CLIP_H

#include "math/quat.h"
#include "math/vec3.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TR_CLIP_NAME_MAX = 64,
    TR_CLIP_JOINT_MAX = 256,
    TR_CLIP_FRAME_MAX = 1000000,
    TR_CLIP_FILE_MAX = 256 * 1024 * 1024, /* bytes */
    TR_CLIP_VALUE_MAX = 8 * 1024 * 1024   /* joints times frames */
};

typedef enum tr_clip_format { TR_CLIP_BVH, TR_CLIP_AMC, TR_CLIP_DEEPMIMIC } tr_clip_format;

typedef struct tr_clip_joint {
    char name[TR_CLIP_NAME_MAX];
    int parent;     /* -1 for the root; parents precede children */
    tr_vec3 offset; /* from the parent, in its frame; of the zero pose, m */
    char order[4]; /* rotation axes in the order of the matrix product, e.g. "ZXY"; empty for an end
                    */
    bool is_end;   /* far end of a leaf bone: no channels */
} tr_clip_joint;

/* What the loader found or was told. */
typedef struct tr_clip_findings {
    char skeleton[TR_CLIP_NAME_MAX]; /* name of the joint map, see skeleton.h */
    double unit_m;                   /* metres per unit of the file */
    bool unit_given; /* by the caller or by the format, not estimated from the leg length */
    char up;         /* 'x', 'y' or 'z' */
    bool up_given;
    bool rate_given; /* frame rate by the caller; otherwise from the file, or 120 Hz for AMC, which
                        states none */
    double leg_m;    /* thigh and shank, mean of both sides */
} tr_clip_findings;

typedef struct tr_clip {
    char name[TR_CLIP_NAME_MAX]; /* file name without folder and extension */
    tr_clip_format format;
    uint64_t hash; /* tr_hash_add over the bytes of the motion file (and of the .asf) */
    tr_clip_findings found;
    double dt_s;
    int joint_count, frame_count;
    tr_clip_joint *joints; /* [joint_count] */
    tr_vec3 *pos;          /* [frame_count][joint_count] world, m */
    tr_quat
        *rot; /* [frame_count][joint_count] joint frame to world; the identity in the zero pose */
} tr_clip;

/* Zero-initialised: everything is detected. */
typedef struct tr_clip_options {
    const char *skeleton;     /* name of a joint map, or path of one */
    const char *skeleton_dir; /* where the joint maps lie; NULL: TR_SKELETON_DIR of the build */
    const char *asf_path; /* skeleton of an AMC; NULL: the .asf in the same folder that shares the
                             longest prefix */
    double unit_m;
    double rate_hz;
    char up;
} tr_clip_options;

/* Reads a clip; options may be NULL. TR_NOT_FOUND: no such file. TR_INVALID_ARGUMENT: broken, or no
 * joint map fits; the message says file, line and what was expected. TR_RESOURCE_EXHAUSTED: over a
 * cap above. On success *out is the caller's, to be given to tr_clip_destroy. Deterministic. */
tr_status tr_clip_load(const char *path, const tr_clip_options *options, tr_clip **out,
                       tr_error *error) TR_NODISCARD;

void tr_clip_destroy(tr_clip *clip); /* NULL is fine */

/* Index of the joint with this name (letter case ignored), or -1. */
int tr_clip_find_joint(const tr_clip *clip, const char *name);

/* "bvh", "amc", "deepmimic" */
const char *tr_clip_format_name(tr_clip_format format);

static inline tr_vec3 tr_clip_pos(const tr_clip *clip, int frame, int joint) {
    return clip->pos[(size_t)frame * (size_t)clip->joint_count + (size_t)joint];
}

static inline tr_quat tr_clip_rot(const tr_clip *clip, int frame, int joint) {
    return clip->rot[(size_t)frame * (size_t)clip->joint_count + (size_t)joint];
}

#endif
