/* The contact solver: it iterates until friction has converged, within bounds, and reports its
 * sweeps. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <math.h>

static const double RADIUS = 0.06, HALF = 0.15;

/* 60 kg on a board on a wheel of 1 kg, which lies along x. */
typedef struct balance {
    tr_world *world;
    tr_entity_id wheel, load;
} balance;

static balance begin(int sweeps) {
    tr_world_def def = tr_world_def_default();
    def.solver_iterations = sweeps;
    balance b = {.world = scene_world(&def)};
    tr_geom round = {.kind = TR_GEOM_CYLINDER,
                     .size = {RADIUS, 0.12, 0},
                     .rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 2),
                     .friction = 1};
    tr_geom board = {
        .kind = TR_GEOM_BOX, .size = {0.2, 0.4, 0.01}, .rot = {1, 0, 0, 0}, .friction = 1};
    tr_geom box = {
        .kind = TR_GEOM_BOX, .size = {HALF, HALF, HALF}, .rot = {1, 0, 0, 0}, .friction = 1};
    tr_object_state at = {.pos = {0.02, 0, RADIUS}, .rot = {1, 0, 0, 0}};
    b.wheel = scene_thing(b.world, &round, 1, at);
    at.pos.z = 2 * RADIUS + 0.01;
    scene_thing(b.world, &board, 2, at);
    at.pos.z += 0.01 + HALF;
    b.load = scene_thing(b.world, &box, 60, at);
    return b;
}

/* Holds the load upright by couples, and sways it over the wheel. */
static void hold(balance *b, double t) {
    tr_object_state s = scene_thing_state(b->world, b->load);
    double aim = 0.05 * sin(2 * t);
    double roll = -(2500 * 2 * s.rot.x + 300 * s.omega.x) + 600 * (s.pos.y - aim) + 150 * s.vel.y;
    double pitch = -(1500 * 2 * s.rot.y + 150 * s.omega.y);
    roll = fmax(-250, fmin(250, roll));
    pitch = fmax(-200, fmin(200, pitch));
    const tr_push push[] = {{b->load, 0, {0, HALF, 0}, {0, 0, roll / (2 * HALF)}, 1},
                            {b->load, 0, {0, -HALF, 0}, {0, 0, -roll / (2 * HALF)}, 1},
                            {b->load, 0, {HALF, 0, 0}, {0, 0, -pitch / (2 * HALF)}, 1},
                            {b->load, 0, {-HALF, 0, 0}, {0, 0, pitch / (2 * HALF)}, 1},
                            {b->load, 0, {0, 0, 0}, {4 * sin(3.1 * t), 0, 0}, 1}};
    for (int i = 0; i < 5; i++)
        assert_int_equal(tr_world_push(b->world, &push[i]), TR_OK);
}

static double wheel_yaw(const balance *b) {
    tr_vec3 axle = tr_quat_rotate(scene_thing_state(b->world, b->wheel).rot, (tr_vec3){1, 0, 0});
    return fabs(atan2(axle.y, axle.x));
}

static double worst_yaw(int sweeps, int steps) {
    balance b = begin(sweeps);
    double worst = 0;
    for (int k = 0; k < steps; k++) {
        hold(&b, 0.005 * k);
        scene_step(b.world, 1);
        worst = fmax(worst, wheel_yaw(&b));
    }
    tr_world_destroy(b.world);
    return worst;
}

TEST(a_heavy_load_does_not_spin_a_light_wheel) {
    assert_true(worst_yaw(tr_world_def_default().solver_iterations, 12000) < 0.05);
}

TEST(the_report_says_whether_it_converged) {
    tr_world_def def = tr_world_def_default();
    balance few = begin(3), many = begin(def.solver_iterations);
    scene_step(few.world, 1);
    scene_step(many.world, 1);
    tr_solver_report short_of = tr_world_solver_report(few.world);
    tr_solver_report enough = tr_world_solver_report(many.world);
    assert_int_equal(short_of.sweeps, 3);
    assert_false(short_of.converged);
    assert_true(enough.sweeps > 3 && enough.sweeps <= def.solver_iterations);
    assert_true(enough.converged);
    tr_world_destroy(few.world);
    tr_world_destroy(many.world);
}

TEST(without_contacts_there_are_no_sweeps) {
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    scene_step(world, 1);
    assert_int_equal(tr_world_solver_report(world).sweeps, 0);
    assert_true(tr_world_solver_report(world).converged);
}

BEFORE_ALL() {
    tr_physics_init();
}
