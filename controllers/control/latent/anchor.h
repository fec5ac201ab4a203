/* Root steps by the feet that stand.
 *
 * The velocity map predicts how the root moves, but between the clips its prediction and the legs
 * disagree, and the feet slide. A foot that stands fixes how the root travels, because it stays
 * in place. The turn is the predicted one: the foot may pivot. The travel t minimises
 *
 *   sum over supports of w_i |shift of support i over the ground|^2 / s^2 + |t - predicted|^2 / s_t^2
 *
 * which follows standing feet, and the prediction in the air. w_i says how surely support i stands.
 * Deterministic; no state. */
#pragma once

#include "control/latent/latent_space.h"

/* A footing says where the supports of a pose are, in the heading frame at the root's ground point,
 * m, and how surely each stands, 0 to 1. */
typedef struct tr_footing {
    tr_vec3 at[TR_SUPPORT_MAX];
    double standing[TR_SUPPORT_MAX];
} tr_footing;

/* Returns the footing of the pose at the point x. */
tr_footing tr_footing_of(const tr_latent_space *space, const tr_model *model, const double *x);

/* Returns that of a mixture of poses, which it writes too: [TR_POSE_VECTOR_MAX]. */
tr_footing tr_footing_of_mixture(const tr_latent_space *space, const tr_model *model,
                                 const tr_latent_mixture *mixture, double *out_pose);

/* Mean speed by which standing supports slide over the ground in a root step of dt_s, m/s, weighted
 * by how surely they stand; 0 in the air. */
double tr_footing_slip(int support_count, const tr_footing *from, const tr_footing *to,
                       const tr_root_step *step, double dt_s);

tr_root_step tr_anchor_step(int support_count, const tr_footing *from, const tr_footing *to,
                            const tr_root_step *predicted);
