/* Gaussian processes from a latent space to numbers: a mean and a variance at any input
 * (levine2012, section 4.4).
 *
 * The kernel of inputs u = (h, t), a head of `head_size` numbers and a tail, is
 *
 *   k(u, u') = amplitude * l * exp(-head_scale/2 |h - h'|^2 - tail_scale/2 |t - t'|^2)
 *
 * with l = 1, or l = t . t' for maps that vanish with their tail. The paper's three maps:
 *
 *   pose      u = x                 amplitude alpha_1, head_scale alpha_2, noise alpha_3
 *   velocity  u = (x, v), l = v.v'  amplitude beta_1, tail_scale beta_2, head_scale beta_3
 *   dynamics  u = (x, previous x)   amplitude gamma_1, both scales gamma_2, noise gamma_3
 *
 * With centres u_1 ... u_n, K = k(u_i, u_j) + noise I and targets Y:
 *
 *   mean(u) = bias + k(u)^T A,            A = K^-1 (Y - bias)
 *   variance(u) = k(u, u) + noise - |F k(u)|^2,      F^T F = K^-1, F lower triangular
 *
 * Everything is made by loops of one written order, so that a map has the same bits wherever it is
 * made and whatever instruction set evaluates it. A map never changes after it has been made, and
 * may be shared by any number of threads. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>

enum {
    TR_GAUSSIAN_CENTRE_MAX = 1024,
    TR_GAUSSIAN_INPUT_MAX = 16,
    TR_GAUSSIAN_OUTPUT_MAX = 128,
    TR_GAUSSIAN_BATCH = 20 /* inputs whose variances are made together: 17 candidates, padded */
};

typedef struct tr_gaussian_kernel {
    double amplitude, head_scale, tail_scale, noise;
    int head_size;
    bool vanishes; /* l = t . t' */
} tr_gaussian_kernel;

/* Arrays are padded with zeros to multiples of four: stride >= count, output_stride >=
 * output_size. */
typedef struct tr_gaussian_map {
    tr_gaussian_kernel kernel;
    int input_size, output_size, count;
    int stride, output_stride;
    double *centre; /* [input_size][stride] */
    double *factor; /* [stride][stride], F; NULL: the map has no variance */
    double *weight; /* [stride][output_stride], A */
    double *bias;   /* [output_stride] */
    const struct tr_latent_kernel *loops;
} tr_gaussian_map;

/* What a map is made from. Nothing is kept.
 *   centre  [count][input_size]
 *   target  [count][output_size]
 *   bias    [output_size]; NULL: zero */
typedef struct tr_gaussian_map_def {
    tr_gaussian_kernel kernel;
    int input_size, output_size, count;
    const double *centre, *target, *bias;
    bool with_variance;
} tr_gaussian_map_def;

/* Fills `out`. TR_INVALID_ARGUMENT: a size out of range; TR_FAILED_PRECONDITION: K is not positive
 * definite; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_gaussian_map_init(tr_gaussian_map *out, const tr_gaussian_map_def *def) TR_NODISCARD;
void tr_gaussian_map_deinit(tr_gaussian_map *map); /* of zeros is fine */

/* k(u, u), without noise. u: [input_size]. */
double tr_gaussian_kernel_at(const tr_gaussian_kernel *kernel, int input_size, const double *u);

/* Covariances of an input with the centres, [stride] of which are used. Large enough for any map,
 * and small enough for the stack. */
typedef struct tr_gaussian_row {
    double k[TR_GAUSSIAN_CENTRE_MAX];
} tr_gaussian_row;

/* k(u). */
void tr_gaussian_map_covariances(const tr_gaussian_map *map, const double *u,
                                 tr_gaussian_row *out_row);

/* The mean of the input that `row` belongs to; out: [output_stride]. */
void tr_gaussian_map_mean(const tr_gaussian_map *map, const tr_gaussian_row *row, double *out);

/* The variance at u, whose covariances are `row`. The map has a variance. */
double tr_gaussian_map_variance(const tr_gaussian_map *map, const double *u,
                                const tr_gaussian_row *row);

/* The variances at `count` inputs, at most TR_GAUSSIAN_BATCH. u: [count][input_size]; out:
 * [count]. Differs from tr_gaussian_map_variance in rounding, but not with `count`. */
void tr_gaussian_map_variances(const tr_gaussian_map *map, int count, const double *u, double *out);
