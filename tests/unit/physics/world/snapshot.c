/* Snapshots: restore-and-replay equals the straight run; hostile bytes are refused and change
 * nothing. */
#include "cmocka_test.h"

#include "math/hash.h"
#include "oracle/ode_reference.h"
#include "unit/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct blob {
    unsigned char *bytes;
    size_t size;
} blob;

static blob take(const tr_world *world) {
    blob b = {NULL, tr_world_snapshot_size(world)};
    size_t size = 0;
    b.bytes = malloc(b.size);
    assert_non_null(b.bytes);
    assert_int_equal(tr_world_snapshot(world, b.bytes, b.size - 1, &size), TR_OUT_OF_RANGE);
    assert_int_equal(tr_world_snapshot(world, b.bytes, b.size, &size), TR_OK);
    assert_int_equal(size, b.size);
    return b;
}

/* Makes size and checksum right. */
static void seal(blob b) {
    uint64_t payload = b.size - 24, sum = tr_hash_words(b.bytes + 24, payload);
    memcpy(b.bytes + 8, &payload, sizeof payload);
    memcpy(b.bytes + 16, &sum, sizeof sum);
}

TEST(replay_equals_the_straight_run) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    def.step_s = 0.01; /* replaced by the snapshot's */
    OWN(tr_world) *world = scene_busy(model), *fresh = scene_world(&def);
    scene_step(world, 20);
    blob b = take(world);
    uint64_t at_snapshot = tr_world_hash(world);
    scene_step(world, 400);
    uint64_t straight = tr_world_hash(world);
    assert_int_equal(tr_world_restore(fresh, b.bytes, b.size, &model, 1), TR_OK);
    assert_int_equal(tr_world_hash(fresh), at_snapshot);
    assert_int_equal(tr_world_tick(fresh), 20);
    assert_near(tr_world_definition(fresh)->step_s, 0.005, 0);
    scene_step(fresh, 400);
    assert_int_equal(tr_world_hash(fresh), straight);
    /* In the same world, which knows the models. */
    assert_int_equal(tr_world_restore(world, b.bytes, b.size, NULL, 0), TR_OK);
    scene_step(world, 400);
    assert_int_equal(tr_world_hash(world), straight);
    free(b.bytes);
}

/* Ids given after a restore are the ids that the straight run gives. */
TEST(ids_continue_after_a_restore) {
    const tr_model *model = *given;
    OWN(tr_world) *world = scene_busy(model);
    tr_entity_id gone[2], next[2];
    assert_int_equal(tr_world_objects(world, gone, 2), 5);
    assert_int_equal(tr_world_remove_object(world, gone[0]), TR_OK);
    blob b = take(world);
    next[0] = scene_stand(world, model, 5, 0, 0);
    assert_int_not_equal(next[0], gone[0]);
    assert_int_equal(tr_world_restore(world, b.bytes, b.size, &model, 1), TR_OK);
    next[1] = scene_stand(world, model, 5, 0, 0);
    assert_int_equal(next[0], next[1]);
    free(b.bytes);
}

TEST(missing_models_are_named) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_busy(model), *empty = scene_world(&def);
    blob b = take(world);
    uint64_t before = tr_world_hash(empty);
    assert_int_equal(tr_world_restore(empty, b.bytes, b.size, NULL, 0), TR_NOT_FOUND);
    assert_int_equal(tr_world_hash(empty), before);
    free(b.bytes);
}

TEST(every_prefix_is_refused) {
    const tr_model *model = *given;
    OWN(tr_world) *world = scene_busy(model);
    blob b = take(world);
    uint64_t before = tr_world_hash(world);
    for (size_t size = 0; size < b.size; size++) {
        OWN_MEMORY unsigned char *exact = malloc(size + 1);
        memcpy(exact, b.bytes, size);
        assert_int_equal(tr_world_restore(world, exact, size, &model, 1), TR_INVALID_ARGUMENT);
    }
    assert_int_equal(tr_world_hash(world), before);
    free(b.bytes);
}

/* Counting on from the last tick that a number can hold would overflow. */
TEST(a_tick_without_a_next_one_is_refused) {
    const tr_model *model = *given;
    OWN(tr_world) *world = scene_busy(model);
    blob b = take(world);
    int64_t tick = tr_world_tick(world), last = INT64_MAX;
    size_t at = 24;
    while (at + sizeof tick < b.size && memcmp(b.bytes + at, &tick, sizeof tick) != 0)
        at++;
    memcpy(b.bytes + at, &last, sizeof last);
    seal(b);
    assert_int_equal(tr_world_restore(world, b.bytes, b.size, &model, 1), TR_INVALID_ARGUMENT);
    free(b.bytes);
}

TEST(other_versions_are_refused) {
    const tr_model *model = *given;
    OWN(tr_world) *world = scene_busy(model);
    blob b = take(world);
    for (uint32_t version = 0; version <= 7; version++) {
        memcpy(b.bytes + 4, &version, sizeof version);
        assert_int_equal(tr_world_restore(world, b.bytes, b.size, &model, 1),
                         version == 6 ? TR_OK : TR_INVALID_ARGUMENT);
    }
    free(b.bytes);
}

