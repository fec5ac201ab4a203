/* Servos by value: gains that a caller gives, feed-forward torques, and both in snapshots. */
#include "cmocka_test.h"

#include "oracle/ode_reference.h"
#include "unit/physics/scenes.h"

#include <stdlib.h>

/* Gains of a set of the model by value move a character to the bit as the set does. */
TEST(gains_by_value_equal_the_set) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *by_set = scene_world(&def), *by_value = scene_world(&def);
    tr_entity_id a = scene_stand(by_set, model, 0, 0, 0.01);
    tr_entity_id b = scene_stand(by_value, model, 0, 0, 0.01);
    const tr_gain_set *set = &model->gain_set[1];
    assert_int_equal(tr_world_set_servo(by_set, a, 1), TR_OK);
    assert_int_equal(tr_world_set_gains(by_value, b, set->kp, set->kd), TR_OK);
    for (int k = 0; k < 200; k++) {
        scene_swing(by_set, a, k * 0.005);
        scene_swing(by_value, b, k * 0.005);
        scene_step(by_set, 1);
        scene_step(by_value, 1);
    }
    tr_state s, t;
    assert_int_equal(tr_world_get_state(by_set, a, &s), TR_OK);
    assert_int_equal(tr_world_get_state(by_value, b, &t), TR_OK);
    assert_memory_equal(&s, &t, sizeof s);
    assert_int_equal(tr_world_set_servo(by_value, b, 1), TR_OK);
    assert_int_equal(tr_world_hash(by_set), tr_world_hash(by_value));
}

static const tr_stepper *const steppers[] = {NULL, &tr_stepper_ode_reference};

/* A hinge of 1 kg at 1 m (I = 1.01) under a heavy root, without weight. */
static tr_world *hinge_world(const tr_stepper *stepper, tr_model *model, tr_entity_id *out) {
    scene_chain(model, 2, TR_JOINT_HINGE, 1e7);
    tr_world_def def = tr_world_def_default();
    def.stepper = stepper;
    def.ground = false;
    def.gravity.z = 0;
    tr_world *world = scene_world(&def);
    *out = scene_stand(world, model, 0, 0, 0);
    return world;
}

/* tau = I alpha: 2 N m for 100 steps, then nothing. */
TEST(feedforward_gives_its_torque_for_its_steps) {
    for (int kind = 0; kind < 2; kind++) {
        OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
        tr_entity_id id;
        OWN(tr_world) *world = hinge_world(steppers[kind], model, &id);
        tr_vec3 torque[2] = {{0}, {0, 2, 0}};
        assert_int_equal(tr_world_set_feedforward(world, id, torque, 100), TR_OK);
        scene_step(world, 100);
        assert_near(tr_world_servo_torques(world, id)[1].y, 2, 1e-6);
        tr_state s;
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        assert_near(s.joint_rate[1].y, 2 / 1.01 * 0.5, 1e-3);
        scene_step(world, 100);
        tr_state t;
        assert_int_equal(tr_world_get_state(world, id, &t), TR_OK);
        assert_near(t.joint_rate[1].y, s.joint_rate[1].y, 1e-3);
        assert_near(tr_world_servo_torques(world, id)[1].y, 0, 1e-6);
    }
}

/* In balance with the spring: kp err = -tau; the torque reported is the sum. */
TEST(feedforward_adds_to_the_servo) {
    for (int kind = 0; kind < 2; kind++) {
        OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
        tr_entity_id id;
        OWN(tr_world) *world = hinge_world(steppers[kind], model, &id);
        double kp[2] = {0, 100}, kd[2] = {0, 20};
        tr_vec3 torque[2] = {{0}, {0, 10, 0}};
        assert_int_equal(tr_world_set_gains(world, id, kp, kd), TR_OK);
        assert_int_equal(tr_world_set_feedforward(world, id, torque, 4000), TR_OK);
        scene_step(world, 2000);
        tr_state s;
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        assert_near(tr_quat_log(s.pose.joint[1]).y, 0.1, 1e-4);
        assert_near(tr_world_servo_torques(world, id)[1].y, 0, 1e-3);
    }
}

/* A torque across a hinge's axis, and one on a limp character, do nothing. */
TEST(feedforward_acts_along_joints_of_working_servos) {
    OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
    tr_entity_id id;
    OWN(tr_world) *world = hinge_world(NULL, model, &id);
    tr_vec3 across[2] = {{0}, {5, 0, 5}}, along[2] = {{0}, {0, 5, 0}};
    tr_state s;
    assert_int_equal(tr_world_set_feedforward(world, id, across, 10), TR_OK);
    scene_step(world, 10);
    assert_int_equal(tr_world_set_servo(world, id, TR_SERVO_RAGDOLL), TR_OK);
    assert_int_equal(tr_world_set_feedforward(world, id, along, 10), TR_OK);
    scene_step(world, 10);
    assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
    assert_near(tr_vec3_length(s.joint_rate[1]), 0, 1e-12);
}

