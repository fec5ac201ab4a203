/* Learning a latent space from example motions (levine2012, section 4.3).
 *
 * The posterior of gplvm.h is maximised by L-BFGS from the principal components of the poses, in
 * rounds of 100 iterations, between which checkpoints are taken. A search that ends in the basin
 * where noise explains the poses is recognised by its noise and its error, and begun again, twice at
 * most, from kernels of half the length. Deterministic whatever the number of threads. */
#pragma once

#include "learn/latent/examples.h"
#include "learn/latent/gplvm.h"
#include "learn/method/blocks.h"
#include "math/parameter_table.h"

typedef struct tr_latent_fit_parameters {
    int dimension, iterations, channel_scales;
    double connectivity, velocity_weight;
    uint64_t seed;
} tr_latent_fit_parameters;

extern const tr_parameter_table tr_latent_fit_parameter_table;

/* The progress of an attempt.
 *   rounds  of all attempts
 *   ended   no round follows: its space is made next */
typedef struct tr_latent_fit_progress {
    int attempt, rounds, iterations, evaluations;
    double value;
    tr_gplvm_terms terms;
    tr_gplvm_hyper hyper;
    bool ended;
} tr_latent_fit_progress;

/* The results.
 *   error_rms_cm, worst   of the bodies' positions at the frames
 *   reach                 tr_latent_reach with jumps of two steps
 *   gap                   tr_diffusion_gap */
typedef struct tr_latent_fit_report {
    tr_latent_fit_progress end;
    double error_rms_cm, error_worst_cm, reach, gap;
} tr_latent_fit_report;

typedef struct tr_latent_fit tr_latent_fit;

/* model, examples (tr_examples_create), pool: must outlive the fit */
typedef struct tr_latent_fit_def {
    const tr_model *model;
    const tr_latent_space_def *examples;
    const tr_latent_fit_parameters *parameters;
    tr_pool *pool;
} tr_latent_fit_def;

/* TR_INVALID_ARGUMENT: a parameter does not fit the examples, as the message says; other statuses as
 * tr_gplvm_create. */
tr_status tr_latent_fit_create(const tr_latent_fit_def *def, tr_latent_fit **out,
                               tr_error *error) TR_NODISCARD;
void tr_latent_fit_destroy(tr_latent_fit *fit); /* NULL is fine */

/* Makes a round, or the space of an attempt that has ended. TR_FAILED_PRECONDITION: in every attempt
 * the space does not reproduce the clips, as the message says; other statuses as
 * tr_latent_space_create. */
tr_status tr_latent_fit_advance(tr_latent_fit *fit, tr_error *error) TR_NODISCARD;

const tr_latent_fit_progress *tr_latent_fit_progress_of(const tr_latent_fit *fit);

/* The space found, and how good it is; NULL: not found yet. */
const tr_latent_space *tr_latent_fit_space(const tr_latent_fit *fit,
                                           const tr_latent_fit_report **out_report);

/* Lists what a checkpoint holds (method/blocks.h). */
void tr_latent_fit_list(void *fit, tr_blocks *blocks);
