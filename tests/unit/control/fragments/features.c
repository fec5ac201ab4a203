#include "cmocka_test.h"

#include "control/fragments/features.h"
#include "unit/control/puppet.h"

static tr_features features_of(const tr_model *model, const tr_state *state) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, state, bodies);
    return tr_features_of(model, state, bodies);
}

static tr_state rest(const tr_model *model) {
    tr_pose pose = tr_pose_rest(model);
    return tr_state_at_rest(model, &pose);
}

TEST(rest_pose_is_symmetric_and_still) {
    const tr_model *model = *given;
    tr_state state = rest(model);
    tr_features f = features_of(model, &state);
    assert_near(f.s[0], 0, 1e-12);
    assert_near(f.s[1], 0, 1e-12);
    assert_near(f.s[2], state.pose.root_pos.z, 0);
    assert_near(f.s[4], 0, 1e-9);
    assert_in_range((int)(100 * f.s[5]), 80, 120);
    for (int i = 6; i < 9; i++)
        assert_near(f.s[i], 0, 1e-12);
    assert_near(f.s[9], f.s[12], 1e-9);
    assert_true(f.s[10] > 0.05); /* the left foot is on the left, y > 0 */
    assert_near(f.s[10], -f.s[13], 1e-9);
    assert_true(f.s[11] < -0.5);
    for (int i = 15; i < 18; i++)
        assert_near(f.s[i], 0, 1e-12);
}

TEST(tilt_is_a_rotation_vector_in_the_heading_frame) {
    const tr_model *model = *given;
    tr_state state = rest(model);
    tr_quat tilt = tr_quat_exp((tr_vec3){0.1, 0.3, 0});
    state.pose.root_rot = tr_quat_mul(tr_quat_from_heading(2.0), tilt);
    tr_features f = features_of(model, &state);
    assert_near(f.s[0], 0.1, 1e-12);
    assert_near(f.s[1], 0.3, 1e-12);
}

TEST(velocities_are_turned_into_the_heading_frame) {
    const tr_model *model = *given;
    tr_state state = rest(model);
    state.pose.root_rot = tr_quat_from_heading(TR_PI / 2); /* faces +y */
    state.root_vel = (tr_vec3){-0.5, 2.0, 0.25};
    tr_features f = features_of(model, &state);
    assert_near(f.s[6], 2.0, 1e-12);
    assert_near(f.s[7], 0.5, 1e-12);
    assert_near(f.s[8], 0.25, 1e-12);
}

/* A rigid spin about the vertical: L = I w, with I summed over bodies by the parallel axes. */
TEST(spin_gives_the_angular_momentum) {
    const tr_model *model = *given;
    tr_state state = rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    state.root_omega = (tr_vec3){0, 0, 1.5};
    tr_state_forward(model, &state, bodies);
    tr_momentum sum = tr_body_momentum(model, bodies);
    double inertia = 0;
    for (int b = 0; b < model->body_count; b++) {
        tr_mat3 r = tr_quat_to_mat3(bodies[b].rot);
        tr_mat3 world = tr_mat3_rotate_tensor(&r, &model->body[b].inertia);
        tr_vec3 d = tr_vec3_sub(bodies[b].com_pos, sum.com_pos);
        inertia += world.m[8] + model->body[b].mass * (d.x * d.x + d.y * d.y);
    }
    tr_features f = tr_features_of(model, &state, bodies);
    assert_near(f.s[17], 1.5 * inertia, 1e-9);
}

TEST(place_and_heading_do_not_matter) {
    const tr_model *model = *given;
    tr_random random = tr_random_seed(7);
    for (int n = 0; n < 50; n++) {
        tr_state state = puppet_state(model, &random, 0.1, 1.0);
        tr_vec3 offset = {3 * tr_random_normal(&random), 3 * tr_random_normal(&random), 0};
        tr_state moved = tr_state_place(&state, 6 * tr_random_uniform(&random) - 3, offset);
        tr_features a = features_of(model, &state), b = features_of(model, &moved);
        for (int i = 0; i < TR_FEATURE_COUNT; i++)
            assert_near(a.s[i], b.s[i], 1e-10);
    }
}

TEST(mirror_of_the_features_is_features_of_the_mirror) {
    const tr_model *model = *given;
    tr_random random = tr_random_seed(11);
    for (int n = 0; n < 50; n++) {
        tr_state state = puppet_state(model, &random, 0.1, 1.0);
        tr_state image = tr_state_mirror(model, &state);
        tr_features a = features_of(model, &state), b = features_of(model, &image);
        a = tr_features_mirror(&a);
        for (int i = 0; i < TR_FEATURE_COUNT; i++)
            assert_near(a.s[i], b.s[i], 1e-11);
    }
}

/* Golden: hardening and schedulers scale by them, so a change changes every training. */
TEST(spreads_are_those_of_the_trainings) {
    const double spread[TR_FEATURE_COUNT] = {0.2, 0.2, 0.05, 0.05, 0.05, 0.05, 0.4, 0.3, 0.4,
                                             0.2, 0.1, 0.1,  0.2,  0.1,  0.1,  4,   4,   2};
    assert_memory_equal(tr_feature_spread, spread, sizeof spread);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
