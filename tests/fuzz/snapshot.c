/* Snapshots of a stage from arbitrary bytes, with their checksums made right so that every byte
 * reaches what reads it: refused, with the stage untouched, or a stage that can be stepped and saved
 * again. */
#include "fuzz/target.h"

#include "control/stage/stage.h"
#include "math/hash.h"
#include "model/mjcf.h"

#include <stdlib.h>
#include <string.h>

/* Heads of a stage's snapshot and of the world's within it: magic, version, size, checksum. */
enum {
    HEAD_SIZE = 24,
    SIZE_AT = 8,
    CHECKSUM_AT = 16,
    WORLD_AT = HEAD_SIZE + 8,
    CAPACITY = 1 << 20
};

static struct {
    tr_model *model;
    tr_stage *stage;
} fixture;

static void put_u64(uint8_t *at, uint64_t value) {
    memcpy(at, &value, sizeof value);
}

/* A world's checksum is by words from version 6 on. */
static void seal(uint8_t *data, size_t size, uint64_t told_size, bool by_words) {
    const uint8_t *body = data + HEAD_SIZE;
    size -= HEAD_SIZE;
    put_u64(data + SIZE_AT, told_size);
    put_u64(data + CHECKSUM_AT,
            by_words ? tr_hash_words(body, size) : tr_hash_add(TR_HASH_START, body, size));
}

static void seal_all(uint8_t *data, size_t size) {
    uint64_t world_size = 0;
    if (size < WORLD_AT)
        return;
    memcpy(&world_size, data + HEAD_SIZE, sizeof world_size);
    if (world_size >= HEAD_SIZE && world_size <= size - WORLD_AT)
        seal(data + WORLD_AT, (size_t)world_size, world_size - HEAD_SIZE, data[WORLD_AT + 4] >= 6);
    seal(data, size, size, false);
}

static tr_stage *make_stage(void) {
    tr_world_def def = tr_world_def_default();
    tr_spawn_def spawn = {.model = fixture.model};
    tr_entity_id id;
    tr_stage *stage = NULL;
    if (tr_stage_create(&def, &stage) || tr_stage_spawn(stage, &spawn, &id))
        abort();
    return stage;
}

static void restore(uint8_t *data, size_t size) {
    static uint8_t again[CAPACITY];
    tr_stage_library library = {(const tr_model *const *)&fixture.model, 1, NULL, 0};
    size_t written = 0;
    uint64_t before = tr_stage_hash(fixture.stage);
    if (tr_stage_restore(fixture.stage, data, size, &library)) {
        if (tr_stage_hash(fixture.stage) != before)
            abort();
        return;
    }
    if (!tr_stage_snapshot(fixture.stage, again, sizeof again, &written))
        before = tr_stage_hash(fixture.stage);
    for (int i = 0; i < 3; i++)
        (void)!tr_stage_step(fixture.stage);
    if (written > 0 && (tr_stage_restore(fixture.stage, again, written, &library) ||
                        tr_stage_hash(fixture.stage) != before))
        abort();
    tr_stage_destroy(fixture.stage);
    fixture.stage = make_stage();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!fixture.model) {
        tr_physics_init();
        if (tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &fixture.model, NULL))
            abort();
        fixture.stage = make_stage();
    }
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    seal_all(copy, size);
    restore(copy, size);
    free(copy);
    return 0;
}
