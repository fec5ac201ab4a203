/* Worlds that step side by side have the bits of worlds that step alone. */
#include "cmocka_test.h"

#include "physics/world/quartet.h"
#include "stride.h"
#include "unit/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A world, and its twin that steps alone. */
typedef struct twins {
    tr_world *together, *alone;
    tr_entity_id id;
    tr_random random;
} twins;

static const double WILD = 0.2; /* share of states */

static void set_state(twins *t, const tr_state *state) {
    assert_int_equal(tr_world_set_state(t->together, t->id, state), TR_OK);
    assert_int_equal(tr_world_set_state(t->alone, t->id, state), TR_OK);
}

static twins open_twins(const tr_model *model, uint64_t number) {
    twins t = {.random = tr_random_split(21, number, 0)};
    tr_world_def def = tr_world_def_default();
    tr_state state = scene_random_state(model, WILD, &t.random);
    t.together = scene_world(&def);
    t.alone = scene_world(&def);
    assert_int_equal(tr_world_add_character(t.together, model, &state, &t.id), TR_OK);
    assert_int_equal(tr_world_add_character(t.alone, model, &state, &t.id), TR_OK);
    assert_int_equal(tr_world_set_servo(t.together, t.id, 0), TR_OK);
    assert_int_equal(tr_world_set_servo(t.alone, t.id, 0), TR_OK);
    return t;
}

static void close_twins(twins *t) {
    tr_world_destroy(t->together);
    tr_world_destroy(t->alone);
}

/* New targets at each tenth step; now and then a push, a limp character, another state. */
static void disturb(twins *t, const tr_model *model, int step) {
    tr_quat target[TR_BODY_MAX];
    if (step % 10)
        return;
    for (int i = 0; i < model->body_count; i++)
        target[i] = tr_quat_exp(scene_random_vector(&t->random, 0.3));
    tr_push push = {.entity = t->id,
                    .body = (int)(tr_random_next(&t->random) % (uint64_t)model->body_count),
                    .point = scene_random_vector(&t->random, 0.1),
                    .force = scene_random_vector(&t->random, 100),
                    .steps = 15};
    bool pushes = tr_random_uniform(&t->random) < 0.3, moves = tr_random_uniform(&t->random) < 0.05;
    bool limp = tr_random_uniform(&t->random) < 0.1;
    tr_state state = scene_random_state(model, WILD, &t->random);
    tr_world *const worlds[2] = {t->together, t->alone};
    for (int w = 0; w < 2; w++) {
        int servo = limp ? TR_SERVO_RAGDOLL : 0;
        assert_int_equal(tr_world_set_servo(worlds[w], t->id, servo), TR_OK);
        assert_int_equal(tr_world_set_targets(worlds[w], t->id, target), TR_OK);
        if (pushes)
            assert_int_equal(tr_world_push(worlds[w], &push), TR_OK);
    }
    if (moves)
        set_state(t, &state);
}

static void check_twins(const twins *t, const tr_model *model) {
    tr_state a, b;
    assert_int_equal(tr_world_get_state(t->together, t->id, &a), TR_OK);
    assert_int_equal(tr_world_get_state(t->alone, t->id, &b), TR_OK);
    assert_memory_equal(&a, &b, sizeof a);
    size_t size = (size_t)model->body_count * sizeof(tr_vec3);
    assert_memory_equal(tr_world_servo_torques(t->together, t->id),
                        tr_world_servo_torques(t->alone, t->id), size);
    scene_check_same_contacts(t->together, t->alone);
    assert_int_equal(tr_world_hash(t->together), tr_world_hash(t->alone));
}

static void step_twins(tr_quartet *quartet, twins *t, const tr_model *const *model, int count) {
    tr_world *world[TR_QUARTET_MAX];
    tr_status status[TR_QUARTET_MAX];
    for (int k = 0; k < count; k++)
        world[k] = t[k].together;
    tr_quartet_step(quartet, world, count, status);
    for (int k = 0; k < count; k++) {
        assert_int_equal(status[k], tr_world_step(t[k].alone));
        check_twins(&t[k], model[k]);
    }
}

