/* The Gaussian process latent variable model of levine2012 (sections 4.1 to 4.3, appendix B): the
 * logarithm of the posterior of a latent space, and its gradient.
 *
 *   ln p = L_Y + L_V + Phi_D + Phi_C + ln p(alpha) + ln p(beta)                     (eq. 4)
 *
 *   L_Y    poses are a Gaussian process of x                                        (eq. 1)
 *   L_V    velocities are a Gaussian process of (x, v), v = x_t - x_(t-1)           (section 4.1)
 *   Phi_D  latent steps are a Gaussian process of the two points before             (eq. 2)
 *   Phi_C  random walks connect all points: diffusion.h                             (eq. 3)
 *
 * Each term is a file. They share nothing but the variables and are evaluated by the threads of a
 * pool; their sum has a fixed order, so that the number of threads changes no bit.
 *
 * Three choices are not the paper's letter. The amplitudes alpha_1 and beta_1 are fixed, because
 * W, which has a closed form, carries the scale. W is one number per term (channels come in metres)
 * unless `channel_scales` asks for the paper's. Noises are kept within bounds, because a noise that
 * explains everything is an optimum too. */
#pragma once

#include "learn/rehearsal/pool.h"
#include "proto/status.h"

#include <stdbool.h>

enum { TR_GPLVM_FRAME_MAX = 1024, TR_GPLVM_DIMENSION_MAX = 8, TR_GPLVM_HYPER_COUNT = 5 };

/* The data to embed. Frames of clip c are clip_first[c] to clip_first[c + 1] - 1; each clip has at
 * least three. Step s of a clip leads from its frame s to its frame s + 1; a clip has one step less
 * than frames, and the steps of all clips follow each other in one array.
 *   pose      [frame_count][pose_size], centred, m
 *   velocity  [step_count][velocity_size], per frame, not centred, m; the first root_size of them
 *             are the root's, which are scaled separately */
typedef struct tr_gplvm_data {
    int clip_count, frame_count, step_count;
    const int *clip_first; /* [clip_count + 1] */
    int pose_size, velocity_size, root_size;
    const double *pose, *velocity;
} tr_gplvm_data;

/*   connectivity    w_c of eq. 3
 *   diffusion_rate  beta of eq. 3
 *   exponent        p of the weights |x_i - x_j|^-p
 *   velocity_weight counts L_V and its priors; 1 in the paper
 *   dynamics        gamma of eq. 2: amplitude, inverse squared length, noise
 *   noise_min, max  bounds of alpha_3 and beta_4
 *   channel_scales  W by channel, as the paper has it */
typedef struct tr_gplvm_settings {
    int dimension;
    double connectivity, diffusion_rate, exponent, velocity_weight;
    double dynamics[3];
    double noise_min, noise_max;
    bool channel_scales;
} tr_gplvm_settings;

/* Learned parameters of the kernels. */
typedef struct tr_gplvm_hyper {
    double pose_scale, pose_noise;                  /* alpha_2, alpha_3 */
    double step_scale, place_scale, velocity_noise; /* beta_2, beta_3, beta_4 */
    double velocity_amplitude;                      /* beta_1, fixed */
} tr_gplvm_hyper;

/* The terms of eq. 4; the priors of the hyper-parameters are counted with their terms. */
typedef struct tr_gplvm_terms {
    double pose, velocity, dynamics, diffusion;
} tr_gplvm_terms;

typedef struct tr_gplvm tr_gplvm;

/* `data`'s arrays must outlive the model. start: latent points to begin at,
 * [frame_count][dimension], which set beta_1. TR_INVALID_ARGUMENT: a size out of range;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_gplvm_create(const tr_gplvm_data *data, const tr_gplvm_settings *settings,
                          const double *start, tr_gplvm **out) TR_NODISCARD;
void tr_gplvm_destroy(tr_gplvm *model); /* NULL is fine */

/* Returns the number of variables z: latent points, [frame_count][dimension], then logarithms of
 * alpha_2, beta_2, beta_3 and the logits of the noises within their bounds. */
int tr_gplvm_variable_count(const tr_gplvm *model);

/* Fills the variables of the points that the model was made with; both noises at noise_start, within
 * the bounds, scales at scale_start. */
void tr_gplvm_start(const tr_gplvm *model, double scale_start, double noise_start, double *out_z);

/* Returns -ln p at z and its gradient. INFINITY where a covariance is not positive definite.
 * Deterministic whatever the pool's threads. One caller at a time. */
double tr_gplvm_evaluate(tr_gplvm *model, tr_pool *pool, const double *z, double *out_gradient);

/* Returns the terms of the last evaluation. */
tr_gplvm_terms tr_gplvm_last_terms(const tr_gplvm *model);

tr_gplvm_hyper tr_gplvm_hyper_of(const tr_gplvm *model, const double *z);

/* Copies W of the poses, by channel, as of the last evaluation: scaled channels have unit variance
 * under the kernel. out: [pose_size]. */
void tr_gplvm_pose_weights(const tr_gplvm *model, double *out);
