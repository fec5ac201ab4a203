#include "cmocka_test.h"

#include "control/torque/ground/momentum_step.h"
#include "unit/control/puppet.h"
#include "unit/defaults.h"

/* A character, and what a step reads of it. */
typedef struct scene {
    tr_state state;
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose rest;
    tr_foot_sole sole[2];
    tr_momentum_numbers numbers;
    tr_momentum_stance stance;
    tr_foothold foothold;
    tr_disturbance outside;
    tr_dynamics dynamics;
    tr_momentum_view view;
    double accel[TR_DOF_MAX];
} scene;

/* The humanoid with bent knees, at this state if it is given. */
static void set_scene(scene *s, const tr_model *model, const tr_state *state, bool right) {
    s->rest = tr_pose_rest(model);
    for (int side = 0; side < 2; side++) {
        const int foot = model->foot[side], shank = model->body[foot].parent;
        const int thigh = model->body[shank].parent;
        s->rest.joint[shank] = tr_quat_exp((tr_vec3){0, 0.4, 0});
        s->rest.joint[thigh] = s->rest.joint[foot] = tr_quat_exp((tr_vec3){0, -0.2, 0});
        s->sole[side] = tr_foot_sole_of(model, side);
    }
    s->state = state ? *state : tr_state_at_rest(model, &s->rest);
    s->numbers = DEFAULTS(tr_momentum_numbers, tr_momentum_number_table);
    assert_true(tr_momentum_stance_of(model, s->sole, &s->rest, &s->stance));
    tr_state_forward(model, &s->state, s->bodies);
    tr_dynamics_init(&s->dynamics, model, &s->state, s->bodies);
    s->outside = (tr_disturbance){0};
    tr_foothold_def def = {
        .model = model, .sole = s->sole, .bodies = s->bodies, .margin_m = s->numbers.margin_m};
    for (int side = 0; side < 2; side++)
        def.ground[side] = (tr_ground){side == 0 || right ? 5 : -5, {0, 0, 1}};
    assert_true(tr_foothold_place(&def, &s->foothold));
    s->foothold.gap_m[0] = s->foothold.gap_m[1] = 0;
    s->view = (tr_momentum_view){
        .numbers = &s->numbers,
        .stance = &s->stance,
        .body = {&s->dynamics, &s->state, s->bodies, s->rest.joint, {0, 0, -9.81}},
        .foothold = &s->foothold,
        .disturbance = &s->outside,
        .up = {0, 0, 1}};
}

static tr_momentum_plan plan(scene *s, tr_vec3 *out_torque) {
    tr_momentum_plan plan;
    assert_int_equal(tr_momentum_step(&s->view, &plan, s->accel, out_torque), TR_OK);
    return plan;
}

/* At rest in its stance nothing accelerates, and the ground bears the weight below the centroid. */
TEST(a_character_at_rest_stays_at_rest) {
    const tr_model *model = *given;
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    set_scene(&s, model, NULL, true);
    s.numbers.ahead_m = 0;
    const tr_momentum_plan p = plan(&s, torque);
    for (int j = 0; j < s.dynamics.dof; j++)
        assert_near(s.accel[j], 0, 1e-6);
    assert_near(p.force.z, 9.81 * model->mass, 1e-6);
    assert_near(p.pressure.x, s.dynamics.origin[0], 1e-9);
    assert_near(p.pressure.y, s.dynamics.origin[1], 1e-9);
}

/* Acceleration of the centre of a sole: of its own, and with the sole turning. */
static tr_vec3 sole_acceleration(const scene *s, int side) {
    const tr_dynamics *d = &s->dynamics;
    const int foot = d->model->foot[side];
    tr_spatial accel = d->bias[foot];
    for (int i = foot; i >= 0; i = d->model->body[i].parent)
        for (int j = d->first[i]; j < d->first[i] + d->dofs[i]; j++)
            accel = tr_spatial_add_scaled(accel, s->accel[j], d->axis[j]);
    const tr_v4 x = tr_v4_from(s->foothold.sole[side]) - d->origin;
    const tr_spatial v = d->velocity[foot];
    const tr_v4 point = v.lin + tr_v4_cross(v.ang, x);
    return tr_v4_to(accel.lin + tr_v4_cross(accel.ang, x) + tr_v4_cross(v.ang, point) +
                    point * s->numbers.foot_damping);
}

