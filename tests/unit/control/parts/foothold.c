#include "cmocka_test.h"

#include "control/parts/foothold.h"
#include "unit/control/puppet.h"

static const double FRONT_M = 0.19, REAR_M = -0.08, INNER_M = 0.045, OUTER_M = 0.135;

/* The humanoid in a pose, turned by `heading_rad`, above level ground. */
static bool stand(const tr_model *model, const tr_pose *pose, double heading_rad, double margin_m,
                  tr_foothold *out) {
    const tr_state rest = tr_state_at_rest(model, pose);
    const tr_state state = tr_state_place(&rest, heading_rad, (tr_vec3){3, 4, 0});
    const tr_foot_sole sole[2] = {tr_foot_sole_of(model, 0), tr_foot_sole_of(model, 1)};
    const tr_ground level = {0, {0, 0, 1}};
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &state, bodies);
    const tr_foothold_def def = {model, sole, bodies, {level, level}, margin_m};
    return tr_foothold_place(&def, out);
}

/* Where the nearest point lies, seen from the character. */
static tr_vec3 nearest(const tr_foothold *foothold, double heading_rad, double x, double y) {
    const tr_vec3 at = {3, 4, 0}, point = tr_vec3_from_heading((tr_vec3){x, y, 0}, heading_rad);
    const tr_vec3 found = tr_foothold_nearest(foothold, tr_vec3_add(at, point));
    return tr_vec3_to_heading(tr_vec3_sub(found, at), heading_rad);
}

TEST(a_sole_is_foot_and_toes) {
    const tr_foot_sole left = tr_foot_sole_of(*given, 0);
    assert_near(left.low.x, REAR_M, 1e-12);
    assert_near(left.high.x, FRONT_M, 1e-12);
    assert_near(left.low.y, -0.045, 1e-12);
    assert_near(left.high.y, 0.045, 1e-12);
    assert_near(left.low.z, -0.08, 1e-12);
}

TEST(both_feet_hold_the_ground_between_them) {
    const double heading = 0.7, margin = 0.01;
    const tr_pose rest = tr_pose_rest(*given);
    tr_foothold both;
    assert_true(stand(*given, &rest, heading, margin, &both));
    assert_near(both.heading_rad, heading, 1e-9);
    assert_near(both.middle.z, 0, 1e-9);
    const double want[][4] = {{0.05, 0, 0.05, 0},
                              {1, 0.02, FRONT_M - margin, 0.02},
                              {-1, 0.02, REAR_M + margin, 0.02},
                              {0.01, 1, 0.01, OUTER_M - margin},
                              {-1, -1, REAR_M + margin, -OUTER_M + margin}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const tr_vec3 found = nearest(&both, heading, want[i][0], want[i][1]);
        assert_near(found.x, want[i][2], 1e-9);
        assert_near(found.y, want[i][3], 1e-9);
    }
}

/* The right knee bends, so that the right sole is above the left one. */
static tr_foothold lift(const tr_model *model, double knee_rad) {
    tr_pose pose = tr_pose_rest(model);
    tr_foothold foothold;
    const int shank = model->body[model->foot[1]].parent, thigh = model->body[shank].parent;
    pose.joint[shank] = tr_quat_exp((tr_vec3){0, 2 * knee_rad, 0});
    pose.joint[thigh] = pose.joint[model->foot[1]] = tr_quat_exp((tr_vec3){0, -knee_rad, 0});
    assert_true(stand(model, &pose, 0, 0, &foothold));
    return foothold;
}

TEST(a_foot_alone_holds_its_sole) {
    const tr_foothold left = lift(*given, 0.5);
    assert_false(left.stands[1]);
    assert_true(left.gap_m[1] > 0.05);
    assert_int_equal(left.corner_count, 4);
    assert_near(nearest(&left, 0, 0, 0).y, INNER_M, 1e-9);
    assert_near(nearest(&left, 0, 0, 0.3).y, OUTER_M, 1e-9);
    assert_near(left.middle.y, 4.09, 1e-9);
}

TEST(a_foot_close_to_the_ground_stands) {
    const tr_foothold both = lift(*given, 0.1);
    assert_true(both.stands[1]);
    assert_near(both.gap_m[1], 0.0041, 1e-3);
    assert_near(nearest(&both, 0, 0, 0).y, 0, 1e-9);
}

TEST(in_the_air_no_foot_stands) {
    tr_pose pose = tr_pose_rest(*given);
    tr_foothold foothold;
    pose.root_pos.z += 0.1;
    assert_false(stand(*given, &pose, 0, 0, &foothold));
}

/* On the plane, on a box under one foot, and above nothing. */
TEST(the_ground_is_below_each_sole) {
    const tr_model *model = *given;
    const tr_foot_sole sole[2] = {tr_foot_sole_of(model, 0), tr_foot_sole_of(model, 1)};
    const tr_pose pose = tr_pose_rest(model);
    const tr_scenery_def box = {
        TR_SCENERY_BOX, {0.2, 0.05, 0.01}, {0.05, 0.09, 0}, {1, 0, 0, 0}, 1, NULL};
    const tr_world_def def = tr_world_def_default();
    tr_body_state bodies[TR_BODY_MAX];
    OWN(tr_world) *world = NULL, *nothing = puppet_void();
    tr_pose_forward(model, &pose, bodies);
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_world_add_scenery(world, &box, NULL), TR_OK);
    assert_near(tr_foothold_ground(world, model, sole, bodies, 0).height, 0.01, 1e-9);
    assert_near(tr_foothold_ground(world, model, sole, bodies, 1).height, 0, 1e-9);
    assert_true(tr_foothold_ground(nothing, model, sole, bodies, 0).height < -100);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
