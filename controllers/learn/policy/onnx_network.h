/* Networks in ONNX files: a chain of Gemm, MatMul, Add, Sub, Mul, Div, BatchNormalization, Relu, Elu
 * and Tanh from the graph's one input to its one output; Identity, Flatten and Dropout pass their
 * input on. Weights are float or double, in the file itself. onnx.proto is the schema.
 *
 * Numbers of normalisation become part of the weights of the next layer (layer_stack.h). */
#pragma once

#include "learn/policy/layer_stack.h"

/* name: for messages. *out_description: the metadata "troupe", terminated, or NULL: the model has no
 * such metadata; the caller frees it. TR_INVALID_ARGUMENT: the message names the node or tensor. */
tr_status tr_onnx_parse(const void *data, size_t size, const char *name, tr_perceptron *out,
                        char **out_description, tr_error *error) TR_NODISCARD;
