/* controllers/control/latent/strike.h: a body near a point is brought to it, without jumps. */
#include "cmocka_test.h"

#include "control/latent/strike.h"
#include "unit/control/latent/loops.h"

#include <math.h>

SUITE_OWN(tr_model, model);

BEFORE_ALL() {
    model = loops_model();
}

/* At rest, with the right forearm lifted. */
static tr_pose guard(void) {
    tr_pose pose = tr_pose_rest(model);
    pose.joint[tr_model_find_body(model, "rlarm")] =
        tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, -1.5);
    return pose;
}

static tr_vec3 fist_of(const tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    return bodies[model->hand[1]].com_pos;
}

/* Steps at 60 Hz; returns where the fist is. */
static tr_vec3 strike(tr_strike *s, const tr_vec3 *point, int steps) {
    tr_pose pose = guard();
    for (int i = 0; i < steps; i++) {
        pose = guard();
        tr_strike_step(s, model, model->hand[1], point, 1.0 / 60, &pose);
    }
    return fist_of(&pose);
}

TEST(test_goal_is_the_point_from_the_place) {
    tr_goal goal = tr_strike_goal((tr_vec3){1, 3, 1.2}, &(tr_pose_place){1, 1, TR_PI / 2});
    assert_true(fabs(goal.value[0]) < 1e-9 && fabs(goal.value[1] - 2) < 1e-9);
    goal = tr_strike_goal((tr_vec3){2, 1, 1.2}, &(tr_pose_place){1, 1, TR_PI / 2});
    assert_true(fabs(goal.value[0] + TR_PI / 2) < 1e-9 && fabs(goal.value[1] - 1) < 1e-9);
}

TEST(test_fist_near_its_point_is_brought_to_it) {
    tr_pose pose = guard();
    tr_strike s = {0};
    tr_vec3 point = tr_vec3_add(fist_of(&pose), (tr_vec3){0.1, 0.05, 0.1});
    assert_true(tr_vec3_distance(strike(&s, &point, 40), point) < 0.01);
}

TEST(test_far_point_leaves_the_pose_alone) {
    tr_pose pose = guard();
    tr_strike s = {0};
    tr_vec3 at = fist_of(&pose), point = tr_vec3_add(at, (tr_vec3){0.6, 0, 0});
    assert_true(tr_vec3_distance(strike(&s, &point, 40), at) < 1e-12);
}

TEST(test_fist_does_not_jump_to_another_point_or_back) {
    tr_pose pose = guard();
    tr_strike s = {0};
    tr_vec3 rest = fist_of(&pose), left = tr_vec3_add(rest, (tr_vec3){0, 0.15, 0.05}),
            right = tr_vec3_add(rest, (tr_vec3){0, -0.15, 0.05}), before = rest;
    const tr_vec3 *const points[] = {&left, &right, NULL};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 40; i++) {
            tr_vec3 now = strike(&s, points[k], 1);
            assert_true(tr_vec3_distance(now, before) < 0.06);
            before = now;
        }
    assert_true(tr_vec3_distance(before, rest) < 0.001);
}
