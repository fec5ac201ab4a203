/* Kinematic characters and objects: they follow their poses and velocities, carry and push others,
 * and nothing moves them. */
#include "cmocka_test.h"

#include "oracle/ode_reference.h"
#include "unit/physics/scenes.h"

#include <math.h>
#include <stdlib.h>

enum { STEPPERS = 2 };

static tr_world *world_of(int stepper) {
    tr_world_def def = tr_world_def_default();
    def.stepper = stepper ? &tr_stepper_ode_reference : NULL;
    return scene_world(&def);
}

static tr_entity_id add_box(tr_world *world, tr_vec3 half, tr_vec3 pos, double mass) {
    const tr_geom box = {.kind = TR_GEOM_BOX, .size = half, .rot = {1, 0, 0, 0}, .friction = 1};
    return scene_thing(world, &box, mass, (tr_object_state){.pos = pos, .rot = {1, 0, 0, 0}});
}

/* A kinematic slab whose top is at `top`. */
static tr_entity_id add_platform(tr_world *world, double top) {
    tr_entity_id id = add_box(world, (tr_vec3){2, 2, 0.1}, (tr_vec3){0, 0, top - 0.1}, 100);
    assert_int_equal(tr_world_set_kinematic(world, id, true), TR_OK);
    return id;
}

static void set_velocity(tr_world *world, tr_entity_id id, tr_vec3 vel) {
    tr_object_state s = scene_thing_state(world, id);
    s.vel = vel;
    assert_int_equal(tr_world_set_object(world, id, &s), TR_OK);
}

TEST(a_platform_carries_a_box_and_is_not_moved) {
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        OWN(tr_world) *world = world_of(stepper);
        tr_entity_id platform = add_platform(world, 1);
        tr_entity_id box = add_box(world, (tr_vec3){0.1, 0.1, 0.1}, (tr_vec3){0, 0, 1.1}, 1000);
        set_velocity(world, platform, (tr_vec3){0.5, 0, 0.2});
        scene_step(world, 400);
        tr_object_state p = scene_thing_state(world, platform), b = scene_thing_state(world, box);
        assert_near(p.pos.x, 1, 1e-9);
        assert_near(p.pos.z, 0.9 + 0.4, 1e-9);
        assert_near(b.pos.x, 1, 0.02);
        assert_near(b.pos.z, 1.1 + 0.4, 0.005);
        assert_near(b.vel.x, 0.5, 1e-3);
        assert_near(b.vel.z, 0.2, 1e-3);
    }
}

/* The impulses on the box are its weight, whichever of the two was added first. */
TEST(contacts_with_a_platform_are_reported) {
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        for (int first = 0; first < 2; first++) {
            OWN(tr_world) *world = world_of(stepper);
            tr_entity_id platform = first ? add_platform(world, 1) : 0;
            tr_entity_id box = add_box(world, (tr_vec3){0.1, 0.1, 0.1}, (tr_vec3){0, 0, 1.1}, 10);
            if (!first)
                platform = add_platform(world, 1);
            scene_step(world, 200);
            int count;
            const tr_contact *contact = tr_world_contacts(world, &count);
            tr_vec3 sum = {0, 0, 0};
            assert_int_equal(count, 4);
            for (int i = 0; i < count; i++) {
                bool box_first = contact[i].entity[0] == box;
                assert_int_equal(contact[i].entity[box_first], platform);
                sum = tr_vec3_add_scaled(sum, box_first ? 1 : -1, contact[i].impulse);
            }
            assert_near(sum.z, 10 * 9.81 * 0.005, 0.01);
        }
    }
}

