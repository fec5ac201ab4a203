/* Characters of one world that step side by side have the bits of those that step one by one: in the
 * twin of the world each has a copy of the model, and only characters of the same model join. */
#include "cmocka_test.h"

#include "stride.h"
#include "unit/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 9, TOGETHER = 0, ALONE = 1 };

typedef struct twins {
    tr_world *world[2];
    const tr_model *model[MOST];
    tr_model *copy; /* [count] */
    tr_entity_id id[MOST], ball;
    int count;
    tr_random random;
} twins;

/* Near enough to the others to touch them, and low enough to fall; one in eight moves wildly. */
static tr_state random_state(const tr_model *model, int place, tr_random *r) {
    tr_state s = scene_random_state(model, 0.125, r);
    s.pose.root_pos.x += 0.45 * (place % 3);
    s.pose.root_pos.y += 0.45 * (place / 3);
    return s;
}

static void add_character(twins *t, int k) {
    tr_state state = random_state(t->model[k], k, &t->random);
    t->copy[k] = *t->model[k];
    const tr_model *model[2] = {t->model[k], &t->copy[k]};
    for (int w = 0; w < 2; w++) {
        assert_int_equal(tr_world_add_character(t->world[w], model[w], &state, &t->id[k]), TR_OK);
        assert_int_equal(tr_world_set_servo(t->world[w], t->id[k], 0), TR_OK);
    }
}

static void add_ball(twins *t) {
    tr_geom ball = {.kind = TR_GEOM_SPHERE, .size = {0.2}, .rot = {1, 0, 0, 0}, .friction = 1};
    tr_object_state at = {.pos = {0.3, 0.3, 1}, .rot = {1, 0, 0, 0}, .vel = {1, 1, 0}};
    for (int w = 0; w < 2; w++)
        t->ball = scene_thing(t->world[w], &ball, 5, at);
}

/* model: of each character in turn, [models] */
static twins open_twins(const tr_model *const *model, int models, int count, uint64_t number) {
    twins t = {.count = count, .random = tr_random_split(23, number, 0)};
    tr_world_def def = tr_world_def_default();
    t.copy = malloc((size_t)count * sizeof *t.copy);
    assert_non_null(t.copy);
    for (int w = 0; w < 2; w++)
        t.world[w] = scene_world(&def);
    for (int k = 0; k < count; k++) {
        t.model[k] = model[k % models];
        add_character(&t, k);
    }
    add_ball(&t);
    return t;
}

static void close_twins(twins *t) {
    for (int w = 0; w < 2; w++)
        tr_world_destroy(t->world[w]);
    free(t->copy);
}

/* Body 1 of two characters, or of one and the ball, held together. */
static void add_pin(twins *t, tr_entity_id other) {
    tr_pin_def pin = {.kind = TR_PIN_POINT,
                      .entity = {t->id[0], other},
                      .body = {1, other == t->ball ? 0 : 1},
                      .break_n = 500};
    tr_entity_id id;
    for (int w = 0; w < 2; w++)
        assert_int_equal(tr_world_add_pin(t->world[w], &pin, &id), TR_OK);
}

static void order(twins *t, int k) {
    tr_quat target[TR_BODY_MAX];
    int bodies = t->model[k]->body_count;
    for (int i = 0; i < bodies; i++)
        target[i] = tr_quat_exp(scene_random_vector(&t->random, 0.3));
    tr_push push = {.entity = t->id[k],
                    .body = (int)(tr_random_next(&t->random) % (uint64_t)bodies),
                    .point = scene_random_vector(&t->random, 0.1),
                    .force = scene_random_vector(&t->random, 100),
                    .steps = 15};
    bool pushes = tr_random_uniform(&t->random) < 0.3, moves = tr_random_uniform(&t->random) < 0.05;
    bool limp = tr_random_uniform(&t->random) < 0.1, led = tr_random_uniform(&t->random) < 0.05;
    tr_state state = random_state(t->model[k], k, &t->random);
    for (int w = 0; w < 2; w++) {
        tr_world *world = t->world[w];
        int servo = limp ? TR_SERVO_RAGDOLL : 0;
        assert_int_equal(tr_world_set_servo(world, t->id[k], servo), TR_OK);
        assert_int_equal(tr_world_set_targets(world, t->id[k], target), TR_OK);
        assert_int_equal(tr_world_set_kinematic(world, t->id[k], led), TR_OK);
        if (pushes)
            assert_int_equal(tr_world_push(world, &push), TR_OK);
        if (moves)
            assert_int_equal(tr_world_set_state(world, t->id[k], &state), TR_OK);
    }
}

