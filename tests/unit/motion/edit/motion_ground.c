#include "cmocka_test.h"

#include "model/mjcf.h"
#include "unit/motion/scratch.h"

#include <math.h>
#include <stdlib.h>

enum { FRAMES = 200 };
static const double DT = 0.01;

/* Standing, with the height of the root as a function of the frame. */
static tr_motion *stand(const tr_model *model, double (*height)(int frame)) {
    tr_motion *motion = NULL;
    assert_int_equal(tr_motion_create(model, FRAMES, DT, &motion), TR_OK);
    for (int i = 0; i < FRAMES; i++)
        motion->poses[i].root_pos.z += height(i);
    return motion;
}

static double floating(int frame) {
    (void)frame;
    return 0.3;
}

/* Slow drift of the ground: up by 4 cm in 2 s. */
static double drifting(int frame) {
    return 0.02 * frame * DT;
}

/* A hop of 0.3 s to 11 cm above the ground, in free fall. */
static double hopping(int frame) {
    double t = frame * DT - 0.85;
    return t > 0 && t < 0.3 ? 0.5 * 9.81 * t * (0.3 - t) : 0;
}

static double sole_height(const tr_model *model, const tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    return tr_body_lowest_point(model, -1, bodies);
}

TEST(a_percentile_is_put_on_the_ground) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = stand(model, drifting);
    assert_int_equal(tr_motion_ground(model, motion, 50), TR_OK);
    scratch_near(sole_height(model, &motion->poses[FRAMES / 2]), 0, 2e-4);
    scratch_near(sole_height(model, &motion->poses[0]), -0.02, 2e-4);
    assert_int_equal(tr_motion_ground(model, motion, -1), TR_INVALID_ARGUMENT);
}

TEST(standing_feet_meet_the_ground) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    double (*const heights[])(int) = {floating, drifting};
    for (size_t k = 0; k < 2; k++) {
        OWN(tr_motion) *motion = stand(model, heights[k]);
        assert_int_equal(tr_motion_fit_ground(model, motion), TR_OK);
        for (int i = 0; i < FRAMES; i++)
            scratch_near(sole_height(model, &motion->poses[i]), 0, 1e-3);
    }
}

/* The fit does not pull a flight down or bend it: the hop keeps its height and its fall. */
TEST(a_flight_is_not_changed) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = stand(model, hopping);
    for (int i = 0; i < FRAMES; i++)
        motion->poses[i].root_pos.z += 0.05;
    assert_int_equal(tr_motion_fit_ground(model, motion), TR_OK);
    for (int i = 0; i < FRAMES; i++)
        scratch_near(sole_height(model, &motion->poses[i]), hopping(i), 0.006);
    for (int i = 90; i < 110; i++) {
        double z0 = motion->poses[i - 5].root_pos.z, z1 = motion->poses[i].root_pos.z,
               z2 = motion->poses[i + 5].root_pos.z;
        scratch_near((z0 - 2 * z1 + z2) / (25 * DT * DT), -9.81, 0.8);
    }
}

/* An inertial suit: the ground rises by 16 cm, slowly, in the second half. */
static double suit(int frame) {
    return 0.16 * fmax(0, frame / (0.5 * FRAMES) - 1);
}

/* A stair in the middle. */
static double stair(int frame) {
    return frame < FRAMES / 2 ? 0 : 0.16;
}

TEST(a_drift_is_levelled_and_a_stair_and_a_hop_are_not) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    double (*const heights[])(int) = {suit, stair, hopping, drifting};
    for (size_t k = 0; k < 4; k++) {
        OWN(tr_motion) *motion = stand(model, heights[k]);
        double drift_m = -1;
        assert_int_equal(tr_motion_level_drift(model, motion, &drift_m), TR_OK);
        scratch_near(drift_m, k == 0 ? 0.16 : 0, 0.005);
        for (int i = 0; i < FRAMES; i++)
            scratch_near(sole_height(model, &motion->poses[i]), k ? heights[k](i) : 0, 0.035);
    }
}

TEST(a_report_distinguishes_stance_from_flight) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = stand(model, hopping);
    tr_motion_report report;
    assert_int_equal(tr_motion_describe(model, motion, &report), TR_OK);
    scratch_near(report.duration_s, (FRAMES - 1) * DT, 1e-12);
    scratch_near(report.foot_low_m, 0, 1e-9);
    scratch_near(report.root_high_m - report.root_low_m, 9.81 * 0.3 * 0.3 / 8, 1e-3);
    /* Above 5 cm for all but the ends of the hop. */
    scratch_near(report.flight_fraction, 0.25 / (FRAMES * DT), 0.02);
    scratch_near(report.contact_fraction[0] + report.flight_fraction, 1, 1e-12);
    scratch_near(report.foot_slip_mps, 0, 1e-12);
}
