/* Writes seeds for the fuzzing of snapshots: FOLDER/empty, FOLDER/standing and FOLDER/scene, stages
 * after a few steps. */
#include "control/stage/stage.h"
#include "model/mjcf.h"

#include <stdio.h>
#include <stdlib.h>

static int save(const char *folder, const char *name, const tr_stage *stage) {
    static unsigned char bytes[1 << 20];
    char path[4096];
    size_t size = 0;
    if (tr_stage_snapshot(stage, bytes, sizeof bytes, &size))
        return 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wbe");
    int good = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file) != 0)
        good = 0;
    return good;
}

static int make(const char *folder, const tr_model *model) {
    tr_world_def def = tr_world_def_default();
    tr_stage *stage = NULL;
    tr_spawn_def spawn = {.model = model};
    tr_entity_id id = 0, ball = 0;
    if (tr_stage_create(&def, &stage) || !save(folder, "empty", stage) ||
        tr_stage_spawn(stage, &spawn, &id))
        return 0;
    for (int i = 0; i < 10; i++)
        (void)!tr_stage_step(stage);
    int good = save(folder, "standing", stage);
    tr_object_def object = {.name = "ball", .geom_count = 1, .mass = 5};
    object.geom[0] =
        (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.2, 0, 0}, .rot = {1, 0, 0, 0}, .friction = 1};
    tr_object_state at = {.pos = {0.3, 0, 1}, .rot = {1, 0, 0, 0}, .vel = {-5, 0, 0}};
    tr_push push = {.entity = id, .force = {50, 0, 0}, .steps = 100};
    good = good && !tr_world_add_object(tr_stage_world(stage), &object, &at, &ball) &&
           !tr_world_push(tr_stage_world(stage), &push);
    for (int i = 0; i < 10; i++)
        (void)!tr_stage_step(stage);
    good = good && save(folder, "scene", stage);
    tr_stage_destroy(stage);
    return good;
}

int main(int count, char **words) {
    tr_model *model = NULL;
    if (count != 2) {
        fputs("usage: make_stages FOLDER\n", stderr);
        return 2;
    }
    tr_physics_init();
    if (tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &model, NULL))
        return EXIT_FAILURE;
    int good = make(words[1], model);
    tr_model_destroy(model);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
