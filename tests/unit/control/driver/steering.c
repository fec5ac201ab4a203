#include "cmocka_test.h"

#include "control/stage/stage.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

static tr_steering example(void) {
    return (tr_steering){.speed_mps = 1.2,
                         .turn_rad_s = 0.5,
                         .faster_mps = 0.3,
                         .slower_mps = 0.2,
                         .turn = {0.02, -0.05, 0.01, 0.03, 0, 0.04},
                         .faster = {0, 0.07, 0, -0.02},
                         .slower = {0.05}};
}

static tr_world *world_of_one(const tr_model *model, tr_entity_id *out_id) {
    tr_world *world = NULL;
    tr_world_def def = tr_world_def_default();
    tr_pose rest = tr_pose_rest(model);
    tr_state state = tr_state_at_rest(model, &rest);
    tr_physics_init();
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_world_add_character(world, model, &state, out_id), TR_OK);
    return world;
}

/* --- targets --- */

TEST(what_cannot_be_followed_is_invalid) {
    tr_steering_target good = {
        .aim = TR_AIM_POINT, .x = 3, .y = -4, .speed_mps = 1.3, .skill = "walk"};
    assert_true(tr_steering_target_is_valid(&good));
    tr_steering_target bad[] = {good, good, good, good, good, good};
    bad[0].aim = (tr_aim)4;
    bad[1].x = NAN;
    bad[2].y = INFINITY;
    bad[3].speed_mps = -0.1;
    bad[4].heading_rad = 1e9;
    memset(bad[5].skill, 'x', sizeof bad[5].skill);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tr_steering_target_is_valid(&bad[i]));
}

TEST(a_target_has_a_bearing) {
    const tr_model *model = *given;
    tr_entity_id id = 0, other = 0;
    OWN(tr_world) *world = world_of_one(model, &id);
    tr_state state;
    assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
    tr_state there = tr_state_place(&state, 0, (tr_vec3){0, 5, 0});
    assert_int_equal(tr_world_add_character(world, model, &there, &other), TR_OK);
    tr_steering_target point = {.aim = TR_AIM_POINT, .x = -3, .y = 0};
    tr_bearing bearing = tr_steering_bearing(&point, world, &state);
    assert_near(fabs(bearing.turn_rad), TR_PI, 1e-12);
    assert_near(bearing.distance_m, 3, 1e-12);
    assert_near(tr_bearing_for(TR_WAY_BACK, bearing).turn_rad, 0, 1e-12);
    assert_near(tr_bearing_for(TR_WAY_LEFT, bearing).turn_rad, TR_PI / 2, 1e-12);
    assert_near(tr_bearing_for(TR_WAY_RIGHT, bearing).turn_rad, -TR_PI / 2, 1e-12);
    const tr_bearing heading = {1, INFINITY};
    assert_near(tr_bearing_for(TR_WAY_BACK, heading).turn_rad, 1, 0);
    tr_steering_target chase = {.aim = TR_AIM_CHARACTER, .character = other};
    bearing = tr_steering_bearing(&chase, world, &state);
    assert_near(bearing.turn_rad, TR_PI / 2, 1e-12);
    assert_near(bearing.distance_m, 5, 1e-12);
    assert_int_equal(tr_world_remove_character(world, other), TR_OK);
    bearing = tr_steering_bearing(&chase, world, &state);
    assert_near(bearing.turn_rad, 0, 0);
    assert_true(isinf(bearing.distance_m));
}

/* From a place off both axes, towards a point to its left and one to its right. */
TEST(a_bearing_counts_from_where_the_character_stands) {
    tr_entity_id id = 0;
    OWN(tr_world) *world = world_of_one(*given, &id);
    tr_state state;
    assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
    state = tr_state_place(&state, 0, (tr_vec3){1, 2, 0});
    tr_steering_target left = {.aim = TR_AIM_POINT, .x = 2, .y = 3}, right = left;
    right.y = 1;
    assert_near(tr_steering_bearing(&left, world, &state).turn_rad, TR_PI / 4, 1e-12);
    assert_near(tr_steering_bearing(&right, world, &state).turn_rad, -TR_PI / 4, 1e-12);
    assert_near(tr_steering_bearing(&left, world, &state).distance_m, sqrt(2), 1e-12);
}

/* --- the input --- */

