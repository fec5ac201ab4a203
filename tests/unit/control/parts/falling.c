#include "cmocka_test.h"

#include "control/parts/falling.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

/* Leans by `angle_rad` towards a direction, from its front to the left. */
static tr_drive drive_of(const tr_model *model, double direction_rad, double angle_rad,
                         double time_s) {
    tr_pose pose = tr_pose_rest(model);
    tr_state state = tr_state_at_rest(model, &pose);
    tr_vec3 axis = {-sin(direction_rad), cos(direction_rad), 0};
    state.pose.root_rot = tr_quat_from_axis_angle(axis, angle_rad);
    tr_drive drive = {0};
    tr_falling_drive(model, &state, time_s, &drive);
    return drive;
}

/* Where a hand is, in the frame of the root, with the targets as joints. */
static tr_vec3 hand_of(const tr_model *model, const tr_drive *drive, int side) {
    tr_pose pose = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    memcpy(pose.joint, drive->target, sizeof pose.joint);
    pose.root_pos = (tr_vec3){0, 0, 0};
    pose.root_rot = tr_quat_identity();
    tr_pose_forward(model, &pose, bodies);
    return tr_body_origin(model, model->hand[side], &bodies[model->hand[side]]);
}

TEST(hands_reach_to_where_it_falls) {
    for (int side = 0; side < 2; side++) {
        tr_drive front = drive_of(*given, 0, 1, 0.1), back = drive_of(*given, TR_PI, 1, 0.1);
        assert_true(hand_of(*given, &front, side).x > 0.2);
        /* Backwards the trunk curls up, and the arms reach behind it. */
        int arm = tr_model_find_body(*given, side ? "ruarm" : "luarm");
        assert_true(tr_quat_log(back.target[arm]).y > 1);
    }
    tr_drive left = drive_of(*given, TR_PI / 2, 1, 0.1);
    assert_true(hand_of(*given, &left, 0).y > 0.3);
}

TEST(knees_give_on_every_side) {
    int shank = tr_model_find_body(*given, "lshank");
    for (int i = 0; i < 16; i++) {
        tr_drive drive = drive_of(*given, i * TR_PI / 8, 1, 0.1);
        assert_true(tr_quat_log(drive.target[shank]).y > 0.8);
    }
}

/* Falling to the right is the mirror image of falling to the left. */
TEST(sides_are_alike) {
    const tr_model *model = *given;
    for (int i = 0; i < 8; i++) {
        double direction = 0.1 + i * 0.4;
        tr_drive left = drive_of(model, direction, 1, 0.1),
                 right = drive_of(model, -direction, 1, 0.1);
        tr_pose pose = tr_pose_rest(model);
        memcpy(pose.joint, left.target, sizeof pose.joint);
        pose = tr_pose_mirror(model, &pose);
        for (int b = 1; b < model->body_count; b++)
            assert_true(tr_quat_angle(pose.joint[b], right.target[b]) < 1e-6);
    }
}

TEST(gains_are_low_and_fade) {
    const tr_model *model = *given;
    tr_drive early = drive_of(model, 1, 1, 0), late = drive_of(model, 1, 1, 1),
             end = drive_of(model, 1, 1, 100);
    assert_int_equal(early.mode, TR_DRIVE_TARGETS);
    assert_int_equal(early.gain_set, TR_SERVO_VALUES);
    for (int b = 1; b < model->body_count; b++) {
        assert_true(early.kp[b] < model->gain_set[0].kp[b]);
        assert_true(late.kp[b] < early.kp[b]);
        assert_true(end.kp[b] > 0 && end.kd[b] > 0);
    }
}

SUITE_FIXTURE(puppet_load, puppet_unload);
