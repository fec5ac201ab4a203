/* The workspace of a step of up to four characters of one model side by side: lane k of each number
 * belongs to character k. The fields are those of tr_tree (tree.h), and tree.c has the derivation.
 *
 * States and frames are written back to the characters after each step. The rest of the placement
 * stays here from step to step: tr_tree.lanes says so, and place() of a tree brings it back. share() and
 * fetch bring to the scalar parts of a step what they need of the results of `predict`. Lanes without
 * a character repeat the first. Internal to physics/. */
#pragma once

#include "physics/kernels/tree.h"
#include "physics/spatial/spatial_lanes.h"

enum { TR_TREE_LANES = 4 };

typedef struct tr_tree_lanes {
    tr_tree *tree[TR_TREE_LANES];
    int count;

    /* The state: kept equal to the characters'. */
    tr_l3 root_pos, root_vel, root_omega;
    tr_quat_lanes root_rot, joint[TR_BODY_MAX];
    tr_l3 rate[TR_BODY_MAX];

    /* place */
    tr_l33 rot[TR_BODY_MAX], joint_axes[TR_BODY_MAX], inertia_world[TR_BODY_MAX];
    tr_l3 com[TR_BODY_MAX], joint_pos[TR_BODY_MAX];

    /* predict */
    tr_l3 origin, centre;
    tr_l3 r[TR_BODY_MAX], axis_world[TR_BODY_MAX];
    tr_l6 velocity[TR_BODY_MAX], coriolis[TR_BODY_MAX], bias[TR_BODY_MAX], accel[TR_BODY_MAX];
    tr_l66 inertia[TR_BODY_MAX];
    tr_l6 u_axes[TR_BODY_MAX][3], w_axes[TR_BODY_MAX][3];
    tr_l33 d_inverse[TR_BODY_MAX];                      /* of one axis: column[0].x */
    tr_l3 joint_force[TR_BODY_MAX], alpha[TR_BODY_MAX]; /* of one axis: x */
    tr_v4 stiffness[TR_BODY_MAX];                       /* h (kd + h kp) */
    tr_l66 root_inverse;
    tr_l6 momentum;

    /* For the results of lanes that do not count. */
    tr_state spare_state;
    tr_frame spare_frame[TR_BODY_MAX];
} tr_tree_lanes;

/* A set of lanes: bit k is lane k. */
typedef unsigned tr_lane_set;

static inline tr_spatial tr_tree_lanes_spatial(const tr_l6 *from, int k) {
    return (tr_spatial){tr_l3_lane(&from->ang, k), tr_l3_lane(&from->lin, k)};
}

/* Brings to the tree of lane k what a limit of joint i reads: its axis or axes, and how its two
 * bodies move. */
static inline void tr_tree_lanes_fetch_joint(const tr_tree_lanes *lanes, int k, int i) {
    tr_tree *tree = lanes->tree[k];
    int pair[2] = {i, tree->link[i].parent};
    for (int s = 0; s < 2; s++) {
        tree->velocity[pair[s]].ang = tr_l3_lane(&lanes->velocity[pair[s]].ang, k);
        tree->accel[pair[s]].ang = tr_l3_lane(&lanes->accel[pair[s]].ang, k);
        if (!tree->link[i].slides)
            continue;
        tree->velocity[pair[s]].lin = tr_l3_lane(&lanes->velocity[pair[s]].lin, k);
        tree->accel[pair[s]].lin = tr_l3_lane(&lanes->accel[pair[s]].lin, k);
    }
    if (tree->link[i].dof == 1) {
        tree->axis_world[i] = tr_l3_lane(&lanes->axis_world[i], k);
        return;
    }
    for (int c = 0; c < 3; c++)
        tree->joint_axes[i].column[c] = tr_l3_lane(&lanes->joint_axes[i].column[c], k);
}
