/* A network as files describe it, one operation after another, made into a perceptron.
 *
 *   dense        x -> x W + b
 *   affine       x -> s x + t, number by number: normalisation, or a bias that stands alone
 *   activation   of the layer before it
 *
 * An affine operation becomes part of the dense layer before it, if that has no activation, else of
 * the one after it; only where it has neither does it become a layer. No state beside the stack. */
#pragma once

#include "control/policy/perceptron.h"

/* w: [in][out], b: [out]; owned */
typedef struct tr_layer {
    int in, out;
    double *w, *b;
    bool has_activation;
    tr_activation activation;
} tr_layer;

/* width:  of what the last operation gives; 0: no operation yet
 * scale, offset: [width] of an affine operation that waits for a layer; NULL: none waits */
typedef struct tr_layer_stack {
    int count, width;
    tr_layer layer[TR_PERCEPTRON_LAYER_MAX];
    double *scale, *offset;
} tr_layer_stack;

void tr_layer_stack_deinit(tr_layer_stack *stack);

/* Each of these copies its numbers. TR_INVALID_ARGUMENT: too many layers, a width that does not fit
 * or is above TR_PERCEPTRON_WIDTH_MAX; TR_RESOURCE_EXHAUSTED. The message does not name the file.
 * w: [in][out], or [out][in] if `transposed`; b: [out] or NULL */
tr_status tr_layer_stack_dense(tr_layer_stack *stack, const double *w, int in, int out,
                               bool transposed, const double *b, tr_error *error) TR_NODISCARD;
/* scale: [width] or NULL: 1; offset: [width] or NULL: 0 */
tr_status tr_layer_stack_affine(tr_layer_stack *stack, const double *scale, const double *offset,
                                int width, tr_error *error) TR_NODISCARD;
tr_status tr_layer_stack_activate(tr_layer_stack *stack, tr_activation activation,
                                  tr_error *error) TR_NODISCARD;

/* Makes the network of all operations. */
tr_status tr_layer_stack_finish(tr_layer_stack *stack, tr_perceptron *out,
                                tr_error *error) TR_NODISCARD;
