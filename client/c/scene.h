/* Scenes, matches, scenery and objects as messages. */
#ifndef TROUPE_CLIENT_SCENE_H
#define TROUPE_CLIENT_SCENE_H

#include "client/c/exchange.h"
#include "proto/mapping.h"

/* The scene of a world's definition, from `memory`. NULL: too much in it or no memory, and
 * `refused` says so. */
Troupe__Scene *tr_scene_message(const tr_client_world_def *def, tr_mapping_memory *memory,
                                tr_error *refused);

/* The same of a match. */
Troupe__Match *tr_match_message(const tr_client_match_def *def, tr_mapping_memory *memory,
                                tr_error *refused);

/* From `memory`, and sharing the numbers of height fields and meshes. NULL: no memory. */
Troupe__Scenery *tr_scenery_message(const tr_client_scenery *def, tr_mapping_memory *memory);
Troupe__SpawnObject *tr_object_message(const tr_client_object_def *def, tr_mapping_memory *memory);
Troupe__Travel *tr_travel_message(const tr_client_travel *def, tr_mapping_memory *memory);

/* The other way: the surfaces of a state's scenery. False: counts that do not add up. */
bool tr_reply_scenery(tr_mapping_memory *memory, const Troupe__WorldState *from,
                      tr_client_state *out);

#endif
