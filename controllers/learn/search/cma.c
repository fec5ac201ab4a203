#include "learn/search/cma.h"

#include "math/elementary.h"

#include <stdlib.h>
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

/* Returns the published constants for dimension n (Hansen 2006). */
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
    /* c_cov has a share for the rank-one update along p_c and one for the rank-mu update. */
    double one = 2 / ((n + sqrt(2.0)) * (n + sqrt(2.0)));
    double many = fmin(1, (2 * s.mu_eff - 1) / ((n + 2) * (n + 2) + s.mu_eff));
    s.c_cov = one / s.mu_eff + (1 - 1 / s.mu_eff) * many;
    /* E|N(0, I)|, to the second order in 1/n. */
    s.expected_norm = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    return s;
}

/* --- memory --- */

static size_t number_count(int size) {
    size_t n = (size_t)size;
    return n * (3 + 2 * n);
}

static void place(tr_cma *cma, double *block) {
    size_t n = (size_t)cma->size;
    cma->mean = block;
    cma->path = block + n;
    cma->step_path = block + 2 * n;
    cma->covariance = block + 3 * n;
    cma->factor = block + 3 * n + n * n;
}

tr_status tr_cma_init(tr_cma *cma, int size, double sigma, const double *scale) {
    if (size < 1 || size > TR_CMA_SIZE_MAX)
        return TR_INVALID_ARGUMENT;
    double *block = calloc(number_count(size), sizeof *block);
    if (!block)
        return TR_RESOURCE_EXHAUSTED;
    cma->size = size;
    place(cma, block);
    tr_cma_reset(cma, sigma, scale);
    return TR_OK;
}

void tr_cma_deinit(tr_cma *cma) {
    free(cma->mean);
    memset(cma, 0, sizeof *cma);
}

void tr_cma_reset(tr_cma *cma, double sigma, const double *scale) {
    int n = cma->size;
    memset(cma->mean, 0, number_count(n) * sizeof(double));
    cma->updates = 0;
    cma->sigma = sigma;
    for (int i = 0; i < n; i++) {
        double side = scale ? scale[i] : 1;
        cma->factor[i * n + i] = side;
        cma->covariance[i * n + i] = side * side;
    }
}

/* --- a generation --- */

void tr_cma_sample(const tr_cma *cma, tr_random *random, double *out) {
    double z[TR_CMA_SIZE_MAX];
    for (int i = 0; i < cma->size; i++) {
        z[i] = tr_random_normal(random);
        double y = 0;
        for (int j = 0; j <= i; j++)
            y += cma->factor[i * cma->size + j] * z[j];
        out[i] = cma->mean[i] + cma->sigma * y;
    }
}

/* Makes factor A with A A' = C (Cholesky); false when C is not positive definite. */
static bool factorise(int n, const double *covariance, double *factor) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = covariance[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= factor[i * n + k] * factor[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            factor[i * n + j] = i == j ? sqrt(sum) : sum / factor[j * n + j];
        }
    return true;
}

