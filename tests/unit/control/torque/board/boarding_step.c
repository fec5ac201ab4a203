#include "cmocka_test.h"

#include "control/torque/board/boarding_step.h"
#include "physics/spatial/dynamics.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <math.h>

static const double WEIGHT_MPS2 = 9.81, SPEED_MPS = 1.5;

/* A character with both feet on a board that rolls to its left, and what a step reads of it. */
typedef struct scene {
    tr_state state;
    tr_body_state bodies[TR_BODY_MAX];
    tr_quat joint[TR_BODY_MAX];
    tr_foot_sole sole[2];
    tr_boarding_numbers numbers;
    tr_momentum_stance at_rest;
    tr_ride_board board;
    tr_object_state deck;
    tr_dynamics dynamics;
    tr_ride_scene seen;
    tr_kick_plan kick;
    tr_boarding_view view;
} scene;

static void look(scene *s, const tr_model *model) {
    tr_state_forward(model, &s->state, s->bodies);
    tr_dynamics_init(&s->dynamics, model, &s->state, s->bodies);
    tr_ride_scene_look(&(tr_ride_scene_def){.dynamics = &s->dynamics,
                                            .bodies = s->bodies,
                                            .sole = s->sole,
                                            .deck = &s->deck,
                                            .board = &s->board},
                       &s->seen);
}

/* With bent knees, in any heading. */
static void set_scene(scene *s, const tr_model *model, double heading_rad) {
    tr_pose rest = tr_pose_rest(model);
    *s = (scene){.numbers = DEFAULTS(tr_boarding_numbers, tr_boarding_number_table),
                 .board = {3, 5, 0, 0.5, 0.3, 8}};
    for (int side = 0; side < 2; side++) {
        const int foot = model->foot[side], shank = model->body[foot].parent;
        const int thigh = model->body[shank].parent;
        rest.joint[shank] = tr_quat_exp((tr_vec3){0, 0.8, 0});
        rest.joint[thigh] = rest.joint[foot] = tr_quat_exp((tr_vec3){0, -0.4, 0});
        s->sole[side] = tr_foot_sole_of(model, side);
    }
    const tr_state at_rest = tr_state_at_rest(model, &rest);
    s->state = tr_state_place(&at_rest, heading_rad, (tr_vec3){3, 4, 0});
    s->state.root_vel = tr_vec3_from_heading((tr_vec3){0, SPEED_MPS, 0}, heading_rad);
    s->deck = (tr_object_state){.pos = s->state.pose.root_pos,
                                .rot = tr_quat_from_heading(heading_rad),
                                .vel = s->state.root_vel};
    for (int i = 0; i < model->body_count; i++)
        s->joint[i] = rest.joint[i];
    look(s, model);
    s->at_rest = (tr_momentum_stance){s->seen.centroid, tr_quat_identity()};
    s->kick.place_m = s->seen.centroid.x;
    s->view = (tr_boarding_view){
        .numbers = &s->numbers,
        .at_rest = &s->at_rest,
        .board = &s->board,
        .body = {&s->dynamics, &s->state, s->bodies, s->joint, {0, 0, -WEIGHT_MPS2}},
        .scene = &s->seen,
        .deck = &s->deck,
        .kick = &s->kick};
}

static tr_spatial momentum_rate(const scene *s, const double *accel) {
    tr_spatial rate = s->dynamics.momentum_bias;
    for (int j = 0; j < s->dynamics.dof; j++)
        rate = tr_spatial_add_scaled(rate, accel[j], s->dynamics.momentum_axis[j]);
    return rate;
}

/* Where the board presses, ahead of the rear axle. */
static double pressure_of(const scene *s, const tr_model *model, const double *accel) {
    const tr_spatial rate = momentum_rate(s, accel);
    const tr_vec3 linear = tr_vec3_along(s->seen.axis, tr_v4_to(rate.lin));
    const tr_vec3 angular = tr_vec3_along(s->seen.axis, tr_v4_to(rate.ang));
    const double load = linear.z + model->mass * WEIGHT_MPS2;
    return s->seen.centroid.x - (angular.y + s->seen.centroid.z * linear.x) / load;
}

static void step(scene *s, double *accel) {
    tr_vec3 torque[TR_BODY_MAX];
    assert_int_equal(tr_boarding_step(&s->view, accel, torque), TR_OK);
    for (int i = 1; i < s->dynamics.model->body_count; i++)
        assert_true(tr_vec3_length(torque[i]) < sqrt(3) * s->numbers.strength_nm + 1e-9);
}

/* Character and board together get the drag, wherever the centroid is, in whatever heading. */
TEST(along_the_board_only_the_drag_acts) {
    const tr_model *model = *given;
    double accel[TR_DOF_MAX];
    scene s;
    for (int k = 0; k < 6; k++) {
        set_scene(&s, model, 0.9 * k);
        s.kick.place_m -= 0.01 * k;
        step(&s, accel);
        const double rate = tr_vec3_along(s.seen.axis, tr_v4_to(momentum_rate(&s, accel).lin)).x;
        const double catching = s.numbers.board_stiffness * 0.01 * k;
        const double board = rate / model->mass + catching;
        assert_near(rate + s.board.kg * board, -s.board.drag_kgps * SPEED_MPS, 1);
    }
}

/* N = 8 N m, I = 0.3 kg m2. */
TEST(the_nose_rises_by_pressure_behind_the_axle) {
    const tr_model *model = *given;
    double accel[TR_DOF_MAX];
    scene s;
    for (int k = -1; k <= 1; k++) {
        set_scene(&s, model, 0.4);
        s.kick = (tr_kick_plan){.lifts = true, .nose = 20 * k};
        step(&s, accel);
        const double expected = -(0.3 * 20 * k + 8) / (model->mass * WEIGHT_MPS2);
        assert_near(pressure_of(&s, model, accel), expected, 0.005);
    }
}

/* The board turns against the body: what it gets, the character loses. */
TEST(a_kick_turns_the_body_the_other_way) {
    const tr_model *model = *given;
    double accel[TR_DOF_MAX];
    scene s;
    set_scene(&s, model, 0);
    s.kick = (tr_kick_plan){.lifts = true, .yaw = 10};
    step(&s, accel);
    assert_near((double)momentum_rate(&s, accel).ang[2], -0.3 * 10, 0.1);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
