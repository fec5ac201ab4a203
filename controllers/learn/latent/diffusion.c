#include "learn/latent/diffusion.h"

#include "learn/latent/gplvm_term.h"
#include "math/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Least squared distance that counts, and least probability. The latter is added, not clamped, so
 * that the value has a gradient where nothing is connected. */
static const double DISTANCE_MIN = 1e-8, PROBABILITY_MIN = 1e-16;
/* Eigenvectors with e^(beta lambda) below this change nothing. */
static const double SHARE_MIN = 1e-18;

/* The eigenvectors u_i of H are rows of `vector`; those that matter come last, from
 * `first_kept`. */
struct tr_diffusion {
    int count, first_kept;
    double *distance, *edge, *vector, *kernel, *work; /* [count][count] */
    double *root, *value, *share;                     /* [count] */
};

tr_status tr_diffusion_create(int count, tr_diffusion **out) {
    size_t n = (size_t)count, square = n * n;
    tr_diffusion *d = calloc(1, sizeof *d);
    double *block = d && count > 1 ? calloc(5 * square + 3 * n, sizeof *block) : NULL;
    if (!block) {
        free(d);
        return TR_RESOURCE_EXHAUSTED;
    }
    *d = (tr_diffusion){.count = count,
                        .distance = block,
                        .edge = block + square,
                        .vector = block + 2 * square,
                        .kernel = block + 3 * square,
                        .work = block + 4 * square,
                        .root = block + 5 * square,
                        .value = block + 5 * square + n,
                        .share = block + 5 * square + 2 * n};
    *out = d;
    return TR_OK;
}

void tr_diffusion_destroy(tr_diffusion *diffusion) {
    if (!diffusion)
        return;
    free(diffusion->distance);
    free(diffusion);
}

double tr_diffusion_gap(const tr_diffusion *diffusion) {
    return diffusion->value[diffusion->count - 2];
}

/* Fills the edges w_ij, r_i = T_ii^-1/2, and H in `vector`: H_ij = r_i r_j w_ij, H_ii = -1. */
static void make_walk(tr_diffusion *d, double exponent, int size, const double *x) {
    const int n = d->count;
    tr_gp_distances(n, size, x, d->distance);
    for (int i = 0; i < n; i++) {
        double total = 0;
        for (int j = 0; j < n; j++) {
            size_t at = (size_t)i * (size_t)n + (size_t)j;
            d->distance[at] = fmax(d->distance[at], DISTANCE_MIN);
            d->edge[at] = i == j ? 0 : pow(d->distance[at], -0.5 * exponent);
            total += d->edge[at];
        }
        d->root[i] = 1 / sqrt(total);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            size_t at = (size_t)i * (size_t)n + (size_t)j;
            d->vector[at] = i == j ? -1 : d->root[i] * d->root[j] * d->edge[at];
        }
}

/* Multiplies two matrices that are `count` wide, one of them transposed or not. */
static void multiply(const tr_diffusion *d, tr_product product, double *out) {
    product.a_stride = product.b_stride = product.out_stride = d->count;
    product.scale = 1;
    tr_linalg_multiply(&product, out);
}

/* Computes K = U^T e^(beta lambda) U over the kept rows U of `vector`; false: no eigenvalues. */
static bool make_kernel(tr_diffusion *d, double rate) {
    const int n = d->count;
    if (tr_linalg_eigen_symmetric(n, d->vector, d->value))
        return false;
    /* Eigenvalues ascend: those that matter form a block at the end. */
    d->first_kept = n - 1;
    for (int i = n - 1; i >= 0; i--) {
        d->share[i] = exp(rate * d->value[i]);
        if (d->share[i] > SHARE_MIN)
            d->first_kept = i;
    }
    const size_t offset = (size_t)d->first_kept * (size_t)n;
    /* K = U^T (e^(beta lambda) U). */
    for (int i = d->first_kept; i < n; i++)
        for (int j = 0; j < n; j++)
            d->work[i * n + j] = d->share[i] * d->vector[i * n + j];
    multiply(d,
             (tr_product){.rows = n,
                          .inner = n - d->first_kept,
                          .columns = n,
                          .a = d->vector + offset,
                          .b = d->work + offset,
                          .a_transposed = true},
             d->kernel);
    return true;
}

