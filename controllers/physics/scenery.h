/* One piece of static scenery. Internal to physics/. */
#ifndef TROUPE_PHYSICS_SCENERY_H
#define TROUPE_PHYSICS_SCENERY_H

#include "physics/scene.h"

/* Made without an id, which the world gives. TR_INVALID_ARGUMENT as tr_world_add_scenery. */
tr_status tr_scenery_create(const tr_scenery_def *def, tr_scenery **out) TR_NODISCARD;
void tr_scenery_destroy(tr_scenery *scenery);

#endif