/* Contacts that no step can have made: drivers index bodies by them. */
TEST(impossible_contacts_are_refused) {
    const tr_model *model = *given;
    OWN(tr_world) *world = scene_busy(model);
    scene_step(world, 200);
    int count = 0;
    const tr_contact contact = tr_world_contacts(world, &count)[0];
    tr_contact bad[6] = {contact, contact, contact, contact, contact, contact};
    bad[0].body[0] = TR_BODY_MAX;
    bad[1].entity[0] = 0;
    bad[2].entity[0] = 4000;
    bad[3].impulse.z = INFINITY;
    bad[4].depth = NAN;
    bad[5].body[1] = -2;
    blob b = take(world);
    unsigned char *first = b.bytes + b.size - (size_t)count * sizeof contact;
    assert_memory_equal(first, &contact, sizeof contact);
    for (int i = 0; i < 6; i++) {
        memcpy(first, &bad[i], sizeof contact);
        seal(b);
        assert_int_equal(tr_world_restore(world, b.bytes, b.size, &model, 1), TR_INVALID_ARGUMENT);
    }
    memcpy(first, &contact, sizeof contact);
    seal(b);
    assert_int_equal(tr_world_restore(world, b.bytes, b.size, &model, 1), TR_OK);
    free(b.bytes);
}

/* Turned scenery keeps its rotation to the bit, however often it is restored. */
TEST(scenery_keeps_its_bits) {
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_scenery_def scenery = {.kind = TR_SCENERY_BOX, .size = {1, 1, 0.1}, .friction = 1};
    for (int i = 0; i < 50; i++) {
        scenery.rot = tr_quat_exp((tr_vec3){0.1 * i, 0.03, 0.7 - 0.02 * i});
        scenery.kind = i % 2 ? TR_SCENERY_BOX : TR_SCENERY_PATCH;
        assert_int_equal(tr_world_add_scenery(world, &scenery, NULL), TR_OK);
    }
    blob b = take(world);
    uint64_t before = tr_world_hash(world);
    assert_int_equal(tr_world_restore(world, b.bytes, b.size, NULL, 0), TR_OK);
    assert_true(tr_world_hash(world) == before);
    free(b.bytes);
}

/* A client's snapshot cannot choose the slow stepper or endless sweeps; these can be restored only
 * into a world that has them. */
TEST(a_snapshot_cannot_ask_for_unbounded_work) {
    tr_world_def plain = tr_world_def_default(), slow = plain, patient = plain;
    slow.stepper = &tr_stepper_ode_reference;
    patient.solver_iterations = 1000;
    const tr_world_def *greedy[] = {&slow, &patient};
    for (int i = 0; i < 2; i++) {
        OWN(tr_world) *world = scene_world(greedy[i]), *host = scene_world(&plain);
        blob b = take(world);
        assert_int_equal(tr_world_restore(host, b.bytes, b.size, NULL, 0), TR_INVALID_ARGUMENT);
        assert_int_equal(tr_world_restore(world, b.bytes, b.size, NULL, 0), TR_OK);
        free(b.bytes);
        b = take(host);
        assert_int_equal(tr_world_restore(world, b.bytes, b.size, NULL, 0), TR_OK);
        free(b.bytes);
    }
}

/* The name is shown with every state of the world. */
TEST(an_object_whose_name_is_not_text_is_refused) {
    tr_world_def world_def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&world_def);
    tr_object_def def = {.name = "ball", .density = 1000, .geom_count = 1};
    tr_object_state at = {.pos = {0, 0, 1}, .rot = {1, 0, 0, 0}};
    tr_entity_id id = 0;
    def.geom[0] = (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.1, 0, 0}, .rot = {1, 0, 0, 0}};
    assert_int_equal(tr_world_add_object(world, &def, &at, &id), TR_OK);
    def.name[3] = '\xff';
    assert_int_equal(tr_world_add_object(world, &def, &at, &id), TR_INVALID_ARGUMENT);
}

/* Changed bytes under a corrected checksum are refused, or restored to a world that can step. */
TEST(forged_bytes_never_crash) {
    const tr_model *model = *given;
    OWN(tr_world) *world = scene_busy(model);
    blob b = take(world);
    unsigned char *forged = malloc(b.size);
    tr_random random = tr_random_seed(7);
    int refused = 0;
    for (int trial = 0; trial < 300; trial++) {
        memcpy(forged, b.bytes, b.size);
        for (int k = 0; k < 1 + trial % 4; k++) {
            size_t at = 24 + tr_random_next(&random) % (b.size - 24);
            forged[at] = (unsigned char)tr_random_next(&random);
        }
        seal((blob){forged, b.size});
        tr_world_def def = tr_world_def_default();
        OWN(tr_world) *victim = scene_world(&def);
        tr_status status = tr_world_restore(victim, forged, b.size, &model, 1);
        refused += status != TR_OK;
        for (int k = 0; !status && k < 3; k++)
            (void)!tr_world_step(victim);
    }
    assert_true(refused > 150);
    free(forged);
    free(b.bytes);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
