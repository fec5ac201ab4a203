#include "cmocka_test.h"

#include "client/command/fields.h"

#include <math.h>
#include <string.h>

static void refused(const void *message, const tr_field *fields, const char *expected) {
    tr_error error = {0};
    assert_int_equal(tr_fields_check(message, fields, &error), TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, expected);
}

TEST(a_number_is_held_to_its_bounds) {
    static const tr_field fields[] = {TR_ENTITY(Troupe__Push, entity),
                                      TR_NUMBER(Troupe__Push, duration_s, 0, 60), TR_FIELDS_END};
    Troupe__Push push = TROUPE__PUSH__INIT;
    refused(&push, fields, "entity: expected the id of a character or object");
    push.entity = 1;
    push.duration_s = 60;
    assert_int_equal(tr_fields_check(&push, fields, NULL), TR_OK);
    push.duration_s = 60.5;
    refused(&push, fields, "duration_s: 60.5: expected 0 to 60");
    push.duration_s = NAN;
    assert_int_equal(tr_fields_check(&push, fields, NULL), TR_INVALID_ARGUMENT);
}

TEST(whole_numbers_of_every_width_are_read) {
    static const tr_field at_tick[] = {TR_NUMBER(Troupe__Command, at_tick, 0, 10), TR_FIELDS_END};
    static const tr_field count[] = {TR_NUMBER(Troupe__Step, count, 0, 10), TR_FIELDS_END};
    Troupe__Command command = TROUPE__COMMAND__INIT;
    Troupe__Step step = TROUPE__STEP__INIT;
    command.at_tick = -1;
    refused(&command, at_tick, "at_tick: -1: expected 0 to 10");
    step.count = UINT32_MAX;
    refused(&step, count, "count: 4.29497e+09: expected 0 to 10");
}

TEST(an_absent_number_is_the_default_and_a_zero_is_refused) {
    static const tr_field fields[] = {TR_NUMBER_IF_GIVEN(Troupe__CreateWorld, rate, 0.01, 100),
                                      TR_FIELDS_END};
    Troupe__CreateWorld world = TROUPE__CREATE_WORLD__INIT;
    assert_int_equal(tr_fields_check(&world, fields, NULL), TR_OK);
    world.has_rate_case = TROUPE__CREATE_WORLD__HAS_RATE_RATE;
    refused(&world, fields, "rate: 0: expected 0.01 to 100");
}

TEST(zero_may_have_its_own_meaning) {
    static const tr_field fields[] = {
        TR_NUMBER_OR_ZERO(Troupe__CreateWorld, step_timeout_s, 0.01, 100), TR_FIELDS_END};
    Troupe__CreateWorld world = TROUPE__CREATE_WORLD__INIT;
    assert_int_equal(tr_fields_check(&world, fields, NULL), TR_OK);
    world.step_timeout_s = 0.001;
    refused(&world, fields, "step_timeout_s: 0.001: expected 0.01 to 100");
}

TEST(names_have_at_most_47_bytes) {
    static const tr_field fields[] = {TR_NAME(Troupe__SetController, controller), TR_FIELDS_END};
    static const tr_field needed[] = {TR_NAME_NEEDED(Troupe__SetController, controller),
                                      TR_FIELDS_END};
    Troupe__SetController set = TROUPE__SET_CONTROLLER__INIT;
    char name[49];
    assert_int_equal(tr_fields_check(&set, fields, NULL), TR_OK);
    refused(&set, needed, "controller: expected 1 to 47 bytes");
    memset(name, 'x', sizeof name);
    name[47] = '\0';
    set.controller = name;
    assert_int_equal(tr_fields_check(&set, needed, NULL), TR_OK);
    name[47] = 'x';
    name[48] = '\0';
    refused(&set, fields, "controller: expected at most 47 bytes");
    set.controller = (char *)"a\tb";
    refused(&set, fields, "controller: expected no control characters");
}

TEST(vectors_and_rotations_are_finite) {
    static const tr_field fields[] = {TR_VECTOR(Troupe__SpawnObject, vel, 100),
                                      TR_ROTATION(Troupe__SpawnObject, rot), TR_FIELDS_END};
    Troupe__SpawnObject object = TROUPE__SPAWN_OBJECT__INIT;
    Troupe__Vec3 vel = TROUPE__VEC3__INIT;
    Troupe__Quat rot = TROUPE__QUAT__INIT;
    assert_int_equal(tr_fields_check(&object, fields, NULL), TR_OK);
    object.vel = &vel;
    vel.y = INFINITY;
    refused(&object, fields, "vel: expected a finite vector of at most 100");
    vel.y = 100;
    object.rot = &rot;
    refused(&object, fields, "rot: expected a quaternion that is finite and not zero");
    rot.w = 2;
    assert_int_equal(tr_fields_check(&object, fields, NULL), TR_OK);
    assert_true(tr_quat_of(&rot).w == 1);
}

static tr_status no_patches(const void *message, const char *path, tr_error *error) {
    return ((const Troupe__Scenery *)message)->patch
               ? tr_fail(error, TR_INVALID_ARGUMENT, "%spatch: expected false", path)
               : TR_OK;
}

TEST(what_is_nested_is_named_by_its_path) {
    static const tr_field scenery_fields[] = {TR_NUMBER(Troupe__Scenery, friction, 0, 1),
                                              TR_FIELDS_END};
    static const tr_field scene_fields[] = {
        TR_LIST(Troupe__Scene, scenery, 0, 2, scenery_fields, no_patches), TR_FIELDS_END};
    static const tr_field fields[] = {TR_MESSAGE(Troupe__CreateWorld, scene, scene_fields),
                                      TR_FIELDS_END};
    Troupe__Scenery one = TROUPE__SCENERY__INIT, *all[3] = {&one, &one, &one};
    Troupe__Scene scene = TROUPE__SCENE__INIT;
    Troupe__CreateWorld world = TROUPE__CREATE_WORLD__INIT;
    assert_int_equal(tr_fields_check(&world, fields, NULL), TR_OK);
    world.scene = &scene;
    scene.scenery = all;
    scene.n_scenery = 3;
    refused(&world, fields, "scene.scenery: 3: expected 0 to 2");
    scene.n_scenery = 2;
    one.friction = 3;
    refused(&world, fields, "scene.scenery.friction: 3: expected 0 to 1");
    one.friction = 1;
    one.patch = true;
    refused(&world, fields, "scene.scenery.patch: expected false");
}

TEST(a_member_of_a_oneof_is_checked_when_it_is_chosen) {
    static const tr_field fields[] = {TR_CASE(Troupe__Steer, aim_case, TROUPE__STEER__AIM_TOWARD,
                                              TR_FIELD(Troupe__Steer, toward, TR_FIELD_ENTITY)),
                                      TR_FIELDS_END};
    Troupe__Steer steer = TROUPE__STEER__INIT;
    assert_int_equal(tr_fields_check(&steer, fields, NULL), TR_OK);
    steer.aim_case = TROUPE__STEER__AIM_TOWARD;
    refused(&steer, fields, "toward: expected the id of a character or object");
}
