#include "physics/world/quartet.h"
#include "physics/bodies/lane_group.h"
#include "physics/scene/stepper.h"
#include "physics/world/step.h"

#include <assert.h>
#include <stdlib.h>

struct tr_quartet {
    tr_tree_lanes *lanes;
};

tr_status tr_quartet_create(tr_quartet **out) {
    tr_quartet *quartet = malloc(sizeof *quartet);
    tr_tree_lanes *lanes = quartet ? tr_lane_group_workspace() : NULL;
    if (!lanes) {
        free(quartet);
        return TR_RESOURCE_EXHAUSTED;
    }
    quartet->lanes = lanes;
    *out = quartet;
    return TR_OK;
}

void tr_quartet_destroy(tr_quartet *quartet) {
    if (quartet)
        free(quartet->lanes);
    free(quartet);
}

static bool of_one_stepper(tr_world *const *world, int count) {
    for (int k = 1; k < count; k++)
        if (world[k]->stepper != world[0]->stepper)
            return false;
    return world[0]->stepper->step_together;
}

void tr_quartet_step(tr_quartet *quartet, tr_world *const *world, int count,
                     tr_status *out_status) {
    assert(count >= 0 && count <= TR_QUARTET_MAX);
    int faults[TR_QUARTET_MAX];
    if (count == 1)
        out_status[0] = tr_world_step(world[0]);
    if (count < 2)
        return;
    for (int k = 0; k < count; k++)
        faults[k] = tr_step_begin(world[k]);
    if (of_one_stepper(world, count))
        world[0]->stepper->step_together(world, count, quartet->lanes);
    else
        for (int k = 0; k < count; k++)
            world[k]->stepper->step(world[k]);
    for (int k = 0; k < count; k++)
        out_status[k] = tr_step_end(world[k], faults[k]);
}
