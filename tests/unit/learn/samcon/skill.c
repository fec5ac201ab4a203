#include "cmocka_test.h"

#include "learn/samcon/skill.h"
#include "unit/learn/near.h"
#include "unit/learn/sway_suite.h"

#include <math.h>
#include <string.h>

static tr_skill_def skill_def(void) {
    return (tr_skill_def){"sway", "a", 0.005, true};
}

TEST(a_cycle_is_cut_into_fragments) {
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        OWN(tr_motion) *motion = sway_motion(model, symmetric);
        OWN(tr_controller) *controller = NULL;
        tr_skill_def def = skill_def();
        tr_error error = {0};
        assert_int_equal(tr_skill_create(model, motion, &def, &controller, &error), TR_OK);
        assert_int_equal(tr_controller_bank(controller)->fragment_count, symmetric ? 4 : 8);
        assert_int_equal(tr_controller_bank(controller)->fragment[0].steps, 20);
        assert_int_equal(tr_controller_bank(controller)->mirrored, symmetric);
        assert_int_equal(tr_controller_bank(controller)->action.size, 17);
        assert_near(tr_controller_duration_s(controller), 0.8, 1e-9);
        assert_int_equal(tr_controller_check(controller, model, &error), TR_OK);
    }
}

/* On a servo with kp, kd the target that follows q exactly at a constant rate is q turned on by
 * kd/kp times the rate. */
TEST(targets_look_ahead) {
    OWN(tr_motion) *motion = sway_motion(model, false);
    OWN(tr_controller) *controller = NULL;
    tr_skill_def def = skill_def();
    assert_int_equal(tr_skill_create(model, motion, &def, &controller, NULL), TR_OK);
    int thigh = tr_model_find_body(model, "lthigh"), gains = tr_model_find_gain_set(model, "a");
    double lead_s = model->gain_set[gains].kd[thigh] / model->gain_set[gains].kp[thigh];
    double amplitude = 3 * TR_PI / 180, w = 2 * TR_PI / 0.8;
    for (int k = 0; k < 8; k++)
        for (int s = 0; s < 20; s++) {
            double t = (k * 20 + s + 1) * 0.005;
            double expected = amplitude * (sin(w * t) + lead_s * w * cos(w * t));
            tr_quat target =
                tr_controller_bank(controller)->fragment[k].target[s * model->body_count + thigh];
            assert_near(tr_quat_log(target).x, expected, 2e-3);
        }
}

TEST(a_motion_that_is_not_cyclic_becomes_a_chain) {
    OWN(tr_motion) *motion = sway_motion(model, false);
    OWN(tr_controller) *controller = NULL;
    tr_skill_def def = skill_def();
    tr_error error = {0};
    motion->cyclic = false;
    assert_int_equal(tr_skill_create(model, motion, &def, &controller, &error), TR_OK);
    assert_false(tr_controller_bank(controller)->cyclic);
    assert_int_equal(tr_controller_check(controller, model, &error), TR_OK);
    const tr_fragment *last = &tr_controller_bank(controller)
                                   ->fragment[tr_controller_bank(controller)->fragment_count - 1];
    for (int i = 1; i < model->body_count; i++)
        assert_true(tr_quat_angle(last->end.pose.joint[i],
                                  motion->poses[motion->frame_count - 1].joint[i]) < 1e-6);
}

TEST(what_cannot_be_learned_is_refused) {
    OWN(tr_motion) *motion = sway_motion(model, false);
    tr_controller *controller = NULL;
    tr_skill_def def = skill_def();
    tr_error error = {0};
    def.gain_set = "z";
    assert_int_equal(tr_skill_create(model, motion, &def, &controller, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "'z'"));
    def = skill_def();
    motion->model[0] = 'x';
    assert_int_equal(tr_skill_create(model, motion, &def, &controller, &error),
                     TR_INVALID_ARGUMENT);
    assert_null(controller);
}

TEST(the_average_of_one_is_itself) {
    tr_pose rest = tr_pose_rest(model);
    tr_state a = tr_state_at_rest(model, &rest), b = a;
    a.pose.root_rot = tr_quat_exp((tr_vec3){0, 0, 0.2});
    b.pose.root_rot = tr_quat_exp((tr_vec3){0, 0, 0.4});
    b.pose.root_rot = (tr_quat){-b.pose.root_rot.w, -b.pose.root_rot.x, -b.pose.root_rot.y,
                                -b.pose.root_rot.z}; /* the same rotation */
    b.root_vel.x = 2;
    tr_state both[2] = {a, b}, mean = tr_skill_average(model, both, 2);
    assert_near(tr_quat_heading(mean.pose.root_rot), 0.3, 1e-12);
    assert_near(mean.root_vel.x, 1, 1e-12);
    mean = tr_skill_average(model, both, 1);
    assert_memory_equal(&mean.root_vel, &a.root_vel, sizeof a.root_vel);
}

TEST(relative_states_start_at_the_origin) {
    tr_pose rest = tr_pose_rest(model);
    tr_state s = tr_state_at_rest(model, &rest);
    s = tr_state_place(&s, 0.7, (tr_vec3){3, -2, 0});
    tr_state r = tr_skill_relative(&s, &s);
    assert_near(r.pose.root_pos.x, 0, 1e-12);
    assert_near(r.pose.root_pos.y, 0, 1e-12);
    assert_near(tr_quat_heading(r.pose.root_rot), 0, 1e-12);
}

SUITE_FIXTURE(load, unload);
