/* Cholesky factors with the same bits on every machine, for data that is rebuilt at run time.
 *
 * LAPACK is faster, but OpenBLAS chooses its kernels by the processor, and the bits change with
 * them. These loops have one written order. They work row by row, so that the compiler can use
 * vectors without changing the order of any sum. No state; any thread. Matrices are row-major. */
#pragma once

#include "proto/status.h"

/* Factors a symmetric positive definite matrix: A = R^T R with R upper triangular.
 * a: [n][n]; its upper triangle is read and becomes R, and the rest becomes zero.
 * TR_FAILED_PRECONDITION: A is not positive definite (a is then undefined). */
tr_status tr_cholesky_factor(int n, double *a) TR_NODISCARD;

/* Solves A X = B in place, A = R^T R. r: [n][n], as tr_cholesky_factor makes it; b: [n][columns].
 */
void tr_cholesky_solve(int n, const double *r, int columns, double *b);

/* Solves R^T X = B in place: half of tr_cholesky_solve. The columns of X have the squared lengths
 * b^T A^-1 b. */
void tr_cholesky_solve_lower(int n, const double *r, int columns, double *b);

/* The inverse of R^T, lower triangular: |R^-T k|^2 = k^T A^-1 k. out: [n][n], not r itself. */
void tr_cholesky_invert_lower(int n, const double *r, double *out);
