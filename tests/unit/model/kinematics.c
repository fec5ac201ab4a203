/* controllers/model/kinematics.c: positions against geometry, rates against finite differences,
 * symmetries. */
#include "cmocka_test.h"

#include "math/random.h"
#include "model/mjcf.h"
#include "model/state.h"

#include <math.h>

SUITE_OWN(tr_model, model);

BEFORE_ALL() {
    tr_error error;
    assert_int_equal(tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &model, &error), TR_OK);
}

static tr_vec3 random_vec3(tr_random *random, double scale) {
    double x = tr_random_normal(random), y = tr_random_normal(random);
    return tr_vec3_scale(tr_vec3_make(x, y, tr_random_normal(random)), scale);
}

static tr_state random_state(uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    tr_pose pose = tr_pose_rest(model);
    pose.root_pos = random_vec3(&random, 1.0);
    pose.root_rot = tr_quat_exp(random_vec3(&random, 1.0));
    tr_state state = tr_state_at_rest(model, &pose);
    state.root_vel = random_vec3(&random, 2.0);
    state.root_omega = random_vec3(&random, 2.0);
    for (int i = 1; i < model->body_count; i++) {
        tr_vec3 turn = random_vec3(&random, 0.5), rate = random_vec3(&random, 3.0);
        if (tr_body_has_axis(&model->body[i])) {
            turn = tr_vec3_scale(model->body[i].axis, turn.x);
            rate = tr_vec3_scale(model->body[i].axis, rate.x);
        }
        state.pose.joint[i] = tr_quat_exp(turn);
        state.joint_rate[i] = rate;
    }
    return state;
}

/* The pose that a state reaches in a short time at constant rates. */
static tr_state advanced(const tr_state *state, double dt) {
    tr_state out = *state;
    out.pose.root_pos = tr_vec3_add_scaled(state->pose.root_pos, dt, state->root_vel);
    tr_quat turn = tr_quat_exp(tr_vec3_scale(state->root_omega, dt));
    out.pose.root_rot = tr_quat_mul(turn, state->pose.root_rot);
    for (int i = 1; i < model->body_count; i++) {
        turn = tr_quat_exp(tr_vec3_scale(state->joint_rate[i], dt));
        out.pose.joint[i] = tr_quat_mul(turn, state->pose.joint[i]);
    }
    return out;
}

TEST(test_rest_pose_stands_on_the_ground) {
    tr_pose pose = tr_pose_rest(model);
    assert_true(fabs(pose.root_pos.z - 0.95) < 1e-12);
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, &pose, bodies);
    assert_true(fabs(tr_body_lowest_point(model, -1, bodies)) < 1e-12);
    assert_true(fabs(tr_body_lowest_point(model, model->head, bodies) - 1.48) < 1e-12);
    tr_vec3 hand = tr_body_origin(model, model->hand[0], &bodies[model->hand[0]]);
    assert_true(tr_vec3_distance(hand, tr_vec3_make(0, 0.22, 0.90)) < 1e-12);
}

TEST(test_bent_knee_carries_the_foot_back) {
    tr_pose pose = tr_pose_rest(model);
    int knee = tr_model_find_body(model, "lshank");
    pose.joint[knee] = tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), TR_PI / 2);
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, &pose, bodies);
    tr_vec3 ankle = tr_body_origin(model, model->foot[0], &bodies[model->foot[0]]);
    assert_true(tr_vec3_distance(ankle, tr_vec3_make(-0.4, 0.09, 0.48)) < 1e-12);
}

static void check_velocities(void) {
    const double dt = 1e-6;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tr_state now = random_state(seed), before = advanced(&now, -dt), after = advanced(&now, dt);
        tr_body_state at[TR_BODY_MAX], a[TR_BODY_MAX], b[TR_BODY_MAX];
        tr_state_forward(model, &now, at);
        tr_state_forward(model, &before, b);
        tr_state_forward(model, &after, a);
        for (int i = 0; i < model->body_count; i++) {
            tr_vec3 vel = tr_vec3_scale(tr_vec3_sub(a[i].com_pos, b[i].com_pos), 0.5 / dt);
            tr_vec3 omega = tr_quat_rate(b[i].rot, a[i].rot, 2 * dt);
            assert_true(tr_vec3_distance(vel, at[i].com_vel) < 1e-6);
            assert_true(tr_vec3_distance(omega, at[i].omega) < 1e-6);
        }
    }
}

static void set_hinges(tr_joint_kind from, tr_joint_kind to) {
    for (int i = 1; i < model->body_count; i++)
        if (model->body[i].joint == from)
            model->body[i].joint = to;
}

TEST(test_body_velocities_are_derivatives) {
    check_velocities();
    set_hinges(TR_JOINT_HINGE, TR_JOINT_SLIDE);
    check_velocities();
    set_hinges(TR_JOINT_SLIDE, TR_JOINT_HINGE);
}

