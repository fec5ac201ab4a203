/* A world of a client's own: a saved state is all of the future, and what is not there is refused. */
#include "cmocka_test.h"

#include "math/random.h"
#include "proto/message.h"
#include "troupe/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <troupe/envelope.pb-c.h>

#define BUNDLE TR_SOURCE_DIR "/db/shipped.troupe"

enum { CAST = 4, TICKS = 400, BACK = 10, BODY_MAX = 32 };

static const char *const performer[CAST] = {"hero", "walk", "steady", "run"};

static tr_simulation *open_world(uint32_t *out) {
    tr_simulation *world = NULL;
    assert_int_equal(tr_simulation_open(BUNDLE, 0.005, &world, NULL), TR_OK);
    for (int i = 0; i < CAST; i++) {
        const tr_simulation_spawn_def def = {.controller = performer[i], .y = 1.5 * i};
        assert_int_equal(tr_simulation_spawn(world, &def, &out[i], NULL), TR_OK);
    }
    return world;
}

/* What players do in one tick, drawn anew from its number. */
static void play(tr_simulation *world, const uint32_t *id, uint64_t seed) {
    tr_random draw = tr_random_split(seed, (uint64_t)tr_simulation_tick(world), 0);
    const int one = (int)(tr_random_uniform(&draw) * CAST);
    const double force[3] = {200 * tr_random_uniform(&draw) - 100,
                             200 * tr_random_uniform(&draw) - 100, 0};
    const tr_simulation_intent intent = {.aim = TR_SIMULATION_HEADING,
                                         .heading_rad = 6 * tr_random_uniform(&draw) - 3};
    if (tr_random_uniform(&draw) < 0.05)
        assert_int_equal(tr_simulation_push(world, id[one], -1, force, 0.1), TR_OK);
    if (tr_random_uniform(&draw) < 0.02)
        (void)!tr_simulation_steer(world, id[one], &intent, NULL); /* steady does not turn */
    assert_int_equal(tr_simulation_step(world, 1), TR_OK);
}

TEST(a_world_that_goes_back_comes_to_the_same_state) {
    uint32_t id[CAST];
    OWN(tr_simulation) *world = open_world(id);
    const size_t size = tr_simulation_saved_size(world) + 4096;
    void *saved = test_malloc(size);
    for (int tick = 0; tick < TICKS; tick += BACK) {
        size_t used = 0;
        assert_int_equal(tr_simulation_save(world, saved, size, &used), TR_OK);
        for (int i = 0; i < BACK; i++)
            play(world, id, 7);
        const uint64_t hash = tr_simulation_hash(world);
        assert_int_equal(tr_simulation_load(world, saved, used, NULL), TR_OK);
        assert_int_equal(tr_simulation_tick(world), tick);
        for (int i = 0; i < BACK; i++)
            play(world, id, 7);
        assert_true(tr_simulation_hash(world) == hash);
    }
    test_free(saved);
}

TEST(a_character_goes_where_it_is_sent) {
    uint32_t id[CAST];
    double pose[BODY_MAX][TR_SIMULATION_POSE_SIZE];
    tr_simulation_condition seen;
    OWN(tr_simulation) *world = open_world(id);
    const tr_simulation_intent left = {.aim = TR_SIMULATION_HEADING, .heading_rad = 1.57};
    assert_int_equal(tr_simulation_steer(world, id[0], &left, NULL), TR_OK);
    assert_int_equal(tr_simulation_step(world, 1600), TR_OK);
    assert_in_range(tr_simulation_body_count(world, id[0]), 2, BODY_MAX);
    assert_int_equal(tr_simulation_poses(world, id[0], pose[0]), TR_OK);
    assert_true(pose[0][1] > 2); /* it began at 0 */
    assert_true(fabs(pose[0][2] - 0.9) < 0.3);
    assert_int_equal(tr_simulation_look(world, id[0], &seen), TR_OK);
    assert_true(seen.doing[0] != '\0');
    assert_false(seen.fallen || seen.limp || seen.frozen || seen.ended);
    assert_non_null(strstr(tr_simulation_model(world, id[0]), "<mujoco"));
}