/* A pose each step: velocities are what leads there, and without a new pose it rests. */
TEST(velocity_follows_from_the_poses) {
    const tr_model *model = *given;
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        OWN(tr_world) *world = world_of(stepper);
        tr_entity_id id = scene_stand(world, model, 0, 0, 0.5);
        assert_int_equal(tr_world_set_kinematic(world, id, true), TR_OK);
        assert_true(tr_world_is_kinematic(world, id));
        tr_pose pose = tr_pose_rest(model);
        tr_state s;
        for (int k = 1; k <= 50; k++) {
            pose.root_pos = (tr_vec3){0.01 * k, 0, 1.5};
            pose.root_rot = tr_quat_from_axis_angle((tr_vec3){0, 0, 1}, 0.005 * k);
            pose.joint[1] = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, 0.01 * k);
            assert_int_equal(tr_world_move_character(world, id, &pose), TR_OK);
            scene_step(world, 1);
            assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
            assert_memory_equal(&s.pose.root_pos, &pose.root_pos, sizeof pose.root_pos);
            assert_near(s.root_vel.x, 2, k > 1 ? 1e-9 : 1e9);
            assert_near(s.root_omega.z, 1, 1e-9);
            assert_near(s.joint_rate[1].y, 2, 1e-9);
        }
        scene_step(world, 2);
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        assert_near(s.pose.root_pos.x, 0.5, 1e-12);
        assert_near(s.root_vel.x, 0, 0);
        assert_near(s.joint_rate[1].y, 0, 0);
    }
}

/* A puppet that walks into a ball knocks it away and keeps its own course. */
TEST(a_kinematic_character_pushes_a_ball) {
    const tr_model *model = *given;
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        OWN(tr_world) *world = world_of(stepper);
        tr_entity_id id = scene_stand(world, model, 0, 0, 0.02);
        tr_entity_id box = add_box(world, (tr_vec3){0.1, 0.3, 0.1}, (tr_vec3){0.5, 0, 0.1}, 20);
        assert_int_equal(tr_world_set_kinematic(world, id, true), TR_OK);
        tr_state s;
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        s.root_vel.x = 1;
        assert_int_equal(tr_world_set_state(world, id, &s), TR_OK);
        bool touched = false;
        for (int k = 0; k < 200; k++) {
            scene_step(world, 1);
            int count;
            const tr_contact *contact = tr_world_contacts(world, &count);
            for (int i = 0; i < count; i++)
                touched = touched || contact[i].entity[0] == id;
        }
        assert_true(touched);
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        assert_near(s.pose.root_pos.x, 1, 1e-9);
        assert_near(s.pose.root_pos.z, 0.97, 1e-9);
        assert_true(scene_thing_state(world, box).pos.x > 1.1);
    }
}

/* Two characters on one platform do not feel each other: to the bit as alone. */
TEST(a_platform_does_not_join_islands) {
    const tr_model *model = *given;
    OWN(tr_world) *alone = world_of(0), *pair = world_of(0);
    add_platform(alone, 1);
    add_platform(pair, 1);
    tr_entity_id a = scene_stand(alone, model, 0.5, 0, 1.005), b;
    b = scene_stand(pair, model, 0.5, 0, 1.005);
    (void)scene_stand(pair, model, -1, 0, 1.2);
    scene_step(alone, 100);
    scene_step(pair, 100);
    tr_state s, t;
    assert_int_equal(tr_world_get_state(alone, a, &s), TR_OK);
    assert_int_equal(tr_world_get_state(pair, b, &t), TR_OK);
    assert_memory_equal(&s, &t, sizeof s);
}

