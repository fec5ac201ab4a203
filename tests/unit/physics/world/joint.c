/* Joint limits, torque limits, ragdoll. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <stdlib.h>

/* How far a joint is beyond its range, rad or m; negative inside. */
static double beyond(const tr_body *body, tr_quat q) {
    tr_vec3 turn = tr_quat_log(q);
    if (body->joint == TR_JOINT_BALL)
        return tr_vec3_length(turn) - body->range[1];
    double angle = tr_vec3_dot(turn, body->axis);
    return fmax(angle - body->range[1], body->range[0] - angle);
}

static double worst_joint(const tr_world *world, tr_entity_id id) {
    const tr_model *model = tr_world_character_model(world, id);
    tr_state s;
    double worst = -1;
    assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
    for (int i = 1; i < model->body_count; i++)
        if (model->body[i].limited)
            worst = fmax(worst, beyond(&model->body[i], s.pose.joint[i]));
    return worst;
}

/* Servos that pull every joint far beyond its limit, one way and the other. */
static void pull_beyond_limits(const tr_model *model) {
    tr_world_def def = tr_world_def_default();
    def.ground = def.self_collision = false;
    def.gravity.z = 0;
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 5);
    double worst = -1;
    for (int k = 0; k < 800; k++) {
        tr_quat target[TR_BODY_MAX];
        for (int i = 0; i < model->body_count; i++) {
            bool single = tr_body_has_axis(&model->body[i]);
            tr_vec3 axis = single ? model->body[i].axis : (tr_vec3){tr_sin(i), tr_cos(i), 0};
            target[i] = tr_quat_from_axis_angle(axis, k / 200 % 2 ? 2.9 : -2.9);
        }
        assert_int_equal(tr_world_set_targets(world, id, target), TR_OK);
        scene_step(world, 1);
        worst = fmax(worst, worst_joint(world, id));
    }
    assert_true(worst > -0.01); /* the limits were reached */
    assert_true(worst < 0.01);
}

/* The humanoid with shanks and forearms that slide instead of turning; free it. */
static tr_model *with_slides(const tr_model *of) {
    tr_model *model = malloc(sizeof *model);
    assert_non_null(model);
    *model = *of;
    for (int i = 1; i < model->body_count; i++)
        if (model->body[i].joint == TR_JOINT_HINGE) {
            model->body[i].joint = TR_JOINT_SLIDE;
            model->body[i].axis = (tr_vec3){0, 0.6, 0.8};
            model->body[i].range[0] = -0.2;
            model->body[i].range[1] = 0.1;
        }
    return model;
}

TEST(limits_hold_against_servos) {
    pull_beyond_limits(*given);
}

TEST(limits_of_slides_hold_against_servos) {
    tr_model *model = with_slides(*given);
    pull_beyond_limits(model);
    free(model);
}

TEST(ragdoll_falls_within_limits_and_rests) {
    const tr_model *model = *given;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        tr_world_def def = tr_world_def_default();
        tr_world *world = scene_world(&def);
        tr_random random = tr_random_seed(seed);
        tr_entity_id id = scene_stand(world, model, 0, 0, 0.3);
        tr_state s;
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        s.pose.root_rot = tr_quat_exp((tr_vec3){
            tr_random_normal(&random), tr_random_normal(&random), tr_random_normal(&random)});
        s.pose.root_pos.z = 1.3;
        assert_int_equal(tr_world_set_state(world, id, &s), TR_OK);
        assert_int_equal(tr_world_set_servo(world, id, TR_SERVO_RAGDOLL), TR_OK);
        double worst = -1;
        for (int k = 0; k < 1000; k++) {
            scene_step(world, 1);
            worst = fmax(worst, worst_joint(world, id));
        }
        assert_true(worst < 0.2); /* at the impact */
        assert_true(worst_joint(world, id) < 0.02);
        tr_momentum m = tr_body_momentum(model, tr_world_bodies(world, id));
        assert_true(tr_vec3_length(m.com_vel) < 0.1);
        assert_true(m.com_pos.z > 0.03 && m.com_pos.z < 0.5);
        tr_world_destroy(world);
    }
}

