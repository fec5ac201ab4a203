/* controllers/control/latent/latent_motion.h, anchor.h, foot_plants.h: motion is smooth, follows its
 * goal and keeps standing feet in place. */
#include "cmocka_test.h"

#include "control/latent/latent_motion.h"
#include "unit/control/latent/loops.h"

#include <math.h>
#include <string.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_latent_space, space);
SUITE_OWN(tr_latent_policy, policy);

/* A policy whose values are high on the loop that turns towards the goal. */
FIXTURE(make) {
    enum { FRAMES = LOOP_FRAMES * LOOP_COUNT };
    const tr_latent_choice choice = {
        .discount = 0.95, .ring = 0.75, .step_weight = 1, .ring_count = 16, .neighbour_count = 4};
    const tr_latent_task task = {.kind = TR_LATENT_HEADING,
                                 .grid = {2, {{-TR_PI, TR_PI, 24, true}, {1.5, 2.5, 1, false}}}};
    double rows[FRAMES][2 * LOOP_DIMENSION];
    model = loops_model();
    space = loops_make(model);
    for (int i = 0; i < FRAMES; i++) {
        tr_latent_state at = tr_latent_space_state(space, i);
        tr_latent_policy_row(&choice, LOOP_DIMENSION, &at, rows[i]);
    }
    assert_false(tr_latent_policy_create(&choice, &task, LOOP_DIMENSION, FRAMES, rows[0], &policy));
    for (int i = 0; i < FRAMES; i++)
        for (int c = 0; c < policy->cell_count; c++) {
            double wanted = fmax(-0.3, fmin(0.3, tr_goal_grid_goal(&task.grid, c).value[0]));
            policy->value[i * policy->cell_count + c] =
                -100 * fabs(tr_latent_policy_sample(policy, i).x[2] - wanted);
        }
}

static tr_latent_motion begin(int frame) {
    tr_latent_motion motion;
    const tr_latent_mover mover = {model, space, policy};
    tr_latent_motion_begin(&mover, frame, 0, &(tr_pose_place){1, 2, 0.5}, &motion);
    return motion;
}

static tr_pose step(double heading, double dt_s, tr_latent_motion *motion) {
    const tr_latent_mover mover = {model, space, policy};
    tr_goal goal = {{tr_angle_wrap(heading - motion->place.heading_rad), 1.5}};
    return tr_latent_motion_step(&mover, &goal, 0, dt_s, motion);
}

TEST(test_motion_turns_to_its_heading) {
    for (int side = -1; side <= 1; side += 2) {
        tr_latent_motion motion = begin(LOOP_FRAMES + 4);
        double heading = 0.5 + 1.2 * side;
        for (int i = 0; i < 300; i++)
            (void)step(heading, 1.0 / 60, &motion);
        assert_true(fabs(tr_angle_wrap(motion.place.heading_rad - heading)) < 0.5);
    }
}

TEST(test_same_steps_give_the_same_bits) {
    tr_latent_motion a = begin(3), b = begin(3);
    for (int i = 0; i < 100; i++) {
        tr_pose p = step(1, 1.0 / 60, &a), q = step(1, 1.0 / 60, &b);
        assert_memory_equal(&p, &q, sizeof p);
    }
}

TEST(test_poses_between_decisions_are_smooth) {
    tr_latent_motion motion = begin(3);
    const tr_latent_mover mover = {model, space, policy};
    double speed_before = 0;
    tr_latent_state before = tr_latent_motion_shown(&mover, &motion);
    for (int i = 0; i < 200; i++) {
        (void)step(1, 1.0 / 300, &motion);
        tr_latent_state now = tr_latent_motion_shown(&mover, &motion);
        double square = 0;
        for (int d = 0; d < LOOP_DIMENSION; d++)
            square += (now.x[d] - before.x[d]) * (now.x[d] - before.x[d]);
        double speed = sqrt(square) * 10, slope = 0;
        for (int d = 0; d < LOOP_DIMENSION; d++)
            slope += now.v[d] * now.v[d];
        assert_true(fabs(speed - sqrt(slope)) < 0.05 * sqrt(slope) + 1e-6);
        assert_true(i == 0 || fabs(speed - speed_before) < 0.05 * space->step_length + 0.02);
        speed_before = speed;
        before = now;
    }
}