TEST(the_input_follows_with_a_bounded_rate) {
    tr_steering steering = example();
    tr_steering_target left = {.aim = TR_AIM_HEADING, .speed_mps = 9};
    tr_steering_input input = {0, 0};
    tr_steering_follow(&input, &steering, &left, (tr_bearing){2, INFINITY}, 0.1);
    assert_near(input.turn, 0.1, 1e-12);
    assert_near(input.pace, 0, 0); /* a full turn leaves no room for a change of speed */
    for (int i = 0; i < 20; i++)
        tr_steering_follow(&input, &steering, &left, (tr_bearing){2, INFINITY}, 0.1);
    assert_near(input.turn, 1, 0);
    assert_near(input.pace, 0, 0);
    for (int i = 0; i < 20; i++)
        tr_steering_follow(&input, &steering, &left, (tr_bearing){0.1, INFINITY}, 0.1);
    assert_near(input.turn, 0.3, 1e-9);
    assert_near(input.pace, 0.7, 1e-9);
    tr_steering_target slow = {.aim = TR_AIM_HEADING, .speed_mps = 1.1};
    for (int i = 0; i < 40; i++)
        tr_steering_follow(&input, &steering, &slow, (tr_bearing){-0.01, INFINITY}, 0.1);
    assert_near(input.turn, -0.03, 1e-9); /* 1.5 / 0.5 times the error */
    assert_near(input.pace, -0.5, 1e-9);
    const tr_steering_target none = {0};
    for (int i = 0; i < 20; i++)
        tr_steering_follow(&input, &steering, &none, (tr_bearing){0, INFINITY}, 0.1);
    assert_near(input.turn, 0, 0);
    assert_near(input.pace, 0, 0);
}

/* The shorter way round, also across the seam at 180 degrees. */
TEST(the_shorter_way_is_taken) {
    tr_entity_id id = 0;
    OWN(tr_world) *world = world_of_one(*given, &id);
    tr_state state;
    assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
    state = tr_state_place(&state, 3.0, (tr_vec3){0, 0, 0});
    tr_steering_target target = {.aim = TR_AIM_HEADING, .heading_rad = -3.0};
    assert_near(tr_steering_bearing(&target, world, &state).turn_rad, 2 * TR_PI - 6, 1e-9);
    target.heading_rad = 3.0 - 40 * TR_PI - 0.2;
    assert_near(tr_steering_bearing(&target, world, &state).turn_rad, -0.2, 1e-9);
    const tr_steering_target none = {0};
    assert_near(tr_steering_bearing(&none, world, &state).turn_rad, 0, 0);
}

/* Full input circles with a radius of 1.2 / 0.5 = 2.4 m: the character first leaves a point within
 * 0.85 of that of the centre behind. */
TEST(a_point_inside_the_circle_is_not_circled) {
    tr_steering steering = example();
    tr_steering_target target = {.aim = TR_AIM_POINT};
    tr_steering_input input = {0, 0};
    tr_steering_follow(&input, &steering, &target, (tr_bearing){TR_PI / 2, 4.4}, 0.1);
    assert_near(input.turn, 0, 0);
    tr_steering_follow(&input, &steering, &target, (tr_bearing){TR_PI / 2, 4.5}, 0.1);
    assert_near(input.turn, 0.1, 1e-12);
    tr_steering_follow(&input, &steering, &target, (tr_bearing){-3.1, 1}, 0.1);
    assert_near(input.turn, 0, 1e-12); /* behind: it can be reached by turning */
    tr_steering_follow(&input, &steering, &target, (tr_bearing){-0.02, 1}, 0.1);
    assert_true(input.turn < 0);
}

/* Steering to the left in a mirrored half is the mirror image of steering to the right. */
TEST(a_mirrored_half_steers_the_same_way) {
    const tr_model *model = *given;
    tr_action_map map;
    tr_steering steering = example();
    double plain[TR_ACTION_MAX] = {0}, mirrored[TR_ACTION_MAX] = {0}, image[TR_ACTION_MAX] = {0};
    assert_int_equal(tr_action_map_default(model, true, &map, NULL), TR_OK);
    tr_steering_add(model, &map, &steering, (tr_steering_input){-0.7, 0.4}, false, plain);
    tr_steering_add(model, &map, &steering, (tr_steering_input){0.7, 0.4}, true, mirrored);
    tr_action_mirror(model, &map, plain, image);
    for (int i = 0; i < map.size; i++)
        assert_near(mirrored[i], image[i], 1e-15);
    assert_near(plain[1], -0.7 * -0.05 + 0.4 * 0.07, 1e-15);
}

/* Steering that reaches past the action's size, as no controller may have it. */
TEST(nothing_past_the_actions_size_is_touched) {
    const tr_model *model = *given;
    tr_action_map map;
    tr_steering steering = example();
    double action[TR_ACTION_MAX] = {0};
    assert_int_equal(tr_action_map_default(model, true, &map, NULL), TR_OK);
    steering.turn[map.size] = steering.faster[map.size] = 1;
    for (int mirrored = 0; mirrored < 2; mirrored++)
        tr_steering_add(model, &map, &steering, (tr_steering_input){1, 1}, mirrored, action);
    assert_near(action[map.size], 0, 0);
}

/* --- on stage --- */