/* In the stance, in motion: `speed` times 1 m/s and 1 rad/s or so. */
static tr_state moving(const tr_model *model, tr_random *random, double speed) {
    scene s;
    set_scene(&s, model, NULL, true);
    const tr_state wild = puppet_state(model, random, 0, 1);
    s.state.root_vel = tr_vec3_scale(wild.root_vel, speed);
    s.state.root_omega = tr_vec3_scale(wild.root_omega, speed);
    for (int i = 1; i < model->body_count; i++)
        s.state.joint_rate[i] = tr_vec3_scale(wild.joint_rate[i], speed);
    return s.state;
}

/* Momenta change as planned, soles slow down, and the pressure is on the soles: also of a character that
 * moves too fast to be stopped. */
TEST(a_plan_keeps_what_it_promises) {
    const tr_model *model = *given;
    tr_random random = tr_random_seed(7);
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    for (int k = 0; k < 40; k++) {
        const tr_state state = moving(model, &random, 0.01 * k);
        set_scene(&s, model, &state, k % 4 > 0);
        const tr_dynamics *d = &s.dynamics;
        const tr_momentum_plan p = plan(&s, torque);
        tr_spatial rate = d->momentum_bias;
        for (int j = 0; j < d->dof; j++)
            rate = tr_spatial_add_scaled(rate, s.accel[j], d->momentum_axis[j]);
        const tr_vec3 lift = {0, 0, 9.81 * model->mass};
        assert_near(tr_vec3_distance(tr_vec3_add(tr_v4_to(rate.lin), lift), p.force), 0,
                    0.05 * lift.z);
        assert_near(tr_vec3_distance(tr_v4_to(rate.ang), p.moment), 0, 0.1);
        assert_near(tr_vec3_length(sole_acceleration(&s, 0)), 0, 0.2);
        const tr_vec3 on_soles = tr_foothold_nearest(&s.foothold, p.pressure);
        assert_near(tr_vec3_distance(on_soles, p.pressure), 0, 1e-9);
        assert_true(p.force.z > 0);
        for (int i = 1; i < model->body_count; i++)
            assert_true(fabs(torque[i].x) <= s.numbers.strength_nm &&
                        fabs(torque[i].y) <= s.numbers.strength_nm &&
                        fabs(torque[i].z) <= s.numbers.strength_nm);
    }
}

/* All of the weight on one foot: the hip of the other bears its own leg alone. */
TEST(a_foot_alone_bears_the_weight) {
    const tr_model *model = *given;
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    set_scene(&s, model, NULL, false);
    plan(&s, torque);
    const int left = model->body[model->foot[0]].parent, right = model->body[model->foot[1]].parent;
    assert_true(fabs(torque[left].y) > 3 * fabs(torque[right].y));
}

/* A velocity forwards that the soles cannot stop: arms and trunk turn forwards as well. */
TEST(what_the_soles_lack_is_made_good_by_swinging) {
    const tr_model *model = *given;
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    set_scene(&s, model, NULL, true);
    s.state.root_vel.x = 0.8;
    set_scene(&s, model, &s.state, true);
    const double front = tr_foothold_nearest(&s.foothold, (tr_vec3){9, 0, 0}).x;
    s.numbers.swing_nm = 0;
    const tr_momentum_plan stiff = plan(&s, torque);
    s.numbers.swing_nm = 60;
    const tr_momentum_plan swings = plan(&s, torque);
    assert_near(stiff.pressure.x, front, 1e-9);
    assert_near(swings.pressure.x, front, 1e-9);
    assert_near(swings.moment.y - stiff.moment.y, 60, 1e-6);
    assert_true(swings.force.x < stiff.force.x - 30);
}

/* A force that pushes forwards for long: the centroid's place moves back, and the ground holds against it. */
TEST(it_leans_into_a_force_from_outside) {
    const tr_model *model = *given;
    tr_vec3 torque[TR_BODY_MAX];
    scene s;
    set_scene(&s, model, NULL, true);
    s.outside.force.x = 20;
    const tr_momentum_plan p = plan(&s, torque);
    assert_near(p.rate.linear.x, p.force.x + 20, 1e-9);
    const double way = p.rate.linear.x / (model->mass * s.numbers.place_stiffness);
    const double height = s.dynamics.origin[2] - s.foothold.middle.z;
    assert_near(way - s.numbers.ahead_m, -20 * height / (9.81 * model->mass), 1e-6);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
