#include "learn/schedule/network_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ADAM_DECAY_1 = 0.9, ADAM_DECAY_2 = 0.999;
static const float ADAM_FLOOR = 1e-6f;

static int widest(const tr_network *network) {
    int most = 0;
    for (int l = 0; l <= network->layers; l++)
        most = network->width[l] > most ? network->width[l] : most;
    return most;
}

static float *room(size_t count) {
    return count ? calloc(count, sizeof(float)) : NULL;
}

tr_status tr_network_fit_init(tr_network_fit *out, tr_network *network, int rows) {
    size_t weights = tr_network_weight_count(network), most = (size_t)widest(network);
    size_t side = most > (size_t)rows ? most : (size_t)rows;
    tr_network_fit fit = {.network = network, .rows = rows, .decay1 = 1, .decay2 = 1};
    fit.m = room(weights);
    fit.v = room(weights);
    fit.gradient = room(weights);
    fit.turned = room(most * side);
    bool whole = fit.m && fit.v && fit.gradient && fit.turned;
    for (int i = 0; i < 2; i++) {
        fit.delta[i] = room((size_t)rows * most);
        whole &= fit.delta[i] != NULL;
    }
    for (int l = 0; l <= network->layers; l++) {
        fit.activation[l] = room((size_t)rows * (size_t)network->width[l]);
        whole &= fit.activation[l] != NULL;
    }
    if (!whole) {
        tr_network_fit_deinit(&fit);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = fit;
    return TR_OK;
}

void tr_network_fit_deinit(tr_network_fit *fit) {
    free(fit->m);
    free(fit->v);
    free(fit->gradient);
    free(fit->turned);
    for (int i = 0; i < 2; i++)
        free(fit->delta[i]);
    for (int l = 0; l <= TR_NETWORK_LAYER_MAX; l++)
        free(fit->activation[l]);
    *fit = (tr_network_fit){0};
}

void tr_network_fit_list(tr_network_fit *fit, tr_blocks *b) {
    const size_t size = tr_network_weight_count(fit->network) * sizeof(float);
    tr_block(b, "mean gradient", fit->m, size);
    tr_block(b, "mean square", fit->v, size);
    tr_block(b, "decay", &fit->decay1, sizeof fit->decay1);
    tr_block(b, "decay", &fit->decay2, sizeof fit->decay2);
}

void tr_network_draw(tr_network *network, tr_random *random, float output_bias) {
    for (int l = 0; l < network->layers; l++) {
        bool last = l + 1 == network->layers;
        size_t products = (size_t)network->width[l] * (size_t)network->width[l + 1];
        float *weight = network->weight + tr_network_layer_offset(network, l);
        /* He et al. 2015: the variance 2 / n keeps the size of signals through ReLUs. */
        double spread = sqrt((last ? 1.0 : 2.0) / network->width[l]);
        for (size_t i = 0; i < products; i++)
            weight[i] = (float)(spread * tr_random_normal(random));
        for (int i = 0; i < network->width[l + 1]; i++)
            weight[products + (size_t)i] = last ? output_bias : 0;
    }
}

const float *tr_network_fit_forward(tr_network_fit *fit, const float *input) {
    const tr_network *network = fit->network;
    memcpy(fit->activation[0], input,
           (size_t)fit->rows * (size_t)network->width[0] * sizeof *input);
    for (int l = 0; l < network->layers; l++)
        tr_network_layer(network, l, fit->rows, fit->activation[l], fit->activation[l + 1]);
    return fit->activation[network->layers];
}

/* Turns from: [rows][columns] into out: [columns][rows]. */
static void transpose(int rows, int columns, const float *from, float *out) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            out[c * rows + r] = from[r * columns + c];
}

/* Computes dE/dW = x^T d and dE/db = sum of d, over the rows. */
static void weight_gradient(tr_network_fit *fit, int layer, const float *delta) {
    const tr_network *network = fit->network;
    int inner = network->width[layer], columns = network->width[layer + 1];
    float *gradient = fit->gradient + tr_network_layer_offset(network, layer);
    float *bias = gradient + (size_t)inner * (size_t)columns;
    memset(gradient, 0, (size_t)(inner + 1) * (size_t)columns * sizeof *gradient);
    transpose(fit->rows, inner, fit->activation[layer], fit->turned);
    tr_network_multiply(
        &(tr_network_product){inner, fit->rows, columns, fit->turned, delta, gradient});
    for (int r = 0; r < fit->rows; r++)
        for (int c = 0; c < columns; c++)
            bias[c] += delta[r * columns + c];
}

/* Computes d_l = d_l+1 W^T, where the unit was active. */
static void pass_back(tr_network_fit *fit, int layer, const float *delta, float *out) {
    const tr_network *network = fit->network;
    int inner = network->width[layer], columns = network->width[layer + 1];
    size_t count = (size_t)fit->rows * (size_t)inner;
    memset(out, 0, count * sizeof *out);
    transpose(inner, columns, network->weight + tr_network_layer_offset(network, layer),
              fit->turned);
    tr_network_multiply(&(tr_network_product){fit->rows, columns, inner, delta, fit->turned, out});
    for (size_t i = 0; i < count; i++)
        out[i] = fit->activation[layer][i] > 0 ? out[i] : 0;
}

void tr_network_fit_backward(tr_network_fit *fit, const float *error) {
    const float *delta = error;
    for (int l = fit->network->layers - 1; l >= 0; l--) {
        weight_gradient(fit, l, delta);
        if (l > 0)
            pass_back(fit, l, delta, fit->delta[l % 2]);
        delta = fit->delta[l % 2];
    }
}

void tr_network_fit_step(tr_network_fit *fit, double rate) {
    size_t count = tr_network_weight_count(fit->network);
    float *weight = fit->network->weight;
    fit->decay1 *= ADAM_DECAY_1;
    fit->decay2 *= ADAM_DECAY_2;
    /* Both means began at 0: the rate makes up for that. */
    const float pace = (float)(rate * sqrt(1 - fit->decay2) / (1 - fit->decay1));
    const float keep1 = (float)ADAM_DECAY_1, keep2 = (float)ADAM_DECAY_2;
    for (size_t i = 0; i < count; i++) {
        const float g = fit->gradient[i];
        fit->m[i] = keep1 * fit->m[i] + (1 - keep1) * g;
        fit->v[i] = keep2 * fit->v[i] + (1 - keep2) * g * g;
        weight[i] -= pace * fit->m[i] / (sqrtf(fit->v[i]) + ADAM_FLOOR);
    }
}
