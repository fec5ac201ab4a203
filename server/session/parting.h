/* Partings: what stepped worlds are told when a session ends, so that nobody waits for its next step.
 * They are made when it becomes a stepper, so that the end needs no memory. The loop's thread. */
#ifndef TROUPE_SERVER_PARTING_H
#define TROUPE_SERVER_PARTING_H

#include "server/world/worlds.h"

typedef struct tr_parting tr_parting;

/* Adds one for `world`, unless it is there. TR_RESOURCE_EXHAUSTED. */
tr_status tr_partings_add(tr_parting **partings, tr_worlds *worlds, uint32_t world,
                          uint64_t session) TR_NODISCARD;

/* Tells all of them, and forgets them. */
void tr_partings_send(tr_parting **partings, tr_worlds *worlds);

#endif
