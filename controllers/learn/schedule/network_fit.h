/* Trains a network: gradients by back-propagation, which Adam follows (Kingma and Ba 2015; b1 = 0.9,
 * b2 = 0.999, epsilon 1e-6).
 *
 * The loops have a fixed order: the same bits on every processor. One thread at a time. */
#pragma once

#include "control/scheduler/network.h"
#include "learn/method/blocks.h"
#include "math/random.h"

/* network:      to be trained; borrowed
 * m, v:         averages of the gradient and of its square, [weights]
 * gradient:     of the last backward pass, [weights]
 * activation:   of the last forward pass; [l]: [rows][width[l]], l = 0: the inputs
 * decay1, decay2: b1 and b2 to the number of steps
 * delta, turned: scratch */
typedef struct tr_network_fit {
    tr_network *network;
    int rows;
    float *m, *v, *gradient;
    double decay1, decay2;
    float *activation[TR_NETWORK_LAYER_MAX + 1];
    float *delta[2], *turned;
} tr_network_fit;

/* rows: of a batch. TR_RESOURCE_EXHAUSTED. */
tr_status tr_network_fit_init(tr_network_fit *out, tr_network *network, int rows) TR_NODISCARD;
void tr_network_fit_deinit(tr_network_fit *fit); /* of zeros is fine */

/* What a checkpoint holds of it, without the network. */
void tr_network_fit_list(tr_network_fit *fit, tr_blocks *b);

/* Draws weights from normal distributions of variance 2 / inputs of the layer (1 / inputs in the
 * last); biases 0, of the outputs `output_bias`. */
void tr_network_draw(tr_network *network, tr_random *random, float output_bias);

/* Computes the outputs of `rows` inputs, [rows][outputs]; they live until the next call. */
const float *tr_network_fit_forward(tr_network_fit *fit, const float *input);

/* Computes the gradient of the sum over rows and outputs of error * output, at the last forward
 * pass. error: [rows][outputs] */
void tr_network_fit_backward(tr_network_fit *fit, const float *error);

/* Makes a step against the gradient. */
void tr_network_fit_step(tr_network_fit *fit, double rate);
