/* troupe-bench snapshot: what saving and restoring a world costs, by the number of characters in
 * it. */
#include "bench/bench.h"
#include "model/mjcf.h"
#include "scenes/scenario.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9, REPEATS = 200 };

static const int character_counts[] = {1, 2, 4, 8, 16};

typedef struct cost {
    double save_us, restore_us;
} cost;

static bool time_round(tr_scenario_run *rig, void *buffer, size_t capacity, cost *out) {
    double begin = tr_bench_now();
    size_t size = 0;
    for (int i = 0; i < REPEATS; i++)
        if (tr_world_snapshot(rig->world, buffer, capacity, &size))
            return false;
    double middle = tr_bench_now();
    for (int i = 0; i < REPEATS; i++)
        if (tr_world_restore(rig->world, buffer, size, &rig->model, 1))
            return false;
    out->save_us = 1e6 * (middle - begin) / REPEATS;
    out->restore_us = 1e6 * (tr_bench_now() - middle) / REPEATS;
    return true;
}

static bool time_rig(tr_scenario_run *rig) {
    for (int i = 0; i < 100; i++)
        if (tr_scenario_run_step(rig))
            return false;
    size_t capacity = tr_world_snapshot_size(rig->world);
    void *buffer = malloc(capacity);
    double save[ROUNDS], restore[ROUNDS];
    bool ok = buffer != NULL;
    for (int round = -1; ok && round < ROUNDS; round++) {
        cost one;
        ok = time_round(rig, buffer, capacity, &one);
        save[round < 0 ? 0 : round] = one.save_us;
        restore[round < 0 ? 0 : round] = one.restore_us;
    }
    if (ok)
        printf("%d,%zu,%.2f,%.2f\n", rig->scenario->characters, capacity,
               tr_bench_median(save, ROUNDS), tr_bench_median(restore, ROUNDS));
    free(buffer);
    return ok;
}

static bool time_characters(const tr_model *model, int characters) {
    tr_scenario scenario = {"stand", TR_MOTION_STAND, characters, 1.5, true, false, false};
    tr_scenario_run rig;
    if (tr_scenario_run_create(&scenario, model, tr_world_def_default(), &rig))
        return false;
    bool ok = time_rig(&rig);
    tr_scenario_run_destroy(&rig);
    return ok;
}

static int exec(int count, char **words) {
    (void)count;
    (void)words;
    tr_model *model;
    tr_error error;
    if (tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("characters,bytes,save_us,restore_us\n");
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof character_counts / sizeof character_counts[0]; i++)
        ok = time_characters(model, character_counts[i]);
    if (!ok)
        fprintf(stderr, "a world could not be made, saved or restored\n");
    tr_model_destroy(model);
    return ok ? 0 : 1;
}

const tr_bench_command tr_bench_snapshot = {
    .name = "snapshot",
    .summary = "time and size of saving and restoring a world",
    .output = "A row for each number of characters: bytes of the snapshot, microseconds to save it "
              "and to\n"
              "restore it.",
    .exec = exec};