/* Swings too wide for 40 N m: the limit is reached and never passed. */
TEST(torque_never_exceeds_its_limit) {
    OWN_MEMORY tr_model *weak = malloc(sizeof *weak);
    assert_non_null(weak);
    *weak = *(const tr_model *)*given;
    for (int i = 1; i < weak->body_count; i++)
        weak->body[i].torque_limit = 40;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, weak, 0, 0, 0.01);
    int saturated = 0;
    for (int k = 0; k < 600; k++) {
        tr_quat target[TR_BODY_MAX];
        for (int i = 0; i < weak->body_count; i++)
            target[i] = tr_quat_from_axis_angle((tr_vec3){0, 1, 0},
                                                0.8 * tr_sin(2 * TR_PI * k * 0.005 + i));
        assert_int_equal(tr_world_set_targets(world, id, target), TR_OK);
        scene_step(world, 1);
        const tr_vec3 *torque = tr_world_servo_torques(world, id);
        for (int i = 1; i < weak->body_count; i++) {
            double axes[3] = {fabs(torque[i].x), fabs(torque[i].y), fabs(torque[i].z)};
            for (int a = 0; a < 3; a++) {
                assert_true(axes[a] <= 40 * (1 + 1e-8));
                saturated += axes[a] > 39.99;
            }
        }
    }
    assert_true(saturated > 100);
}

/* A limb held against gravity: the servo's torque is the moment of its weight. */
TEST(torque_is_what_holds_a_weight) {
    OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    scene_chain(model, 2, TR_JOINT_HINGE, 1e7);
    model->gain_set[0].kp[1] = 500;
    model->gain_set[0].kd[1] = 50;
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0);
    tr_push hold = {.entity = id, .force = {0, 0, 9.81e7}, .steps = 4000};
    assert_int_equal(tr_world_push(world, &hold), TR_OK);
    tr_quat target[2] = {{1, 0, 0, 0}, tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 2)};
    assert_int_equal(tr_world_set_targets(world, id, target), TR_OK);
    scene_step(world, 2000);
    tr_state s;
    assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
    double angle = tr_quat_log(s.pose.joint[1]).y;
    double moment = tr_world_servo_torques(world, id)[1].y;
    assert_near(moment, 9.81 * tr_sin(angle), 1e-4);
    assert_near(moment, 500 * (TR_PI / 2 - angle), 1e-4);
}

/* Two bodies on a slide with a servo of 500 N/m; owned by the caller. */
static tr_model *make_slide(tr_vec3 axis) {
    tr_model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    scene_chain(model, 2, TR_JOINT_SLIDE, 1e7);
    model->body[1].axis = axis;
    model->gain_set[0].kp[1] = 500;
    model->gain_set[0].kd[1] = 50;
    return model;
}

/* A weight on a vertical slide: the servo's force is the weight, and its way follows from the gain. */
TEST(force_of_a_slide_is_what_holds_a_weight) {
    OWN_MEMORY tr_model *model = make_slide((tr_vec3){0, 0, 1});
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0);
    tr_push hold = {.entity = id, .force = {0, 0, 9.81e7}, .steps = 4000};
    assert_int_equal(tr_world_push(world, &hold), TR_OK);
    tr_quat target[2] = {{1, 0, 0, 0}, tr_quat_from_axis_angle((tr_vec3){0, 0, 1}, 0.5)};
    assert_int_equal(tr_world_set_targets(world, id, target), TR_OK);
    scene_step(world, 2000);
    const tr_body_state *body = tr_world_bodies(world, id);
    double way = body[1].com_pos.z + 1 - body[0].com_pos.z;
    assert_near(tr_world_servo_torques(world, id)[1].z, 9.81, 1e-4);
    assert_near(way, 0.5 - 9.81 / 500, 1e-4);
    assert_true(tr_quat_angle(body[1].rot, body[0].rot) == 0);
}

/* From 2 m on one side to 2 m on the other: further apart than half a turn of the quaternion that keeps it. */
TEST(slide_goes_the_way_to_its_target) {
    OWN_MEMORY tr_model *model = make_slide((tr_vec3){1, 0, 0});
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0);
    const tr_body_state *body = tr_world_bodies(world, id);
    const double rest = body[1].com_pos.x - body[0].com_pos.x;
    for (double aim = -2; aim <= 2; aim += 4) {
        tr_quat target[2] = {{1, 0, 0, 0}, tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, aim)};
        assert_int_equal(tr_world_set_targets(world, id, target), TR_OK);
        scene_step(world, 2000);
        body = tr_world_bodies(world, id);
        assert_near(body[1].com_pos.x - body[0].com_pos.x - rest, aim, 1e-3);
    }
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
