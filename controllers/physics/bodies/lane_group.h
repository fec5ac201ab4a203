/* Three or four characters of one model whose passes along the joints are made side by side.
 *
 *     predict all -> of each: rows, share, couple, relax -> respond all -> advance all
 *
 * One that must be predicted again is lent in between, to be solved by itself. Each has the bits that
 * it has by itself. Internal to physics/. */
#pragma once

#include "physics/bodies/mover.h"

enum { TR_LANE_GROUP_LEAST = 3 }; /* fewer are faster one by one */

typedef struct tr_lane_group {
    tr_tree_lanes *lanes;
    tr_mover *mover[TR_TREE_LANES];
    tr_tree *tree[TR_TREE_LANES];
    int count;
    tr_body_set path, touched; /* bodies of which the trees have what couple reads */
    tr_lane_set lent;          /* in this step: their trees have what advance reads */
} tr_lane_group;

/* A workspace without any tree; free() it. NULL: no memory. */
tr_tree_lanes *tr_lane_group_workspace(void);

/* The mover is free. */
void tr_lane_group_join(tr_lane_group *group, tr_mover *mover);

/* predict of each tree; sets `failed` of the movers. */
void tr_lane_group_predict(tr_lane_group *group, const tr_kernel *kernel,
                           const tr_step_params *params);

/* Brings to the trees what couple reads of those in `among`, whose rows are there. */
void tr_lane_group_share(tr_lane_group *group, const tr_kernel *kernel, tr_lane_set among);

/* respond of those with impulses; sets `failed` of the movers, and lends those in which a torque would
 * exceed its bound. */
void tr_lane_group_respond(tr_lane_group *group, const tr_kernel *kernel,
                           const tr_step_params *params);

/* Brings to the tree of a member what it needs to be predicted by itself, after respond; takes back the
 * accelerations that it then has. Between them its tree has no lanes. */
void tr_lane_group_lend(const tr_kernel *kernel, tr_mover *member);
void tr_lane_group_take_back(tr_mover *member);

/* advance of those that have not failed. */
void tr_lane_group_advance(tr_lane_group *group, const tr_kernel *kernel,
                           const tr_step_params *params);
