#include "client/c/scene.h"

enum { SCENERY_MAX = 256 };

typedef struct ground {
    double friction;
} ground;

static const tr_record_field scenery_fields[] = {
    TR_COPY(tr_client_scenery, Troupe__Scenery, patch),
    TR_COPY(tr_client_scenery, Troupe__Scenery, size),
    TR_COPY(tr_client_scenery, Troupe__Scenery, pos),
    TR_COPY(tr_client_scenery, Troupe__Scenery, rot),
    TR_COPY(tr_client_scenery, Troupe__Scenery, friction),
    TR_RECORD_END};
static const tr_record scenery_record =
    TR_RECORD(tr_client_scenery, troupe__scenery, scenery_fields);

static const tr_record_field ground_fields[] = {TR_COPY(ground, Troupe__Ground, friction),
                                                TR_RECORD_END};
static const tr_record ground_record = TR_RECORD(ground, troupe__ground, ground_fields);

static const tr_record_field scene_fields[] = {
    TR_COPY(tr_client_world_def, Troupe__Scene, gravity),
    TR_COPY(tr_client_world_def, Troupe__Scene, no_ground),
    TR_COPY(tr_client_world_def, Troupe__Scene, no_self_collision),
    TR_COPY_ONE(tr_client_world_def, ground_friction, Troupe__Scene, ground, ground_record),
    TR_COPY_LIST(tr_client_world_def, scenery_count, scenery, Troupe__Scene, scenery,
                 scenery_record),
    TR_RECORD_END};
static const tr_record scene_record = TR_RECORD(tr_client_world_def, troupe__scene, scene_fields);

Troupe__Scene *tr_scene_message(tr_client *client, const tr_client_world_def *def,
                                tr_record_memory *memory) {
    if (def->scenery_count < 0 || def->scenery_count > SCENERY_MAX) {
        (void)tr_request_refuse(client, TR_INVALID_ARGUMENT, "scenery_count: expected 0 to 256");
        return NULL;
    }
    Troupe__Scene *scene = tr_record_write(&scene_record, def, memory);
    if (!memory->failed)
        return scene;
    (void)tr_request_refuse(client, TR_RESOURCE_EXHAUSTED, "no memory for the scenery");
    return NULL;
}
