/* The reference stepper alone: the oracle must be right before others are compared with it. */
#include "cmocka_test.h"

#include "math/hash.h"
#include "oracle/ode_reference.h"
#include "scenes/scenario.h"
#include "unit/physics/scenes.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const tr_scenario wave = {"wave", TR_MOTION_WAVE, 1, 0.0, true, false, false};
SUITE_OWN(tr_model, model);

BEFORE_ALL() {
    tr_physics_init();
    model = scene_humanoid();
}

static tr_world_def reference_def(void) {
    tr_world_def def = tr_world_def_default();
    def.stepper = &tr_stepper_ode_reference;
    return def;
}

static tr_entity_id add_box(tr_world *world, tr_object_state at) {
    const tr_geom box = {
        .kind = TR_GEOM_BOX, .size = {0.1, 0.1, 0.1}, .rot = {1, 0, 0, 0}, .friction = 0.5};
    return scene_thing(world, &box, 4, at);
}

/* A bob of 4 kg on a weightless rod of 1 m: T = 2 pi sqrt((L^2 + k^2) / (g L)) for small swings,
 * k^2 = 1/150 m2 of the box. */
TEST(test_pinned_box_swings_like_a_pendulum) {
    tr_world_def def = reference_def();
    def.ground = false;
    def.step_s = 0.001;
    OWN(tr_world) *world = scene_world(&def);
    const double angle = 0.05;
    tr_object_state at = {.pos = {sin(angle), 0, 2.0 - cos(angle)},
                          .rot = tr_quat_exp((tr_vec3){0, -angle, 0})};
    tr_entity_id box = add_box(world, at), pin;
    tr_pin_def hold = {.entity = {box, 0}, .point = {{0, 0, 1.0}, {0, 0, 2.0}}};
    assert_int_equal(tr_world_add_pin(world, &hold, &pin), TR_OK);
    double period = 2.0 * TR_PI * sqrt((1.0 + 1.0 / 150.0) / 9.81);
    int steps = (int)(period / 4.0 / def.step_s + 0.5);
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_world_step(world), TR_OK);
    assert_near(scene_thing_state(world, box).pos.x, 0.0, 2e-3);
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_world_step(world), TR_OK);
    assert_near(scene_thing_state(world, box).pos.x, -sin(angle), 2e-3);
}

/* Coulomb: a box sliding at v stops after v^2 / (2 mu g). */
TEST(test_box_slides_as_coulomb_says) {
    tr_world_def def = reference_def();
    def.step_s = 0.001;
    def.ground_friction = 0.5;
    OWN(tr_world) *world = scene_world(&def);
    tr_object_state at = {.pos = {0, 0, 0.1}, .rot = {1, 0, 0, 0}, .vel = {2.0, 0, 0}};
    tr_entity_id box = add_box(world, at);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(tr_world_step(world), TR_OK);
    double mu = 0.5 * 0.5; /* the product of the box's and the ground's */
    assert_near(scene_thing_state(world, box).pos.x, 4.0 / (2.0 * mu * 9.81), 0.02);
    assert_near(tr_vec3_length(scene_thing_state(world, box).vel), 0.0, 1e-3);
}

TEST(test_contact_impulses_carry_the_weight) {
    static const tr_scenario stand = {"stand", TR_MOTION_STAND, 1, 0.0, true, false, false};
    tr_scenario_run rig;
    assert_int_equal(tr_scenario_run_create(&stand, model, reference_def(), &rig), TR_OK);
    for (int i = 0; i < 400; i++)
        assert_int_equal(tr_scenario_run_step(&rig), TR_OK);
    int count;
    const tr_contact *contact = tr_world_contacts(rig.world, &count);
    double up = 0.0;
    for (int i = 0; i < count; i++)
        up += contact[i].impulse.z;
    assert_near(up / 0.005, 62.0 * 9.81, 5.0);
    tr_scenario_run_destroy(&rig);
}

static void step_times(tr_scenario_run *rig, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_scenario_run_step(rig), TR_OK);
}

/* Entities come and go before the snapshot, so that ODE's lists have a history that the fresh world
 * lacks. */
