/* Worlds on one, two and four threads give the same bits. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <pthread.h>

enum { WORLDS = 8, STEPS = 200, THREAD_MAX = 4 };

typedef struct share {
    tr_world **world;
    uint64_t *hash;
    int first, stride;
} share;

/* Threads may not assert: a failed step shows in the hash. */
static void *run(void *argument) {
    const share *s = argument;
    for (int w = s->first; w < WORLDS; w += s->stride) {
        int failed = 0;
        for (int k = 0; k < STEPS; k++)
            failed += tr_world_step(s->world[w]) != TR_OK;
        s->hash[w] = failed ? 0 : tr_world_hash(s->world[w]);
    }
    return NULL;
}

static void run_on_threads(const tr_model *model, int threads, uint64_t hash[WORLDS]) {
    tr_world *world[WORLDS];
    pthread_t thread[THREAD_MAX];
    share part[THREAD_MAX];
    for (int w = 0; w < WORLDS; w++) {
        world[w] = scene_busy(model);
        tr_entity_id id;
        assert_true(tr_world_characters(world[w], &id, 1) == 2);
        tr_push push = {.entity = id, .body = w, .force = {0, 40.0 * w, 0}, .steps = 20};
        assert_int_equal(tr_world_push(world[w], &push), TR_OK);
    }
    for (int t = 0; t < threads; t++) {
        part[t] = (share){.world = world, .first = t, .stride = threads};
        part[t].hash = hash;
        assert_int_equal(pthread_create(&thread[t], NULL, run, &part[t]), 0);
    }
    for (int t = 0; t < threads; t++)
        assert_int_equal(pthread_join(thread[t], NULL), 0);
    for (int w = 0; w < WORLDS; w++)
        tr_world_destroy(world[w]);
}

TEST(threads_do_not_change_a_bit) {
    uint64_t one[WORLDS], two[WORLDS], four[WORLDS];
    run_on_threads(*given, 1, one);
    run_on_threads(*given, 2, two);
    run_on_threads(*given, 4, four);
    for (int w = 0; w < WORLDS; w++) {
        assert_true(one[w] != 0 && (w == 0 || one[w] != one[w - 1]));
        assert_true(one[w] == two[w]);
        assert_true(one[w] == four[w]);
    }
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