static void walk_twins(const tr_model *const *model, int count, int steps, uint64_t number) {
    tr_quartet *quartet = NULL;
    twins t[TR_QUARTET_MAX];
    assert_int_equal(tr_quartet_create(&quartet), TR_OK);
    for (int k = 0; k < count; k++)
        t[k] = open_twins(model[k], TR_QUARTET_MAX * number + (uint64_t)k);
    for (int step = 0; step < steps; step++) {
        for (int k = 0; k < count; k++)
            disturb(&t[k], model[k], step);
        step_twins(quartet, t, model, count);
    }
    for (int k = 0; k < count; k++)
        close_twins(&t[k]);
    tr_quartet_destroy(quartet);
}

static void check_humanoids(const tr_model *model) {
    const tr_model *each[TR_QUARTET_MAX] = {model, model, model, model};
    for (int round = 0; round < 4; round++)
        walk_twins(each, 1 + round, 250, (uint64_t)round);
}

TEST(humanoids_side_by_side_move_as_alone) {
    scene_with_each_kernel(check_humanoids, *given);
}

/* Hinges and balls of all kinds; every other model with bounds on its torques. */
static void check_random_models(const tr_model *unused) {
    (void)unused;
    OWN_MEMORY tr_model *model = malloc(sizeof *model);
    assert_non_null(model);
    const tr_model *each[TR_QUARTET_MAX] = {model, model, model, model};
    for (uint64_t seed = 0; seed < 24; seed += (uint64_t)suite_stride(5)) {
        tr_random r = tr_random_split(22, seed, 0);
        scene_random_model(model, seed % 4 == 3 ? TR_BODY_MAX : 12, &r);
        for (int i = 0; seed % 2 && i < model->body_count; i++) {
            model->body[i].torque_limit = INFINITY;
            model->body[i].torque_by_axis = false;
        }
        walk_twins(each, 2 + (int)(seed % 3), 80, 100 + seed);
    }
}

TEST(random_models_side_by_side_move_as_alone) {
    scene_with_each_kernel(check_random_models, *given);
}

/* The worlds of a quartet may be of several models, change, and step alone in between. */
TEST(worlds_may_come_and_go) {
    const tr_model *model = *given;
    OWN_MEMORY tr_model *other = malloc(sizeof *other);
    assert_non_null(other);
    *other = *model;
    const tr_model *each[6] = {model, other, model, model, model, other};
    tr_quartet *quartet = NULL;
    twins t[6];
    assert_int_equal(tr_quartet_create(&quartet), TR_OK);
    for (int k = 0; k < 6; k++)
        t[k] = open_twins(each[k], 1000 + (uint64_t)k);
    for (int step = 0; step < 200; step++) {
        int first = step / 7 % 3, count = 1 + step / 5 % 4;
        for (int k = 0; k < 6; k++)
            disturb(&t[k], each[k], step);
        step_twins(quartet, t + first, each + first, count);
        for (int k = 0; k < 6; k++) {
            if (k >= first && k < first + count && step % 3)
                continue;
            assert_int_equal(tr_world_step(t[k].together), tr_world_step(t[k].alone));
            check_twins(&t[k], each[k]);
        }
    }
    for (int k = 0; k < 6; k++)
        close_twins(&t[k]);
    tr_quartet_destroy(quartet);
}

/* A push beyond all bounds stops one character; the others do not notice. */
TEST(a_fault_stays_in_its_lane) {
    const tr_model *model = *given;
    const tr_model *each[TR_QUARTET_MAX] = {model, model, model, model};
    tr_quartet *quartet = NULL;
    twins t[TR_QUARTET_MAX];
    assert_int_equal(tr_quartet_create(&quartet), TR_OK);
    for (int k = 0; k < TR_QUARTET_MAX; k++)
        t[k] = open_twins(model, 2000 + (uint64_t)k);
    for (int step = 0; step < 30; step++) {
        const tr_push push = {.entity = t[1].id, .force = {1e300, 0, 0}, .steps = 1};
        if (step == 10) {
            assert_int_equal(tr_world_push(t[1].together, &push), TR_OK);
            assert_int_equal(tr_world_push(t[1].alone, &push), TR_OK);
        }
        step_twins(quartet, t, each, TR_QUARTET_MAX);
        assert_int_equal(tr_world_faults(t[1].together, NULL, 0), step >= 10);
        assert_int_equal(tr_world_faults(t[2].together, NULL, 0), 0);
    }
    for (int k = 0; k < TR_QUARTET_MAX; k++)
        close_twins(&t[k]);
    tr_quartet_destroy(quartet);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
