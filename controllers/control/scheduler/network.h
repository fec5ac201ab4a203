/* A fully connected network of rectified linear units, evaluated forwards (Liu 2017, section 4.4).
 *
 *   x_0 = input;  x_l+1 = max(0, x_l W_l + b_l), the last layer without the maximum
 *
 * Float, by loops of a fixed order: a sum runs over the inputs from first to last, and vector units
 * only work on several outputs side by side. So all processors give the same bits.
 *
 * Functions are pure except init and deinit; thread-safe. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TR_NETWORK_LAYER_MAX = 4, TR_NETWORK_WIDTH_MAX = 1024 };

/* layers: of weights
 * width:  [layers + 1], inputs first, outputs last
 * weight: layer after layer: W [width[l]][width[l + 1]], then b [width[l + 1]] */
typedef struct tr_network {
    int layers;
    int width[TR_NETWORK_LAYER_MAX + 1];
    float *weight;
} tr_network;

/* Are there 1 to TR_NETWORK_LAYER_MAX layers, and all widths from 1 to TR_NETWORK_WIDTH_MAX? */
bool tr_network_shape_is_valid(const tr_network *shape);

/* Number of weights of all layers; offset of the first weight of one layer. */
size_t tr_network_weight_count(const tr_network *shape);
size_t tr_network_layer_offset(const tr_network *shape, int layer);

/* Weights of zero, in the shape of another network, whose own weights are not read.
 * TR_INVALID_ARGUMENT: the shape is not valid; TR_RESOURCE_EXHAUSTED. */
tr_status tr_network_init(tr_network *out, const tr_network *shape) TR_NODISCARD;
tr_status tr_network_copy(tr_network *out, const tr_network *network) TR_NODISCARD;
/* Takes the weights of a network of the same shape. */
void tr_network_take(tr_network *network, const tr_network *from);
void tr_network_deinit(tr_network *network); /* of zeros is fine */

/* Covers shape and weights. */
uint64_t tr_network_hash(const tr_network *network, uint64_t hash);

/* The first weight that is not finite; -1: all are. */
int64_t tr_network_find_broken(const tr_network *network);

/* Writes and reads it within a section. get: a network of zeros after bytes that are missing or out of
 * bounds, which closing the section reports. TR_RESOURCE_EXHAUSTED. */
struct tr_section_writer;
struct tr_section_reader;
void tr_network_put(const tr_network *network, struct tr_section_writer *writer);
tr_status tr_network_get(struct tr_section_reader *reader, tr_network *out) TR_NODISCARD;

/* input: [width[0]]; out: [width[layers]]. */
void tr_network_forward(const tr_network *network, const float *input, float *out);

/* One layer on several inputs: in: [rows][width[layer]], out: [rows][width[layer + 1]]. */
void tr_network_layer(const tr_network *network, int layer, int rows, const float *in, float *out);

/* Index of the largest; the first of equal ones. count > 0. */
int tr_network_largest(const float *value, int count);

/* out [rows][columns] += a [rows][inner] b [inner][columns]; zeros in `a` are skipped quickly. */
typedef struct tr_network_product {
    int rows, inner, columns;
    const float *a, *b;
    float *out;
} tr_network_product;
void tr_network_multiply(const tr_network_product *product);