/* The trunk's turn, rad, when the point is at `height` of the loops; the rest is a frame's. */
static double trunk_at(double height) {
    double x[LOOP_DIMENSION], vector[TR_POSE_VECTOR_MAX];
    memcpy(x, space->learned.point + (LOOP_FRAMES + 3) * LOOP_DIMENSION, sizeof x);
    x[2] = height;
    tr_latent_space_pose(space, x, vector);
    return vector[tr_pose_vector_channel(model, tr_model_find_body(model, "utorso")) + 2];
}

TEST(test_decisions_that_swing_hardly_move_the_pose) {
    const tr_latent_mover mover = {model, space, policy};
    const double swing = space->step_length / 2;
    const int trunk = tr_model_find_body(model, "utorso");
    tr_latent_motion motion = begin(LOOP_FRAMES + 3);
    double x[LOOP_DIMENSION], low = 9, high = -9;
    memcpy(x, space->learned.point + (LOOP_FRAMES + 3) * LOOP_DIMENSION, sizeof x);
    for (int i = 0; i < 40; i++) {
        x[2] = i % 2 ? swing : -swing;
        for (int part = 0; part < 4; part++) {
            tr_pose pose = tr_latent_motion_follow(&mover, x, 0, 1.0 / 120, &motion);
            double turn = tr_quat_log(pose.joint[trunk]).z;
            low = i < 10 ? low : fmin(low, turn);
            high = i < 10 ? high : fmax(high, turn);
        }
    }
    assert_true(high - low < 0.15 * (trunk_at(swing) - trunk_at(-swing)));
    assert_true(trunk_at(swing) - trunk_at(-swing) > 0.01);
}

/* How far the root moves when a standing foot was `off` from where it is, against a foot that was
 * not. */
static tr_vec3 given_way(tr_vec3 off) {
    tr_latent_motion still = begin(LOOP_FRAMES + 3), moved = still;
    for (int i = 0; i < space->learned.support_count; i++)
        moved.footing.at[i] = tr_vec3_add(moved.footing.at[i], off);
    (void)step(0.5, 1.0 / 60, &still);
    (void)step(0.5, 1.0 / 60, &moved);
    return tr_vec3_to_heading(
        (tr_vec3){moved.place.x - still.place.x, moved.place.y - still.place.y, 0},
        still.place.heading_rad);
}

TEST(test_root_gives_way_along_its_travel_and_little_across) {
    tr_vec3 ahead = given_way((tr_vec3){0.02, 0, 0}), aside = given_way((tr_vec3){0, 0.02, 0});
    assert_true(ahead.x > 0.001 && fabs(ahead.y) < 1e-3 * ahead.x);
    assert_true(aside.y > 0.1 * ahead.x && aside.y < 0.4 * ahead.x);
}

TEST(test_standing_feet_hold_the_root) {
    tr_footing from = {.at = {{0.1, 0.1, 0}, {0.2, -0.1, 0}}, .standing = {1, 0}}, to = from;
    to.at[0].x -= 0.05;
    to.at[1].x += 0.3;
    const tr_root_step predicted = {0, 0.03, 0.01};
    tr_root_step held = tr_anchor_step(2, &from, &to, &predicted);
    assert_true(fabs(held.forward - 0.05) < 0.003 && fabs(held.left) < 0.003);
    assert_true(tr_footing_slip(2, &from, &to, &held, 1) <
                0.1 * tr_footing_slip(2, &from, &to, &predicted, 1));
    from.standing[0] = 0;
    held = tr_anchor_step(2, &from, &to, &predicted);
    assert_true(fabs(held.forward - predicted.forward) < 1e-12);
}

/* A root that is carried along over standing feet. */
TEST(test_planted_feet_stay_while_the_root_moves) {
    tr_foot_plants plants = {0};
    double standing[TR_SUPPORT_MAX];
    const tr_latent_space_def *def = &space->learned;
    for (int i = 0; i < def->support_count; i++)
        standing[i] = 1;
    tr_vec3 first = {0, 0, 0}, last = {0, 0, 0};
    for (int i = 0; i < 60; i++) {
        tr_pose pose = tr_pose_rest(model);
        pose.root_pos.x += 0.001 * i;
        pose.root_pos.z -= 0.02;
        tr_foot_plants_step(&plants, space, model, standing, 0, 1.0 / 60, &pose);
        tr_body_state bodies[TR_BODY_MAX];
        tr_pose_forward(model, &pose, bodies);
        last = tr_support_position(model, &def->support[0], bodies);
        if (i == 15)
            first = last;
    }
    assert_true(fabs(last.x - first.x) < 0.005);
    assert_true(last.z > -0.005);
    for (int i = 0; i < def->support_count; i++)
        standing[i] = 0;
    tr_pose pose = tr_pose_rest(model), free_pose = pose;
    for (int i = 0; i < 60; i++) {
        pose = free_pose;
        tr_foot_plants_step(&plants, space, model, standing, 0, 1.0 / 60, &pose);
    }
    for (int i = 1; i < model->body_count; i++)
        assert_true(tr_quat_angle(pose.joint[i], free_pose.joint[i]) < 1e-3);
}

