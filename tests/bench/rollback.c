/* troupe-bench rollback: what saving a world, going back to it and stepping again costs, by the number
 * of characters in it. */
#include "bench/bench.h"
#include "troupe/simulation.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9, REPEATS = 20, BACK = 10, WARM_UP = 400 };

static const int character_counts[] = {1, 5, 10, 20, 40};

static const char *bundle = TR_BENCH_BUNDLE;
static const char *controller = "hero";

typedef struct cost {
    double save_us, load_us, again_us;
} cost;

static bool time_round(tr_simulation *world, void *saved, size_t capacity, cost *out) {
    size_t size = 0;
    *out = (cost){0};
    for (int i = 0; i < REPEATS; i++) {
        const double begin = tr_bench_now();
        if (tr_simulation_save(world, saved, capacity, &size))
            return false;
        const double ready = tr_bench_now();
        if (tr_simulation_step(world, BACK))
            return false;
        const double late = tr_bench_now();
        if (tr_simulation_load(world, saved, size, NULL))
            return false;
        const double back = tr_bench_now();
        if (tr_simulation_step(world, BACK))
            return false;
        out->save_us += 1e6 * (ready - begin) / REPEATS;
        out->load_us += 1e6 * (back - late) / REPEATS;
        out->again_us += 1e6 * (tr_bench_now() - late) / REPEATS;
    }
    return true;
}

static bool time_rounds(tr_simulation *world, int count) {
    const size_t size = tr_simulation_saved_size(world), capacity = 2 * size;
    void *saved = malloc(capacity);
    double save[ROUNDS], load[ROUNDS], again[ROUNDS];
    bool ok = saved != NULL;
    for (int round = 0; ok && round < ROUNDS; round++) {
        cost one;
        ok = time_round(world, saved, capacity, &one);
        save[round] = one.save_us;
        load[round] = one.load_us;
        again[round] = one.again_us;
    }
    if (ok)
        printf("%d,%zu,%.1f,%.1f,%.1f\n", count, size, tr_bench_median(save, ROUNDS),
               tr_bench_median(load, ROUNDS), tr_bench_median(again, ROUNDS));
    free(saved);
    return ok;
}

static bool time_characters(int count, tr_error *error) {
    tr_simulation *world;
    if (tr_simulation_open(bundle, 0.005, &world, error))
        return false;
    tr_status status = TR_OK;
    for (int i = 0; i < count && !status; i++) {
        const tr_simulation_spawn_def def = {.controller = controller, .y = 2.0 * i};
        const tr_simulation_intent go = {.aim = TR_SIMULATION_HEADING};
        uint32_t id;
        status = tr_simulation_spawn(world, &def, &id, error);
        if (!status)
            status = tr_simulation_steer(world, id, &go, error);
    }
    bool ok = !status && !tr_simulation_step(world, WARM_UP) && time_rounds(world, count);
    tr_simulation_close(world);
    return ok;
}

static int exec(int count, char **words) {
    tr_error error = {TR_INTERNAL, "a world could not be stepped, saved or loaded"};
    (void)count;
    (void)words;
    printf("characters,bytes,save_us,load_us,again_us\n");
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof character_counts / sizeof character_counts[0]; i++)
        ok = time_characters(character_counts[i], &error);
    if (!ok)
        fprintf(stderr, "%s\n", error.message);
    return ok ? 0 : 1;
}

static const tr_bench_option options[] = {
    TR_BENCH_BUNDLE_OPTION(&bundle),
    {{"controller", TR_OPTION_TEXT, &controller, 0, 0}, "NAME", "that walks; hero if not given"}};

const tr_bench_command tr_bench_rollback = {
    .name = "rollback",
    .summary = "time and size of saving a world, and of going back in it",
    .output = "A row for each number of characters: bytes of the saved state, microseconds to save "
              "it, to\n"
              "load it, and to load it and make ten steps again (a rollback).",
    .option = options,
    .option_count = sizeof options / sizeof options[0],
    .exec = exec};
