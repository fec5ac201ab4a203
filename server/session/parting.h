/* Partings: messages to stepped worlds when a session ends, so that they do not wait for its next
 * step. They are made when the session becomes a stepper, so that its end needs no memory. For the
 * loop's thread. */
#pragma once

#include "server/world/worlds.h"

typedef struct tr_parting tr_parting;

/* Adds a parting for `world`, unless there is one. TR_RESOURCE_EXHAUSTED. */
tr_status tr_partings_add(tr_parting **partings, tr_worlds *worlds, uint32_t world,
                          uint64_t session) TR_NODISCARD;

/* Sends and removes all of them. */
void tr_partings_send(tr_parting **partings, tr_worlds *worlds);
