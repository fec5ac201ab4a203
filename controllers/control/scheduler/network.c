#include "control/fields/sections.h"
#include "control/scheduler/network_kernel.h"
#include "math/hash.h"
#include "math/instructions.h"

#include <math.h>
#include <stdatomic.h>
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
    size_t count = tr_network_weight_count(shape);
    float *weight = count ? calloc(count, sizeof *weight) : NULL;
    if (!weight)
        return TR_RESOURCE_EXHAUSTED;
    *out = *shape;
    out->weight = weight;
    return TR_OK;
}

tr_status tr_network_copy(tr_network *out, const tr_network *network) {
    tr_status status = tr_network_init(out, network);
    if (!status)
        tr_network_take(out, network);
    return status;
}

void tr_network_take(tr_network *network, const tr_network *from) {
    memcpy(network->weight, from->weight, tr_network_weight_count(from) * sizeof *from->weight);
}

void tr_network_deinit(tr_network *network) {
    free(network->weight);
    *network = (tr_network){0};
}

/* --- stored --- */

uint64_t tr_network_hash(const tr_network *network, uint64_t hash) {
    hash = tr_hash_add(hash, network->width, ((size_t)network->layers + 1) * sizeof(int));
    return tr_hash_add(hash, network->weight,
                       tr_network_weight_count(network) * sizeof *network->weight);
}

int64_t tr_network_find_broken(const tr_network *network) {
    const size_t count = tr_network_weight_count(network);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(network->weight[i]))
            return (int64_t)i;
    return -1;
}

void tr_network_put(const tr_network *network, tr_section_writer *writer) {
    tr_section_put_int(writer, network->layers);
    for (int l = 0; l <= network->layers; l++)
        tr_section_put_int(writer, network->width[l]);
    tr_section_put_bytes(writer, network->weight,
                         tr_network_weight_count(network) * sizeof *network->weight);
}

/* The weights fill the rest of the section: memory is taken only for weights that exist. */
tr_status tr_network_get(tr_section_reader *reader, tr_network *out) {
    tr_network shape = {.layers = (int)tr_section_get_int(reader, 1, TR_NETWORK_LAYER_MAX)};
    for (int l = 0; l <= shape.layers; l++)
        shape.width[l] = (int)tr_section_get_int(reader, 1, TR_NETWORK_WIDTH_MAX);
    size_t size = tr_network_weight_count(&shape) * sizeof *shape.weight;
    const unsigned char *bytes = tr_byte_reader_take(&reader->source, size);
    tr_status status = bytes ? tr_network_init(out, &shape) : TR_DATA_LOSS;
    if (!status)
        memcpy(out->weight, bytes, size);
    return status == TR_RESOURCE_EXHAUSTED ? status : TR_OK;
}

/* --- evaluating --- */

void tr_network_multiply(const tr_network_product *product) {
    static _Atomic(tr_network_multiply_fn *) chosen;
    tr_network_multiply_fn *multiply = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (!multiply) {
        multiply = tr_network_multiply_sse2;
#if defined(__x86_64__)
        if (strcmp(tr_instructions_choose(), "avx2") == 0)
            multiply = tr_network_multiply_avx2;
#endif
        atomic_store_explicit(&chosen, multiply, memory_order_relaxed);
    }
    multiply(product);
}

void tr_network_layer(const tr_network *network, int layer, int rows, const float *in, float *out) {
    const int inner = network->width[layer], columns = network->width[layer + 1];
    const float *weight = network->weight + tr_network_layer_offset(network, layer);
    const float *bias = weight + (size_t)inner * (size_t)columns;
    for (int r = 0; r < rows; r++)
        memcpy(out + (size_t)r * (size_t)columns, bias, (size_t)columns * sizeof *out);
    tr_network_multiply(&(tr_network_product){rows, inner, columns, in, weight, out});
    /* Hidden layers are rectified, the last one is not. */
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
