/* Scenes, matches and objects as messages. */
#pragma once

#include "client/c/exchange.h"
#include "proto/mapping.h"

/* The scene of a world's definition, from `memory`. NULL: too much in it or no memory, and
 * `refused` says so. */
Troupe__Scene *tr_scene_message(const tr_client_world_def *def, tr_mapping_memory *memory,
                                tr_error *refused);

/* The same of a match. */
Troupe__Match *tr_match_message(const tr_client_match_def *def, tr_mapping_memory *memory,
                                tr_error *refused);

/* From `memory`. NULL: no memory. */
Troupe__SpawnObject *tr_object_message(const tr_client_object_def *def, tr_mapping_memory *memory);

extern const tr_mapping tr_client_travel_mapping;
