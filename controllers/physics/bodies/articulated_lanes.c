/* The step of articulated.c for several worlds with one character each:
 *
 *     all: servos and pushes -> predict side by side -> each: rows -> share
 *     -> each: couple, relax -> respond side by side -> each whose servos saturate: again, alone
 *     -> advance side by side -> each: reports
 *
 * What differs between the worlds, their contacts and limits, is solved one by one. */
#include "physics/bodies/articulated_lanes.h"
#include "physics/bodies/articulated.h"
#include "physics/bodies/lane_group.h"

/* The worlds of the lanes. */
typedef struct world_group {
    tr_world *world[TR_TREE_LANES];
    tr_lane_group lanes;
} world_group;

static bool rides(const tr_world *world) {
    if (world->character_count != 1 || world->object_count > 0 || world->pin_count > 0)
        return false;
    const tr_character *c = world->character[0];
    return !c->faulted && !c->kinematic;
}

static bool alike(const tr_world *a, const tr_world *b) {
    return a->character[0]->model == b->character[0]->model && a->kernel == b->kernel &&
           a->def.step_s == b->def.step_s && a->def.gravity.x == b->def.gravity.x &&
           a->def.gravity.y == b->def.gravity.y && a->def.gravity.z == b->def.gravity.z;
}

/* Solves the contacts and limits of the worlds in `among`. */
static void solve(world_group *group, tr_lane_set among) {
    tr_lane_set touched = 0;
    for (int k = 0; k < group->lanes.count; k++)
        if (among >> k & 1)
            touched |= (tr_lane_set)tr_articulated_lay_rows(group->world[k]) << k;
    tr_lane_group_share(&group->lanes, group->world[0]->kernel, touched);
    for (int k = 0; k < group->lanes.count; k++)
        if (touched >> k & 1)
            tr_articulated_solve(group->world[k]);
}

static void step_group(world_group *group) {
    const tr_kernel *kernel = group->world[0]->kernel;
    tr_step_params params = tr_articulated_params(group->world[0]);
    int count = group->lanes.count;
    tr_lane_set predicted = 0;
    for (int k = 0; k < count; k++)
        tr_articulated_begin(group->world[k]);
    tr_lane_group_predict(&group->lanes, kernel, &params);
    for (int k = 0; k < count; k++)
        predicted |= (tr_lane_set)!group->lanes.mover[k]->failed << k;
    solve(group, predicted);
    tr_lane_group_respond(&group->lanes, kernel, &params);
    for (int k = 0; k < count; k++)
        if (predicted >> k & 1)
            tr_articulated_settle(group->world[k]);
    tr_lane_group_advance(&group->lanes, kernel, &params);
    for (int k = 0; k < count; k++)
        tr_articulated_end(group->world[k], predicted >> k & 1);
}

void tr_articulated_lanes_step(tr_world *const *world, int count, tr_tree_lanes *lanes) {
    world_group group = {.lanes = {.lanes = lanes}};
    for (int k = 0; k < count; k++) {
        if (rides(world[k]) && (group.lanes.count == 0 || alike(group.world[0], world[k]))) {
            group.world[group.lanes.count] = world[k];
            tr_lane_group_join(&group.lanes, world[k]->character[0]->stepper_data);
        } else {
            tr_stepper_articulated.step(world[k]);
        }
    }
    if (group.lanes.count >= TR_LANE_GROUP_LEAST)
        step_group(&group);
    for (int k = 0; group.lanes.count < TR_LANE_GROUP_LEAST && k < group.lanes.count; k++)
        tr_stepper_articulated.step(group.world[k]);
}
