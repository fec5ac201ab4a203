/* A limit on the processor time of one step: a part of a world, which fails when a step takes more. A
 * step in progress is not interrupted. For the world's thread. */
#pragma once

#include "server/world/world_part.h"

/* NULL: no memory. */
tr_world_part *tr_step_limit_create(double limit_s);

/* Call it when a turn begins, with what its thread has spent (tr_task_pool_spent_ns). */
void tr_step_limit_begin_turn(tr_world_part *part, int64_t spent_ns);