/* A ball pinned to a platform that moves in a circle follows its point. */
TEST(a_pin_to_a_platform_follows_it) {
    for (int first = 0; first < 2; first++) {
        OWN(tr_world) *world = world_of(0);
        tr_entity_id platform = add_platform(world, 2), pin;
        tr_entity_id box = add_box(world, (tr_vec3){0.1, 0.1, 0.1}, (tr_vec3){0, 0, 1.5}, 5);
        tr_pin_def def = {.entity = {platform, box}, .point = {{0, 0, -0.1}, {0, 0, 0.3}}};
        if (first)
            def = (tr_pin_def){.entity = {box, platform}, .point = {{0, 0, 0.3}, {0, 0, -0.1}}};
        assert_int_equal(tr_world_add_pin(world, &def, &pin), TR_OK);
        for (int k = 1; k <= 400; k++) {
            double a = 0.01 * k;
            tr_vec3 pos = {0.3 * tr_sin(a), 0.3 - 0.3 * tr_cos(a), 1.9};
            assert_int_equal(tr_world_move_object(world, platform, pos, tr_quat_identity()), TR_OK);
            scene_step(world, 1);
            tr_object_state s = scene_thing_state(world, box);
            tr_vec3 held = tr_vec3_add(s.pos, tr_quat_rotate(s.rot, (tr_vec3){0, 0, 0.3}));
            pos.z -= 0.1;
            assert_true(tr_vec3_distance(held, pos) < 0.01);
        }
    }
}

TEST(a_released_entity_keeps_its_velocity) {
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        OWN(tr_world) *world = world_of(stepper);
        tr_entity_id box = add_box(world, (tr_vec3){0.1, 0.1, 0.1}, (tr_vec3){0, 0, 5}, 5);
        assert_int_equal(tr_world_set_kinematic(world, box, true), TR_OK);
        set_velocity(world, box, (tr_vec3){3, 0, 0});
        scene_step(world, 100);
        assert_near(scene_thing_state(world, box).pos.z, 5, 0);
        assert_int_equal(tr_world_set_kinematic(world, box, false), TR_OK);
        scene_step(world, 100);
        assert_near(scene_thing_state(world, box).pos.x, 3, 0.01);
        assert_near(scene_thing_state(world, box).pos.z, 5 - 0.5 * 9.81 * 0.25, 0.02);
    }
}

/* Two platforms within each other, one in the ground, and a pushed one do not move. */
TEST(nothing_moves_a_kinematic_entity) {
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        OWN(tr_world) *world = world_of(stepper);
        tr_entity_id low = add_platform(world, 0.05), high = add_platform(world, 0.1), pin;
        tr_push push = {.entity = low, .force = {1e4, 0, 0}, .steps = 10};
        assert_int_equal(tr_world_push(world, &push), TR_OK);
        tr_pin_def def = {.entity = {low, high}, .point = {{0, 0, 0}, {1, 0, 0}}};
        assert_int_equal(tr_world_add_pin(world, &def, &pin), TR_OK);
        scene_step(world, 50);
        int count;
        (void)tr_world_contacts(world, &count);
        assert_int_equal(count, 0);
        assert_near(scene_thing_state(world, low).pos.x, 0, 0);
        assert_near(scene_thing_state(world, high).pos.z, 0, 1e-12);
    }
}

TEST(bad_moves_are_refused) {
    const tr_model *model = *given;
    OWN(tr_world) *world = world_of(0);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0), platform = add_platform(world, 3);
    tr_pose pose = tr_pose_rest(model);
    tr_quat turn = tr_quat_identity();
    assert_int_equal(tr_world_move_character(world, id, &pose), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_world_move_character(world, platform, &pose), TR_NOT_FOUND);
    assert_int_equal(tr_world_set_kinematic(world, 4711, true), TR_NOT_FOUND);
    assert_int_equal(tr_world_set_kinematic(world, id, true), TR_OK);
    uint64_t before = tr_world_hash(world);
    pose.joint[2] = (tr_quat){0, 0, 0, 0};
    assert_int_equal(tr_world_move_character(world, id, &pose), TR_INVALID_ARGUMENT);
    tr_vec3 far = {2e6, 0, 0};
    assert_int_equal(tr_world_move_object(world, platform, far, turn), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_hash(world), before);
}

