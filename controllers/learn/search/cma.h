/* (mu_w, lambda)-CMA-ES: a normal distribution that learns from the better of its samples
 * (Hansen 2006, "The CMA evolution strategy: a comparing review"; used by liu2015-samcon,
 * section 4, and by Shum et al., section 3.3).
 *
 *   x ~ m + sigma N(0, C)     mean m, step size sigma, covariance C = A A', A lower triangular
 *
 * The caller draws lambda samples, sorts the mu better ones, and hands them back: the mean moves
 * to their weighted mean, the covariance towards the directions in which they lie, and the step
 * size grows while successive moves go the same way and shrinks while they cancel.
 * Deterministic; different distributions may be used by different threads. */
#pragma once

#include "learn/method/blocks.h"
#include "math/byte_reader.h"
#include "math/random.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { TR_CMA_SIZE_MAX = 512 };

/* The arrays lie in one block of memory, which begins at `mean`. */
typedef struct tr_cma {
    int size;    /* n */
    int updates; /* g */
    double sigma;
    double *mean;       /* [n], m */
    double *path;       /* [n], p_c */
    double *step_path;  /* [n], p_sigma */
    double *covariance; /* [n][n], C */
    double *factor;     /* [n][n], A; zero above the diagonal */
} tr_cma;

/* Begins with mean 0 and C = diag(scale^2). size: 1 to TR_CMA_SIZE_MAX; scale: [size], or NULL for
 * all 1. TR_INVALID_ARGUMENT: the size; TR_RESOURCE_EXHAUSTED. */
tr_status tr_cma_init(tr_cma *cma, int size, double sigma, const double *scale) TR_NODISCARD;
void tr_cma_deinit(tr_cma *cma); /* of zeros is fine */

/* Resets to the state after tr_cma_init. */
void tr_cma_reset(tr_cma *cma, double sigma, const double *scale);

/* Draws a sample; out: [size]. */
void tr_cma_sample(const tr_cma *cma, tr_random *random, double *out);

/* Learns from one generation: samples [count], each [size], the best first. They are weighted w_i ~
 * ln(count + 1) - ln i. With fewer than two nothing is learned. TR_FAILED_PRECONDITION: a sample is
 * not finite, or C is no longer positive definite; TR_RESOURCE_EXHAUSTED. The distribution is
 * unchanged then. */
tr_status tr_cma_update(tr_cma *cma, const double *const *samples, int count) TR_NODISCARD;

/* Lists the state for a checkpoint; loading needs a distribution of the same size. */
void tr_cma_list(tr_cma *cma, tr_blocks *blocks);
