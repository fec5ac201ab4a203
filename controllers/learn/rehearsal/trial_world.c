#include "learn/rehearsal/trial_world.h"

tr_trial_world tr_trial_world_plain(void) {
    return (tr_trial_world){1, 1, 1, 1, 1};
}

bool tr_trial_world_is_plain(const tr_trial_world *w) {
    return w->strength == 1 && w->mass == 1 && w->friction == 1 && w->gravity == 1 &&
           w->contact == 1;
}

static double draw(double vary, tr_random *random) {
    return 1 + vary * (2 * tr_random_uniform(random) - 1);
}

tr_trial_world tr_trial_world_draw(double vary, tr_random *random) {
    tr_trial_world out = tr_trial_world_plain();
    out.mass = draw(vary, random);
    out.friction = draw(vary, random);
    out.gravity = draw(vary, random);
    out.contact = draw(vary, random);
    return out;
}

static void scale_body(tr_body *body, const tr_trial_world *by) {
    body->mass *= by->mass;
    for (int i = 0; i < 9; i++)
        body->inertia.m[i] *= by->mass;
    body->torque_limit *= by->strength;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            body->torque_range[axis][side] *= by->strength;
}

tr_status tr_trial_place_open(const tr_trial_world *world, const tr_model *model,
                              const tr_controller *controller, tr_trial_place *out) {
    out->model = *model;
    /* A model of other masses and limits, in a world of other friction, gravity and contact. */
    out->model.mass *= world->mass;
    for (int i = 0; i < model->body_count; i++)
        scale_body(&out->model.body[i], world);
    tr_ensemble_def def = tr_ensemble_def_for(&out->model, controller);
    tr_world_def physics = tr_rehearsal_world_def(&def);
    physics.gravity = tr_vec3_scale(physics.gravity, world->gravity);
    physics.ground_friction *= world->friction;
    physics.contact_erp *= world->contact;
    return tr_rehearsal_open_in(&def, &physics, &out->rehearsal);
}

void tr_trial_place_close(tr_trial_place *place) {
    tr_world_destroy(place->rehearsal.world);
    place->rehearsal = (tr_rehearsal){0};
}
