#include "physics/bodies/lane_group.h"

#include <stdlib.h>
#include <string.h>

/* Not cleared but for its trees: the rest is written before it is read. */
tr_tree_lanes *tr_lane_group_workspace(void) {
    tr_tree_lanes *lanes = aligned_alloc(64, (sizeof(tr_tree_lanes) + 63) & ~(size_t)63);
    if (!lanes)
        return NULL;
    memset(lanes->tree, 0, sizeof lanes->tree);
    lanes->count = 0;
    return lanes;
}

void tr_lane_group_join(tr_lane_group *group, tr_mover *mover) {
    int k = group->count++;
    group->mover[k] = mover;
    group->tree[k] = &mover->tree;
}

void tr_lane_group_predict(tr_lane_group *group, const tr_kernel *kernel,
                           const tr_step_params *params) {
    tr_lane_set finite = kernel->lanes->predict(group->lanes, group->tree, group->count, params);
    for (int k = 0; k < group->count; k++)
        group->mover[k]->failed = !(finite >> k & 1);
    group->path = group->touched = 0;
}

/* The bodies with rows in any lane of `among`, and those between them and the root. */
static void find_paths(const tr_lane_group *group, tr_lane_set among, uint32_t *out_path,
                       uint32_t *out_touched) {
    uint32_t touched = 0;
    const tr_tree *first = group->tree[0];
    for (int k = 0; k < group->count; k++)
        for (int i = 0; among >> k & 1 && i < first->count; i++)
            touched |= (uint32_t)(group->tree[k]->slot[i] >= 0) << i;
    uint32_t path = touched;
    for (int i = TR_BODY_MAX - 1; i > 0; i--)
        if (path >> i & 1)
            path |= 1u << first->link[i].parent;
    *out_path = path;
    *out_touched = touched;
}

void tr_lane_group_share(tr_lane_group *group, const tr_kernel *kernel, tr_lane_set among) {
    uint32_t path, touched;
    find_paths(group, among, &path, &touched);
    path &= ~group->path;
    touched &= ~group->touched;
    if (!path && !touched)
        return;
    kernel->lanes->share(group->lanes, path, touched);
    group->path |= path;
    group->touched |= touched;
}

/* Does the rest of the step of one tree, which has its impulses, from the state before it. */
static void finish_alone(const tr_kernel *kernel, tr_tree *tree, const tr_step_params *params) {
    int touched = tree->touched_count;
    kernel->tree->place(tree);
    kernel->tree->predict(tree, params);
    tree->touched_count = touched;
    if (touched > 0)
        kernel->tree->respond(tree, params->h);
    kernel->tree->advance(tree, params->h);
}

void tr_lane_group_advance(tr_lane_group *group, const tr_kernel *kernel,
                           const tr_step_params *params) {
    tr_lane_set wanted = 0, touched = 0;
    for (int k = 0; k < group->count; k++) {
        bool moves = !group->mover[k]->failed;
        wanted |= (tr_lane_set)moves << k;
        touched |= (tr_lane_set)(moves && group->tree[k]->touched_count > 0) << k;
    }
    if (touched)
        wanted &= kernel->lanes->respond(group->lanes, touched, params->h);
    tr_lane_set alone = kernel->lanes->advance(group->lanes, wanted, params->h);
    for (int k = 0; k < group->count; k++) {
        group->mover[k]->failed = !(wanted >> k & 1);
        if (alone >> k & 1)
            finish_alone(kernel, group->tree[k], params);
    }
}
