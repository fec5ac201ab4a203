/* controllers/control/latent/support.h: the points that a humanoid stands on. */
#include "cmocka_test.h"

#include "control/latent/support.h"
#include "unit/control/latent/loops.h"

#include <math.h>

TEST(test_humanoid_stands_on_heels_balls_and_toes) {
    OWN(tr_model) *model = loops_model();
    int bodies[TR_SUPPORT_MAX];
    tr_support support[TR_SUPPORT_MAX];
    assert_int_equal(tr_support_bodies(model, bodies), 4);
    assert_int_equal(tr_support_find(model, bodies, 4, support), 6);
    tr_pose rest = tr_pose_rest(model);
    tr_body_state states[TR_BODY_MAX];
    tr_pose_forward(model, &rest, states);
    for (int i = 0; i < 6; i++) {
        tr_vec3 at = tr_support_position(model, &support[i], states);
        assert_int_equal(support[i].foot, i / 3);
        assert_true(fabs(at.z) < 1e-9);
        assert_true((at.y > 0) == (i < 3));
        assert_true(i % 3 == 0 || at.x > tr_support_position(model, &support[i - 1], states).x);
    }
}

TEST(test_velocity_is_the_change_of_position) {
    OWN(tr_model) *model = loops_model();
    const tr_support support = {tr_model_find_body(model, "lfoot"), 0, {0.1, 0.02, -0.05}};
    tr_pose rest = tr_pose_rest(model);
    tr_state moving = tr_state_at_rest(model, &rest);
    moving.root_vel = (tr_vec3){1, 2, 3};
    moving.root_omega = (tr_vec3){0.5, -1, 0.7};
    moving.joint_rate[tr_model_find_body(model, "lthigh")] = (tr_vec3){1, 2, -1};
    tr_body_state now[TR_BODY_MAX], then[TR_BODY_MAX];
    tr_state_forward(model, &moving, now);
    const double h = 1e-6;
    tr_state later = moving;
    later.pose.root_pos = tr_vec3_add_scaled(rest.root_pos, h, moving.root_vel);
    later.pose.root_rot =
        tr_quat_mul(tr_quat_exp(tr_vec3_scale(moving.root_omega, h)), rest.root_rot);
    int thigh = tr_model_find_body(model, "lthigh");
    later.pose.joint[thigh] =
        tr_quat_mul(tr_quat_exp(tr_vec3_scale(moving.joint_rate[thigh], h)), rest.joint[thigh]);
    tr_state_forward(model, &later, then);
    tr_vec3 moved = tr_vec3_sub(tr_support_position(model, &support, then),
                                tr_support_position(model, &support, now));
    tr_vec3 velocity = tr_support_velocity(model, &support, now);
    assert_true(tr_vec3_distance(tr_vec3_scale(moved, 1 / h), velocity) < 1e-4);
}
