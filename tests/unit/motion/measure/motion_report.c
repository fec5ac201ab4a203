/* The report on a motion. */
#include "cmocka_test.h"

#include "math/elementary.h"
#include "model/mjcf.h"
#include "motion/measure/flight.h"
#include "motion/poses/motion.h"
#include "unit/motion/scratch.h"

#include <math.h>
#include <stdlib.h>

enum { N = 200 };
static const double DT_S = 0.01;

static tr_motion *still(const tr_model *model) {
    tr_motion *motion = NULL;
    assert_int_equal(tr_motion_create(model, N + 1, DT_S, &motion), TR_OK);
    return motion;
}

static tr_motion_report describe(const tr_model *model, const tr_motion *motion) {
    tr_motion_report report;
    assert_int_equal(tr_motion_describe(model, motion, &report), TR_OK);
    return report;
}

/* Once about each axis: only that about the vertical is a turn. */
TEST(a_flip_and_a_cartwheel_do_not_turn) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    static const struct {
        tr_vec3 axis;
        double turns;
    } cases[] = {{{0, -1, 0}, 0}, {{1, 0, 0}, 0}, {{0, 0, 1}, 2}};
    for (size_t k = 0; k < 3; k++) {
        OWN(tr_motion) *motion = still(model);
        double angle = 2 * TR_PI * (k == 2 ? 2 : 1);
        for (int i = 0; i <= N; i++)
            motion->poses[i].root_rot = tr_quat_mul(
                tr_quat_from_heading(0.3), tr_quat_from_axis_angle(cases[k].axis, angle * i / N));
        scratch_near(describe(model, motion).turn_rad, 2 * TR_PI * cases[k].turns, 1e-9);
    }
}

/* There and back: far on the way, nothing from begin to end. */
TEST(the_way_is_not_the_displacement) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = still(model);
    for (int i = 0; i <= N; i++)
        motion->poses[i].root_pos.x = fabs(i - 0.5 * N) * DT_S;
    tr_motion_report r = describe(model, motion);
    scratch_near(r.path_m, 2, 1e-9);
    scratch_near(r.way_m, 0, 1e-9);
    scratch_near(r.speed_mps, 0, 1e-9);
}

/* Head down for a frame, and low. */
TEST(every_body_that_sinks_is_known) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = still(model);
    motion->poses[150].root_rot = tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), TR_PI);
    motion->poses[150].root_pos.z = 0.2;
    tr_motion_report r = describe(model, motion);
    int head = tr_model_find_body(model, "head"), pelvis = 0;
    assert_true(r.low_m[head] < -0.4);
    scratch_near(r.low_s[head], 1.5, 1e-12);
    assert_true(r.low_m[pelvis] > 0);
}

TEST(flight_falls_with_g) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = still(model);
    for (int i = 60; i < 110; i++) {
        double t = (i - 60) * DT_S;
        motion->poses[i].root_pos.z += 0.5 * 9.81 * t * (0.5 - t);
    }
    tr_flight flight;
    assert_int_equal(tr_motion_measure_flight(model, motion, &flight), TR_OK);
    scratch_near(flight.fall_mps2, 9.81, 1e-6);
    assert_true(flight.duration_s > 0.3 && flight.duration_s < 0.5);
}

/* A character on a moving lift is not in flight. */
TEST(a_platform_is_no_flight) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = still(model);
    for (int i = 60; i < 180; i++)
        motion->poses[i].root_pos.z += 0.3 * tr_sin(TR_PI * (i - 60) / 120) > 0.2 ? 0.2 : 0.1;
    tr_flight flight;
    assert_int_equal(tr_motion_measure_flight(model, motion, &flight), TR_OK);
    scratch_near(flight.duration_s, 0, 0);
}

/* Hands below the floor for a fifth of the time: feet that stand above them are on the ground. */
TEST(feet_show_where_the_ground_is) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = still(model);
    tr_flight flight;
    for (int i = 0; i < N / 5; i++) {
        tr_pose *pose = &motion->poses[i];
        pose->root_rot = tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), TR_PI);
        pose->root_pos.z -= 0.5;
    }
    assert_int_equal(tr_motion_measure_flight(model, motion, &flight), TR_OK);
    scratch_near(flight.raised_s, 0, 0);
}
