/* A multilayer perceptron, evaluated forwards.
 *
 *   x_0 = input;  x_l+1 = f_l(x_l W_l + b_l)
 *
 * Double precision, by loops of a fixed order: a sum begins with the bias and runs over the inputs
 * from first to last. With the functions of math/elementary.h, all processors give the same bits;
 * client/python/troupe/policy.py computes them too.
 *
 * Functions are pure except init and deinit; thread-safe. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { TR_PERCEPTRON_LAYER_MAX = 8, TR_PERCEPTRON_WIDTH_MAX = 2048 };

/* x -> x;  max(0, x);  x > 0 ? x : e^x - 1;  tanh x */
typedef enum tr_activation {
    TR_ACTIVATION_NONE,
    TR_ACTIVATION_RELU,
    TR_ACTIVATION_ELU,
    TR_ACTIVATION_TANH,
    TR_ACTIVATION_COUNT
} tr_activation;

/* "none", "relu", "elu" or "tanh", a literal. find: false: no activation has the name. */
const char *tr_activation_name(tr_activation activation);
bool tr_activation_find(const char *name, tr_activation *out);

/* layers:     of weights
 * width:      [layers + 1], inputs first, outputs last
 * activation: [layers]
 * weight:     layer after layer: W [width[l]][width[l + 1]], then b [width[l + 1]] */
typedef struct tr_perceptron {
    int layers;
    int width[TR_PERCEPTRON_LAYER_MAX + 1];
    tr_activation activation[TR_PERCEPTRON_LAYER_MAX];
    double *weight;
} tr_perceptron;

/* Are there 1 to TR_PERCEPTRON_LAYER_MAX layers, and all widths from 1 to
 * TR_PERCEPTRON_WIDTH_MAX? */
bool tr_perceptron_shape_is_valid(const tr_perceptron *shape);

/* Number of weights of all layers; offset of the first weight of one layer. */
size_t tr_perceptron_weight_count(const tr_perceptron *shape);
size_t tr_perceptron_layer_offset(const tr_perceptron *shape, int layer);

/* Weights of zero, in the shape of another network, whose own weights are not read.
 * TR_INVALID_ARGUMENT: the shape is not valid; TR_RESOURCE_EXHAUSTED. */
tr_status tr_perceptron_init(tr_perceptron *out, const tr_perceptron *shape) TR_NODISCARD;
void tr_perceptron_deinit(tr_perceptron *network); /* of zeros is fine */

/* input: [width[0]]; out: [width[layers]], apart from input. Takes 32 KiB of stack. */
void tr_perceptron_forward(const tr_perceptron *network, const double *input, double *out);
