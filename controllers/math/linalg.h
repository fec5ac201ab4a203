/* Dense linear algebra: the one gateway to BLAS and LAPACK. Matrices are row-major.
 *
 * OpenBLAS is pinned to one thread on first use (tr_linalg_pin), because the summation order of its
 * threads would change results. Thread-safe after that. Its kernels sum in different orders too; it
 * chooses them by the processor while it is loaded (tr_linalg_choose_kernels). */
#pragma once

#include "proto/status.h"

#include <stdbool.h>

/* Pins BLAS to one thread. Called by every function here; call it in main before starting threads.
 */
void tr_linalg_pin(void);

/* Starts the program again with the kernels that every processor with AVX2 can run, if it has others:
 * then all of these processors give the same bits. Call it first in main. The environment variable
 * OPENBLAS_CORETYPE, where it is set, decides instead. */
void tr_linalg_choose_kernels(char *const *argv);

/* OpenBLAS' name of its kernels, as "Haswell". */
const char *tr_linalg_kernels(void);

/* Solves A X = B in place for a symmetric positive definite A.
 * a: [n][n], overwritten by its factor; b: [n][columns], overwritten by X.
 * TR_FAILED_PRECONDITION: A is not positive definite (b is then undefined). */
tr_status tr_linalg_solve_spd(int n, double *a, int columns, double *b) TR_NODISCARD;

/* Inverts a symmetric positive definite matrix through its Cholesky factor.
 * a: [n][n], of which the lower triangle is read; it becomes the whole inverse.
 * out_log_det: natural logarithm of the determinant of A.
 * TR_FAILED_PRECONDITION: A is not positive definite (a is then undefined). */
tr_status tr_linalg_invert_spd(int n, double *a, double *out_log_det) TR_NODISCARD;

/* Eigenvalues and eigenvectors of a symmetric matrix.
 * a: [n][n], of which the lower triangle is read; row i becomes the unit eigenvector that belongs
 * to out_values[i]. out_values: [n], ascending.
 * TR_RESOURCE_EXHAUSTED: no memory; TR_ABORTED: the iteration does not converge (a is then
 * undefined). */
tr_status tr_linalg_eigen_symmetric(int n, double *a, double *out_values) TR_NODISCARD;

/* out = scale op(a) op(b) + keep out, where op transposes a matrix or leaves it.
 * op(a): [rows][inner], op(b): [inner][columns], out: [rows][columns]; the strides are the
 * distances between rows as stored. */
typedef struct tr_product {
    int rows, inner, columns;
    const double *a, *b;
    int a_stride, b_stride, out_stride;
    bool a_transposed, b_transposed;
    double scale, keep;
} tr_product;
void tr_linalg_multiply(const tr_product *product, double *out);

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
