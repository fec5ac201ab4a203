#include "client/c/scene.h"

#include "client/c/geometry.h"

#include <stdlib.h>

static void fill_piece(const tr_client_scenery *from, tr_scene_piece *out) {
    *out = (tr_scene_piece){.scenery = TROUPE__SCENERY__INIT,
                            .size = tr_vec3_message(from->size),
                            .pos = tr_vec3_message(from->pos),
                            .rot = tr_quat_message(from->rot)};
    out->scenery.patch = from->patch;
    out->scenery.friction = from->friction;
    out->scenery.size = &out->size;
    out->scenery.pos = &out->pos;
    out->scenery.rot = &out->rot;
}

tr_status tr_scene_message_create(const tr_client_world_def *def, tr_scene_message **out) {
    if (def->scenery_count < 0 || def->scenery_count > TR_SCENE_SCENERY_MAX)
        return TR_INVALID_ARGUMENT;
    tr_scene_message *message = malloc(sizeof *message);
    if (!message)
        return TR_RESOURCE_EXHAUSTED;
    troupe__scene__init(&message->scene);
    troupe__ground__init(&message->ground);
    message->gravity = tr_vec3_message(def->gravity);
    message->ground.friction = def->ground_friction;
    message->scene.gravity = &message->gravity;
    message->scene.ground = &message->ground;
    message->scene.no_ground = def->no_ground;
    message->scene.no_self_collision = def->no_self_collision;
    message->scene.n_scenery = (size_t)def->scenery_count;
    message->scene.scenery = message->pointer;
    for (int i = 0; i < def->scenery_count; ++i) {
        fill_piece(&def->scenery[i], &message->piece[i]);
        message->pointer[i] = &message->piece[i].scenery;
    }
    *out = message;
    return TR_OK;
}