/* Returns Phi; `kernel` becomes its derivative by K, weight / K. */
static double sum_logarithms(tr_diffusion *d, double weight) {
    const size_t cells = (size_t)d->count * (size_t)d->count;
    double sum = 0;
    for (size_t i = 0; i < cells; i++) {
        double probability = fmax(d->kernel[i], 0) + PROBABILITY_MIN;
        sum += log(probability);
        d->kernel[i] = weight / probability;
    }
    return weight * sum;
}

/* Returns Q_ij = (e^(beta l_i) - e^(beta l_j)) / (l_i - l_j), beta e^(beta l_i) in the limit. */
static double quotient(const tr_diffusion *d, double rate, int i, int j) {
    double difference = d->value[i] - d->value[j];
    if (fabs(difference) < 1e-12)
        return rate * d->share[i];
    return (d->share[i] - d->share[j]) / difference;
}

/* M = dPhi/dH = U^T ((U D U^T) o Q) U with D = dPhi/dK. Q vanishes where neither eigenvector is
 * kept: with U_k the kept rows of U and B = (U_k D U^T) o Q, whose kept columns are halved,
 * M = M' + M'^T, M' = U_k^T B U. D is in `kernel`, where M' comes. */
static void pull_back_to_walk(tr_diffusion *d, double rate) {
    const int n = d->count, first = d->first_kept, kept = n - first;
    const double *chosen = d->vector + (size_t)first * (size_t)n;
    /* B = (U_k D U^T) o Q, with the kept columns halved. */
    multiply(d, (tr_product){.rows = kept, .inner = n, .columns = n, .a = chosen, .b = d->kernel},
             d->work);
    multiply(d,
             (tr_product){.rows = kept,
                          .inner = n,
                          .columns = n,
                          .a = d->work,
                          .b = d->vector,
                          .b_transposed = true},
             d->kernel);
    for (int i = 0; i < kept; i++)
        for (int j = 0; j < n; j++)
            d->kernel[i * n + j] *= (j < first ? 1 : 0.5) * quotient(d, rate, first + i, j);
    multiply(d,
             (tr_product){.rows = kept, .inner = n, .columns = n, .a = d->kernel, .b = d->vector},
             d->work);
    multiply(d,
             (tr_product){.rows = n,
                          .inner = kept,
                          .columns = n,
                          .a = chosen,
                          .b = d->work,
                          .a_transposed = true},
             d->kernel);
}

/* Turns M into the derivatives by |x_i - x_j|^2, in `work`:
 * S_ij = r_i r_j M_ij - (s_i + s_j) / 2,  s_i = sum_j M_ij r_i r_j w_ij / T_ii,
 * dPhi/d|x_i - x_j|^2 = S_ij (-p/2) w_ij / |x_i - x_j|^2. */
static void pull_back_to_distances(tr_diffusion *d, double exponent) {
    const int n = d->count;
    double *sum = d->share;
    for (int i = 0; i < n; i++) {
        sum[i] = 0;
        for (int j = 0; j < n; j++) {
            /* M = M' + M'^T. */
            double m = d->kernel[i * n + j] + d->kernel[j * n + i];
            d->work[i * n + j] = d->root[i] * d->root[j] * m;
            sum[i] += d->work[i * n + j] * d->edge[i * n + j];
        }
        sum[i] *= d->root[i] * d->root[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double distance = d->distance[i * n + j];
            double slope = (d->work[i * n + j] - 0.5 * (sum[i] + sum[j])) * -0.5 * exponent *
                           d->edge[i * n + j] / distance;
            /* A distance that was raised to the least has no slope. */
            d->work[i * n + j] = distance > DISTANCE_MIN ? slope : 0;
        }
}

double tr_diffusion_value(tr_diffusion *diffusion, const tr_diffusion_settings *settings, int size,
                          const double *x, double *out_slope) {
    make_walk(diffusion, settings->exponent, size, x);
    if (!make_kernel(diffusion, settings->rate))
        return (double)NAN;
    double value = sum_logarithms(diffusion, settings->weight);
    if (out_slope) {
        pull_back_to_walk(diffusion, settings->rate);
        pull_back_to_distances(diffusion, settings->exponent);
        tr_gp_pull(diffusion->count, size, diffusion->work, x, out_slope);
    }
    return value;
}
