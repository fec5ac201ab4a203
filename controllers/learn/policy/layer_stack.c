#include "learn/policy/layer_stack.h"

#include <stdlib.h>
#include <string.h>

void tr_layer_stack_deinit(tr_layer_stack *stack) {
    for (int l = 0; l < stack->count; l++) {
        free(stack->layer[l].w);
        free(stack->layer[l].b);
    }
    free(stack->scale);
    free(stack->offset);
    *stack = (tr_layer_stack){0};
}

static tr_status no_memory(tr_error *error) {
    return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a layer");
}

static tr_layer *last(tr_layer_stack *stack) {
    return stack->count ? &stack->layer[stack->count - 1] : NULL;
}

/* Adds a layer of zeros on top. */
static tr_status push(tr_layer_stack *stack, int in, int out, tr_error *error) {
    if (stack->count == TR_PERCEPTRON_LAYER_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "more than %d layers", TR_PERCEPTRON_LAYER_MAX);
    if (in < 1 || in > TR_PERCEPTRON_WIDTH_MAX || out < 1 || out > TR_PERCEPTRON_WIDTH_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "a layer of %d inputs and %d outputs; expected 1 to %d", in, out,
                       TR_PERCEPTRON_WIDTH_MAX);
    if (stack->width && in != stack->width)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "a layer of %d inputs after one of %d outputs; a weight is [inputs][outputs]", in,
            stack->width);
    tr_layer layer = {.in = in, .out = out};
    layer.w = calloc((size_t)in * (size_t)out, sizeof *layer.w);
    layer.b = calloc((size_t)out, sizeof *layer.b);
    if (!layer.w || !layer.b) {
        free(layer.w);
        free(layer.b);
        return no_memory(error);
    }
    stack->layer[stack->count++] = layer;
    stack->width = out;
    return TR_OK;
}

/* The waiting affine operation becomes part of the layer that follows it:
 * (s x + t) W + b = x (s W) + (t W + b). */
static void fold_into_next(tr_layer_stack *stack, tr_layer *layer) {
    for (int i = 0; stack->scale && i < layer->in; i++)
        for (int c = 0; c < layer->out; c++) {
            double *w = &layer->w[i * layer->out + c];
            layer->b[c] += stack->offset[i] * *w;
            *w *= stack->scale[i];
        }
    free(stack->scale);
    free(stack->offset);
    stack->scale = stack->offset = NULL;
}

tr_status tr_layer_stack_dense(tr_layer_stack *stack, const double *w, int in, int out,
                               bool transposed, const double *b, tr_error *error) {
    tr_status status = push(stack, in, out, error);
    if (status)
        return status;
    tr_layer *layer = last(stack);
    for (int i = 0; i < in; i++)
        for (int c = 0; c < out; c++)
            layer->w[i * out + c] = transposed ? w[c * in + i] : w[i * out + c];
    if (b)
        memcpy(layer->b, b, (size_t)out * sizeof *b);
    fold_into_next(stack, layer);
    return TR_OK;
}

/* Begins or continues the waiting operation. */
static tr_status wait_for_layer(tr_layer_stack *stack, const double *scale, const double *offset,
                                tr_error *error) {
    size_t width = (size_t)stack->width;
    if (!stack->scale) {
        stack->scale = malloc(width * sizeof *stack->scale);
        stack->offset = calloc(width, sizeof *stack->offset);
        if (!stack->scale || !stack->offset)
            return no_memory(error);
        for (size_t i = 0; i < width; i++)
            stack->scale[i] = 1;
    }
    for (size_t i = 0; i < width; i++) {
        double s = scale ? scale[i] : 1;
        stack->scale[i] *= s;
        stack->offset[i] = s * stack->offset[i] + (offset ? offset[i] : 0);
    }
    return TR_OK;
}

tr_status tr_layer_stack_affine(tr_layer_stack *stack, const double *scale, const double *offset,
                                int width, tr_error *error) {
    if (width < 1 || width > TR_PERCEPTRON_WIDTH_MAX || (stack->width && width != stack->width))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%d numbers are added or multiplied where the layer before has %d", width,
                       stack->width);
    stack->width = width;
    /* An operation after an activation must wait for the next layer. */
    tr_layer *layer = last(stack);
    if (!layer || layer->has_activation)
        return wait_for_layer(stack, scale, offset, error);
    for (int c = 0; c < layer->out; c++) {
        double s = scale ? scale[c] : 1;
        for (int i = 0; i < layer->in; i++)
            layer->w[i * layer->out + c] *= s;
        layer->b[c] = s * layer->b[c] + (offset ? offset[c] : 0);
    }
    return TR_OK;
}

/* Adds a layer that returns its inputs, for an operation without a neighbouring dense layer. */
static tr_status push_identity(tr_layer_stack *stack, tr_error *error) {
    if (!stack->width)
        return tr_fail(error, TR_INVALID_ARGUMENT, "the network has no layer");
    tr_status status = push(stack, stack->width, stack->width, error);
    if (status)
        return status;
    tr_layer *layer = last(stack);
    for (int i = 0; i < layer->in; i++)
        layer->w[i * layer->out + i] = 1;
    fold_into_next(stack, layer);
    return TR_OK;
}

tr_status tr_layer_stack_activate(tr_layer_stack *stack, tr_activation activation,
                                  tr_error *error) {
    tr_layer *layer = last(stack);
    tr_status status = !layer || layer->has_activation ? push_identity(stack, error) : TR_OK;
    if (status)
        return status;
    layer = last(stack);
    layer->activation = activation;
    layer->has_activation = activation != TR_ACTIVATION_NONE;
    return TR_OK;
}

tr_status tr_layer_stack_finish(tr_layer_stack *stack, tr_perceptron *out, tr_error *error) {
    /* An operation that still waits needs a layer of its own. */
    tr_status status = stack->scale || !stack->count ? push_identity(stack, error) : TR_OK;
    if (status)
        return status;
    tr_perceptron shape = {.layers = stack->count, .width = {stack->layer[0].in}};
    for (int l = 0; l < stack->count; l++) {
        shape.width[l + 1] = stack->layer[l].out;
        shape.activation[l] = stack->layer[l].activation;
    }
    if (tr_perceptron_init(out, &shape))
        return no_memory(error);
    for (int l = 0; l < stack->count; l++) {
        const tr_layer *layer = &stack->layer[l];
        double *at = out->weight + tr_perceptron_layer_offset(out, l);
        size_t count = (size_t)layer->in * (size_t)layer->out;
        memcpy(at, layer->w, count * sizeof *at);
        memcpy(at + count, layer->b, (size_t)layer->out * sizeof *at);
    }
    return TR_OK;
}
