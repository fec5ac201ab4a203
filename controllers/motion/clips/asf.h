/* Acclaim skeleton (ASF): bones with a direction, a length, an axis frame and degrees of freedom.
 * Internal to motion. */
#pragma once

#include "motion/clips/clip.h"

enum { TR_ASF_DOF_MAX = 6 };

/* One bone; bone 0 is the root, which has no length. */
typedef struct tr_asf_bone {
    char name[TR_CLIP_NAME_MAX];
    int parent; /* -1 for the root; -2 until the hierarchy names one */
    tr_vec3 direction;
    double length; /* in units of the file */
    tr_quat axis;  /* C: the frame in which the bone's rotations are given */
    int dof_count;
    char dof_axis[TR_ASF_DOF_MAX]; /* 'X', 'Y', 'Z' */
    bool dof_turns[TR_ASF_DOF_MAX];
} tr_asf_bone;

typedef struct tr_asf {
    int bone_count;
    /* In the order of the file: parents may follow children. */
    tr_asf_bone bones[TR_CLIP_JOINT_MAX];
    double unit_m; /* of lengths and root positions */
    bool degrees;
    uint64_t hash;
} tr_asf;

tr_status tr_asf_read(const char *path, tr_asf *out, tr_error *error) TR_NODISCARD;

int tr_asf_find(const tr_asf *asf, const char *name); /* or -1 */
