/* The embedding of a training's gaits as a picture: the first two dimensions, coloured by the force
 * that each gait was found at, the optimal gaits joined in order. */
#ifndef TROUPE_TOOLS_EMBEDDING_PLOT_H
#define TROUPE_TOOLS_EMBEDDING_PLOT_H

#include "learn/gait/gait_atlas.h"

tr_status tr_embedding_plot(const char *path, const tr_gait_atlas *atlas,
                            tr_error *error) TR_NODISCARD;

#endif
