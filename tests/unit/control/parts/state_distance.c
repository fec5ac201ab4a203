#include "cmocka_test.h"

#include "control/parts/state_distance.h"
#include "unit/control/puppet.h"

#include <math.h>

/* One of the five differences at its typical spread, the others none. */
static double one_spread(void) {
    return sqrt(1.0 / 5);
}

static tr_state rest(const tr_model *model) {
    tr_pose pose = tr_pose_rest(model);
    return tr_state_at_rest(model, &pose);
}

TEST(place_and_heading_do_not_matter) {
    const tr_model *model = *given;
    tr_random random = tr_random_split(1, 2, 3);
    tr_state state = puppet_state(model, &random, 1, 0.2);
    tr_state placed = tr_state_place(&state, 2, (tr_vec3){3, -4, 0});
    assert_near(tr_state_distance(model, &state, &state), 0, 1e-6);
    assert_near(tr_state_distance(model, &state, &placed), 0, 1e-6);
}

TEST(the_root_counts_by_its_spreads) {
    const tr_model *model = *given;
    const tr_state still = rest(model);
    tr_state higher = still, tilted = still, faster = still;
    higher.pose.root_pos.z += 0.1;
    tilted.pose.root_rot =
        tr_quat_mul(tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, 0.2), still.pose.root_rot);
    faster.root_vel.x += 0.5;
    assert_near(tr_state_distance(model, &still, &higher), one_spread(), 1e-6);
    assert_near(tr_state_distance(model, &still, &tilted), one_spread(), 1e-6);
    assert_near(tr_state_distance(model, &still, &faster), one_spread(), 1e-6);
    assert_near(tr_state_distance(model, &faster, &still), one_spread(), 1e-6);
}

TEST(joints_count_by_their_mean) {
    const tr_model *model = *given;
    const tr_state still = rest(model);
    tr_state bent = still, turning = still;
    for (int b = 1; b < model->body_count; b++) {
        bent.pose.joint[b] = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, 0.3);
        turning.joint_rate[b] = (tr_vec3){0, 3, 0};
    }
    assert_near(tr_state_distance(model, &still, &bent), one_spread(), 1e-6);
    assert_near(tr_state_distance(model, &still, &turning), one_spread(), 1e-6);
}

/* Three parts, each at its typical spread. */
TEST(motion_is_counted_by_its_spreads) {
    const tr_model *model = *given;
    const tr_state still = rest(model);
    tr_state moving = still, turning = still, bending = still;
    moving.root_vel.y = -0.5;
    turning.root_omega.z = 1;
    for (int b = 1; b < model->body_count; b++)
        bending.joint_rate[b] = (tr_vec3){3, 0, 0};
    assert_near(tr_state_motion(model, &still), 0, 1e-12);
    assert_near(tr_state_motion(model, &moving), sqrt(1.0 / 3), 1e-6);
    assert_near(tr_state_motion(model, &turning), sqrt(1.0 / 3), 1e-6);
    assert_near(tr_state_motion(model, &bending), sqrt(1.0 / 3), 1e-6);
    tr_state beyond = still; /* beyond the last body */
    beyond.joint_rate[model->body_count].x = 3;
    assert_near(tr_state_motion(model, &beyond), 0, 1e-12);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
