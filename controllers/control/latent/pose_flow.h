/* Poses and how fast they change, and the clip frame that is most like such a flow. Deterministic;
 * nothing is allocated. */
#pragma once

#include "control/latent/latent_space.h"

/* A pose as a space has it, and how fast it changes, 1/s; channels of pose_vector.h. */
typedef struct tr_pose_flow {
    double vector[TR_POSE_VECTOR_MAX], rate[TR_POSE_VECTOR_MAX];
} tr_pose_flow;

/* Returns the flow of a body, on the ground z = 0. */
tr_pose_flow tr_pose_flow_of(const tr_latent_space *space, const tr_model *model,
                             const tr_state *state);

/* Returns the clip frame that is most like a body in pose and movement. */
int tr_pose_flow_nearest_frame(const tr_latent_space *space, const tr_pose_flow *body);
