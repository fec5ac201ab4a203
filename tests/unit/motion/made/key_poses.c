#include "cmocka_test.h"

#include "model/mjcf.h"
#include "motion/made/key_poses.h"
#include "motion/made/key_track.h"
#include "unit/motion/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RECIPE(name) TR_SOURCE_DIR "/controllers/recipes/poses/" name

FIXTURE(load) {
    *given = scratch_model("humanoid.xml");
}

FIXTURE(unload) {
    tr_model_destroy(*given);
}

/* --- tracks --- */

static tr_key_track track_of(double period_s) {
    return (tr_key_track){
        4, {{0, {0, 0, 0}}, {1, {2, 0, 0}}, {2, {2, 1, 0}}, {4, {-1, 3, 0}}}, period_s, {0, 0, 0}};
}

TEST(a_track_meets_its_keys_and_never_overshoots) {
    const tr_key_track track = track_of(0);
    for (int i = 0; i < track.count; i++)
        assert_true(tr_vec3_distance(tr_key_track_at(&track, track.key[i].t_s),
                                     track.key[i].value) < 1e-12);
    for (double t = 1; t <= 2; t += 0.01) /* equal keys: it stays */
        scratch_near(tr_key_track_at(&track, t).x, 2, 1e-12);
    for (double t = -1; t <= 5; t += 0.01) {
        tr_vec3 v = tr_key_track_at(&track, t);
        assert_true(v.x <= 2 + 1e-12 && v.x >= -1 - 1e-12);
    }
    scratch_near(tr_key_track_at(&track, 9).y, 3, 0);
}

/* The rate is the same on both sides of every key, the seam included. */
TEST(a_track_is_smooth_across_its_seam) {
    tr_key_track track = track_of(5);
    track.shift = (tr_vec3){0, 4, 0};
    const double step = 1e-6;
    for (int i = 1; i < track.count; i++) {
        double t = track.key[i].t_s, at = tr_key_track_at(&track, t).y;
        double before = at - tr_key_track_at(&track, t - step).y;
        double after = tr_key_track_at(&track, t + step).y - at;
        scratch_near(before / step, after / step, 1e-4);
    }
    scratch_near(tr_key_track_at(&track, 5).y, 4, 1e-9);
    double end = (4 - tr_key_track_at(&track, 5 - step).y) / step;
    double begin = tr_key_track_at(&track, step).y / step;
    scratch_near(end, begin, 1e-4);
}

/* --- motions --- */

static tr_motion *made(const char *path, const tr_model *model, tr_key_poses_report *report) {
    tr_motion *motion = NULL;
    tr_error error = {0};
    if (tr_key_poses_make(path, model, &motion, report, &error))
        fail_msg("%s", error.message);
    return motion;
}

static tr_vec3 sole(const tr_model *model, const tr_pose *pose, int side) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    return tr_body_point(model, model->foot[side], (tr_vec3){0, 0, -0.08},
                         &bodies[model->foot[side]]);
}

TEST(feet_stay_where_they_stand_while_the_body_goes_sideways) {
    const tr_model *model = *given;
    tr_key_poses_report report;
    OWN(tr_motion) *motion = made(RECIPE("side-step.json"), model, &report);
    assert_true(motion->cyclic && report.miss_m < 1e-4 && report.limbs == 2);
    scratch_near(motion->cycle_shift.y, 0.3, 0);
    assert_string_equal(motion->source.origin, "made");
    assert_string_equal(motion->source.clip, "side-step.json");
    tr_vec3 stood = sole(model, &motion->poses[0], 1);
    for (int i = 0; i * motion->dt_s <= 0.72; i++)
        assert_true(tr_vec3_distance(sole(model, &motion->poses[i], 1), stood) < 1e-4);
    tr_pose next = tr_motion_pose(motion, tr_motion_duration(motion));
    scratch_near(next.root_pos.y - motion->poses[0].root_pos.y, 0.3, 1e-9);
    for (int i = 0; i < motion->frame_count; i++) /* no jump, at the seam neither */
        for (int b = 1; b < model->body_count; b++) {
            tr_pose after = tr_motion_pose(motion, (i + 1) * motion->dt_s);
            double turn = fabs(tr_quat_dot(motion->poses[i].joint[b], after.joint[b]));
            assert_true(turn > cos(0.5 * 0.12));
        }
}

/* The board tilts by 8 degrees about x at 0.275 s, and is 0.101 m to the left. */
TEST(feet_go_with_the_object_that_they_are_held_to) {
    const tr_model *model = *given;
    tr_key_poses_report report;
    OWN(tr_motion) *motion = made(RECIPE("rocking.json"), model, &report);
    double tilt = -8 * 3.14159265358979 / 180;
    const tr_pose *pose = &motion->poses[55];
    for (int side = 0; side < 2; side++) {
        double y = side ? -0.25 : 0.25;
        tr_vec3 expected = {0, 0.101 + y * cos(tilt) - 0.01 * sin(tilt),
                            0.1235 + y * sin(tilt) + 0.01 * cos(tilt)};
        assert_true(tr_vec3_distance(sole(model, pose, side), expected) < 1e-4);
    }
}

