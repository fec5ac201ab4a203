/* Bodies that overlap at rest. Internal to motion. */
#pragma once

#include "model/model.h"

/* Bodies whose geoms overlap, or nearly, in the rest pose never collide from now on; returns how many
 * pairs, without parents and those that were excluded. */
int tr_exclude_touching(tr_model *model);
