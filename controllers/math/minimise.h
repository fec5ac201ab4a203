/* Minimisation of smooth functions by L-BFGS (Nocedal 1980): the one gateway to liblbfgs.
 *
 * Deterministic for a given library and processor. No state between calls; any thread. */
#pragma once

#include "proto/status.h"

/* The state at the end. */
typedef struct tr_minimise_progress {
    int iterations, evaluations;
    double value;
} tr_minimise_progress;

/* size        number of variables, at least 1
 * memory      pairs of steps and gradient changes that approximate the Hessian, 3 to 50
 * iterations  at most
 * tolerance   ends when |gradient| < tolerance * max(1, |x|)
 * evaluate    the value at x: [size], and its gradient: [size]. INFINITY where the function is not
 *             defined: the step is then halved. */
typedef struct tr_minimise_problem {
    int size, memory, iterations;
    double tolerance;
    double (*evaluate)(void *context, const double *x, double *out_gradient);
    void *context;
} tr_minimise_problem;

/* Minimises from x: [size] and leaves the best point there. TR_OK also if rounding stops all
 * progress, or the iterations are used up. TR_INVALID_ARGUMENT: size, memory or iterations out of
 * range; TR_FAILED_PRECONDITION: the function is not finite at x; TR_RESOURCE_EXHAUSTED: no memory.
 * x is then unchanged. */
tr_status tr_minimise(const tr_minimise_problem *problem, double *x,
                      tr_minimise_progress *out) TR_NODISCARD;