/* Solves A x = b by forward substitution. */
static void whiten(const tr_cma *cma, const double *b, double *x) {
    for (int i = 0; i < cma->size; i++) {
        const double *row = cma->factor + (ptrdiff_t)i * cma->size;
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= row[j] * x[j];
        x[i] /= row[i];
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

/* Is p_sigma at most as long as chance alone makes it after g generations? This is h above. The
 * root is for the first generations, in which the path has not yet its full length. */
static int is_calm(const tr_cma *cma, const strategy *s, double length) {
    double left = 1;
    for (int i = 0; i < 2 * (cma->updates + 1) && left > 1e-16; i++)
        left *= 1 - s->c_sigma;
    return length / sqrt(1 - left) < (1.4 + 2.0 / (cma->size + 1)) * s->expected_norm;
}

/* What one generation computes: the next distribution, and scratch. */
typedef struct generation {
    tr_cma next;
    double step[TR_CMA_SIZE_MAX];  /* <y> */
    double white[TR_CMA_SIZE_MAX]; /* A^-1 <y> */
    double *cross;                 /* [n][n], sum w_i y_i y_i' */
} generation;

static void update_covariance(generation *g, const strategy *s, int calm) {
    tr_cma *cma = &g->next;
    double one = s->c_cov / s->mu_eff, many = s->c_cov * (1 - 1 / s->mu_eff);
    /* While h is 0, p_c lacks its newest step; the second term makes up for the variance it
     * lacks. */
    double keep = 1 - s->c_cov + (calm ? 0 : one * s->c_c * (2 - s->c_c));
    for (int i = 0; i < cma->size; i++)
        for (int j = 0; j <= i; j++) {
            double *at = &cma->covariance[i * cma->size + j];
            double c =
                keep * *at + one * cma->path[i] * cma->path[j] + many * g->cross[i * cma->size + j];
            *at = cma->covariance[j * cma->size + i] = c;
        }
}

/* Computes <y> and sum w_i y_i y_i'; false when a sample is not finite. */
static bool average(generation *g, const double *const *samples, int count) {
    const tr_cma *cma = &g->next;
    double total = 0;
    for (int s = 0; s < count; s++)
        total += weight(s, count);
    for (int s = 0; s < count; s++) {
        double y[TR_CMA_SIZE_MAX], w = weight(s, count) / total;
        for (int i = 0; i < cma->size; i++) {
            y[i] = (samples[s][i] - cma->mean[i]) / cma->sigma;
            if (!isfinite(y[i]))
                return false;
            g->step[i] += w * y[i];
            for (int j = 0; j <= i; j++)
                g->cross[i * cma->size + j] += w * y[i] * y[j];
        }
    }
    return true;
}

static tr_status advance(generation *g, const double *const *samples, int count) {
    tr_cma *next = &g->next;
    if (!average(g, samples, count))
        return TR_FAILED_PRECONDITION;
    /* These are the updates at the top of this file, in the order in which they need each other. */
    strategy s = strategy_of(next->size, count);
    whiten(next, g->step, g->white);
    blend(next->step_path, g->white, next->size, s.c_sigma,
          sqrt(s.c_sigma * (2 - s.c_sigma) * s.mu_eff));
    double length = norm(next->step_path, next->size);
    int calm = is_calm(next, &s, length);
    blend(next->path, g->step, next->size, s.c_c, calm ? sqrt(s.c_c * (2 - s.c_c) * s.mu_eff) : 0);
    update_covariance(g, &s, calm);
    for (int i = 0; i < next->size; i++)
        next->mean[i] += next->sigma * g->step[i];
    /* The step size grows at most e-fold in a generation, however lucky the path. */
    next->sigma *= tr_exp(fmin(1, s.c_sigma / s.d_sigma * (length / s.expected_norm - 1)));
    next->updates++;
    return factorise(next->size, next->covariance, next->factor) ? TR_OK : TR_FAILED_PRECONDITION;
}

tr_status tr_cma_update(tr_cma *cma, const double *const *samples, int count) {
    if (count < 2)
        return TR_OK;
    size_t n = (size_t)cma->size, numbers = number_count(cma->size);
    generation *g = calloc(1, sizeof *g);
    double *block = calloc(numbers + n * n, sizeof *block);
    tr_status status = g && block ? TR_OK : TR_RESOURCE_EXHAUSTED;
    /* Work on a copy, so that a failure leaves the distribution unchanged. */
    if (!status) {
        memcpy(block, cma->mean, numbers * sizeof *block);
        g->next = *cma;
        place(&g->next, block);
        g->cross = block + numbers;
        status = advance(g, samples, count);
    }
    if (!status) {
        memcpy(cma->mean, block, numbers * sizeof *block);
        cma->sigma = g->next.sigma;
        cma->updates = g->next.updates;
    }
    free(block);
    free(g);
    return status;
}

/* --- checkpoints --- */

void tr_cma_list(tr_cma *cma, tr_blocks *blocks) {
    tr_block(blocks, "search", &cma->updates, sizeof cma->updates);
    tr_block(blocks, "search", &cma->sigma, sizeof cma->sigma);
    tr_block(blocks, "search", cma->mean, number_count(cma->size) * sizeof(double));
}
