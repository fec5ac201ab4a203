/* One piece of static scenery. Internal to physics/. */
#pragma once

#include "physics/scene/scene.h"

/* As tr_world_add_scenery, but with the rotation to the bit: a snapshot's, which was put right when
 * the scenery was added. */
tr_status tr_scenery_add(tr_world *world, const tr_scenery_def *def, uint32_t *out_id) TR_NODISCARD;
void tr_scenery_destroy(tr_scenery *scenery);
void tr_scenery_must_hold(tr_world *world, int index);
