#include "cmocka_test.h"

#include "unit/control/latent/loops_puppet.h"

#include <math.h>
#include <string.h>

enum { FRAMES = LOOP_FRAMES * LOOP_COUNT };

loops_puppet_definition loops_puppet_def(void) {
    return (loops_puppet_definition){
        .choice = {.discount = 0.95,
                   .ring = 0.75,
                   .step_weight = 1,
                   .ring_count = 16,
                   .neighbour_count = 4},
        .task = {.kind = TR_LATENT_HEADING,
                 .grid = {2, {{-TR_PI, TR_PI, 24, true}, {1, 2, 1, false}}}}};
}

/* A policy whose values are high on the loop that turns towards the goal. */
static tr_latent_policy *make_policy(const tr_latent_space *space,
                                     const loops_puppet_definition *def) {
    double rows[FRAMES][2 * LOOP_DIMENSION];
    tr_latent_policy *policy = NULL;
    for (int i = 0; i < FRAMES; i++) {
        tr_latent_state at = tr_latent_space_state(space, i);
        tr_latent_policy_row(&def->choice, LOOP_DIMENSION, &at, rows[i]);
    }
    if (tr_latent_policy_create(&def->choice, &def->task, LOOP_DIMENSION, FRAMES, rows[0], &policy))
        fail();
    for (int i = 0; i < FRAMES; i++)
        for (int c = 0; c < policy->cell_count; c++) {
            double wanted = fmax(-0.3, fmin(0.3, tr_goal_grid_goal(&def->task.grid, c).value[0]));
            policy->value[i * policy->cell_count + c] =
                -100 * fabs(tr_latent_policy_sample(policy, i).x[2] - wanted);
        }
    return policy;
}

tr_controller *loops_puppet(const tr_model *model, const loops_puppet_definition *def) {
    tr_sections sections = {0};
    tr_error error = {0};
    tr_latent_space_def loops = loops_definition(model);
    tr_latent_space *space = NULL;
    tr_controller *controller = NULL;
    if (!def->stands)
        memset(loops.standing, 0, (size_t)loops.frame_count);
    if (tr_latent_space_create(model, &loops, &space, &error))
        fail_msg("%s", error.message);
    tr_latent_policy *policy = make_policy(space, def);
    tr_status status = tr_latent_space_save(space, &sections, &error);
    if (!status)
        status = tr_latent_policy_save(policy, &sections, &error);
    if (!status)
        status = tr_latent_puppet_create(&sections, model, 0.005, &controller, &error);
    if (status)
        fail_msg("%s", error.message);
    tr_latent_policy_destroy(policy);
    tr_latent_space_destroy(space);
    tr_sections_deinit(&sections);
    strcpy(controller->name, "walker");
    return controller;
}

loops_scene loops_begin(const tr_model *model, const tr_controller *controller) {
    loops_scene s = {0};
    tr_world_def def = tr_world_def_default();
    def.step_s = 0.005;
    assert_int_equal(tr_world_create(&def, &s.world), TR_OK);
    assert_int_equal(tr_world_add_character(s.world, model, &controller->spawn, &s.id), TR_OK);
    tr_runner_start(&s.runner, controller, 0, false);
    return s;
}
