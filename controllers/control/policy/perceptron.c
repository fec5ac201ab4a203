#include "control/policy/perceptron.h"

#include "math/elementary.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[TR_ACTIVATION_COUNT] = {"none", "relu", "elu", "tanh"};

const char *tr_activation_name(tr_activation activation) {
    return names[activation];
}

bool tr_activation_find(const char *name, tr_activation *out) {
    for (int i = 0; i < TR_ACTIVATION_COUNT; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (tr_activation)i;
            return true;
        }
    return false;
}

bool tr_perceptron_shape_is_valid(const tr_perceptron *shape) {
    bool valid = shape->layers >= 1 && shape->layers <= TR_PERCEPTRON_LAYER_MAX;
    for (int l = 0; valid && l <= shape->layers; l++)
        valid = shape->width[l] >= 1 && shape->width[l] <= TR_PERCEPTRON_WIDTH_MAX;
    return valid;
}

size_t tr_perceptron_layer_offset(const tr_perceptron *shape, int layer) {
    size_t offset = 0;
    for (int l = 0; l < layer; l++)
        offset += (size_t)(shape->width[l] + 1) * (size_t)shape->width[l + 1];
    return offset;
}

size_t tr_perceptron_weight_count(const tr_perceptron *shape) {
    return tr_perceptron_layer_offset(shape, shape->layers);
}

tr_status tr_perceptron_init(tr_perceptron *out, const tr_perceptron *shape) {
    if (!tr_perceptron_shape_is_valid(shape))
        return TR_INVALID_ARGUMENT;
    size_t count = tr_perceptron_weight_count(shape);
    double *weight = count ? calloc(count, sizeof *weight) : NULL;
    if (!weight)
        return TR_RESOURCE_EXHAUSTED;
    *out = *shape;
    out->weight = weight;
    return TR_OK;
}

void tr_perceptron_deinit(tr_perceptron *network) {
    free(network->weight);
    *network = (tr_perceptron){0};
}

static double activate(tr_activation activation, double x) {
    switch (activation) {
    case TR_ACTIVATION_RELU:
        return x > 0 ? x : 0;
    case TR_ACTIVATION_ELU:
        return x > 0 ? x : tr_exp(x) - 1;
    case TR_ACTIVATION_TANH:
        return tr_tanh(x);
    default:
        return x;
    }
}

static void forward_layer(const tr_perceptron *network, int layer, const double *in, double *out) {
    const int inner = network->width[layer], columns = network->width[layer + 1];
    const double *row = network->weight + tr_perceptron_layer_offset(network, layer);
    /* y = f(W x + b): the row behind the weights holds b. */
    memcpy(out, row + (size_t)inner * (size_t)columns, (size_t)columns * sizeof *out);
    /* The order of this sum is fixed, so that all processors give the same bits. */
    for (int i = 0; i < inner; i++, row += columns)
        for (int c = 0; c < columns; c++)
            out[c] += in[i] * row[c];
    for (int c = 0; c < columns; c++)
        out[c] = activate(network->activation[layer], out[c]);
}

void tr_perceptron_forward(const tr_perceptron *network, const double *input, double *out) {
    double value[2][TR_PERCEPTRON_WIDTH_MAX];
    const double *in = input;
    for (int l = 0; l < network->layers; l++) {
        /* Layers write into two buffers in turn, the last one into the output. */
        double *next = l + 1 == network->layers ? out : value[l % 2];
        forward_layer(network, l, in, next);
        in = next;
    }
}