/* A foot that lands at 0.5 m/s, below a root that continues and slows down. */
TEST(test_landing_foot_comes_to_rest_and_never_moves_back) {
    tr_foot_plants plants = {0};
    double standing[TR_SUPPORT_MAX] = {0}, before = -1, x = 0, shift = 0, speed = 0.5;
    const tr_latent_space_def *def = &space->learned;
    for (int i = 0; i < 120; i++) {
        tr_pose pose = tr_pose_rest(model);
        for (int k = 0; i == 20 && k < def->support_count; k++)
            standing[k] = 1;
        speed *= i < 20 ? 1 : 0.95;
        shift += speed / 200;
        pose.root_pos.x += shift;
        pose.root_pos.z -= 0.02;
        tr_foot_plants_step(&plants, space, model, standing, 0, 1.0 / 200, &pose);
        tr_body_state bodies[TR_BODY_MAX];
        tr_pose_forward(model, &pose, bodies);
        x = tr_support_position(model, &def->support[0], bodies).x;
        assert_true(x > before - 1e-4);
        assert_true(i < 20 || x - before < 0.55 / 200);
        if (i > 80)
            assert_true(x - before < 0.01 / 200);
        before = x;
    }
}

static void turn_joint(tr_pose *pose, const char *body, double angle) {
    pose->joint[tr_model_find_body(model, body)] = tr_quat_exp((tr_vec3){0, angle, 0});
}

/* Ball and toe of a foot are planted; the root moves away until no leg is long enough. */
TEST(test_leg_that_cannot_reach_its_plant_does_not_flip) {
    tr_foot_plants plants = {0};
    double standing[TR_SUPPORT_MAX] = {0, 1, 1};
    tr_pose before = tr_pose_rest(model);
    for (int i = 0; i < 60; i++) {
        tr_pose pose = tr_pose_rest(model);
        turn_joint(&pose, "lthigh", -0.2);
        turn_joint(&pose, "lshank", 0.2);
        turn_joint(&pose, "lfoot", 0.3);
        pose.root_pos.x -= 0.00141 * i;
        pose.root_pos.z += 0.00071 * i;
        tr_foot_plants_step(&plants, space, model, standing, -1, 1.0 / 60, &pose);
        for (int k = 1; i > 0 && k < model->body_count; k++)
            assert_true(tr_quat_angle(pose.joint[k], before.joint[k]) < 0.2);
        before = pose;
    }
}

/* From one loop's motion to that of a space whose poses differ, and back to the first pose. */
TEST(test_joined_motion_begins_with_the_pose_and_its_speed) {
    const tr_latent_mover mover = {model, space, policy};
    const double dt_s = 1.0 / 240;
    tr_latent_motion motion = begin(3);
    tr_pose pose[3];
    for (int i = 0; i < 30; i++) {
        pose[0] = pose[1];
        pose[1] = step(0.5, dt_s, &motion);
    }
    int waist = tr_model_find_body(model, "ltorso");
    pose[1].joint[waist] = tr_quat_exp((tr_vec3){0, 0.4, 0});
    pose[0].joint[waist] = tr_quat_exp((tr_vec3){0, 0.4 - 2 * dt_s, 0});
    tr_state at = tr_state_from_poses(model, &pose[0], &pose[1], &pose[1], dt_s / 2);
    tr_latent_motion_join(&mover, &at, 0, &motion);
    pose[2] = step(0.5, dt_s, &motion);
    tr_vec3 turn = tr_quat_log(pose[2].joint[waist]);
    assert_true(fabs(turn.y - 0.4 - 2 * dt_s) < 0.002);
    for (int k = 1; k < model->body_count; k++) {
        double first = tr_quat_angle(pose[0].joint[k], pose[1].joint[k]);
        assert_true(tr_quat_angle(pose[1].joint[k], pose[2].joint[k]) < first + 0.01);
    }
    for (int i = 0; i < 240; i++)
        pose[2] = step(0.5, dt_s, &motion);
    assert_true(tr_vec3_length(tr_quat_log(pose[2].joint[waist])) < 0.01);
}

SUITE_FIXTURE(make, NULL);
