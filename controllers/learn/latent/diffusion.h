/* The connectivity prior (levine2012, section 4.2 and appendix B): how easily random walks reach
 * every point from every other.
 *
 *   w_ij = |x_i - x_j|^-p               steps of a random walk; short ones are likely
 *   T_ii = sum_j w_ij,  H = T^-1/2 (w - T) T^-1/2
 *   K = exp(beta H)                     how likely a walker from i is at j
 *   Phi = sum_ij ln K_ij                a soft minimum: the least reachable pair dominates
 *
 * The prior looks at no pose: it moves points so that they are connected, wherever they are. */
#pragma once

#include "proto/status.h"

typedef struct tr_diffusion tr_diffusion;

typedef struct tr_diffusion_settings {
    double rate;     /* beta */
    double exponent; /* p */
    double weight;   /* w_c, of the value */
} tr_diffusion_settings;

/* Makes room for `count` points, at least two. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_diffusion_create(int count, tr_diffusion **out) TR_NODISCARD;
void tr_diffusion_destroy(tr_diffusion *diffusion); /* NULL is fine */

/* Returns weight * Phi at x: [count][size]; its derivatives are added to out_slope: [count][size],
 * unless that is NULL. NAN: the eigenvalues do not converge. Deterministic. */
double tr_diffusion_value(tr_diffusion *diffusion, const tr_diffusion_settings *settings, int size,
                          const double *x, double *out_slope);

/* Returns the second largest eigenvalue of H as of the last value: at 0 the points fall apart into
 * parts that no walker crosses, the lower the better connected. */
double tr_diffusion_gap(const tr_diffusion *diffusion);
