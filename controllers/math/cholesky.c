#include "math/cholesky.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* row -= factor * other */
static void subtract_row(int count, double factor, const double *restrict other,
                         double *restrict row) {
    for (int i = 0; i < count; i++)
        row[i] -= factor * other[i];
}

static void scale_row(int count, double factor, double *row) {
    for (int i = 0; i < count; i++)
        row[i] *= factor;
}

static double *row_of(double *matrix, int n, int row) {
    return matrix + (size_t)row * (size_t)n;
}

/* Row k of R, then the rest of A below it: A_ij -= R_ki R_kj. */
tr_status tr_cholesky_factor(int n, double *a) {
    for (int k = 0; k < n; k++) {
        double *pivot = row_of(a, n, k);
        if (!(pivot[k] > 0) || !isfinite(pivot[k]))
            return TR_FAILED_PRECONDITION;
        scale_row(n - k, 1 / sqrt(pivot[k]), pivot + k);
        for (int i = k + 1; i < n; i++)
            subtract_row(n - i, pivot[i], pivot + i, row_of(a, n, i) + i);
        memset(pivot, 0, (size_t)k * sizeof *pivot);
    }
    return TR_OK;
}

void tr_cholesky_solve_lower(int n, const double *r, int columns, double *b) {
    for (int k = 0; k < n; k++) {
        const double *factor = r + (size_t)k * (size_t)n;
        double *solved = row_of(b, columns, k);
        scale_row(columns, 1 / factor[k], solved);
        for (int i = k + 1; i < n; i++)
            subtract_row(columns, factor[i], solved, row_of(b, columns, i));
    }
}

void tr_cholesky_solve(int n, const double *r, int columns, double *b) {
    tr_cholesky_solve_lower(n, r, columns, b);
    for (int k = n - 1; k >= 0; k--) {
        const double *factor = r + (size_t)k * (size_t)n;
        double *row = row_of(b, columns, k);
        for (int i = k + 1; i < n; i++)
            subtract_row(columns, factor[i], b + (size_t)i * (size_t)columns, row);
        scale_row(columns, 1 / factor[k], row);
    }
}

/* Solves R^T X = I; row k of X ends at column k. */
void tr_cholesky_invert_lower(int n, const double *r, double *out) {
    memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
    for (int k = 0; k < n; k++)
        row_of(out, n, k)[k] = 1;
    for (int k = 0; k < n; k++) {
        const double *factor = r + (size_t)k * (size_t)n;
        double *solved = row_of(out, n, k);
        scale_row(k + 1, 1 / factor[k], solved);
        for (int i = k + 1; i < n; i++)
            subtract_row(k + 1, factor[i], solved, row_of(out, n, i));
    }
}
