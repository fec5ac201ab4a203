/* Learning a latent space from example motions (levine2012, section 4.3).
 *
 * The posterior of gplvm.h is maximised by L-BFGS from the principal components of the poses, in
 * rounds of 100 iterations, between which checkpoints are taken. A search that ends in the basin
 * where noise explains the poses is recognised by its noise and its error, and begun again, twice at
 * most, from kernels of half the length. Deterministic whatever the number of threads. */
#pragma once

#include "learn/latent/examples.h"
#include "learn/latent/gplvm.h"
#include "learn/method/method.h"

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
    int attempt, rounds, iterations;
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
    double error_rms_cm, error_worst_cm, reach, gap;
} tr_latent_fit_report;

/* The motions in metres. Channel k of the data is channel kept[k] of the pose vectors. */
typedef struct tr_latent_fit_data {
    tr_latent_space_def examples; /* tr_examples_create */
    int kept_count;
    int kept[TR_POSE_VECTOR_MAX];
    double scale[TR_POSE_VECTOR_MAX], mean[TR_POSE_VECTOR_MAX];
    int *clip_first;
    double *pose, *velocity, *start;
} tr_latent_fit_data;

/* A fit at work: what the method's row works on. Rounds of an attempt follow each other until it has ended;
 * then its space is made and measured. */
typedef struct tr_latent_fit {
    const tr_model *model;
    tr_latent_fit_parameters parameters;
    tr_pool *pool;
    tr_latent_fit_data data;
    tr_gplvm_settings settings;
    tr_gplvm *gplvm;
    double *z; /* [variables] */
    tr_latent_fit_progress progress;
    tr_latent_space *space; /* NULL: not found yet */
    tr_latent_fit_report report;
} tr_latent_fit;
