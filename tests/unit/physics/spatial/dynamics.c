/* physics/spatial/dynamics.h against sums over bodies, finite differences and the stepper. */
#include "cmocka_test.h"

#include "math/cholesky.h"
#include "physics/spatial/dynamics.h"
#include "unit/physics/scenes.h"

#include <stdlib.h>

enum { MODELS = 20 };

static tr_vec3 on_axis(const tr_body *body, tr_vec3 a) {
    return tr_body_has_axis(body) ? tr_vec3_scale(body->axis, tr_vec3_dot(body->axis, a)) : a;
}

/* Joints bent by about `bend`, everything in motion. */
static tr_state moving_state(const tr_model *model, tr_random *r, double bend) {
    tr_pose pose = tr_pose_rest(model);
    tr_state s = tr_state_at_rest(model, &pose);
    s.pose.root_pos = scene_random_vector(r, 1);
    s.pose.root_rot = tr_quat_exp(scene_random_vector(r, 1));
    s.root_vel = scene_random_vector(r, 1);
    s.root_omega = scene_random_vector(r, 1);
    for (int i = 1; i < model->body_count; i++) {
        s.pose.joint[i] = tr_quat_exp(on_axis(&model->body[i], scene_random_vector(r, bend)));
        s.joint_rate[i] = on_axis(&model->body[i], scene_random_vector(r, 1));
    }
    return s;
}

static void place(tr_dynamics *out, const tr_model *model, const tr_state *state) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, state, bodies);
    tr_dynamics_init(out, model, state, bodies);
}

static tr_vec3 part(const tr_dynamics *d, int body, const double *of) {
    const double *a = of + d->first[body];
    return d->dofs[body] == 1 ? tr_vec3_scale(d->model->body[body].axis, a[0])
                              : (tr_vec3){a[0], a[1], a[2]};
}

/* The state t later at constant accelerations, to second order. */
static tr_state later(const tr_dynamics *d, const tr_state *state, const double *accel, double t) {
    tr_state s = *state;
    const tr_vec3 turn = part(d, 0, accel), way = {accel[3], accel[4], accel[5]};
    const tr_vec3 omega = tr_vec3_add_scaled(s.root_omega, t / 2, turn);
    s.pose.root_pos =
        tr_vec3_add_scaled(s.pose.root_pos, t, tr_vec3_add_scaled(s.root_vel, t / 2, way));
    s.pose.root_rot = tr_quat_mul(tr_quat_exp(tr_vec3_scale(omega, t)), s.pose.root_rot);
    s.root_vel = tr_vec3_add_scaled(s.root_vel, t, way);
    s.root_omega = tr_vec3_add_scaled(s.root_omega, t, turn);
    for (int i = 1; i < d->model->body_count; i++) {
        const tr_vec3 a = part(d, i, accel);
        const tr_vec3 rate = tr_vec3_add_scaled(s.joint_rate[i], t / 2, a);
        s.pose.joint[i] = tr_quat_mul(tr_quat_exp(tr_vec3_scale(rate, t)), s.pose.joint[i]);
        s.joint_rate[i] = tr_vec3_add_scaled(s.joint_rate[i], t, a);
    }
    return s;
}

static tr_momentum momentum_at(const tr_model *model, const tr_state *state) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, state, bodies);
    return tr_body_momentum(model, bodies);
}

static void assert_close(tr_vec3 a, tr_vec3 b, double tolerance) {
    assert_near(tr_vec3_distance(a, b), 0, tolerance * (1 + tr_vec3_length(a)));
}

TEST(momenta_are_those_of_the_bodies) {
    OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
    tr_random r = tr_random_seed(3);
    for (int k = 0; k < MODELS; k++) {
        tr_dynamics d;
        scene_random_model(model, 12, &r);
        const tr_state state = moving_state(model, &r, 0.5);
        const tr_momentum sum = momentum_at(model, &state);
        place(&d, model, &state);
        assert_close(sum.angular, tr_v4_to(d.momentum.ang), 1e-12);
        assert_close(tr_vec3_scale(sum.com_vel, sum.mass), tr_v4_to(d.momentum.lin), 1e-12);
    }
}

TEST(rates_of_momenta_are_finite_differences) {
    const double t = 1e-5;
    OWN_MEMORY tr_model *model = calloc(1, sizeof *model);
    tr_random r = tr_random_seed(4);
    for (int k = 0; k < MODELS; k++) {
        tr_dynamics d;
        double accel[TR_DOF_MAX];
        scene_random_model(model, 12, &r);
        const tr_state state = moving_state(model, &r, 0.5);
        place(&d, model, &state);
        tr_spatial rate = d.momentum_bias;
        for (int j = 0; j < d.dof; j++) {
            accel[j] = 3 * tr_random_normal(&r);
            rate = tr_spatial_add_scaled(rate, accel[j], d.momentum_axis[j]);
        }
        const tr_state after = later(&d, &state, accel, t), before = later(&d, &state, accel, -t);
        const tr_momentum to = momentum_at(model, &after), from = momentum_at(model, &before);
        assert_close(tr_vec3_scale(tr_vec3_sub(to.angular, from.angular), 0.5 / t),
                     tr_v4_to(rate.ang), 1e-6);
        assert_close(tr_vec3_scale(tr_vec3_sub(to.com_vel, from.com_vel), 0.5 / t * to.mass),
                     tr_v4_to(rate.lin), 1e-6);
    }
}

