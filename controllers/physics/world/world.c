/* The world: creation and clock. */
#include "physics/world/world.h"
#include "physics/kernels/kernel.h"
#include "physics/scene/stepper.h"
#include "physics/world/entity.h"
#include "physics/world/ground.h"
#include "physics/world/scenery.h"

#include <stdlib.h>

void tr_physics_init(void) {
    static bool ready;
    if (!ready) {
        dInitODE2(0);
        ready = true;
    }
}

tr_world_def tr_world_def_default(void) {
    return (tr_world_def){.step_s = 0.005,
                          .gravity = {0, 0, -9.81},
                          .ground = true,
                          .ground_friction = 1.0,
                          .self_collision = true,
                          .contact_erp = 0.15,
                          .contact_cfm = 1e-5,
                          .contact_max_vel = 1.0,
                          .solver_iterations = 200,
                          .solver_tolerance = 3e-3,
                          .ragdoll_damping = 0.5};
}

static bool in_range(double x, double low, double high) {
    return x >= low && x <= high;
}

static bool usable(const tr_world_def *def) {
    return in_range(def->step_s, 0.0005, 0.02) && tr_vec3_is_finite(def->gravity) &&
           in_range(def->ground_friction, 0, 1e6) && in_range(def->contact_erp, 0, 1) &&
           in_range(def->contact_cfm, 0, 1) && in_range(def->contact_max_vel, 0, 1e6) &&
           def->solver_iterations >= 1 && def->solver_iterations <= 10000 &&
           in_range(def->solver_tolerance, 0, 1) && in_range(def->ragdoll_damping, 0, 1e6);
}

tr_status tr_world_create(const tr_world_def *def, tr_world **out) {
    if (!usable(def))
        return TR_INVALID_ARGUMENT;
    tr_world *world = calloc(1, sizeof *world);
    if (!world)
        return TR_RESOURCE_EXHAUSTED;
    world->def = *def;
    world->stepper = def->stepper ? def->stepper : &tr_stepper_articulated;
    world->kernel = tr_kernel_choose();
    world->solver.converged = true;
    world->contact = malloc(TR_CONTACT_ROOM * sizeof *world->contact);
    world->link = malloc(TR_CONTACT_ROOM * sizeof *world->link);
    if (def->ground)
        world->ground = dCreatePlane(0, 0, 0, 1, 0);
    tr_status status = TR_RESOURCE_EXHAUSTED;
    if (world->contact && world->link && (world->ground || !def->ground))
        status = world->stepper->create(world);
    return TR_GIVE(status, world, tr_world_destroy, out);
}

void tr_world_destroy(tr_world *world) {
    if (!world)
        return;
    while (world->pin_count > 0)
        (void)!tr_world_remove_pin(world, world->pin[world->pin_count - 1]->id);
    for (int i = 0; i < world->character_count; i++)
        tr_character_destroy(world, world->character[i]);
    for (int i = 0; i < world->object_count; i++)
        tr_object_destroy(world, world->object[i]);
    for (int i = 0; i < world->scenery_count; i++)
        tr_scenery_destroy(world->scenery[i]);
    if (world->ground)
        dGeomDestroy(world->ground);
    world->stepper->destroy(world);
    free(world->contact);
    free(world->link);
    free(world);
}

const tr_world_def *tr_world_definition(const tr_world *world) {
    return &world->def;
}

int64_t tr_world_tick(const tr_world *world) {
    return world->tick;
}

void tr_world_rewind(tr_world *world) {
    world->tick = 0;
    world->contact_count = 0;
    world->solver = (tr_solver_report){.converged = true};
    for (int i = 0; i < world->character_count; i++)
        tr_ground_find(world, world->character[i]);
}

double tr_world_time_s(const tr_world *world) {
    return (double)world->tick * world->def.step_s;
}