TEST(test_restored_world_continues_to_the_bit) {
    tr_scenario_run rig, fresh;
    assert_int_equal(tr_scenario_run_create(&wave, model, reference_def(), &rig), TR_OK);
    tr_object_state at = {.pos = {0.4, 0, 0.1}, .rot = {1, 0, 0, 0}, .vel = {-2, 0, 0}};
    tr_entity_id first = add_box(rig.world, at);
    step_times(&rig, 20);
    assert_int_equal(tr_world_remove_object(rig.world, first), TR_OK);
    add_box(rig.world, at);
    step_times(&rig, 20);
    size_t capacity = tr_world_snapshot_size(rig.world), size;
    OWN_MEMORY void *snapshot = malloc(capacity);
    assert_int_equal(tr_world_snapshot(rig.world, snapshot, capacity, &size), TR_OK);
    fresh = rig;
    tr_world_def def = reference_def();
    fresh.world = scene_world(&def);
    const tr_model *models[] = {model};
    assert_int_equal(tr_world_restore(fresh.world, snapshot, size, models, 1), TR_OK);
    for (int i = 0; i < 100; i++) {
        step_times(&rig, 1);
        step_times(&fresh, 1);
        assert_true(tr_world_hash(rig.world) == tr_world_hash(fresh.world));
    }
    tr_scenario_run_destroy(&rig);
    tr_scenario_run_destroy(&fresh);
}

/* The records of bodies end the snapshot of one character, behind the counts of pins and pushes. */
TEST(test_forged_records_are_refused) {
    enum { HEADER = 24, SUM_AT = 16 };
    tr_scenario_run rig;
    assert_int_equal(tr_scenario_run_create(&wave, model, reference_def(), &rig), TR_OK);
    size_t capacity = tr_world_snapshot_size(rig.world), size;
    OWN_MEMORY unsigned char *snapshot = malloc(capacity);
    assert_int_equal(tr_world_snapshot(rig.world, snapshot, capacity, &size), TR_OK);
    uint64_t before = tr_world_hash(rig.world);
    const double bad = (double)NAN;
    memcpy(snapshot + size - sizeof bad * 2, &bad, sizeof bad); /* a rate of the last body */
    uint64_t sum = tr_hash_add(TR_HASH_START, snapshot + HEADER, size - HEADER);
    memcpy(snapshot + SUM_AT, &sum, sizeof sum);
    assert_int_equal(tr_world_restore(rig.world, snapshot, size, NULL, 0), TR_INVALID_ARGUMENT);
    assert_true(tr_world_hash(rig.world) == before);
    tr_scenario_run_destroy(&rig);
}

/* By default ODE's worlds share a job list, and then crash on several threads. */
static void *run_on_a_thread(void *out_hash) {
    tr_scenario_run rig;
    uint64_t *hash = out_hash;
    if (tr_scenario_run_create(&wave, model, reference_def(), &rig))
        return NULL;
    tr_status status = TR_OK;
    for (int i = 0; i < 200 && !status; i++)
        status = tr_scenario_run_step(&rig);
    *hash = status ? 0 : tr_world_hash(rig.world);
    tr_scenario_run_destroy(&rig);
    return NULL;
}

TEST(test_threads_do_not_disturb_each_other) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    uint64_t alone = 0, hash[THREADS] = {0};
    run_on_a_thread(&alone);
    assert_true(alone != 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, run_on_a_thread, &hash[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_true(hash[i] == alone);
    }
}

TEST(test_only_the_broken_body_is_frozen) {
    tr_world_def def = reference_def();
    OWN(tr_world) *world = scene_world(&def);
    tr_object_state at = {.pos = {0, 0, 2.0}, .rot = {1, 0, 0, 0}};
    tr_entity_id doomed = add_box(world, at);
    at.pos.x = 5.0;
    tr_entity_id fine = add_box(world, at);
    for (int i = 0; i < 2; i++) {
        tr_push push = {doomed, 0, {0, 0, 0}, {1.7e308, 0, 0}, 1};
        assert_int_equal(tr_world_push(world, &push), TR_OK);
    }
    assert_int_equal(tr_world_step(world), TR_DATA_LOSS);
    for (int i = 0; i < 9; i++)
        (void)!tr_world_step(world);
    tr_entity_id fault;
    assert_int_equal(tr_world_faults(world, &fault, 1), 1);
    assert_int_equal(fault, doomed);
    tr_object_state frozen = scene_thing_state(world, doomed),
                    falling = scene_thing_state(world, fine);
    assert_near(frozen.pos.z, 2.0, 1e-12);
    assert_near(tr_vec3_length(frozen.vel), 0.0, 1e-12);
    assert_near(falling.vel.z, -9.81 * 0.05, 1e-9);
}
