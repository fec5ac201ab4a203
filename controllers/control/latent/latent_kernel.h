/* The numerical kernels of latent control, built once per instruction set and chosen at run time
 * (math/instructions.h). All variants give the same bits. Internal to
 * control/latent.
 *
 * Counts of lanes: `stride` and `output_stride` are multiples of four. */
#pragma once

#include "control/latent/gaussian_map.h"

typedef struct tr_latent_kernel {
    const char *name; /* "sse2", "avx2" */
    /* k(u) of all centres. */
    void (*covariances)(const tr_gaussian_map *map, const double *u, double *out_row);
    /* bias + row^T A. */
    void (*mean)(const tr_gaussian_map *map, const double *row, double *out);
    /* |F k|^2 of one row: [stride]. */
    double (*square)(const tr_gaussian_map *map, const double *row);
    /* |F k|^2 of TR_GAUSSIAN_BATCH columns: [stride][TR_GAUSSIAN_BATCH]; out: [TR_GAUSSIAN_BATCH].
     */
    void (*squares)(const tr_gaussian_map *map, const double *columns, double *out);
    /* Squared distances from `at`: [size] to points: [size][stride]; out: [stride]. */
    void (*distances)(int size, int stride, const double *points, const double *at, double *out);
} tr_latent_kernel;

const tr_latent_kernel *tr_latent_kernel_choose(void);

extern const tr_latent_kernel tr_latent_kernel_sse2, tr_latent_kernel_avx2;
