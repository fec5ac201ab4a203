#include "cmocka_test.h"

#include "control/torque/skate/skating_step.h"
#include "physics/spatial/dynamics.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

#include <math.h>

static const double WEIGHT_MPS2 = 9.81;

/* A character with its right foot on a board that rolls at 1.5 m/s, and what a step reads of it. */
typedef struct scene {
    tr_state state;
    tr_body_state bodies[TR_BODY_MAX];
    tr_quat joint[TR_BODY_MAX];
    tr_foot_sole sole[2];
    tr_skating_numbers numbers;
    tr_momentum_stance stance;
    tr_skating_load load;
    tr_trucks trucks;
    tr_object_state deck;
    tr_dynamics dynamics;
    tr_board_scene seen;
    tr_stroke_plan stroke;
    tr_skating_view view;
} scene;

static void look(scene *s, const tr_model *model) {
    tr_state_forward(model, &s->state, s->bodies);
    tr_dynamics_init(&s->dynamics, model, &s->state, s->bodies);
    tr_board_scene_look(&(tr_board_scene_def){.dynamics = &s->dynamics,
                                              .bodies = s->bodies,
                                              .sole = s->sole,
                                              .deck = &s->deck,
                                              .standing = 1},
                        &s->seen);
}

/* With bent knees; the board under its right foot points to heading_rad, and so does the
 * character. */
static void set_scene(scene *s, const tr_model *model, double heading_rad) {
    tr_pose rest = tr_pose_rest(model);
    *s = (scene){.numbers = DEFAULTS(tr_skating_numbers, tr_skating_number_table), .load = {3, 5}};
    for (int side = 0; side < 2; side++) {
        const int foot = model->foot[side], shank = model->body[foot].parent;
        const int thigh = model->body[shank].parent;
        rest.joint[shank] = tr_quat_exp((tr_vec3){0, 0.8, 0});
        rest.joint[thigh] = rest.joint[foot] = tr_quat_exp((tr_vec3){0, -0.4, 0});
        s->sole[side] = tr_foot_sole_of(model, side);
    }
    const tr_state at_rest = tr_state_at_rest(model, &rest);
    s->state = tr_state_place(&at_rest, heading_rad, (tr_vec3){3, 4, 0});
    s->state.root_vel = tr_vec3_from_heading((tr_vec3){1.5, 0, 0}, heading_rad);
    s->deck = (tr_object_state){.rot = tr_quat_from_heading(heading_rad), .vel = s->state.root_vel};
    for (int i = 0; i < model->body_count; i++)
        s->joint[i] = rest.joint[i];
    look(s, model);
    s->stance = (tr_momentum_stance){s->seen.centroid, tr_quat_identity()};
    s->view = (tr_skating_view){
        .numbers = &s->numbers,
        .stance = &s->stance,
        .load = &s->load,
        .trucks = &s->trucks,
        .sole = &s->sole[1],
        .body = {&s->dynamics, &s->state, s->bodies, s->joint, {0, 0, -WEIGHT_MPS2}},
        .scene = &s->seen,
        .deck = &s->deck,
        .stroke = &s->stroke};
}

/* Acceleration of the middle of a sole, along the axes. */
static tr_vec3 sole_acceleration(const scene *s, const double *accel, int foot) {
    const tr_dynamics *d = &s->dynamics;
    const int body = s->seen.body[foot];
    tr_spatial sum = d->bias[body];
    for (int i = body; i >= 0; i = d->model->body[i].parent)
        for (int j = d->first[i]; j < d->first[i] + d->dofs[i]; j++)
            sum = tr_spatial_add_scaled(sum, accel[j], d->axis[j]);
    const tr_v4 x = tr_v4_from(s->seen.sole[foot]);
    const tr_spatial v = d->velocity[body];
    const tr_v4 point = v.lin + tr_v4_cross(v.ang, x);
    return tr_vec3_along(s->seen.axis,
                         tr_v4_to(sum.lin + tr_v4_cross(sum.ang, x) + tr_v4_cross(v.ang, point)));
}

static tr_vec3 momentum_rate(const scene *s, const double *accel) {
    tr_spatial rate = s->dynamics.momentum_bias;
    for (int j = 0; j < s->dynamics.dof; j++)
        rate = tr_spatial_add_scaled(rate, accel[j], s->dynamics.momentum_axis[j]);
    return tr_vec3_along(s->seen.axis, tr_v4_to(rate.lin));
}

/* The board rolls freely: character and board together get what the foot pushes, less the drag, and
 * the board is pulled under a centroid that is ahead of its place. In whatever heading. */
