#include "math/linalg.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void tr_linalg_pin(void) {
    openblas_set_num_threads(1);
}

const char *tr_linalg_kernels(void) {
    return openblas_get_corename();
}

void tr_linalg_choose_kernels(char *const *argv) {
#if defined(__x86_64__)
    static const char NAME[] = "OPENBLAS_CORETYPE", HASWELL[] = "Haswell";
    __builtin_cpu_init();
    const bool can = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool wants = !getenv(NAME) && strcmp(tr_linalg_kernels(), HASWELL) != 0;
    /* Without /proc the program continues with the kernels that it has; records name them. */
    if (can && wants && setenv(NAME, HASWELL, 1) == 0)
        (void)execv("/proc/self/exe", argv);
#else
    (void)argv;
#endif
}

tr_status tr_linalg_solve_spd(int n, double *a, int columns, double *b) {
    tr_linalg_pin();
    lapack_int info = LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', n, columns, a, n, b, columns);
    return info == 0 ? TR_OK : info > 0 ? TR_FAILED_PRECONDITION : TR_INVALID_ARGUMENT;
}

/* Row-major lower is column-major upper, so that LAPACK needs no transposed copy. */
tr_status tr_linalg_invert_spd(int n, double *a, double *out_log_det) {
    tr_linalg_pin();
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, a, n);
    if (info)
        return info > 0 ? TR_FAILED_PRECONDITION : TR_INVALID_ARGUMENT;
    double half = 0;
    for (int i = 0; i < n; i++)
        half += log(a[(size_t)i * (size_t)n + (size_t)i]);
    info = LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', n, a, n);
    if (info)
        return TR_FAILED_PRECONDITION;
    for (size_t i = 0, size = (size_t)n; i < size; i++)
        for (size_t j = 0; j < i; j++)
            a[j * size + i] = a[i * size + j];
    *out_log_det = 2 * half;
    return TR_OK;
}

tr_status tr_linalg_eigen_symmetric(int n, double *a, double *out_values) {
    tr_linalg_pin();
    lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', n, a, n, out_values);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return TR_RESOURCE_EXHAUSTED;
    return info == 0 ? TR_OK : info > 0 ? TR_ABORTED : TR_INVALID_ARGUMENT;
}

void tr_linalg_multiply(const tr_product *product, double *out) {
    tr_linalg_pin();
    cblas_dgemm(CblasRowMajor, product->a_transposed ? CblasTrans : CblasNoTrans,
                product->b_transposed ? CblasTrans : CblasNoTrans, product->rows, product->columns,
                product->inner, product->scale, product->a, product->a_stride, product->b,
                product->b_stride, product->keep, out, product->out_stride);
}

/* Column means of rows: [count][size]. */
static void row_mean(int count, int size, const double *rows, double *out_mean) {
    for (int j = 0; j < size; j++)
        out_mean[j] = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < size; j++)
            out_mean[j] += rows[i * size + j];
    for (int j = 0; j < size; j++)
        out_mean[j] /= count;
}

/* gram += S~^T S~ and cross += S~^T A~ with centred data S~ = s - mean_s, A~ = a - mean_a.
 * gram: [n][n], cross: [n][m] for n states and m actions. */
static void add_products(const tr_regression *data, const double *mean_s, const double *mean_a,
                         double *gram, double *cross) {
    const int n = data->state_size, m = data->action_size;
    for (int k = 0; k < data->count; k++) {
        const double *s = data->s + k * n, *a = data->a + k * m;
        for (int i = 0; i < n; i++) {
            double d = s[i] - mean_s[i];
            for (int j = 0; j < n; j++)
                gram[i * n + j] += d * (s[j] - mean_s[j]);
            for (int j = 0; j < m; j++)
                cross[i * m + j] += d * (a[j] - mean_a[j]);
        }
    }
}

/* Root mean square of a - M s - c, by action. */
static void set_residual(const tr_regression *data, const double *m, const double *c,
                         double *out_residual) {
    const int states = data->state_size, actions = data->action_size;
    for (int j = 0; j < actions; j++)
        out_residual[j] = 0;
    for (int k = 0; k < data->count; k++)
        for (int j = 0; j < actions; j++) {
            double e = data->a[k * actions + j] - c[j];
            for (int i = 0; i < states; i++)
                e -= m[j * states + i] * data->s[k * states + i];
            out_residual[j] += e * e / data->count;
        }
    for (int j = 0; j < actions; j++)
        out_residual[j] = sqrt(out_residual[j]);
}

/* The normal equations are (S~^T S~ + lambda I) M^T = S~^T A~, and c = mean(a) - M mean(s). */
tr_status tr_linalg_regress(const tr_regression *data, double *out_m, double *out_c,
                            double *out_residual) {
    const int n = data->state_size, m = data->action_size;
    if (data->count < 2 || n < 1 || m < 1)
        return TR_INVALID_ARGUMENT;
    const size_t states = (size_t)n, actions = (size_t)m;
    double *work = calloc((states + 1) * (states + actions), sizeof *work);
    if (!work)
        return TR_RESOURCE_EXHAUSTED;
    double *gram = work, *cross = gram + n * n, *mean_s = cross + n * m, *mean_a = mean_s + n;
    row_mean(data->count, n, data->s, mean_s);
    row_mean(data->count, m, data->a, mean_a);
    add_products(data, mean_s, mean_a, gram, cross);
    for (int i = 0; i < n; i++)
        gram[i * n + i] += data->lambda;
    tr_status status = tr_linalg_solve_spd(n, gram, m, cross);
    for (int j = 0; !status && j < m; j++) {
        out_c[j] = mean_a[j];
        for (int i = 0; i < n; i++) {
            out_m[j * n + i] = cross[i * m + j];
            out_c[j] -= cross[i * m + j] * mean_s[i];
        }
    }
    if (!status)
        set_residual(data, out_m, out_c, out_residual);
    free(work);
    return status;
}
