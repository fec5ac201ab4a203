/* Scenes and shapes as messages. */
#ifndef TROUPE_CLIENT_SCENE_H
#define TROUPE_CLIENT_SCENE_H

#include "client/c/exchange.h"
#include "proto/mapping.h"

/* The scene of a world's definition, from `memory`. NULL: too much scenery or no memory, and
 * client->refused says so. */
Troupe__Scene *tr_scene_message(tr_client *client, const tr_client_world_def *def,
                                tr_mapping_memory *memory);

#endif