/* Applies a command as a daemon's world sends it. */
static tr_status apply(tr_simulation *world, const Troupe__Command *command, uint32_t *out_entity) {
    const size_t size = troupe__command__get_packed_size(command);
    uint8_t *bytes = test_malloc(size);
    troupe__command__pack(command, bytes);
    tr_status status = tr_simulation_apply(world, bytes, size, out_entity, NULL);
    test_free(bytes);
    return status;
}

TEST(a_thrown_ball_falls_rests_and_is_taken_away) {
    uint32_t id[CAST], ball = 0, heavy = 0;
    double pose[TR_SIMULATION_POSE_SIZE];
    OWN(tr_simulation) *world = open_world(id);
    Troupe__Vec3 size = {TR_MESSAGE_BASE(vec3), .x = 0.12}, pos = {TR_MESSAGE_BASE(vec3), 3, -3, 1};
    Troupe__Vec3 vel = {TR_MESSAGE_BASE(vec3), .y = -1};
    Troupe__Geom sphere = {TR_MESSAGE_BASE(geom), .kind = TROUPE__GEOM_KIND__GEOM_KIND_SPHERE,
                           .size = &size, .friction = 0.8};
    Troupe__SpawnObject spawn = {
        TR_MESSAGE_BASE(spawn_object),       .name = (char *)"", .n_geoms = 1,
        .geoms = &(Troupe__Geom *){&sphere}, .pos = &pos,        .vel = &vel};
    Troupe__Command command = {
        TR_MESSAGE_BASE(command), .world_name = (char *)"", .entity_name = (char *)"",
        .command_case = TROUPE__COMMAND__COMMAND_SPAWN_OBJECT, .spawn_object = &spawn};
    assert_int_equal(apply(world, &command, &ball), TR_OK);
    size.x = 0;
    assert_int_equal(apply(world, &command, &heavy), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_simulation_step(world, 400), TR_OK);
    assert_int_equal(tr_simulation_body_count(world, ball), 1);
    assert_int_equal(tr_simulation_poses(world, ball, pose), TR_OK);
    assert_true(fabs(pose[2] - 0.12) < 0.01 && pose[1] < -3.3);
    /* At 5 ms a ball of 0.12 m may have 24 m/s. */
    Troupe__Throw throw = {TR_MESSAGE_BASE(throw), .entity = ball, .vel = &vel};
    command.command_case = TROUPE__COMMAND__COMMAND_THROW;
    command.throw_ = &throw;
    vel.y = 25;
    assert_int_equal(apply(world, &command, &heavy), TR_OUT_OF_RANGE);
    vel.y = 23;
    assert_int_equal(apply(world, &command, &heavy), TR_OK);
    assert_int_equal(tr_simulation_despawn(world, ball), TR_OK);
    assert_int_equal(tr_simulation_poses(world, ball, pose), TR_NOT_FOUND);
}

TEST(parameters_are_set_all_or_none) {
    uint32_t id[CAST], none = 0;
    double offset[17] = {0.05}, beyond[17] = {1e9};
    OWN(tr_simulation) *world = open_world(id);
    const uint64_t before = tr_simulation_hash(world);
    Troupe__ParameterValues first = {TR_MESSAGE_BASE(parameter_values),
                                     .name = (char *)"action_offset", .n_values = 17,
                                     .values = offset};
    Troupe__ParameterValues second = first;
    second.values = beyond;
    Troupe__SetParameters set = {TR_MESSAGE_BASE(set_parameters), .entity = id[1],
                                 .n_parameters = 2,
                                 .parameters = (Troupe__ParameterValues *[]){&first, &second}};
    Troupe__Command command = {
        TR_MESSAGE_BASE(command), .world_name = (char *)"", .entity_name = (char *)"",
        .command_case = TROUPE__COMMAND__COMMAND_SET_PARAMETERS, .set_parameters = &set};
    assert_int_equal(apply(world, &command, &none), TR_INVALID_ARGUMENT);
    assert_true(tr_simulation_hash(world) == before);
    set.n_parameters = 1;
    assert_int_equal(apply(world, &command, &none), TR_OK);
    assert_true(tr_simulation_hash(world) != before);
}

