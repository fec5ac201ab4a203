/* A scene as a message, with everything it points to in one block. */
#ifndef TROUPE_CLIENT_SCENE_H
#define TROUPE_CLIENT_SCENE_H

#include "troupe/client.h"
#include "troupe/world.pb-c.h"

enum { TR_SCENE_SCENERY_MAX = 256 };

typedef struct tr_scene_piece {
    Troupe__Scenery scenery;
    Troupe__Vec3 size, pos;
    Troupe__Quat rot;
} tr_scene_piece;

typedef struct tr_scene_message {
    Troupe__Scene scene;
    Troupe__Vec3 gravity;
    Troupe__Ground ground;
    tr_scene_piece piece[TR_SCENE_SCENERY_MAX];
    Troupe__Scenery *pointer[TR_SCENE_SCENERY_MAX];
} tr_scene_message;

/* The scene of a world's definition, which the caller frees. TR_INVALID_ARGUMENT: too much scenery;
 * TR_RESOURCE_EXHAUSTED. */
tr_status tr_scene_message_create(const tr_client_world_def *def,
                                  tr_scene_message **out) TR_NODISCARD;

#endif
