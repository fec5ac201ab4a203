#include "control/scheduler/network.h"

#include <stdlib.h>
#include <string.h>

bool tr_network_shape_is_valid(const tr_network *shape) {
    bool valid = shape->layers >= 1 && shape->layers <= TR_NETWORK_LAYER_MAX;
    for (int l = 0; valid && l <= shape->layers; l++)
        valid = shape->width[l] >= 1 && shape->width[l] <= TR_NETWORK_WIDTH_MAX;
    return valid;
}

size_t tr_network_layer_offset(const tr_network *shape, int layer) {
    size_t offset = 0;
    for (int l = 0; l < layer; l++)
        offset += (size_t)(shape->width[l] + 1) * (size_t)shape->width[l + 1];
    return offset;
}

size_t tr_network_weight_count(const tr_network *shape) {
    return tr_network_layer_offset(shape, shape->layers);
}

tr_status tr_network_init(tr_network *out, const tr_network *shape) {
    if (!tr_network_shape_is_valid(shape))
        return TR_INVALID_ARGUMENT;
    float *weight = calloc(tr_network_weight_count(shape), sizeof *weight);
    if (!weight)
        return TR_RESOURCE_EXHAUSTED;
    *out = *shape;
    out->weight = weight;
    return TR_OK;
}

void tr_network_deinit(tr_network *network) {
    free(network->weight);
    *network = (tr_network){0};
}

/* out += f0 b0 + f1 b1 + ..., one after the other: the order of a plain sum, with fewer loads. */
enum { TOGETHER = 4 };

static void add_rows(const float factor[TOGETHER], const float *b, int columns,
                     float *restrict out) {
    const float f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
    const float *restrict b0 = b, *restrict b1 = b0 + columns, *restrict b2 = b1 + columns,
                          *restrict b3 = b2 + columns;
    if (f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0)
        return;
    for (int c = 0; c < columns; c++)
        out[c] = (((out[c] + f0 * b0[c]) + f1 * b1[c]) + f2 * b2[c]) + f3 * b3[c];
}

static void add_row(float factor, const float *restrict b, int columns, float *restrict out) {
    if (factor == 0)
        return;
    for (int c = 0; c < columns; c++)
        out[c] += factor * b[c];
}

void tr_network_multiply(const tr_network_product *p) {
    for (int r = 0; r < p->rows; r++) {
        const float *a = p->a + (size_t)r * (size_t)p->inner, *b = p->b;
        float *out = p->out + (size_t)r * (size_t)p->columns;
        int k = 0;
        for (; k + TOGETHER <= p->inner; k += TOGETHER, b += TOGETHER * p->columns)
            add_rows(a + k, b, p->columns, out);
        for (; k < p->inner; k++, b += p->columns)
            add_row(a[k], b, p->columns, out);
    }
}

void tr_network_layer(const tr_network *network, int layer, int rows, const float *in, float *out) {
    const int inner = network->width[layer], columns = network->width[layer + 1];
    const float *weight = network->weight + tr_network_layer_offset(network, layer);
    const float *bias = weight + (size_t)inner * (size_t)columns;
    for (int r = 0; r < rows; r++)
        memcpy(out + (size_t)r * (size_t)columns, bias, (size_t)columns * sizeof *out);
    tr_network_multiply(&(tr_network_product){rows, inner, columns, in, weight, out});
    if (layer + 1 == network->layers)
        return;
    for (size_t i = 0; i < (size_t)rows * (size_t)columns; i++)
        out[i] = out[i] > 0 ? out[i] : 0;
}

void tr_network_forward(const tr_network *network, const float *input, float *out) {
    float value[2][TR_NETWORK_WIDTH_MAX];
    const float *in = input;
    for (int l = 0; l < network->layers; l++) {
        float *next = l + 1 == network->layers ? out : value[l % 2];
        tr_network_layer(network, l, 1, in, next);
        in = next;
    }
}

int tr_network_largest(const float *value, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (value[i] > value[best])
            best = i;
    return best;
}
