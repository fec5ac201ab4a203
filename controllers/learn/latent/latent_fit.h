/* Learning a latent space from example motions (levine2012, section 4.3).
 *
 * The posterior of gplvm.h is maximised by L-BFGS from the principal components of the poses, in
 * rounds; between rounds the state can be kept, and a search be continued from it. The first rounds
 * do without the connectivity prior: it makes the valleys narrow, and poses are then learned three
 * times as slowly. A search that ends in the basin
 * where noise explains the poses is recognised by its noise and its error, and begun again from
 * narrower kernels. Deterministic whatever the number of threads. */
#ifndef TROUPE_LEARN_LATENT_FIT_H
#define TROUPE_LEARN_LATENT_FIT_H

#include "learn/latent/examples.h"
#include "learn/latent/gplvm.h"
#include "math/parameter_table.h"

typedef struct tr_latent_fit_parameters {
    int dimension, inducing, iterations, loose_iterations, round_iterations, memory, restarts,
        channel_scales, mirrored;
    double frame_s, connectivity, diffusion_rate, exponent, velocity_weight;
    double scale_start, noise_start, noise_min, noise_max, pose_noise_min, error_max_cm, jitter;
    double dynamics_amplitude, dynamics_scale, dynamics_noise;
    double standing_speed_mps, standing_height_m;
    uint64_t seed;
} tr_latent_fit_parameters;

tr_latent_fit_parameters tr_latent_fit_parameters_default(void);
extern const tr_parameter_table tr_latent_fit_parameter_table;

typedef struct tr_latent_fit_progress {
    int attempt, iterations, evaluations;
    double value;
    tr_gplvm_terms terms;
    tr_gplvm_hyper hyper;
} tr_latent_fit_progress;

/* The results.
 *   error_rms_cm, worst   of the bodies' positions at the frames
 *   reach                 tr_latent_reach with jumps of two steps
 *   gap                   tr_diffusion_gap */
typedef struct tr_latent_fit_report {
    tr_latent_fit_progress end;
    double error_rms_cm, error_worst_cm, reach, gap;
} tr_latent_fit_report;

/*   resume     [variable_count] to continue from, with the progress at that time; NULL: begin
 *   report     called after each iteration; NULL: no reports
 *   keep       called after each round with all variables; NULL: not kept */
typedef struct tr_latent_fit {
    const tr_model *model;
    const tr_latent_fit_parameters *parameters;
    tr_pool *pool;
    const double *resume;
    tr_latent_fit_progress resumed;
    void (*report)(void *context, const tr_latent_fit_progress *progress);
    tr_status (*keep)(void *context, const tr_latent_fit_progress *progress, const double *z,
                      int variable_count, tr_error *error);
    void *context;
} tr_latent_fit;

/* Embeds the examples (tr_examples_create). TR_FAILED_PRECONDITION: in every attempt the space does
 * not reproduce the clips, as the message says; other statuses as tr_gplvm_create,
 * tr_latent_space_create and `keep`. */
tr_status tr_latent_fit_run(const tr_latent_fit *fit, const tr_latent_space_def *examples,
                            tr_latent_space **out, tr_latent_fit_report *out_report,
                            tr_error *error) TR_NODISCARD;

#endif