/* What comes over the wire may be anything. */
TEST(a_broken_command_is_refused) {
    uint32_t id[CAST], none = 0;
    OWN(tr_simulation) *world = open_world(id);
    const uint64_t before = tr_simulation_hash(world);
    Troupe__Carry carry = {TR_MESSAGE_BASE(carry), .entity = id[0]};
    Troupe__AddScenery scenery = TROUPE__ADD_SCENERY__INIT;
    Troupe__SpawnCharacter nobody = {TR_MESSAGE_BASE(spawn_character), .model = (char *)"",
                                     .controller = (char *)"", .label = (char *)""};
    Troupe__Pause pause = TROUPE__PAUSE__INIT;
    Troupe__Command command = {TR_MESSAGE_BASE(command), .world_name = (char *)"",
                               .entity_name = (char *)"",
                               .command_case = TROUPE__COMMAND__COMMAND_CARRY, .carry = &carry};
    assert_int_equal(apply(world, &command, &none), TR_INVALID_ARGUMENT);
    command.command_case = TROUPE__COMMAND__COMMAND_ADD_SCENERY;
    command.add_scenery = &scenery;
    assert_int_equal(apply(world, &command, &none), TR_INVALID_ARGUMENT);
    command.command_case = TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER;
    command.spawn_character = &nobody;
    assert_int_equal(apply(world, &command, &none), TR_INVALID_ARGUMENT);
    command.command_case = TROUPE__COMMAND__COMMAND_PAUSE;
    command.pause = &pause;
    assert_int_equal(apply(world, &command, &none), TR_UNIMPLEMENTED);
    assert_int_equal(tr_simulation_apply(world, "\xff\xff", 2, &none, NULL), TR_INVALID_ARGUMENT);
    assert_true(tr_simulation_hash(world) == before);
}

TEST(a_limp_character_falls) {
    uint32_t id[CAST];
    tr_simulation_condition seen;
    OWN(tr_simulation) *world = open_world(id);
    assert_int_equal(tr_simulation_set_limp(world, id[1], true), TR_OK);
    assert_int_equal(tr_simulation_step(world, 600), TR_OK);
    assert_int_equal(tr_simulation_look(world, id[1], &seen), TR_OK);
    assert_true(seen.limp && seen.fallen);
}

TEST(what_is_not_there_is_refused) {
    uint32_t id[CAST], other = 0;
    tr_error error = {0};
    OWN(tr_simulation) *world = NULL;
    assert_int_equal(tr_simulation_open("nowhere.troupe", 0.005, &world, &error), TR_NOT_FOUND);
    assert_int_equal(tr_simulation_open(BUNDLE, 1, &world, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "step_s: 1; expected"));
    world = open_world(id);
    const tr_simulation_spawn_def nobody = {.controller = "nobody"};
    assert_int_equal(tr_simulation_spawn(world, &nobody, &other, &error), TR_NOT_FOUND);
    const tr_simulation_intent fly = {.skill = "fly"};
    assert_int_equal(tr_simulation_steer(world, id[0], &fly, &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "fly"));
    assert_int_equal(tr_simulation_steer(world, 999999, &fly, &error), TR_NOT_FOUND);
    assert_int_equal(tr_simulation_push(world, 999999, -1, (double[3]){1, 0, 0}, 1), TR_NOT_FOUND);
    assert_int_equal(tr_simulation_push(world, id[0], -1, (double[3]){1, 0, 0}, -1),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_simulation_load(world, "not a state", 11, &error), TR_INVALID_ARGUMENT);
    /* A force without measure ends its controller. */
    assert_int_equal(tr_simulation_push(world, id[3], -1, (double[3]){1e300, 0, 0}, 1), TR_OK);
    assert_int_equal(tr_simulation_step(world, 10), TR_OK);
    assert_int_equal(tr_simulation_steer(world, id[3], &(tr_simulation_intent){0}, &error),
                     TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "no controller"));
    assert_int_equal(tr_simulation_push(world, id[0], 99, (double[3]){1, 0, 0}, 1),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_simulation_despawn(world, id[1]), TR_OK);
    assert_int_equal(tr_simulation_look(world, id[1], NULL), TR_NOT_FOUND);
    assert_int_equal(tr_simulation_poses(world, id[1], NULL), TR_NOT_FOUND);
    assert_null(tr_simulation_model(world, id[1]));
}
