#include "learn/latent/gplvm_term.h"
#include "math/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tr_status tr_gp_room_init(tr_gp_room *out, int count, int inputs, int outputs) {
    size_t n = (size_t)count, square = n * n, channels = n * (size_t)outputs,
           coordinates = n * (size_t)inputs;
    double *block =
        calloc(5 * square + 3 * channels + (size_t)outputs + 2 * coordinates, sizeof *block);
    int *groups = calloc((size_t)outputs + 1, sizeof *groups);
    if (!block || !groups) {
        free(block);
        free(groups);
        return TR_RESOURCE_EXHAUSTED;
    }
    double *matrix = block, *rows = block + 5 * square;
    *out = (tr_gp_room){.distance = matrix,
                        .other_distance = matrix + square,
                        .shape = matrix + 2 * square,
                        .inverse = matrix + 3 * square,
                        .slope = matrix + 4 * square,
                        .target = rows,
                        .solved = rows + channels,
                        .scaled = rows + 2 * channels,
                        .weight = rows + 3 * channels,
                        .input = rows + 3 * channels + outputs,
                        .input_slope = rows + 3 * channels + outputs + coordinates,
                        .groups = groups};
    return TR_OK;
}

void tr_gp_room_deinit(tr_gp_room *room) {
    free(room->distance);
    free(room->groups);
    *room = (tr_gp_room){0};
}

void tr_gp_distances(int count, int size, const double *x, double *out) {
    for (int i = 0; i < count; i++) {
        out[(size_t)i * (size_t)count + (size_t)i] = 0;
        for (int j = 0; j < i; j++) {
            double sum = 0;
            for (int d = 0; d < size; d++) {
                double e = x[i * size + d] - x[j * size + d];
                sum += e * e;
            }
            out[(size_t)i * (size_t)count + (size_t)j] = sum;
            out[(size_t)j * (size_t)count + (size_t)i] = sum;
        }
    }
}

void tr_gp_pull(int count, int size, const double *slope, const double *x, double *out) {
    /* slope is symmetric: d/dx_i sum_ij S_ij |x_i - x_j|^2 = 4 sum_j S_ij (x_i - x_j). */
    for (int i = 0; i < count; i++, slope += count)
        for (int j = 0; j < count; j++)
            for (int d = 0; d < size; d++)
                out[i * size + d] += 4 * slope[j] * (x[i * size + d] - x[j * size + d]);
}

/* Computes W^2 of each channel from the forms y^T K^-1 y; returns the value without the
 * determinant. */
static double weigh(const tr_gp_likelihood *l, const double *form, double *weight) {
    double value = 0;
    for (int g = 0; g < l->group_count; g++) {
        int from = l->groups[g], to = l->groups[g + 1], channels = to - from;
        double sum = 0;
        for (int k = from; k < to; k++)
            sum += form[k];
        /* In closed form given K: w_k^2 = N / (y_k^T K^-1 y_k), for a group together. */
        double square = (double)l->count * channels / sum;
        for (int k = from; k < to; k++)
            weight[k] = square;
        value += 0.5 * l->count * channels * (log(square) - 1);
    }
    for (int k = 0; l->group_count == 0 && k < l->outputs; k++) {
        weight[k] = 1;
        value -= 0.5 * form[k];
    }
    return value;
}

/* Computes y_k^T K^-1 y_k of each channel; solved: K^-1 Y. out: [outputs]. */
static void make_forms(const tr_gp_likelihood *l, const double *solved, double *out) {
    memset(out, 0, (size_t)l->outputs * sizeof *out);
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < l->outputs; k++)
            out[k] += l->target[i * l->outputs + k] * solved[i * l->outputs + k];
}

double tr_gp_likelihood_of(const tr_gp_likelihood *l, tr_gp_room *room) {
    const int n = l->count, d = l->outputs;
    double log_det;
    if (tr_linalg_invert_spd(n, room->inverse, &log_det))
        return (double)NAN;
    /* A = K^-1 Y. */
    const tr_product solve = {.rows = n,
                              .inner = n,
                              .columns = d,
                              .a = room->inverse,
                              .b = l->target,
                              .a_stride = n,
                              .b_stride = d,
                              .out_stride = d,
                              .scale = 1};
    tr_linalg_multiply(&solve, room->solved);
    make_forms(l, room->solved, room->scaled);
    double value = weigh(l, room->scaled, room->weight) - 0.5 * d * log_det;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < d; k++)
            room->scaled[i * d + k] = room->weight[k] * room->solved[i * d + k];
    /* dL/dK = (A W^2 A^T - d K^-1) / 2. */
    memcpy(room->slope, room->inverse, (size_t)n * (size_t)n * sizeof *room->slope);
    const tr_product slope = {.rows = n,
                              .inner = d,
                              .columns = n,
                              .a = room->scaled,
                              .b = room->solved,
                              .a_stride = d,
                              .b_stride = d,
                              .out_stride = n,
                              .b_transposed = true,
                              .scale = 0.5,
                              .keep = -0.5 * d};
    tr_linalg_multiply(&slope, room->slope);
    return value;
}