TEST(along_the_board_only_the_push_acts) {
    const tr_model *model = *given;
    double accel[TR_DOF_MAX];
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    for (int k = 0; k < 12; k++) {
        set_scene(&s, model, 0.5 * k);
        s.stroke = (tr_stroke_plan){.force_n = 10 * k, .load_n = 15 * k};
        s.stance.centroid.x -= 0.002 * k;
        assert_int_equal(tr_skating_step(&s.view, accel, torque), TR_OK);
        const double sole = sole_acceleration(&s, accel, TR_STANDING).x;
        const double rate = momentum_rate(&s, accel).x;
        assert_near(rate + s.load.kg * sole, s.stroke.force_n - s.load.drag_kgps * 1.5, 1);
        assert_near(sole - rate / model->mass, s.numbers.board_stiffness * 0.002 * k, 0.02);
        for (int i = 1; i < model->body_count; i++)
            assert_true(tr_vec3_length(torque[i]) < sqrt(3) * s.numbers.strength_nm + 1e-9);
    }
}

/* A lifted foot along the board as seen from the board, a foot on the ground as seen from there. */
TEST(the_pushing_foot_moves_as_the_stroke_has_it) {
    const tr_model *model = *given;
    double accel[TR_DOF_MAX];
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    for (int lifted = 0; lifted < 2; lifted++) {
        set_scene(&s, model, 0.3);
        s.stroke = (tr_stroke_plan){.lifted = lifted, .accel = {2, -1, 3}};
        assert_int_equal(tr_skating_step(&s.view, accel, torque), TR_OK);
        const tr_vec3 pushing = sole_acceleration(&s, accel, TR_PUSHING);
        const double board = sole_acceleration(&s, accel, TR_STANDING).x;
        assert_near(pushing.x - (lifted ? board : 0), 2, 0.05);
        assert_near(pushing.y, -1, 0.05);
        assert_near(pushing.z, 3, 0.05);
    }
}

/* Lean out of reach of the sole: the character still turns only as far as the sole, and the board
 * across, allow. */
TEST(pressure_stays_on_the_sole) {
    const tr_model *model = *given;
    double accel[TR_DOF_MAX];
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    set_scene(&s, model, 0);
    s.stance.centroid.x -= 0.3;
    s.stroke.lifted = true;
    assert_int_equal(tr_skating_step(&s.view, accel, torque), TR_OK);
    tr_spatial rate = s.dynamics.momentum_bias;
    for (int j = 0; j < s.dynamics.dof; j++)
        rate = tr_spatial_add_scaled(rate, accel[j], s.dynamics.momentum_axis[j]);
    const double load = rate.lin[2] + model->mass * WEIGHT_MPS2;
    const double pressure =
        s.seen.centroid.x - (rate.ang[1] + s.seen.centroid.z * rate.lin[0]) / load;
    const double half = (s.sole[1].high.x - s.sole[1].low.x) / 2;
    assert_true(fabs(pressure) < half);
}

/* Also when the other foot is to bear more than the weight. */
TEST(the_board_always_bears_a_load) {
    const tr_model *model = *given;
    double accel[TR_DOF_MAX];
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    for (int k = 0; k < 4; k++) {
        set_scene(&s, model, 0);
        s.stroke = (tr_stroke_plan){.force_n = 50 * k, .load_n = 500 * k};
        assert_int_equal(tr_skating_step(&s.view, accel, torque), TR_OK);
        const double weight = model->mass * WEIGHT_MPS2;
        const double lift = momentum_rate(&s, accel).z + weight;
        assert_true(lift - s.stroke.load_n > 0.1 * weight);
    }
}

/* On a straight board the centroid stays where it is in the stance. With trucks a curve to the left
 * first takes it to the left, and a deck that leans to the left takes the sole there. */
TEST(trucks_turn_the_way) {
    const tr_model *model = *given;
    double accel[TR_DOF_MAX];
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    for (int trucks = 0; trucks < 2; trucks++) {
        set_scene(&s, model, 0.3);
        s.trucks = trucks ? (tr_trucks){3, 200} : (tr_trucks){0};
        s.view.curvature_pm = 0.1;
        s.stroke.lifted = true;
        assert_int_equal(tr_skating_step(&s.view, accel, torque), TR_OK);
        assert_true(trucks ? momentum_rate(&s, accel).y > 1 : fabs(momentum_rate(&s, accel).y) < 1);
    }
    s.view.curvature_pm = 0;
    s.deck.rot = tr_quat_mul(s.deck.rot, tr_quat_exp((tr_vec3){-0.1, 0, 0}));
    look(&s, model);
    assert_int_equal(tr_skating_step(&s.view, accel, torque), TR_OK);
    assert_near(sole_acceleration(&s, accel, TR_STANDING).y, 1.5 * 1.5 * 3 * sin(0.1), 0.05);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
