#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "control/momentum/foothold.h"
#include "unit/control/puppet.h"

static const double FRONT_M = 0.19, REAR_M = -0.08, INNER_M = 0.045, OUTER_M = 0.135;

/* The humanoid in a pose, turned by `heading_rad`; its left foot touches, the right one if `right`. */
static tr_foothold stand(const tr_model *model, const tr_pose *pose, bool right, double heading_rad,
                         double margin_m) {
    const tr_state rest = tr_state_at_rest(model, pose);
    const tr_state state = tr_state_place(&rest, heading_rad, (tr_vec3){3, 4, 0});
    const tr_sole sole[2] = {tr_sole_of(model, 0), tr_sole_of(model, 1)};
    tr_body_state bodies[TR_BODY_MAX];
    tr_foothold foothold;
    tr_state_forward(model, &state, bodies);
    tr_foothold_place(&(tr_foothold_def){model, sole, {true, right}, bodies, {0, 0, 1}, margin_m},
                      &foothold);
    return foothold;
}

/* Where the nearest point lies, seen from the character. */
static tr_vec3 nearest(const tr_foothold *foothold, double heading_rad, double x, double y) {
    const tr_vec3 at = {3, 4, 0}, point = tr_vec3_from_heading((tr_vec3){x, y, 0}, heading_rad);
    const tr_vec3 found = tr_foothold_nearest(foothold, tr_vec3_add(at, point));
    return tr_vec3_to_heading(tr_vec3_sub(found, at), heading_rad);
}

static void a_sole_is_foot_and_toes(void **fixture) {
    const tr_sole left = tr_sole_of(*fixture, 0);
    assert_near(left.low.x, REAR_M, 1e-12);
    assert_near(left.high.x, FRONT_M, 1e-12);
    assert_near(left.low.y, -0.045, 1e-12);
    assert_near(left.high.y, 0.045, 1e-12);
    assert_near(left.low.z, -0.08, 1e-12);
}

static void both_feet_hold_the_ground_between_them(void **fixture) {
    const double heading = 0.7, margin = 0.01;
    const tr_pose rest = tr_pose_rest(*fixture);
    const tr_foothold both = stand(*fixture, &rest, true, heading, margin);
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
    const int shank = model->body[model->foot[1]].parent, thigh = model->body[shank].parent;
    pose.joint[shank] = tr_quat_exp((tr_vec3){0, 2 * knee_rad, 0});
    pose.joint[thigh] = pose.joint[model->foot[1]] = tr_quat_exp((tr_vec3){0, -knee_rad, 0});
    return stand(model, &pose, false, 0, 0);
}

static void a_foot_alone_holds_its_sole(void **fixture) {
    const tr_foothold left = lift(*fixture, 0.5);
    assert_false(left.stands[1]);
    assert_true(left.gap_m[1] > 0.05);
    assert_int_equal(left.corner_count, 4);
    assert_near(nearest(&left, 0, 0, 0).y, INNER_M, 1e-9);
    assert_near(nearest(&left, 0, 0, 0.3).y, OUTER_M, 1e-9);
    assert_near(left.middle.y, 4.09, 1e-9);
}

static void a_foot_close_to_the_ground_stands(void **fixture) {
    const tr_foothold both = lift(*fixture, 0.1);
    assert_true(both.stands[1]);
    assert_near(both.gap_m[1], 0.0041, 1e-3);
    assert_near(nearest(&both, 0, 0, 0).y, 0, 1e-9);
}

/* Touches of others, of other bodies and of oneself do not count. */
static void feet_touch_what_is_not_the_character(void **fixture) {
    const tr_model *model = *fixture;
    const int foot = model->foot[0], toe = model->toe[1], head = model->head;
    const struct {
        tr_contact contact;
        bool left, right;
    } cases[] = {{{.entity = {5, 0}, .body = {foot, -1}}, true, false},
                 {{.entity = {0, 5}, .body = {-1, toe}}, false, true},
                 {{.entity = {5, 0}, .body = {head, -1}}, false, false},
                 {{.entity = {6, 0}, .body = {foot, -1}}, false, false},
                 {{.entity = {5, 5}, .body = {foot, toe}}, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool touches[2];
        tr_foothold_touch(model, 5, &cases[i].contact, 1, touches);
        assert_int_equal(touches[0], cases[i].left);
        assert_int_equal(touches[1], cases[i].right);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sole_is_foot_and_toes),
        cmocka_unit_test(both_feet_hold_the_ground_between_them),
        cmocka_unit_test(a_foot_alone_holds_its_sole),
        cmocka_unit_test(a_foot_close_to_the_ground_stands),
        cmocka_unit_test(feet_touch_what_is_not_the_character),
    };
    return cmocka_run_group_tests(tests, puppet_load, puppet_unload);
}
