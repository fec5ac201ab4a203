/* Friction: a cone, equal in all directions; moments against spin and roll; nothing creeps. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <math.h>

static const double G = 9.81;
static const tr_geom SLAB = {
    .kind = TR_GEOM_BOX, .size = {0.2, 0.2, 0.05}, .rot = {1, 0, 0, 0}, .friction = 1};
static const tr_geom CUBE = {
    .kind = TR_GEOM_BOX, .size = {0.2, 0.2, 0.2}, .rot = {1, 0, 0, 0}, .friction = 1};

/* A world whose ground is a slope that falls along `direction`. */
static tr_world *slope(double tangent, double direction, double friction) {
    tr_world_def def = tr_world_def_default();
    double angle = atan(tangent), along = G * sin(angle);
    def.ground_friction = friction;
    def.gravity = (tr_vec3){along * cos(direction), along * sin(direction), -G * cos(angle)};
    return scene_world(&def);
}

/* How far a slab slides in a second on such a slope, m. */
static double slides(double tangent, double direction, double friction) {
    OWN(tr_world) *world = slope(tangent, direction, friction);
    tr_object_state at = {.pos = {0, 0, 0.05}, .rot = tr_quat_from_heading(0.3)};
    tr_entity_id id = scene_thing(world, &SLAB, 2, at);
    scene_step(world, 200);
    double way = tr_vec3_distance(scene_thing_state(world, id).pos, at.pos);
    return way;
}

TEST(a_box_holds_to_mu_in_every_direction) {
    for (double direction = 0; direction < 6.2; direction += TR_PI / 12) {
        assert_true(slides(0.98 * 0.5, direction, 0.5) < 0.001);
        assert_true(slides(1.02 * 0.5, direction, 0.5) > 0.02);
    }
}

TEST(friction_above_one_holds_on_steep_slopes) {
    assert_true(slides(1.2, 0.5, 1.5) < 0.001);
    assert_true(slides(1.2, 0.5, 1.0) > 0.1);
}

/* v^2 / (2 mu g), straight ahead whatever the direction. */
TEST(a_sliding_box_stops_straight_ahead) {
    for (int k = 0; k < 8; k++) {
        double c = cos(k * TR_PI / 8), s = sin(k * TR_PI / 8);
        OWN(tr_world) *world = slope(0, 0, 0.5);
        tr_object_state at = {.pos = {0, 0, 0.05}, .rot = {1, 0, 0, 0}, .vel = {2 * c, 2 * s, 0}};
        tr_entity_id id = scene_thing(world, &SLAB, 2, at);
        scene_step(world, 200);
        tr_vec3 pos = scene_thing_state(world, id).pos;
        assert_near(c * pos.x + s * pos.y, 4 / (2 * 0.5 * G), 0.015);
        assert_near(c * pos.y - s * pos.x, 0, 0.005);
    }
}

static tr_geom ball(double torsional, double rolling) {
    return (tr_geom){.kind = TR_GEOM_SPHERE,
                     .size = {0.1, 0, 0},
                     .rot = {1, 0, 0, 0},
                     .friction = 1,
                     .torsional = torsional,
                     .rolling = rolling};
}

/* I = 2/5 m r^2 loses torsional m g per second. */
TEST(a_spinning_ball_stops_as_its_coefficient_says) {
    tr_geom geom = ball(0.01, 0);
    OWN(tr_world) *world = slope(0, 0, 1);
    tr_object_state at = {.pos = {0, 0, 0.1}, .rot = {1, 0, 0, 0}, .omega = {0, 0, 10}};
    tr_entity_id id = scene_thing(world, &geom, 2, at);
    double loss = 0.01 * G / (0.4 * 0.01);
    scene_step(world, 40);
    assert_near(scene_thing_state(world, id).omega.z, 10 - 0.2 * loss, 0.1);
    scene_step(world, 60);
    assert_near(scene_thing_state(world, id).omega.z, 0, 1e-6);
}

/* 7/5 m r^2 about the contact loses rolling m g per second: it rolls 7/10 r v^2 / (rolling g). */
TEST(a_rolling_ball_stops_as_its_coefficient_says) {
    tr_geom geom = ball(0, 0.01);
    OWN(tr_world) *world = slope(0, 0, 1);
    tr_object_state at = {
        .pos = {0, 0, 0.1}, .rot = {1, 0, 0, 0}, .vel = {0.6, 0.8, 0}, .omega = {-8, 6, 0}};
    tr_entity_id id = scene_thing(world, &geom, 2, at);
    scene_step(world, 400);
    tr_object_state now = scene_thing_state(world, id);
    assert_near(hypot(now.pos.x, now.pos.y), 0.07 / (0.01 * G), 0.02);
    assert_near(tr_vec3_length(now.vel), 0, 1e-6);
}

/* Compares the places of `count` things after two seconds and ten seconds later: at most 0.5 mm a
 * minute. */
static void assert_no_creep(tr_world *world, const tr_entity_id *id, int count) {
    tr_vec3 before[8];
    scene_step(world, 400);
    for (int i = 0; i < count; i++)
        before[i] = scene_thing_state(world, id[i]).pos;
    scene_step(world, 2000);
    for (int i = 0; i < count; i++) {
        double way = tr_vec3_distance(scene_thing_state(world, id[i]).pos, before[i]);
        assert_true(way < 0.5e-3 / 6);
    }
    tr_world_destroy(world);
}

TEST(a_stack_of_five_does_not_creep) {
    tr_world *world = slope(0, 0, 0.8);
    tr_entity_id id[5];
    for (int i = 0; i < 5; i++) {
        tr_object_state at = {.pos = {0.01 * i, 0, 0.2 + 0.4 * i},
                              .rot = tr_quat_from_heading(0.1 * i)};
        id[i] = scene_thing(world, &CUBE, 5, at);
    }
    assert_no_creep(world, id, 5);
}

TEST(a_heavy_box_on_a_slope_does_not_creep) {
    for (int k = 0; k < 4; k++) {
        tr_world *world = slope(tan(20 * TR_PI / 180), 0.6 * k, 0.8);
        tr_object_state at = {.pos = {0, 0, 0.2}, .rot = tr_quat_from_heading(0.3)};
        tr_entity_id id = scene_thing(world, &CUBE, 60, at);
        assert_no_creep(world, &id, 1);
    }
}

TEST(a_snapshot_keeps_spin_and_roll_friction) {
    tr_geom geom = ball(0.01, 0.01);
    OWN(tr_world) *world = slope(0, 0, 1);
    tr_object_state at = {.pos = {0, 0, 0.1}, .rot = {1, 0, 0, 0}, .omega = {0, 3, 10}};
    scene_thing(world, &geom, 2, at);
    scene_step(world, 10);
    scene_check_restored(world, NULL, 30);
}

BEFORE_ALL() {
    tr_physics_init();
}
