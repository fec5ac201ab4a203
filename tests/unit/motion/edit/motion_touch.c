#include "cmocka_test.h"

#include "model/mjcf.h"
#include "unit/motion/scratch.h"

#include <stdlib.h>

enum { FRAMES = 40 };

/* Standing at rest, the soles `height` above the ground. */
static tr_motion *stand(const tr_model *model, double height) {
    tr_motion *motion = NULL;
    assert_int_equal(tr_motion_create(model, FRAMES, 0.01, &motion), TR_OK);
    for (int i = 0; i < FRAMES; i++)
        motion->poses[i].root_pos.z += height;
    return motion;
}

static void place(const tr_model *model, const tr_pose *pose, tr_body_state *bodies) {
    tr_pose_forward(model, pose, bodies);
}

static double foot_height(const tr_model *model, const tr_body_state *bodies, int side) {
    return fmin(tr_body_lowest_point(model, model->foot[side], bodies),
                tr_body_lowest_point(model, model->toe[side], bodies));
}

/* With the heel raised by the pitch of the feet, the toes lie flat and carry. */
TEST(toes_lie_flat_under_a_raised_heel) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = stand(model, 0.3);
    double pitch = 0.6;
    for (int i = 0; i < FRAMES; i++)
        for (int side = 0; side < 2; side++)
            motion->poses[i].joint[model->foot[side]] = tr_quat_exp(tr_vec3_make(0, pitch, 0));
    assert_int_equal(tr_motion_fit_ground(model, motion), TR_OK);
    tr_motion_bend_toes(model, motion);
    for (int side = 0; side < 2; side++) {
        tr_vec3 angle = tr_quat_log(motion->poses[7].joint[model->toe[side]]);
        scratch_near(angle.y, -pitch, 0.15);
        scratch_near(angle.x, 0, 1e-12);
    }
    /* A foot in the air keeps its toe. */
    for (int i = 0; i < FRAMES; i++)
        motion->poses[i].root_pos.z += 0.5;
    tr_motion_bend_toes(model, motion);
    scratch_near(tr_vec3_length(tr_quat_log(motion->poses[7].joint[model->toe[0]])), 0, 1e-12);
}

/* Both feet pitched in all frames are calibrated wrong. One raised heel is a pose, and so are heels that
 * come down. */
TEST(feet_that_both_stand_pitched_are_laid_flat) {
    static const struct {
        double pitch[2];
        int until;
        bool laid;
    } row[] = {{{0.2, 0.3}, 60, true},
               {{-0.2, -0.15}, 60, true},
               {{0.2, 0}, 60, false},
               {{0.2, 0.3}, 30, false}};
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        OWN(tr_motion) *motion = NULL;
        double found[2] = {9, 9};
        assert_int_equal(tr_motion_create(model, 60, 0.01, &motion), TR_OK);
        for (int i = 0; i < row[k].until; i++)
            for (int side = 0; side < 2; side++)
                motion->poses[i].joint[model->foot[side]] =
                    tr_quat_exp(tr_vec3_make(0, row[k].pitch[side], 0));
        assert_int_equal(tr_motion_lay_feet(model, motion, found), TR_OK);
        for (int side = 0; side < 2; side++) {
            const tr_quat joint = motion->poses[7].joint[model->foot[side]];
            scratch_near(found[side], row[k].laid ? -row[k].pitch[side] : 0, 1e-9);
            scratch_near(tr_quat_log(joint).y, row[k].laid ? 0 : row[k].pitch[side], 1e-9);
        }
    }
}

/* With bent knees, 20 mm above the ground on the left and 20 mm below it on the right: the legs put
 * both feet down, and do not turn them. */
TEST(feet_are_planted_by_their_legs) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = stand(model, 0);
    double bend[2] = {0.5, 0.42};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < FRAMES; i++) {
            int foot = model->foot[side], shank = model->body[foot].parent;
            tr_vec3 y = {0, 1, 0};
            tr_pose *pose = &motion->poses[i];
            pose->joint[model->body[shank].parent] = tr_quat_from_axis_angle(y, -bend[side]);
            pose->joint[shank] = tr_quat_from_axis_angle(y, 2 * bend[side]);
            pose->joint[foot] = tr_quat_from_axis_angle(y, -bend[side]);
        }
    tr_body_state before[TR_BODY_MAX], after[TR_BODY_MAX];
    place(model, &motion->poses[9], before);
    double middle = 0.5 * (foot_height(model, before, 0) + foot_height(model, before, 1));
    for (int i = 0; i < FRAMES; i++)
        motion->poses[i].root_pos.z -= middle;
    place(model, &motion->poses[9], before);
    assert_true(foot_height(model, before, 0) > 0.01 && foot_height(model, before, 1) < -0.01);
    assert_int_equal(tr_motion_plant_feet(model, motion), TR_OK);
    place(model, &motion->poses[9], after);
    for (int side = 0; side < 2; side++) {
        int foot = model->foot[side];
        scratch_near(foot_height(model, after, side), 0, 0.003);
        scratch_near(tr_quat_angle(before[foot].rot, after[foot].rot), 0, 1e-6);
        scratch_near(after[foot].com_pos.y, before[foot].com_pos.y, 1e-6);
        scratch_near(after[foot].com_pos.x, before[foot].com_pos.x, 0.002);
    }
}

/* A straight leg cannot grow, and is not bent suddenly for millimetres; feet high up stay. */
TEST(planting_is_gentle) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    double heights[] = {0.02, -0.01, 0.3};
    for (size_t k = 0; k < 3; k++) {
        OWN(tr_motion) *motion = stand(model, heights[k]);
        assert_int_equal(tr_motion_plant_feet(model, motion), TR_OK);
        for (int body = 1; body < model->body_count; body++)
            scratch_near(tr_quat_angle(motion->poses[5].joint[body], tr_quat_identity()), 0, 0.05);
    }
}

/* Hanging arms with the wrists 6 cm above the ground: the hands bend and lie on it; higher up they
 * do not change. */
TEST(hands_lie_on_the_ground) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = stand(model, 0);
    tr_body_state bodies[TR_BODY_MAX];
    tr_motion_bend_wrists(model, motion);
    for (int side = 0; side < 2; side++)
        scratch_near(tr_quat_angle(motion->poses[3].joint[model->hand[side]], tr_quat_identity()),
                     0, 1e-12);
    place(model, &motion->poses[3], bodies);
    double wrist = tr_body_origin(model, model->hand[0], &bodies[model->hand[0]]).z;
    for (int i = 0; i < FRAMES; i++)
        motion->poses[i].root_pos.z += 0.06 - wrist;
    tr_motion_bend_wrists(model, motion);
    place(model, &motion->poses[3], bodies);
    for (int side = 0; side < 2; side++) {
        int hand = model->hand[side];
        scratch_near(tr_body_lowest_point(model, hand, bodies), 0, 0.03);
        scratch_near(tr_body_origin(model, hand, &bodies[hand]).z, 0.06, 1e-9);
        assert_true(bodies[hand].com_pos.x > 0.04); /* fingers point ahead */
    }
}
