/* Where in a latent space a body is: argmax over x of p(y | x), y the body's pose (levine2012,
 * section 6.3, by which the paper switches between spaces).
 *
 * The search begins at the clip frame that is most like the body in pose and movement, and follows the
 * Gauss-Newton direction of |y - g_y(x)|^2 as long as that becomes smaller. Deterministic; nothing
 * is allocated. */
#ifndef TROUPE_CONTROL_LATENT_LATENT_LIKELY_H
#define TROUPE_CONTROL_LATENT_LATENT_LIKELY_H

#include "control/latent/latent_space.h"

/* A pose as a space has it, and how fast it changes, 1/s; channels of pose_vector.h. */
typedef struct tr_pose_flow {
    double vector[TR_POSE_VECTOR_MAX], rate[TR_POSE_VECTOR_MAX];
} tr_pose_flow;

/* Returns the flow of a body, on the ground z = 0. */
tr_pose_flow tr_pose_flow_of(const tr_latent_space *space, const tr_model *model,
                             const tr_state *state);

/* The clip frame that is most like a body. */
int tr_latent_likely_frame(const tr_latent_space *space, const tr_pose_flow *body);

/* The point of a body, and the step that led there in the time between two frames. */
tr_latent_state tr_latent_likely(const tr_latent_space *space, const tr_pose_flow *body);

#endif
