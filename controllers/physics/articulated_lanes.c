/* The step of articulated.c for several worlds with one character each:
 *
 *     all: servos and pushes -> predict side by side -> each: rows -> share
 *     -> each: couple, relax -> respond side by side -> advance side by side -> each: reports
 *
 * What differs between the worlds, their contacts and limits, is solved one by one. */
#include "physics/articulated_lanes.h"
#include "physics/articulated.h"
#include "physics/mover.h"

enum { LEAST_LANES = 3 }; /* fewer are faster one by one */

/* The worlds of the lanes. */
typedef struct lane_group {
    tr_world *world[TR_TREE_LANES];
    tr_mover *mover[TR_TREE_LANES];
    tr_tree *tree[TR_TREE_LANES];
    int count;
} lane_group;

static bool rides(const tr_world *world) {
    if (world->character_count != 1 || world->object_count > 0 || world->pin_count > 0)
        return false;
    const tr_character *c = world->character[0];
    const tr_mover *mover = c->stepper_data;
    return !c->faulted && !c->kinematic && !mover->torque_limited;
}

static bool alike(const tr_world *a, const tr_world *b) {
    return a->character[0]->model == b->character[0]->model && a->kernel == b->kernel &&
           a->def.step_s == b->def.step_s && a->def.gravity.x == b->def.gravity.x &&
           a->def.gravity.y == b->def.gravity.y && a->def.gravity.z == b->def.gravity.z;
}

static void join(lane_group *group, tr_world *world) {
    int k = group->count++;
    group->world[k] = world;
    group->mover[k] = world->character[0]->stepper_data;
    group->tree[k] = &group->mover[k]->tree;
}

/* The bodies that have rows in any lane of `among`, and the bodies between them and the root. */
static void find_paths(const lane_group *group, tr_lane_set among, uint32_t *out_path,
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

/* Returns the lanes that are finite after it, of those in `among`. */
static tr_lane_set solve(const lane_group *group, tr_tree_lanes *lanes, tr_lane_set among,
                         double h) {
    const tr_tree_lanes_kernel *kernel = group->world[0]->kernel->lanes;
    tr_lane_set touched = 0;
    uint32_t path, touched_bodies;
    for (int k = 0; k < group->count; k++)
        if (among >> k & 1)
            touched |= (tr_lane_set)tr_articulated_lay_rows(group->world[k]) << k;
    if (!touched)
        return among;
    find_paths(group, touched, &path, &touched_bodies);
    kernel->share(lanes, path, touched_bodies);
    for (int k = 0; k < group->count; k++)
        if (touched >> k & 1)
            tr_articulated_solve(group->world[k]);
    return among & kernel->respond(lanes, touched, h);
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

static void step_group(const lane_group *group, tr_tree_lanes *lanes) {
    const tr_kernel *kernel = group->world[0]->kernel;
    tr_step_params params = tr_articulated_params(group->world[0]);
    for (int k = 0; k < group->count; k++)
        tr_articulated_begin(group->world[k]);
    tr_lane_set predicted = kernel->lanes->predict(lanes, group->tree, group->count, &params);
    predicted &= (1u << group->count) - 1;
    tr_lane_set solved = solve(group, lanes, predicted, params.h);
    tr_lane_set alone = kernel->lanes->advance(lanes, solved, params.h);
    for (int k = 0; k < group->count; k++) {
        if (alone >> k & 1)
            finish_alone(kernel, group->tree[k], &params);
        group->mover[k]->failed = !(solved >> k & 1);
        tr_articulated_end(group->world[k], predicted >> k & 1);
    }
}

void tr_articulated_lanes_step(tr_world *const *world, int count, tr_tree_lanes *lanes) {
    lane_group group = {.count = 0};
    for (int k = 0; k < count; k++) {
        if (rides(world[k]) && (group.count == 0 || alike(group.world[0], world[k])))
            join(&group, world[k]);
        else
            tr_stepper_articulated.step(world[k]);
    }
    if (group.count >= LEAST_LANES)
        step_group(&group, lanes);
    for (int k = 0; group.count < LEAST_LANES && k < group.count; k++)
        tr_stepper_articulated.step(group.world[k]);
}
