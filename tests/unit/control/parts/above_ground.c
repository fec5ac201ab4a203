#include "cmocka_test.h"

#include "control/parts/above_ground.h"
#include "control/parts/falls.h"
#include "unit/control/puppet.h"

#include <math.h>

/* A character at rest on a platform whose top is at `top`. */
static tr_world *stand(const tr_model *model, double top, double drop, tr_entity_id *out_id) {
    tr_world *world = NULL;
    tr_world_def def = tr_world_def_default();
    tr_scenery_def platform = {.size = {3, 3, 1}, .pos = {0, 0, top - 1}, .rot = {1, 0, 0, 0}};
    tr_pose pose = tr_pose_rest(model);
    pose.root_pos.z += top - drop;
    tr_state state = tr_state_at_rest(model, &pose);
    def.ground = false;
    tr_physics_init();
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_world_add_scenery(world, &platform, NULL), TR_OK);
    assert_int_equal(tr_world_add_character(world, model, &state, out_id), TR_OK);
    return world;
}

static tr_features features_at(const tr_model *model, double top) {
    tr_entity_id id;
    tr_state state;
    OWN(tr_world) *world = stand(model, top, 0, &id);
    assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
    tr_sight sight = {.world = world,
                      .character = id,
                      .model = model,
                      .state = &state,
                      .ground = tr_world_local_ground(world, id)};
    tr_features features = tr_features_above_ground(&sight);
    assert_true(fabs(tr_state_above_ground(&state, &sight.ground).pose.root_pos.z -
                     tr_pose_rest(model).root_pos.z) < 1e-9);
    return features;
}

TEST(heights_count_from_the_platform) {
    const tr_model *model = *given;
    static const double top[] = {-1000, -5, 0.05, 50, 1000};
    tr_features level = features_at(model, 0);
    for (int i = 0; i < 5; i++) {
        tr_features there = features_at(model, top[i]);
        for (int k = 0; k < TR_FEATURE_COUNT; k++)
            assert_true(fabs(there.s[k] - level.s[k]) < 1e-9);
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            assert_true(level.ground[j] == 0 && fabs(there.ground[j]) < 1e-9);
    }
}

/* The left foot alone moves towards a kerb of 8 cm, 15 cm before its toes; the local ground is that of
 * the platform, which has the height 0. */
static tr_features before_a_kerb(const tr_model *model, double speed_mps, double slope) {
    tr_entity_id id;
    tr_state state;
    OWN(tr_world) *world = stand(model, 0, 0, &id);
    tr_scenery_def kerb = {.size = {1, 3, 1}, .pos = {1.35, 0, -0.92}, .rot = {1, 0, 0, 0}};
    assert_int_equal(tr_world_add_scenery(world, &kerb, NULL), TR_OK);
    assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
    int thigh = tr_model_find_body(model, "lthigh");
    state.joint_rate[thigh].y = -speed_mps / (state.pose.root_pos.z - 0.1);
    assert_int_equal(tr_world_set_state(world, id, &state), TR_OK);
    tr_sight sight = {.world = world, .character = id, .model = model, .state = &state};
    sight.ground.normal = tr_vec3_normalize_or((tr_vec3){-slope, 0, 1}, (tr_vec3){0, 0, 1});
    tr_features features = tr_features_above_ground(&sight);
    return features;
}

TEST(a_step_is_seen_by_the_foot_that_moves_towards_it) {
    const tr_model *model = *given;
    tr_features rests = before_a_kerb(model, 0, 0), moves = before_a_kerb(model, 2, 0);
    assert_true(rests.ground[2] == 0 && rests.ground[3] == 0);
    assert_true(fabs(moves.ground[2] - 0.08) < 1e-9 && moves.ground[3] == 0);
    tr_features back = before_a_kerb(model, -2, 0);
    assert_true(back.ground[2] == 0 && back.ground[3] == 0);
    /* On a plane that rises as the local ground does there would be no step: this one is below it ahead,
     * and above it under the heels. */
    tr_features slope = before_a_kerb(model, 0, 0.1);
    assert_true(slope.ground[2] > 0 && slope.ground[2] < 0.02);
}

/* The slope is seen in the heading frame: a plane that rises along x rises to the left of a character
 * that heads against y. */
TEST(the_slope_is_that_of_the_heading) {
    const tr_model *model = *given;
    tr_entity_id id;
    tr_state state;
    OWN(tr_world) *world = stand(model, 0, 0, &id);
    assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
    tr_sight sight = {.world = world, .character = id, .model = model, .state = &state};
    sight.ground.normal = tr_vec3_normalize_or((tr_vec3){-0.1, 0, 1}, (tr_vec3){0, 0, 1});
    tr_features ahead = tr_features_above_ground(&sight);
    assert_true(fabs(ahead.ground[0] - 0.1) < 1e-9 && fabs(ahead.ground[1]) < 1e-9);
    state.pose.root_rot = tr_quat_from_heading(-TR_PI / 2);
    tr_features right = tr_features_above_ground(&sight);
    assert_true(fabs(right.ground[0]) < 1e-9 && fabs(right.ground[1] - 0.1) < 1e-9);
    sight.ground.normal = tr_vec3_normalize_or((tr_vec3){-3, 0, 1}, (tr_vec3){0, 0, 1});
    assert_true(fabs(tr_features_above_ground(&sight).ground[1] - 0.25) < 1e-9);
}

TEST(lying_on_a_high_platform_is_down_and_standing_is_up) {
    const tr_model *model = *given;
    tr_entity_id id;
    OWN(tr_world) *world = stand(model, 50, 0, &id);
    assert_int_equal(tr_world_step(world), TR_OK);
    assert_false(tr_falls_is_down(world, id, true));
    tr_state state;
    assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
    state.pose.root_rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 2);
    state.pose.root_pos.z = 50.4; /* above it, so that the lean and the height decide */
    assert_int_equal(tr_world_set_state(world, id, &state), TR_OK);
    assert_int_equal(tr_world_step(world), TR_OK);
    assert_true(tr_falls_is_down(world, id, false));
}

TEST(lying_on_a_lift_is_down) {
    const tr_model *model = *given;
    OWN(tr_world) *world = NULL;
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    tr_physics_init();
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    tr_object_def slab = {.geom_count = 1, .mass = 100};
    slab.geom[0] =
        (tr_geom){.kind = TR_GEOM_BOX, .size = {3, 3, 0.5}, .rot = {1, 0, 0, 0}, .friction = 1};
    tr_object_state at = {.pos = {0, 0, 19.5}, .rot = {1, 0, 0, 0}, .vel = {0, 0, 1}};
    tr_entity_id lift, id;
    assert_int_equal(tr_world_add_object(world, &slab, &at, &lift), TR_OK);
    assert_int_equal(tr_world_set_kinematic(world, lift, true), TR_OK);
    tr_pose pose = tr_pose_rest(model);
    pose.root_rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 2);
    pose.root_pos.z = 20.3;
    tr_state state = tr_state_at_rest(model, &pose);
    assert_int_equal(tr_world_add_character(world, model, &state, &id), TR_OK);
    assert_int_equal(tr_world_set_servo(world, id, TR_SERVO_RAGDOLL), TR_OK);
    for (int i = 0; i < 200; i++)
        assert_int_equal(tr_world_step(world), TR_OK);
    assert_true(tr_falls_is_down(world, id, false));
    assert_true(tr_world_local_ground(world, id).height > 20.9);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
