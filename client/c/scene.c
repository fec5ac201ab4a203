#include "client/c/scene.h"

enum { SCENERY_MAX = 256 };

typedef struct ground {
    double friction;
} ground;

static const tr_mapping scenery_mapping =
    TR_MAPPING(tr_client_scenery, troupe__scenery,
               TR_COPY(tr_client_scenery, Troupe__Scenery, patch, size, pos, rot, friction));

static const tr_mapping ground_mapping =
    TR_MAPPING(ground, troupe__ground, TR_COPY(ground, Troupe__Ground, friction));

static const tr_mapping scene_mapping = TR_MAPPING(
    tr_client_world_def, troupe__scene,
    TR_COPY(tr_client_world_def, Troupe__Scene, gravity, no_ground, no_self_collision),
    TR_COPY_ONE(tr_client_world_def, ground_friction, Troupe__Scene, ground, ground_mapping),
    TR_COPY_LIST(tr_client_world_def, scenery_count, scenery, Troupe__Scene, scenery,
                 scenery_mapping));

Troupe__Scene *tr_scene_message(tr_client *client, const tr_client_world_def *def,
                                tr_mapping_memory *memory) {
    if (def->scenery_count < 0 || def->scenery_count > SCENERY_MAX) {
        (void)tr_request_refuse(client, TR_INVALID_ARGUMENT, "scenery_count: expected 0 to 256");
        return NULL;
    }
    Troupe__Scene *scene = tr_mapping_write(&scene_mapping, def, memory);
    if (!memory->failed)
        return scene;
    (void)tr_request_refuse(client, TR_RESOURCE_EXHAUSTED, "no memory for the scenery");
    return NULL;
}
