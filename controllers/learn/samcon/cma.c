#include "learn/samcon/cma.h"

#include "math/elementary.h"

#include <string.h>

/* One generation (Hansen 2006), y_i = (x_i - m) / sigma, <y> = sum w_i y_i:
 *
 *   m       <- m + sigma <y>
 *   p_sigma <- (1 - c_sigma) p_sigma + sqrt(c_sigma (2 - c_sigma) mu_eff) A^-1 <y>
 *   sigma   <- sigma exp(c_sigma / d_sigma (|p_sigma| / E|N(0, I)| - 1))
 *   p_c     <- (1 - c_c) p_c + h sqrt(c_c (2 - c_c) mu_eff) <y>
 *   C       <- (1 - c_cov) C + c_cov / mu_cov (p_c p_c' + (1 - h) c_c (2 - c_c) C)
 *              + c_cov (1 - 1 / mu_cov) sum w_i y_i y_i'
 *
 * with mu_eff = mu_cov = 1 / sum w_i^2; h is 0 while p_sigma is long, which keeps p_c from
 * growing too fast. Hansen whitens <y> by the symmetric root C^-1/2; the triangular A^-1 whitens
 * as well: for selection at random A^-1 <y> sqrt(mu_eff) is N(0, I) either way, and that is all
 * p_sigma needs (Krause, Arbones, Igel 2016). */

typedef struct strategy {
    double mu_eff, c_sigma, d_sigma, c_c, c_cov, expected_norm;
} strategy;

static double weight(int rank, int count) {
    return tr_log(count + 1.0) - tr_log(rank + 1.0);
}

/* The published constants for dimension n (Hansen 2006). */
static strategy strategy_of(int size, int count) {
    double sum = 0, squares = 0, n = size;
    for (int i = 0; i < count; i++) {
        double w = weight(i, count);
        sum += w;
        squares += w * w;
    }
    strategy s = {.mu_eff = sum * sum / squares};
    s.c_sigma = (s.mu_eff + 2) / (n + s.mu_eff + 3);
    s.d_sigma = 1 + 2 * fmax(0, sqrt((s.mu_eff - 1) / (n + 1)) - 1) + s.c_sigma;
    s.c_c = 4 / (n + 4);
    double one = 2 / ((n + sqrt(2.0)) * (n + sqrt(2.0)));
    double many = fmin(1, (2 * s.mu_eff - 1) / ((n + 2) * (n + 2) + s.mu_eff));
    s.c_cov = one / s.mu_eff + (1 - 1 / s.mu_eff) * many;
    s.expected_norm = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    return s;
}

void tr_cma_init(tr_cma *cma, int size, double sigma, const double *scale) {
    memset(cma, 0, sizeof *cma);
    cma->size = size;
    cma->sigma = sigma;
    for (int i = 0; i < size; i++) {
        cma->factor[i][i] = scale ? scale[i] : 1;
        cma->covariance[i][i] = cma->factor[i][i] * cma->factor[i][i];
    }
}

void tr_cma_sample(const tr_cma *cma, tr_random *random, double *out) {
    double z[TR_CMA_SIZE_MAX];
    for (int i = 0; i < cma->size; i++) {
        z[i] = tr_random_normal(random);
        double y = 0;
        for (int j = 0; j <= i; j++)
            y += cma->factor[i][j] * z[j];
        out[i] = cma->mean[i] + cma->sigma * y;
    }
}

/* A with A A' = C (Cholesky); false when C is not positive definite. */
static int factorise(tr_cma *cma) {
    for (int i = 0; i < cma->size; i++)
        for (int j = 0; j <= i; j++) {
            double sum = cma->covariance[i][j];
            for (int k = 0; k < j; k++)
                sum -= cma->factor[i][k] * cma->factor[j][k];
            if (i == j && !(sum > 0))
                return 0;
            cma->factor[i][j] = i == j ? sqrt(sum) : sum / cma->factor[j][j];
        }
    return 1;
}

/* A x = b by forward substitution. */
static void whiten(const tr_cma *cma, const double *b, double *x) {
    for (int i = 0; i < cma->size; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= cma->factor[i][j] * x[j];
        x[i] /= cma->factor[i][i];
    }
}

static void blend(double *path, const double *step, int size, double rate, double gain) {
    for (int i = 0; i < size; i++)
        path[i] = (1 - rate) * path[i] + gain * step[i];
}

static double norm(const double *v, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* Is p_sigma no longer than chance makes it after g generations? */
static int is_calm(const tr_cma *cma, const strategy *s, double length) {
    double left = 1;
    for (int i = 0; i < 2 * (cma->updates + 1) && left > 1e-16; i++)
        left *= 1 - s->c_sigma;
    return length / sqrt(1 - left) < (1.4 + 2.0 / (cma->size + 1)) * s->expected_norm;
}

static void update_covariance(tr_cma *cma, const strategy *s, int calm,
                              double (*cross)[TR_CMA_SIZE_MAX]) {
    double one = s->c_cov / s->mu_eff, many = s->c_cov * (1 - 1 / s->mu_eff);
    double keep = 1 - s->c_cov + (calm ? 0 : one * s->c_c * (2 - s->c_c));
    for (int i = 0; i < cma->size; i++)
        for (int j = 0; j <= i; j++) {
            double c = keep * cma->covariance[i][j] + one * cma->path[i] * cma->path[j] +
                       many * cross[i][j];
            cma->covariance[i][j] = cma->covariance[j][i] = c;
        }
}

/* <y> and sum w_i y_i y_i'; false when a sample is not finite. */
static int average(const tr_cma *cma, const double *const *samples, int count, double *step,
                   double (*cross)[TR_CMA_SIZE_MAX]) {
    double total = 0;
    for (int s = 0; s < count; s++)
        total += weight(s, count);
    for (int s = 0; s < count; s++) {
        double y[TR_CMA_SIZE_MAX], w = weight(s, count) / total;
        for (int i = 0; i < cma->size; i++) {
            y[i] = (samples[s][i] - cma->mean[i]) / cma->sigma;
            if (!isfinite(y[i]))
                return 0;
            step[i] += w * y[i];
            for (int j = 0; j <= i; j++)
                cross[i][j] += w * y[i] * y[j];
        }
    }
    return 1;
}

tr_status tr_cma_update(tr_cma *cma, const double *const *samples, int count) {
    if (count < 2)
        return TR_OK;
    tr_cma next = *cma;
    double step[TR_CMA_SIZE_MAX] = {0}, white[TR_CMA_SIZE_MAX];
    double cross[TR_CMA_SIZE_MAX][TR_CMA_SIZE_MAX] = {{0}};
    if (!average(cma, samples, count, step, cross))
        return TR_FAILED_PRECONDITION;
    strategy s = strategy_of(cma->size, count);
    whiten(cma, step, white);
    blend(next.step_path, white, cma->size, s.c_sigma,
          sqrt(s.c_sigma * (2 - s.c_sigma) * s.mu_eff));
    double length = norm(next.step_path, cma->size);
    int calm = is_calm(cma, &s, length);
    blend(next.path, step, cma->size, s.c_c, calm ? sqrt(s.c_c * (2 - s.c_c) * s.mu_eff) : 0);
    update_covariance(&next, &s, calm, cross);
    for (int i = 0; i < cma->size; i++)
        next.mean[i] += cma->sigma * step[i];
    next.sigma *= tr_exp(fmin(1, s.c_sigma / s.d_sigma * (length / s.expected_norm - 1)));
    if (!factorise(&next))
        return TR_FAILED_PRECONDITION;
    next.updates++;
    *cma = next;
    return TR_OK;
}
