/* How well a latent space is connected, as a graph: from a frame one can step to the clip's next
 * frame, or jump to a frame near that one. */
#pragma once

#include "control/latent/latent_space.h"

/* Measures the share of the frames in the largest part from each frame of which each other can be
 * reached, with jumps of at most `jump` median steps. Of separate clips: that of the longest loop,
 * if any. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_latent_reach(const tr_latent_space *space, double jump, double *out) TR_NODISCARD;
