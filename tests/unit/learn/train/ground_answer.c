#include "cmocka_test.h"

#include "learn/train/ground_answer.h"
#include "unit/learn/sway_suite.h"

#include <math.h>

static const double STEP_M = 0.05;

/* The bodies in the pose of a state, its joints turned by the answer to a step before the left foot. */
static void answer(const tr_action_map *map, const tr_fragment *fragment, double step,
                   tr_body_state *out) {
    tr_features features = {.ground = {0, 0, step, 0}};
    double action[TR_ACTION_MAX];
    tr_state state = fragment->start;
    tr_policy_evaluate(&fragment->policy, map->size, &features, action);
    tr_action_apply(model, map, action, state.pose.joint);
    tr_state_forward(model, &state, out);
}

/* Both quaternions of a rotation occur in motions. */
static void bend_knees(tr_state *state, double rad, double sign) {
    static const char *const shanks[] = {"lshank", "rshank"};
    for (int side = 0; side < 2; side++)
        state->pose.joint[tr_model_find_body(model, shanks[side])] =
            (tr_quat){sign * cos(rad / 2), 0, sign * sin(rad / 2), 0};
}

/* Half of the step is answered in angles; twice the answer lifts by the step, along the leg. */
TEST(a_lifted_foot_keeps_the_orientation_of_its_sole) {
    tr_action_map map;
    assert_int_equal(tr_action_map_default(model, true, &map, NULL), TR_OK);
    tr_pose rest = tr_pose_rest(model);
    for (int k = 0; k < 3; k++) {
        tr_fragment fragment = {.start = tr_state_at_rest(model, &rest)};
        tr_body_state before[TR_BODY_MAX], after[TR_BODY_MAX];
        int hip = tr_model_find_body(model, "lthigh"), foot = model->foot[0];
        bend_knees(&fragment.start, 0.1 + 0.3 * k, k % 2 ? -1 : 1);
        tr_ground_answer_lift(model, &map, &fragment);
        answer(&map, &fragment, 0, before);
        answer(&map, &fragment, 2 * STEP_M, after);
        tr_vec3 at = tr_body_origin(model, hip, &before[hip]);
        tr_vec3 was = tr_vec3_sub(tr_body_origin(model, foot, &before[foot]), at);
        tr_vec3 is = tr_vec3_sub(tr_body_origin(model, foot, &after[foot]), at);
        assert_true(fabs(tr_vec3_length(was) - tr_vec3_length(is) - STEP_M) < 1e-9);
        assert_true(fabs(tr_vec3_length(was) * is.x - tr_vec3_length(is) * was.x) < 1e-9);
        assert_true(fabs(tr_quat_dot(before[foot].rot, after[foot].rot)) > 1 - 1e-12);
        assert_memory_equal(&before[model->foot[1]], &after[model->foot[1]], sizeof *after);
    }
}

/* Without ankles the sole would turn: such a map keeps K. */
TEST(without_ankles_nothing_is_lifted) {
    tr_action_map map;
    assert_int_equal(tr_action_map_default(model, false, &map, NULL), TR_OK);
    tr_pose rest = tr_pose_rest(model);
    tr_fragment fragment = {.start = tr_state_at_rest(model, &rest)};
    tr_ground_answer_lift(model, &map, &fragment);
    assert_int_equal(0, tr_policy_ground_count(&fragment.policy));
}

/* On a slope the centroid's height above the local plane grows by g times its way ahead: M sees that, and K
 * takes it away. */
TEST(what_a_slope_adds_to_the_features_is_taken_away) {
    tr_policy policy = {0};
    tr_features origin = {.s = {[3] = 0.2, [5] = 0.9, [6] = 1.5, [7] = 0.1}}, seen = origin;
    const double slope = 0.1;
    policy.m[0][5] = 3;
    policy.m[0][8] = -2;
    tr_ground_answer_level(&policy, &origin);
    seen.ground[0] = slope;
    seen.s[5] += slope * origin.s[3];
    seen.s[8] += slope * origin.s[6];
    double level, there;
    tr_policy_evaluate(&policy, 1, &origin, &level);
    tr_policy_evaluate(&policy, 1, &seen, &there);
    assert_true(fabs(level - there) < 1e-12);
    assert_int_equal(TR_GROUND_SLOPES, tr_policy_ground_count(&policy));
}

SUITE_FIXTURE(load, unload);
