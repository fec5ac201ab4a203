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
    mover->group = group;
}

void tr_lane_group_predict(tr_lane_group *group, const tr_kernel *kernel,
                           const tr_step_params *params) {
    tr_lane_set finite = kernel->lanes->predict(group->lanes, group->tree, group->count, params);
    for (int k = 0; k < group->count; k++)
        group->mover[k]->failed = !(finite >> k & 1);
    group->path = group->touched = 0;
    group->lent = 0;
}

/* The bodies with rows in any lane of `among`, and those between them and the root. */
static void find_paths(const tr_lane_group *group, tr_lane_set among, tr_body_set *out_path,
                       tr_body_set *out_touched) {
    tr_body_set touched = 0;
    const tr_tree *first = group->tree[0];
    for (int k = 0; k < group->count; k++)
        for (int i = 0; among >> k & 1 && i < first->count; i++)
            touched |= (tr_body_set)(group->tree[k]->slot[i] >= 0) << i;
    tr_body_set path = touched;
    for (int i = TR_BODY_MAX - 1; i > 0; i--)
        if (path >> i & 1)
            path |= TR_BODY_BIT(first->link[i].parent);
    *out_path = path;
    *out_touched = touched;
}

void tr_lane_group_share(tr_lane_group *group, const tr_kernel *kernel, tr_lane_set among) {
    tr_body_set path, touched;
    find_paths(group, among, &path, &touched);
    path &= ~group->path;
    touched &= ~group->touched;
    if (!path && !touched)
        return;
    kernel->lanes->share(group->lanes, path, touched);
    group->path |= path;
    group->touched |= touched;
}

/* Predicts a tree that has its impulses, from the state before the step, and responds. */
static void predict_alone(const tr_kernel *kernel, tr_tree *tree, const tr_step_params *params) {
    int touched = tree->touched_count;
    kernel->tree->place(tree);
    kernel->tree->predict(tree, params);
    tree->touched_count = touched;
    if (touched > 0)
        kernel->tree->respond(tree, params->h);
}

void tr_lane_group_respond(tr_lane_group *group, const tr_kernel *kernel,
                           const tr_step_params *params) {
    tr_lane_set touched = 0, bounded = 0;
    for (int k = 0; k < group->count; k++)
        touched |= (tr_lane_set)(!group->mover[k]->failed && group->tree[k]->touched_count > 0)
                   << k;
    tr_lane_set finite = ~0u;
    if (touched)
        finite = kernel->lanes->respond(group->lanes, touched, params->h);
    for (int k = 0; k < group->count; k++) {
        tr_mover *mover = group->mover[k];
        mover->failed = mover->failed || !(finite >> k & 1);
        bounded |= (tr_lane_set)(!mover->failed && mover->bounded) << k;
    }
    tr_lane_set strained = bounded ? kernel->lanes->strained(group->lanes, params->h) : 0;
    for (int k = 0; k < group->count; k++)
        if (strained & bounded & 1u << k)
            tr_lane_group_lend(kernel, group->mover[k]);
}

void tr_lane_group_lend(const tr_kernel *kernel, tr_mover *member) {
    kernel->lanes->lend(member->group->lanes, member->tree.lane);
    member->tree.lanes = NULL;
    member->group->lent |= 1u << member->tree.lane;
}

static void set_lane(tr_l6 *out, int k, tr_spatial from) {
    tr_l3_set_lane(&out->ang, k, from.ang);
    tr_l3_set_lane(&out->lin, k, from.lin);
}

void tr_lane_group_take_back(tr_mover *member) {
    tr_tree *tree = &member->tree;
    tr_tree_lanes *lanes = member->group->lanes;
    set_lane(&lanes->accel[0], tree->lane, tree->accel[0]);
    set_lane(&lanes->momentum, tree->lane, tree->momentum);
    for (int i = 1; i < tree->count; i++)
        tr_l3_set_lane(&lanes->alpha[i], tree->lane, tree->alpha[i]);
    tree->lanes = lanes;
}

void tr_lane_group_advance(tr_lane_group *group, const tr_kernel *kernel,
                           const tr_step_params *params) {
    tr_lane_set wanted = 0;
    for (int k = 0; k < group->count; k++)
        wanted |= (tr_lane_set)!group->mover[k]->failed << k;
    tr_lane_set alone = kernel->lanes->advance(group->lanes, wanted, params->h);
    for (int k = 0; k < group->count; k++) {
        if (alone & ~group->lent & 1u << k)
            predict_alone(kernel, group->tree[k], params);
        if (alone >> k & 1)
            kernel->tree->advance(group->tree[k], params->h);
    }
}
