/* Dense linear algebra: the one gateway to LAPACK. Matrices are row-major.
 *
 * OpenBLAS is pinned to one thread on first use (tr_linalg_pin), because the summation order of its
 * threads would change results. Thread-safe after that. */
#ifndef TROUPE_MATH_LINALG_H
#define TROUPE_MATH_LINALG_H

#include "proto/status.h"

/* Pins BLAS to one thread. Called by every function here; call it in main before starting threads.
 */
void tr_linalg_pin(void);

/* Solves A X = B in place for a symmetric positive definite A.
 * a: [n][n], overwritten by its factor; b: [n][columns], overwritten by X.
 * TR_FAILED_PRECONDITION: A is not positive definite (b is then undefined). */
tr_status tr_linalg_solve_spd(int n, double *a, int columns, double *b) TR_NODISCARD;

/* Ridge regression a ~ M s + c (liu2015-guided, eq. 15 and 17-19): the affine map that minimises
 * sum |a_i - M s_i - c|^2 + lambda |M|^2.
 * s: [count][state_size], a: [count][action_size] (samples as rows).
 * out_m: [action_size][state_size]; out_c: [action_size]; out_residual: [action_size], root mean
 * square residual per action dimension (eq. 16). TR_INVALID_ARGUMENT when count < 2;
 * TR_FAILED_PRECONDITION when S~^T S~ + lambda is singular; nothing is written then. */
typedef struct tr_regression {
    int count, state_size, action_size;
    const double *s, *a;
    double lambda;
} tr_regression;
tr_status tr_linalg_regress(const tr_regression *data, double *out_m, double *out_c,
                            double *out_residual) TR_NODISCARD;

#endif