/* Changes the accelerations of the root so that nothing from outside is missing: a rigid body more, which
 * answers the force that is. */
static void set_free(const tr_dynamics *d, tr_vec3 gravity, double *accel) {
    double inertia[36], answer[6];
    tr_vec3 torque[TR_BODY_MAX];
    tr_spatial missing;
    tr_dynamics_inverse(d, accel, gravity, NULL, torque, &missing);
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 6; i++)
            inertia[6 * i + j] = tr_spatial_dot(d->axis[i], d->momentum_axis[j]);
        answer[j] = -tr_spatial_dot(d->axis[j], missing);
    }
    assert_int_equal(tr_cholesky_factor(6, inertia), TR_OK);
    tr_cholesky_solve(6, inertia, 1, answer);
    for (int j = 0; j < 6; j++)
        accel[j] += answer[j];
}

/* A world without ground in which only these torques act. */
static tr_state step_with(const tr_model *model, const tr_state *state, const tr_vec3 *torque,
                          double h) {
    static const double none[TR_BODY_MAX] = {0};
    tr_world_def def = tr_world_def_default();
    tr_entity_id id;
    tr_state after;
    def.step_s = h;
    def.ground = def.self_collision = false;
    OWN(tr_world) *world = scene_world(&def);
    assert_int_equal(tr_world_add_character(world, model, state, &id), TR_OK);
    assert_int_equal(tr_world_set_gains(world, id, none, none), TR_OK);
    assert_int_equal(tr_world_set_feedforward(world, id, torque, 1), TR_OK);
    scene_step(world, 1);
    assert_int_equal(tr_world_get_state(world, id, &after), TR_OK);
    return after;
}

TEST(torques_give_the_accelerations_in_a_world) {
    OWN_MEMORY tr_model *model = malloc(sizeof *model);
    *model = *(const tr_model *)*given;
    for (int i = 0; i < model->body_count; i++) {
        model->body[i].limited = false;
        if (model->body[i].joint == TR_JOINT_HINGE && i % 2)
            model->body[i].joint = TR_JOINT_SLIDE;
    }
    const double h = 0.0005;
    const tr_vec3 gravity = tr_world_def_default().gravity;
    tr_random r = tr_random_seed(5);
    for (int k = 0; k < 5; k++) {
        tr_dynamics d;
        double accel[TR_DOF_MAX];
        tr_vec3 torque[TR_BODY_MAX];
        tr_spatial root;
        const tr_state state = moving_state(model, &r, 0.4);
        place(&d, model, &state);
        for (int j = 0; j < d.dof; j++)
            accel[j] = 20 * tr_random_normal(&r);
        set_free(&d, gravity, accel);
        tr_dynamics_inverse(&d, accel, gravity, NULL, torque, &root);
        assert_near(tr_v4_dot(root.lin, root.lin) + tr_v4_dot(root.ang, root.ang), 0, 1e-12);
        const tr_state after = step_with(model, &state, torque, h);
        for (int i = 0; i < model->body_count; i++) {
            const tr_vec3 before = i > 0 ? state.joint_rate[i] : state.root_omega;
            const tr_vec3 now = i > 0 ? after.joint_rate[i] : after.root_omega;
            const tr_vec3 rate = tr_vec3_scale(tr_vec3_sub(now, before), 1 / h);
            assert_true(tr_vec3_distance(rate, part(&d, i, accel)) < 0.5);
        }
    }
}

/* Does the hand hang on this body? */
static bool carries(const tr_model *model, int body, int hand) {
    while (hand > body)
        hand = model->body[hand].parent;
    return hand == body;
}

/* A force on a hand of a falling character: what is missing is less by them. */
TEST(forces_from_outside_are_taken_off) {
    const tr_model *model = *given;
    tr_random r = tr_random_seed(6);
    tr_dynamics d;
    double accel[TR_DOF_MAX];
    tr_vec3 torque[TR_BODY_MAX], other[TR_BODY_MAX];
    tr_spatial outside[TR_BODY_MAX], root, less;
    const tr_state state = moving_state(model, &r, 0.4);
    place(&d, model, &state);
    for (int j = 0; j < d.dof; j++)
        accel[j] = tr_random_normal(&r);
    for (int i = 0; i < model->body_count; i++)
        outside[i] = tr_spatial_zero();
    const int hand = model->hand[0];
    outside[hand] = (tr_spatial){tr_v4_make(1, 2, 3), tr_v4_make(40, 50, 60)};
    tr_dynamics_inverse(&d, accel, (tr_vec3){0, 0, -9.81}, NULL, torque, &root);
    tr_dynamics_inverse(&d, accel, (tr_vec3){0, 0, -9.81}, outside, other, &less);
    assert_close(tr_v4_to(root.lin - less.lin), (tr_vec3){40, 50, 60}, 1e-12);
    for (int i = 1; i < model->body_count; i++) {
        const bool changes = tr_vec3_distance(torque[i], other[i]) > 1e-9;
        assert_int_equal(changes, carries(model, i, hand));
    }
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