/* A shank slides along y: to the left by the way, and in a mirror image to the right. */
TEST(test_a_slide_shifts_its_body) {
    tr_pose pose = tr_pose_rest(model);
    int knee = tr_model_find_body(model, "lshank"), other = model->body[knee].mirror;
    tr_body_state rest[TR_BODY_MAX], moved[TR_BODY_MAX], image[TR_BODY_MAX];
    set_hinges(TR_JOINT_HINGE, TR_JOINT_SLIDE);
    tr_pose_forward(model, &pose, rest);
    pose.joint[knee] = tr_quat_from_axis_angle(model->body[knee].axis, 0.3);
    tr_pose_forward(model, &pose, moved);
    tr_pose mirrored = tr_pose_mirror(model, &pose);
    tr_pose_forward(model, &mirrored, image);
    set_hinges(TR_JOINT_SLIDE, TR_JOINT_HINGE);
    tr_vec3 way = tr_vec3_sub(moved[knee].com_pos, rest[knee].com_pos);
    tr_vec3 back = tr_vec3_sub(image[other].com_pos, rest[other].com_pos);
    assert_true(tr_vec3_distance(way, tr_vec3_make(0, 0.3, 0)) < 1e-12);
    assert_true(tr_vec3_distance(back, tr_vec3_make(0, -0.3, 0)) < 1e-12);
    assert_true(tr_quat_angle(moved[knee].rot, rest[knee].rot) == 0);
}

TEST(test_rates_come_back_from_three_poses) {
    const double dt = 1e-4;
    tr_state now = random_state(7), before = advanced(&now, -dt), after = advanced(&now, dt);
    tr_state found = tr_state_from_poses(model, &before.pose, &now.pose, &after.pose, dt);
    assert_true(tr_vec3_distance(found.root_vel, now.root_vel) < 1e-6);
    assert_true(tr_vec3_distance(found.root_omega, now.root_omega) < 1e-6);
    for (int i = 1; i < model->body_count; i++)
        assert_true(tr_vec3_distance(found.joint_rate[i], now.joint_rate[i]) < 1e-6);
}

TEST(test_mirror_exchanges_the_sides) {
    tr_state now = random_state(11), image = tr_state_mirror(model, &now);
    tr_body_state at[TR_BODY_MAX], mirrored[TR_BODY_MAX];
    tr_state_forward(model, &now, at);
    tr_state_forward(model, &image, mirrored);
    for (int i = 0; i < model->body_count; i++) {
        const tr_body_state *other = &at[model->body[i].mirror];
        assert_true(tr_vec3_distance(mirrored[i].com_pos, tr_vec3_mirror(other->com_pos)) < 1e-12);
        assert_true(tr_vec3_distance(mirrored[i].com_vel, tr_vec3_mirror(other->com_vel)) < 1e-12);
        assert_true(tr_vec3_distance(mirrored[i].omega, tr_vec3_mirror_axial(other->omega)) <
                    1e-12);
    }
    tr_state back = tr_state_mirror(model, &image);
    assert_true(tr_quat_angle(back.pose.joint[5], now.pose.joint[5]) < 1e-12);
}

TEST(test_placing_moves_the_whole_body) {
    const double heading = 0.7;
    tr_vec3 offset = {1, -2, 0.5};
    tr_state now = random_state(13), placed = tr_state_place(&now, heading, offset);
    tr_body_state at[TR_BODY_MAX], moved[TR_BODY_MAX];
    tr_state_forward(model, &now, at);
    tr_state_forward(model, &placed, moved);
    tr_quat turn = tr_quat_from_heading(heading);
    tr_momentum before = tr_body_momentum(model, at), after = tr_body_momentum(model, moved);
    tr_vec3 com = tr_vec3_add(tr_quat_rotate(turn, before.com_pos), offset);
    assert_true(tr_vec3_distance(after.com_pos, com) < 1e-12);
    assert_true(tr_vec3_distance(after.angular, tr_quat_rotate(turn, before.angular)) < 1e-10);
}

/* A character that rotates rigidly: L = I omega with I from the parts by Steiner, and no other
 * momentum. */
TEST(test_stiff_spin_has_the_angular_momentum_of_a_rigid_body) {
    tr_pose pose = tr_pose_rest(model);
    tr_state spin = tr_state_at_rest(model, &pose);
    spin.root_omega = tr_vec3_make(0, 0, 2.0);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &spin, bodies);
    tr_momentum momentum = tr_body_momentum(model, bodies);
    double about_z = 0.0;
    for (int i = 0; i < model->body_count; i++) {
        tr_vec3 arm = tr_vec3_sub(bodies[i].com_pos, momentum.com_pos);
        about_z +=
            model->body[i].inertia.m[8] + model->body[i].mass * (arm.x * arm.x + arm.y * arm.y);
    }
    assert_true(fabs(momentum.mass - 62.0) < 1e-9);
    assert_true(fabs(momentum.angular.z - 2.0 * about_z) < 1e-10);
    assert_true(fabs(momentum.com_pos.x) < 0.01 && fabs(momentum.com_pos.y) < 1e-12);
}

TEST(one_rotation_is_that_of_all_to_the_bit) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tr_state state = random_state(seed);
        tr_body_state bodies[TR_BODY_MAX];
        tr_state_forward(model, &state, bodies);
        for (int i = 0; i < model->body_count; i++) {
            tr_quat rot = tr_pose_body_rotation(model, &state.pose, i);
            assert_memory_equal(&rot, &bodies[i].rot, sizeof rot);
        }
    }
}
