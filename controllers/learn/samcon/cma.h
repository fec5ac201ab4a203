/* (mu_w, lambda)-CMA-ES: a normal distribution that learns from the better of its own samples
 * (Hansen 2006, "The CMA evolution strategy: a comparing review"; used by liu2015-samcon,
 * section 4).
 *
 *   x ~ m + sigma N(0, C)     mean m, step size sigma, covariance C = A A', A lower triangular
 *
 * The caller draws lambda samples, sorts the mu better ones, and hands them back: the mean moves
 * to their weighted mean, the covariance towards the directions in which they lie, and the step
 * size grows while successive moves go the same way and shrinks while they cancel. Plain data;
 * deterministic; different distributions may be used by different threads. */
#ifndef TROUPE_LEARN_CMA_H
#define TROUPE_LEARN_CMA_H

#include "math/random.h"
#include "proto/status.h"

enum { TR_CMA_SIZE_MAX = 25 };

typedef struct tr_cma {
    int size;    /* n */
    int updates; /* g */
    double sigma;
    double mean[TR_CMA_SIZE_MAX];                        /* m */
    double covariance[TR_CMA_SIZE_MAX][TR_CMA_SIZE_MAX]; /* C */
    double factor[TR_CMA_SIZE_MAX][TR_CMA_SIZE_MAX];     /* A; zero above the diagonal */
    double path[TR_CMA_SIZE_MAX];                        /* p_c */
    double step_path[TR_CMA_SIZE_MAX];                   /* p_sigma */
} tr_cma;

/* Mean 0, C = diag(scale^2). size: 1 to TR_CMA_SIZE_MAX; scale: [size], or NULL for all 1. */
void tr_cma_init(tr_cma *cma, int size, double sigma, const double *scale);

/* out: [size]. */
void tr_cma_sample(const tr_cma *cma, tr_random *random, double *out);

/* One generation: samples [count], each [size], the best first. They are weighted w_i ~ ln(count
 * + 1) - ln i. With fewer than two nothing is learned. TR_FAILED_PRECONDITION: a sample is not
 * finite, or C is no longer positive definite; the distribution is unchanged then. */
tr_status tr_cma_update(tr_cma *cma, const double *const *samples, int count) TR_NODISCARD;

#endif