/* After a quarter and three quarters of the cycle the ball of 0.35 m has rolled by 1 cm to the foot
 * that stands, and the other one is 3 cm above it. */
TEST(steps_on_a_ball_lift_one_foot_from_it) {
    const tr_model *model = *given;
    tr_key_poses_report report;
    OWN(tr_motion) *motion = made(RECIPE("ball-steps.json"), model, &report);
    assert_true(motion->cyclic && report.miss_m < 1e-4);
    for (int lifted = 0; lifted < 2; lifted++) {
        const tr_pose pose = tr_motion_pose(motion, 0.125 + 0.25 * lifted);
        const tr_vec3 ball = {0, lifted ? 0.01 : -0.01, 0.35};
        for (int side = 0; side < 2; side++)
            scratch_near(tr_vec3_distance(sole(model, &pose, side), ball),
                         side == lifted ? 0.38 : 0.35, 1e-3);
    }
}

/* Its front faces up at first. */
TEST(a_kip_up_leads_from_the_back_to_the_feet) {
    const tr_model *model = *given;
    tr_key_poses_report report;
    OWN(tr_motion) *motion = made(RECIPE("kip-up.json"), model, &report);
    const tr_pose *first = &motion->poses[0], *last = &motion->poses[motion->frame_count - 1];
    assert_false(motion->cyclic);
    scratch_near(tr_quat_rotate(first->root_rot, (tr_vec3){1, 0, 0}).z, 1, 1e-9);
    assert_true(first->root_pos.z < 0.2);
    for (int side = 0; side < 2; side++)
        scratch_near(sole(model, last, side).z, 0, 0.01);
}

static void expect_error(const tr_model *model, const char *from, const char *to,
                         const char *said) {
    size_t size;
    tr_motion *motion = NULL;
    tr_key_poses_report report;
    tr_error error = {0};
    OWN_MEMORY char *text = scratch_read(RECIPE("side-step.json"), &size);
    OWN_MEMORY char *wrong = scratch_replace(text, from, to);
    const char *path = scratch_write(".json", wrong, strlen(wrong));
    assert_int_equal(tr_key_poses_make(path, model, &motion, &report, &error), TR_INVALID_ARGUMENT);
    if (!strstr(error.message, said))
        fail_msg("'%s' lacks '%s'", error.message, said);
}

/* Of the flip: its centre of mass falls with g from 0.98 to 1.48 s, and it turns over backwards once. */
TEST(the_backflip_flies_as_bodies_fall) {
    tr_model *model = *given;
    tr_key_poses_report report;
    OWN(tr_motion) *motion = made(RECIPE("backflip.json"), model, &report);
    double z[3], turned = 0;
    tr_body_state bodies[TR_BODY_MAX];
    for (int i = 0; i < 3; i++) {
        tr_state state = tr_motion_state(model, motion, 0.98 + 0.25 * i);
        tr_state_forward(model, &state, bodies);
        z[i] = tr_body_momentum(model, bodies).com_pos.z;
        assert_true(tr_body_lowest_point(model, -1, bodies) > 0.02);
    }
    scratch_near((z[0] - 2 * z[1] + z[2]) / (0.25 * 0.25), -9.81, 0.4);
    for (int k = 1; k < motion->frame_count; k++) {
        tr_quat step =
            tr_quat_mul(tr_quat_conj(motion->poses[k - 1].root_rot), motion->poses[k].root_rot);
        turned += tr_quat_log(step).y;
    }
    scratch_near(turned, -2 * 3.14159265358979, 0.01);
}

TEST(what_is_wrong_in_a_file_is_named) {
    const tr_model *model = *given;
    expect_error(model, "\"luarm\"", "\"wing\"", "joints.wing");
    expect_error(model, "\"t_s\": 0.12", "\"t_s\": 0", "limbs[0].keys[1]: t_s 0");
    expect_error(model, "\"t_s\": 1.12", "\"t_s\": 1.2",
                 "limbs[1].keys[3]: t_s: expected a number from 0 to 1.2");
    expect_error(model, "\"duration_s\": 1.2", "\"duration_s\": 0", "duration_s 0");
    expect_error(model, "[0, 0.3, 0]", "[0, 0.3, 1]", "shift_m");
    expect_error(model, "[0, 0.3, 0]", "[0, 0.3]", "shift_m");
    expect_error(model, "\"lfoot\"", "\"lshank\"", "'lshank'");
    expect_error(model, "\"point_m\"", "\"points_m\"", "'points_m'");
    expect_error(model, "0.25, 0.06]", "0.25, 2]", "'lfoot' misses its place");
}

SUITE_FIXTURE(load, unload);