/* A velocity that leads to infinity freezes the entity alone. */
TEST(a_lift_carries_a_box_up_and_shuttles) {
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        OWN(tr_world) *world = world_of(stepper);
        tr_entity_id lift = add_platform(world, 1), other = add_platform(world, 5);
        tr_entity_id box = add_box(world, (tr_vec3){0.1, 0.1, 0.1}, (tr_vec3){0, 0, 1.1}, 50);
        assert_int_equal(tr_world_carry_object(world, lift, (tr_vec3){0, 0, 2.9}, 400, true),
                         TR_OK);
        assert_int_equal(tr_world_carry_object(world, other, (tr_vec3){9, 0, 4.9}, 100, false),
                         TR_OK);
        scene_step(world, 200);
        assert_near(scene_thing_state(world, lift).pos.z, 1.9, 1e-9);
        scene_step(world, 200);
        assert_near(scene_thing_state(world, lift).pos.z, 2.9, 0);
        assert_near(scene_thing_state(world, box).pos.z, 3.1, 2e-3);
        assert_near(scene_thing_state(world, other).pos.x, 9, 0);
        assert_near(scene_thing_state(world, other).vel.x, 0, 0);
        scene_step(world, 400);
        assert_near(scene_thing_state(world, lift).pos.z, 0.9, 0);
        assert_near(scene_thing_state(world, box).pos.z, 1.1, 2e-3);
    }
}

TEST(bad_ways_of_a_lift_are_refused) {
    OWN(tr_world) *world = world_of(0);
    tr_entity_id lift = add_platform(world, 1);
    tr_entity_id box = add_box(world, (tr_vec3){1, 1, 1}, (tr_vec3){5, 0, 1}, 50);
    tr_vec3 to = {0, 0, 2};
    assert_int_equal(tr_world_carry_object(world, 99, to, 10, false), TR_NOT_FOUND);
    assert_int_equal(tr_world_carry_object(world, box, to, 10, false), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_world_carry_object(world, lift, to, 0, false), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_world_carry_object(world, lift, to, INT64_MAX, false), TR_INVALID_ARGUMENT);
    to.x = NAN;
    assert_int_equal(tr_world_carry_object(world, lift, to, 10, false), TR_INVALID_ARGUMENT);
}

TEST(a_snapshot_keeps_the_way_of_a_lift) {
    OWN(tr_world) *world = world_of(0);
    tr_entity_id lift = add_platform(world, 1);
    assert_int_equal(tr_world_carry_object(world, lift, (tr_vec3){3, 0, 0.9}, 300, true), TR_OK);
    scene_step(world, 120);
    scene_check_restored(world, *given, 400);
}

TEST(a_runaway_is_frozen) {
    OWN(tr_world) *world = world_of(0);
    tr_entity_id platform = add_platform(world, 3), named = 0;
    set_velocity(world, platform, (tr_vec3){1e308, 0, 0});
    int status = TR_OK;
    for (int k = 0; k < 1000 && !status; k++)
        status = tr_world_step(world);
    assert_int_equal(status, TR_DATA_LOSS);
    assert_int_equal(tr_world_faults(world, &named, 1), 1);
    assert_int_equal(named, platform);
    scene_step(world, 5);
}

TEST(a_snapshot_keeps_kinematic_entities) {
    const tr_model *model = *given;
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        OWN(tr_world) *world = world_of(stepper);
        tr_entity_id platform = add_platform(world, 1), lift = add_platform(world, 4);
        (void)scene_stand(world, model, 0, 0, 1.005);
        tr_entity_id puppet = scene_stand(world, model, 3, 0, 0.01);
        uint64_t before = tr_world_hash(world);
        assert_int_equal(tr_world_set_kinematic(world, puppet, true), TR_OK);
        assert_true(tr_world_hash(world) != before);
        set_velocity(world, lift, (tr_vec3){0, 0, -0.1});
        tr_pose pose = tr_pose_rest(model);
        pose.root_pos = (tr_vec3){2.9, 0, 1};
        assert_int_equal(tr_world_move_character(world, puppet, &pose), TR_OK);
        tr_vec3 pos = {0.01, 0, 0.9};
        assert_int_equal(tr_world_move_object(world, platform, pos, tr_quat_identity()), TR_OK);
        scene_check_restored(world, model, 100);
    }
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