TEST(a_command_changes_the_next_fragment) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 2, 20);
    tr_chain_of(controller)->steering = example();
    OWN(tr_stage) *stage = NULL;
    tr_world_def world_def = tr_world_def_default();
    tr_entity_id id = 0;
    tr_physics_init();
    assert_int_equal(tr_stage_create(&world_def, &stage), TR_OK);
    tr_spawn_def def = {.model = model, .controller = controller};
    assert_int_equal(tr_stage_spawn(stage, &def, &id), TR_OK);
    for (int i = 0; i < 27; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
    tr_steering_target target = {.aim = TR_AIM_HEADING, .heading_rad = 1};
    assert_int_equal(tr_stage_set_target(stage, id, &target), TR_OK);
    const tr_runner *runner = &tr_stage_performer(stage, id)->runner;
    const tr_playback *playback = puppet_playback(runner);
    for (int i = 27; i < 40; i++) {
        assert_near(playback->action[1], 0, 0);
        assert_int_equal(tr_stage_step(stage), TR_OK);
    }
    assert_int_equal(tr_stage_step(stage), TR_OK); /* the first of the next fragment */
    assert_near(playback->action[1], 0.1 * -0.05, 1e-12);
    assert_near(runner->parameter[1], 0, 0);
}

static void explains(const tr_controller *controller, const tr_steering_target *target,
                     const char *expected) {
    char text[TR_ERROR_MESSAGE_MAX];
    assert_false(tr_driver_follows(controller->driver, target));
    tr_driver_explain_refusal(controller->driver, target, text, sizeof text);
    assert_string_equal(text, expected);
    tr_driver_explain_refusal(controller->driver, target, text, 10);
    assert_int_equal(strlen(text), 9);
}

TEST(what_was_not_learned_is_refused) {
    const tr_model *model = *given;
    OWN(tr_controller) *fixed = puppet_hold(model, 1, 20), *turns = puppet_hold(model, 1, 20);
    tr_chain_of(turns)->steering.turn_rad_s = 0.3;
    OWN(tr_stage) *stage = NULL;
    tr_world_def world_def = tr_world_def_default();
    tr_entity_id id[3];
    assert_int_equal(tr_stage_create(&world_def, &stage), TR_OK);
    const tr_controller *cast[] = {fixed, turns, NULL};
    for (int i = 0; i < 3; i++) {
        tr_spawn_def def = {.model = model, .controller = cast[i], .pos = {0, 2.0 * i, 0}};
        assert_int_equal(tr_stage_spawn(stage, &def, &id[i]), TR_OK);
    }
    tr_steering_target turn = {.aim = TR_AIM_HEADING, .heading_rad = 1}, pace = {.speed_mps = 2};
    tr_steering_target itself = {.aim = TR_AIM_CHARACTER, .character = id[1]},
                       skill = {.skill = "run"};
    const tr_steering_target none = {0};
    assert_int_equal(tr_stage_set_target(stage, id[0], &turn), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_stage_set_target(stage, id[2], &turn), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_stage_set_target(stage, id[1], &pace), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_stage_set_target(stage, id[1], &skill), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_stage_set_target(stage, id[1], &itself), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_stage_set_target(stage, id[2] + 9, &turn), TR_NOT_FOUND);
    assert_int_equal(tr_stage_set_target(stage, id[1], &turn), TR_OK);
    assert_int_equal(tr_stage_set_target(stage, id[0], &none), TR_OK);
    explains(fixed, &turn, "cannot be steered");
    explains(turns, &pace, "has no speed to choose; it takes a heading, a point or a character");
    explains(turns, &skill,
             "has no skill 'run' to ask for; it takes a heading, a point or a character");
}

/* Steering acts, so that it is part of what a controller is; without it the hash is as ever. */
TEST(steering_is_hashed_and_checked) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 20);
    uint64_t plain = tr_controller_hash(controller, model);
    tr_chain_of(controller)->steering = example();
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_OK);
    assert_true(tr_controller_hash(controller, model) != plain);
    tr_chain_of(controller)->steering.turn[TR_ACTION_MAX - 1] = 0.1; /* past the action's size */
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_INVALID_ARGUMENT);
    tr_chain_of(controller)->steering = (tr_steering){.turn_rad_s = NAN};
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_INVALID_ARGUMENT);
    tr_chain_of(controller)->steering = (tr_steering){0};
    assert_true(tr_controller_hash(controller, model) == plain);
}

static bool target_is_valid(const void *target) {
    return tr_steering_target_is_valid(target);
}

TEST(bounds_of_a_target_are_golden) {
    tr_steering_target target = {.aim = TR_AIM_HEADING};
    const bits_number numbers[] = {BITS_REAL(target.heading_rad), BITS_REAL(target.x),
                                   BITS_REAL(target.y), BITS_REAL(target.speed_mps)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, target_is_valid, &target,
                      0x8652cda9c20bed38ULL);
    for (int aim = -1; aim < 6; aim++) {
        target.aim = (tr_aim)aim;
        assert_int_equal(target_is_valid(&target), aim >= TR_AIM_NONE && aim <= TR_AIM_CHARACTER);
    }
}

SUITE_FIXTURE(puppet_load, puppet_unload);