TEST(limits_bound_the_sum_of_servo_and_feedforward) {
    OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
    tr_entity_id id;
    scene_chain(model, 2, TR_JOINT_HINGE, 1e7);
    model->body[1].torque_limit = 3;
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    def.gravity.z = 0;
    OWN(tr_world) *world = scene_world(&def);
    id = scene_stand(world, model, 0, 0, 0);
    double kp[2] = {0, 100}, kd[2] = {0, 1};
    tr_vec3 torque[2] = {{0}, {0, 50, 0}};
    assert_int_equal(tr_world_set_gains(world, id, kp, kd), TR_OK);
    assert_int_equal(tr_world_set_feedforward(world, id, torque, 100), TR_OK);
    scene_step(world, 5);
    assert_near(tr_world_servo_torques(world, id)[1].y, 3, 1e-6);
}

TEST(limits_differ_by_direction) {
    for (int stepper = 0; stepper < 2; stepper++) {
        OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
        scene_chain(model, 2, TR_JOINT_HINGE, 1e7);
        model->body[1].torque_limit = 5;
        model->body[1].torque_by_axis = true;
        model->body[1].torque_range[0][0] = -5;
        model->body[1].torque_range[0][1] = 3;
        tr_world_def def = tr_world_def_default();
        def.stepper = steppers[stepper];
        def.ground = false;
        def.gravity.z = 0;
        OWN(tr_world) *world = scene_world(&def);
        tr_entity_id id = scene_stand(world, model, 0, 0, 0);
        double kp[2] = {0, 100}, kd[2] = {0, 1};
        assert_int_equal(tr_world_set_gains(world, id, kp, kd), TR_OK);
        for (int sign = -1; sign <= 1; sign += 2) {
            tr_vec3 torque[2] = {{0}, {0, 50 * sign, 0}};
            assert_int_equal(tr_world_set_feedforward(world, id, torque, 5), TR_OK);
            scene_step(world, 1);
            assert_near(tr_world_servo_torques(world, id)[1].y, sign > 0 ? 3 : -5, 1e-6);
        }
    }
}

TEST(bad_gains_and_torques_are_refused) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0);
    uint64_t before = tr_world_hash(world);
    double kp[TR_BODY_MAX] = {0}, kd[TR_BODY_MAX] = {0};
    tr_vec3 torque[TR_BODY_MAX] = {{0}};
    kp[3] = -1;
    assert_int_equal(tr_world_set_gains(world, id, kp, kd), TR_INVALID_ARGUMENT);
    kp[3] = (double)NAN;
    assert_int_equal(tr_world_set_gains(world, id, kp, kd), TR_INVALID_ARGUMENT);
    kp[3] = 0;
    kd[3] = 1.1e6;
    assert_int_equal(tr_world_set_gains(world, id, kp, kd), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_set_gains(world, id + 1, kp, kp), TR_NOT_FOUND);
    torque[2].x = (double)INFINITY;
    assert_int_equal(tr_world_set_feedforward(world, id, torque, 1), TR_INVALID_ARGUMENT);
    torque[2].x = 0;
    assert_int_equal(tr_world_set_feedforward(world, id, torque, -1), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_set_feedforward(world, id + 1, torque, 1), TR_NOT_FOUND);
    assert_int_equal(tr_world_set_feedforward(world, id, NULL, 0), TR_OK);
    assert_int_equal(tr_world_set_servo(world, id, TR_SERVO_VALUES), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_hash(world), before);
}

TEST(a_snapshot_keeps_gains_and_torques) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0.01);
    double kp[TR_BODY_MAX], kd[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX];
    for (int i = 0; i < TR_BODY_MAX; i++) {
        kp[i] = 300 + 10 * i;
        kd[i] = 30 + i;
        torque[i] = (tr_vec3){i, 1, -2};
    }
    uint64_t plain = tr_world_hash(world);
    assert_int_equal(tr_world_set_gains(world, id, kp, kd), TR_OK);
    uint64_t stiff = tr_world_hash(world);
    assert_int_equal(tr_world_set_feedforward(world, id, torque, 40), TR_OK);
    assert_true(stiff != plain && tr_world_hash(world) != stiff);
    scene_step(world, 20);
    scene_check_restored(world, model, 60);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
