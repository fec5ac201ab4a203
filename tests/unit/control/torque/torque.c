#include "cmocka_test.h"

#include "control/torque/torque.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <stdlib.h>

enum { HOLD = 20, PUSH_STEPS = 40 };

static tr_controller *make(const tr_model *model) {
    const tr_pose rest = tr_pose_rest(model);
    const tr_state stance = tr_state_at_rest(model, &rest);
    const tr_momentum_numbers numbers = DEFAULTS(tr_momentum_numbers, tr_momentum_number_table);
    const tr_torque_def def = {.support = &tr_torque_ground,
                               .stance = &stance,
                               .gain_set = "b",
                               .step_s = tr_world_def_default().step_s,
                               .hold = HOLD,
                               .numbers = {&numbers}};
    tr_controller *controller = NULL;
    tr_error error = {0};
    if (tr_torque_controller_create(model, &def, &controller, &error))
        fail_msg("%s", error.message);
    return controller;
}

static tr_stage *open_stage(const tr_model *model, const tr_controller *controller,
                            tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    const tr_world_def world = tr_world_def_default();
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &spawn, out_id), TR_OK);
    return stage;
}

static void run(tr_stage *stage, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
}

static tr_vec3 foot_at(tr_stage *stage, const tr_model *model, tr_entity_id id, int side) {
    return tr_world_bodies(tr_stage_world(stage), id)[model->foot[side]].com_pos;
}

static void push(tr_stage *stage, const tr_model *model, tr_entity_id id, tr_vec3 force) {
    const tr_push push = {.entity = id, .body = model->trunk, .force = force, .steps = PUSH_STEPS};
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
}

/* --- content --- */

/* Upside down the soles are above the feet. */
TEST(a_stance_on_no_foot_is_refused) {
    tr_controller *controller = make(*given), *copy = NULL;
    controller->spawn.pose.root_rot = tr_quat_exp((tr_vec3){TR_PI, 0, 0});
    assert_int_equal(tr_controller_copy(controller, *given, &copy), TR_INVALID_ARGUMENT);
    assert_null(copy);
    tr_controller_destroy(controller);
}

/* --- driving --- */

/* A push from behind, from the front, from the side, between them. */
TEST(it_survives_pushes_without_a_step) {
    const tr_model *model = *given;
    const tr_vec3 force[] = {{100, 0, 0}, {-100, 0, 0}, {0, 100, 0}, {-70, -70, 0}};
    OWN(tr_controller) *controller = make(model);
    for (size_t i = 0; i < sizeof force / sizeof *force; i++) {
        tr_entity_id id;
        OWN(tr_stage) *stage = open_stage(model, controller, &id);
        run(stage, 200);
        const tr_vec3 from[2] = {foot_at(stage, model, id, 0), foot_at(stage, model, id, 1)};
        push(stage, model, id, force[i]);
        for (int k = 0; k < 800; k++) {
            run(stage, 1);
            for (int side = 0; side < 2; side++)
                assert_true(tr_vec3_distance(foot_at(stage, model, id, side), from[side]) < 0.02);
        }
        tr_state state;
        assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &state), TR_OK);
        assert_true(tr_vec3_length(state.root_vel) < 0.02);
        assert_false(puppet_doing(stage, id).down);
    }
}

/* Fallen it holds its stance by servos, and stays down. */
TEST(a_fallen_character_is_down) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_entity_id id;
    OWN(tr_stage) *stage = open_stage(model, controller, &id);
    run(stage, 20);
    assert_false(puppet_doing(stage, id).down);
    tr_state lying = controller->spawn;
    lying.pose.root_rot = tr_quat_exp((tr_vec3){0, TR_PI / 2, 0});
    lying.pose.root_pos.z = 0.15;
    assert_int_equal(tr_world_set_state(tr_stage_world(stage), id, &lying), TR_OK);
    run(stage, 20);
    assert_true(puppet_doing(stage, id).down);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