/* The world goes on from a snapshot of itself. */
static void restore(twins *t) {
    tr_world *world = t->world[TOGETHER];
    size_t capacity = tr_world_snapshot_size(world), size = 0;
    OWN_MEMORY void *buffer = malloc(capacity);
    assert_non_null(buffer);
    assert_int_equal(tr_world_snapshot(world, buffer, capacity, &size), TR_OK);
    assert_int_equal(tr_world_restore(world, buffer, size, t->model, 1), TR_OK);
}

static void replace(twins *t, int k) {
    for (int w = 0; w < 2; w++)
        assert_int_equal(tr_world_remove_character(t->world[w], t->id[k]), TR_OK);
    add_character(t, k);
}

static void step_twins(twins *t) {
    tr_status status = tr_world_step(t->world[TOGETHER]);
    assert_int_equal(status, tr_world_step(t->world[ALONE]));
    scene_check_same_contacts(t->world[TOGETHER], t->world[ALONE]);
    for (int k = 0; k < t->count; k++) {
        size_t size = (size_t)t->model[k]->body_count * sizeof(tr_vec3);
        assert_memory_equal(tr_world_servo_torques(t->world[TOGETHER], t->id[k]),
                            tr_world_servo_torques(t->world[ALONE], t->id[k]), size);
    }
    assert_int_equal(tr_world_hash(t->world[TOGETHER]), tr_world_hash(t->world[ALONE]));
}

static void walk_twins(const tr_model *const *model, int models, int count, int steps,
                       uint64_t number) {
    OWN_BY(close_twins) twins t = open_twins(model, models, count, number);
    if (count > 1)
        add_pin(&t, number % 2 ? t.id[1] : t.ball);
    for (int step = 0; step < steps; step++) {
        for (int k = 0; step % 10 == 0 && k < count; k++)
            order(&t, k);
        if (step % 50 == 25)
            replace(&t, (int)(tr_random_next(&t.random) % (uint64_t)count));
        if (step % 60 == 33)
            restore(&t);
        step_twins(&t);
    }
}

static void check_humanoids(const tr_model *model) {
    for (int count = 1; count <= MOST; count += suite_stride(3))
        walk_twins(&model, 1, count, 70, (uint64_t)count);
}

TEST(humanoids_side_by_side_move_as_alone) {
    scene_with_each_kernel(check_humanoids, *given);
}

/* Hinges and balls of all kinds beside humanoids; every other model with bounds on its torques. */
static void check_two_models(const tr_model *humanoid) {
    OWN_MEMORY tr_model *other = malloc(sizeof *other);
    assert_non_null(other);
    const tr_model *each[2] = {other, humanoid};
    for (uint64_t seed = 0; seed < 7; seed += (uint64_t)suite_stride(3)) {
        tr_random r = tr_random_split(24, seed, 0);
        scene_random_model(other, seed < 5 ? 12 : TR_BODY_MAX, &r);
        for (int i = 0; seed % 2 && i < other->body_count; i++) {
            other->body[i].torque_limit = INFINITY;
            other->body[i].torque_by_axis = false;
        }
        OWN_BY(close_twins) twins t = open_twins(each, 2, 7, 100 + seed);
        for (int step = 0; step < 40; step++) {
            for (int k = 0; step % 10 == 0 && k < t.count; k++)
                order(&t, k);
            step_twins(&t);
        }
    }
}

TEST(two_models_move_as_alone) {
    scene_with_each_kernel(check_two_models, *given);
}

/* A push beyond all bounds stops one character; the others do not notice. */
TEST(a_fault_stays_in_its_lane) {
    const tr_model *model = *given;
    OWN_BY(close_twins) twins t = open_twins(&model, 1, 5, 200);
    const tr_push push = {.entity = t.id[1], .force = {1e300, 0, 0}, .steps = 1};
    for (int step = 0; step < 30; step++) {
        for (int w = 0; step == 10 && w < 2; w++)
            assert_int_equal(tr_world_push(t.world[w], &push), TR_OK);
        step_twins(&t);
        assert_int_equal(tr_world_faults(t.world[TOGETHER], NULL, 0), step >= 10);
    }
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
