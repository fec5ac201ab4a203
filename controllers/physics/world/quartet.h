/* Steps up to four worlds side by side.
 *
 * Each world gets the same bits as from tr_world_step, whichever others it is stepped with. Worlds
 * that hold one free character of the same model each, and nothing else that moves, take less time
 * (tests/bench/README.md). Steps together and steps alone may follow each other in any order.
 *
 * A quartet is the memory for that: it belongs to one thread at a time and to no world. */
#pragma once

#include "physics/world/world.h"

enum { TR_QUARTET_MAX = 4 };

typedef struct tr_quartet tr_quartet;

/* TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_quartet_create(tr_quartet **out) TR_NODISCARD;
void tr_quartet_destroy(tr_quartet *quartet); /* NULL is fine; the worlds may be gone or may stay */

/* tr_world_step for each world.
 * world:      [count], all different, at most TR_QUARTET_MAX
 * out_status: [count]
 * quartet:    may be NULL for one world */
void tr_quartet_step(tr_quartet *quartet, tr_world *const *world, int count, tr_status *out_status);
