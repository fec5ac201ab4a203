#include "learn/policy/onnx_network.h"

#include <math.h>
#include <onnx.pb-c.h>
#include <stdlib.h>
#include <string.h>

enum {
    FLOAT_TYPE = 1,
    DOUBLE_TYPE = 11,
    EXTERNAL = 1,
    VALUE_MAX = 1 << 23,
    PARTS_MAX = 4096,
    DEPTH_MAX = 64
};

/* A tensor's numbers as doubles. value: [rows][columns], owned; a vector is one row */
typedef struct constant {
    int rows, columns;
    double *value;
} constant;

/* at: name of the tensor that the chain has reached */
typedef struct parser {
    const char *file, *at;
    const Onnx__GraphProto *graph;
    const Onnx__NodeProto *node;
    int folded, depth; /* operations on constants */
    tr_layer_stack stack;
    tr_error *error;
} parser;

static const char *text_of(const char *text) {
    return text ? text : "";
}

static tr_status fail_node(const parser *p, const char *why) {
    return tr_fail(p->error, TR_INVALID_ARGUMENT, "%.120s: node '%.60s' (%.40s): %s", p->file,
                   text_of(p->node->name), text_of(p->node->op_type), why);
}

static const Onnx__TensorProto *find_initializer(const Onnx__GraphProto *graph, const char *name) {
    for (size_t i = 0; i < graph->n_initializer; i++)
        if (strcmp(text_of(graph->initializer[i]->name), name) == 0)
            return graph->initializer[i];
    return NULL;
}

/* Returns the node that gives a tensor, or NULL. */
static const Onnx__NodeProto *find_giver(const Onnx__GraphProto *graph, const char *name) {
    for (size_t i = 0; i < graph->n_node; i++)
        if (graph->node[i]->n_output > 0 && strcmp(graph->node[i]->output[0], name) == 0)
            return graph->node[i];
    return NULL;
}

/* Names a tensor that is not a constant, and the node that gives it. */
static tr_status fail_tensor(const parser *p, const char *tensor, const char *why) {
    const Onnx__NodeProto *giver = find_giver(p->graph, tensor);
    return tr_fail(p->error, TR_INVALID_ARGUMENT,
                   "%.120s: node '%.60s' (%.40s): tensor '%.60s'%s%.40s: %s", p->file,
                   text_of(p->node->name), text_of(p->node->op_type), tensor,
                   giver ? ", given by " : "", giver ? text_of(giver->op_type) : "", why);
}

/* Puts the node before a message of the layer stack. */
static tr_status at_node(const parser *p, tr_status status) {
    if (!status)
        return TR_OK;
    tr_error inner = *p->error;
    return tr_fail(p->error, status, "%.120s: node '%.60s' (%.40s): %.200s", p->file,
                   text_of(p->node->name), text_of(p->node->op_type), inner.message);
}

/* --- constants --- */

/* Finds rows and columns of a tensor; leading dimensions of 1 do not count. false: it is not a
 * matrix. */
static bool shape_of(const Onnx__TensorProto *tensor, constant *out) {
    size_t first = 0;
    while (tensor->n_dims - first > 2 && tensor->dims[first] == 1)
        first++;
    /* A vector is one row, a number a row of one. */
    int64_t shape[2] = {1, 1};
    size_t count = tensor->n_dims - first;
    for (size_t d = 0; d < count && count <= 2; d++)
        shape[2 - count + d] = tensor->dims[first + d];
    for (int d = 0; d < 2; d++)
        if (shape[d] < 1 || shape[d] > VALUE_MAX)
            return false;
    out->rows = (int)shape[0];
    out->columns = (int)shape[1];
    return count <= 2 && shape[0] * shape[1] <= VALUE_MAX;
}

/* Copies the numbers, wherever the tensor has them; false: not as many as its shape says. */
static bool copy_values(const Onnx__TensorProto *tensor, size_t count, double *out) {
    /* The numbers are raw bytes, or a list of the tensor's own type. */
    size_t number = tensor->data_type == FLOAT_TYPE ? sizeof(float) : sizeof(double);
    const void *data = tensor->has_raw_data      ? tensor->raw_data.data
                       : number == sizeof(float) ? (const void *)tensor->float_data
                                                 : (const void *)tensor->double_data;
    size_t size = tensor->has_raw_data      ? tensor->raw_data.len
                  : number == sizeof(float) ? tensor->n_float_data * number
                                            : tensor->n_double_data * number;
    if (size != count * number)
        return false;
    for (size_t i = 0; i < count; i++) {
        float single;
        if (number == sizeof(double))
            memcpy(&out[i], (const char *)data + i * number, number);
        else {
            memcpy(&single, (const char *)data + i * number, number);
            out[i] = (double)single;
        }
    }
    return true;
}

/* Takes memory for rows x columns numbers. */
static tr_status make_constant(const parser *p, int rows, int columns, constant *out) {
    *out = (constant){rows, columns, NULL};
    if ((int64_t)rows * columns <= VALUE_MAX)
        out->value = calloc((size_t)rows * (size_t)columns, sizeof *out->value);
    return out->value ? TR_OK
                      : tr_fail(p->error, TR_RESOURCE_EXHAUSTED, "%.120s: no memory", p->file);
}

static tr_status read_tensor(const parser *p, const Onnx__TensorProto *tensor, const char *name,
                             constant *out) {
    constant shape;
    if ((tensor->data_type != FLOAT_TYPE && tensor->data_type != DOUBLE_TYPE) ||
        tensor->data_location == EXTERNAL || !shape_of(tensor, &shape))
        return fail_tensor(p, name, "expected float or double matrices and vectors, in this file");
    tr_status status = make_constant(p, shape.rows, shape.columns, out);
    if (status)
        return status;
    if (copy_values(tensor, (size_t)out->rows * (size_t)out->columns, out->value))
        return TR_OK;
    free(out->value);
    out->value = NULL;
    return fail_tensor(p, name, "its data do not fill its shape");
}

static const Onnx__AttributeProto *attribute_of(const Onnx__NodeProto *node, const char *name) {
    for (size_t i = 0; i < node->n_attribute; i++)
        if (strcmp(text_of(node->attribute[i]->name), name) == 0)
            return node->attribute[i];
    return NULL;
}

static double float_attribute(const parser *p, const char *name, double otherwise) {
    const Onnx__AttributeProto *a = attribute_of(p->node, name);
    return a && a->has_f ? (double)a->f : otherwise;
}

static int64_t int_attribute(const parser *p, const char *name) {
    const Onnx__AttributeProto *a = attribute_of(p->node, name);
    return a && a->has_i ? a->i : 0;
}

/* --- constants that are computed in the graph --- */

static tr_status find_constant(parser *p, const char *name, constant *out);

static double add_numbers(double a, double b) {
    return a + b;
}
static double subtract_numbers(double a, double b) {
    return a - b;
}
static double multiply_numbers(double a, double b) {
    return a * b;
}
static double divide_numbers(double a, double b) {
    return a / b;
}
static double negate(double a) {
    return -a;
}
static double invert(double a) {
    return 1 / a;
}
static double keep(double a) {
    return a;
}

/* Operations on constants. Cast keeps the numbers: all are computed in double precision. */
static const struct {
    const char *name;
    double (*of_one)(double a);
    double (*of_two)(double a, double b);
} foldings[] = {{"Identity", keep, NULL},
                {"Cast", keep, NULL},
                {"Dropout", keep, NULL},
                {"Sqrt", sqrt, NULL},
                {"Abs", fabs, NULL},
                {"Exp", exp, NULL},
                {"Neg", negate, NULL},
                {"Reciprocal", invert, NULL},
                {"Add", NULL, add_numbers},
                {"Sub", NULL, subtract_numbers},
                {"Mul", NULL, multiply_numbers},
                {"Div", NULL, divide_numbers},
                {"Pow", NULL, pow},
                {"Max", NULL, fmax},
                {"Min", NULL, fmin}};

/* A row or column of one counts for all, as in NumPy. */
static double number_at(const constant *c, int row, int column) {
    return c->value[(size_t)(c->rows > 1 ? row : 0) * (size_t)c->columns +
                    (size_t)(c->columns > 1 ? column : 0)];
}

static tr_status combine(parser *p, const Onnx__NodeProto *node, const constant in[2],
                         double (*of_two)(double a, double b), constant *out) {
    const constant *a = &in[0], *b = &in[1];
    bool fits = (a->rows == b->rows || a->rows == 1 || b->rows == 1) &&
                (a->columns == b->columns || a->columns == 1 || b->columns == 1);
    if (!fits)
        return fail_tensor(p, node->output[0], "its operands have different shapes");
    tr_status status = make_constant(p, a->rows > b->rows ? a->rows : b->rows,
                                     a->columns > b->columns ? a->columns : b->columns, out);
    for (int r = 0; !status && r < out->rows; r++)
        for (int c = 0; c < out->columns; c++)
            out->value[(size_t)r * (size_t)out->columns + (size_t)c] =
                of_two(number_at(a, r, c), number_at(b, r, c));
    return status;
}

static tr_status fold_two(parser *p, const Onnx__NodeProto *node,
                          double (*of_two)(double a, double b), constant *out) {
    constant in[2] = {{0}};
    if (node->n_input != 2)
        return fail_tensor(p, node->output[0], "expected two operands");
    tr_status status = find_constant(p, node->input[0], &in[0]);
    if (!status)
        status = find_constant(p, node->input[1], &in[1]);
    if (!status)
        status = combine(p, node, in, of_two, out);
    free(in[0].value);
    free(in[1].value);
    return status;
}

static tr_status fold_one(parser *p, const Onnx__NodeProto *node, double (*of_one)(double a),
                          constant *out) {
    tr_status status = find_constant(p, node->n_input ? node->input[0] : "", out);
    for (size_t i = 0; !status && i < (size_t)out->rows * (size_t)out->columns; i++)
        out->value[i] = of_one(out->value[i]);
    return status;
}

/* Rows become columns, unless `perm` says that nothing moves. */
static tr_status fold_transpose(parser *p, const Onnx__NodeProto *node, constant *out) {
    const Onnx__AttributeProto *perm = attribute_of(node, "perm");
    constant in = {0};
    /* Without `perm` the axes change places. */
    bool moves = !perm || perm->n_ints < 2 || perm->ints[0] > perm->ints[1];
    tr_status status = find_constant(p, node->n_input ? node->input[0] : "", &in);
    if (!status && (!moves || (perm && perm->n_ints > 2))) {
        *out = in;
        return moves ? fail_tensor(p, node->output[0], "expected a matrix to transpose") : TR_OK;
    }
    if (!status)
        status = make_constant(p, in.columns, in.rows, out);
    for (int r = 0; !status && r < in.rows; r++)
        for (int c = 0; c < in.columns; c++)
            out->value[(size_t)c * (size_t)in.rows + (size_t)r] =
                in.value[(size_t)r * (size_t)in.columns + (size_t)c];
    free(in.value);
    return status;
}

/* Reads a node Constant: a tensor, a number or a list of numbers. */
static tr_status read_constant_node(parser *p, const Onnx__NodeProto *node, constant *out) {
    const Onnx__AttributeProto *a = node->n_attribute == 1 ? node->attribute[0] : NULL;
    if (a && a->t)
        return read_tensor(p, a->t, node->output[0], out);
    bool one = a && a->has_f;
    if (!a || (!one && a->n_floats == 0) || a->n_floats > VALUE_MAX)
        return fail_tensor(p, node->output[0], "expected value, value_float or value_floats");
    tr_status status = make_constant(p, 1, one ? 1 : (int)a->n_floats, out);
    for (int i = 0; !status && i < out->columns; i++)
        out->value[i] = (double)(one ? a->f : a->floats[i]);
    return status;
}

static tr_status fold(parser *p, const Onnx__NodeProto *node, constant *out) {
    const char *kind = text_of(node->op_type);
    if (strcmp(kind, "Constant") == 0)
        return read_constant_node(p, node, out);
    if (strcmp(kind, "Transpose") == 0)
        return fold_transpose(p, node, out);
    /* All others work number by number. */
    for (size_t i = 0; i < sizeof foldings / sizeof *foldings; i++)
        if (strcmp(kind, foldings[i].name) == 0)
            return foldings[i].of_one ? fold_one(p, node, foldings[i].of_one, out)
                                      : fold_two(p, node, foldings[i].of_two, out);
    return fail_tensor(p, node->output[0], "it is not a constant that can be computed here");
}

/* The caller frees out->value, also on failure. Operations are counted, as a few nodes can stand for very
 * many. */
static tr_status find_constant(parser *p, const char *name, constant *out) {
    const Onnx__TensorProto *tensor = *name ? find_initializer(p->graph, name) : NULL;
    const Onnx__NodeProto *giver = tensor || !*name ? NULL : find_giver(p->graph, name);
    if (tensor)
        return read_tensor(p, tensor, name, out);
    if (!giver)
        return fail_tensor(p, name,
                           "expected a constant beside the one tensor that a node works on");
    if (p->folded >= PARTS_MAX || p->depth >= DEPTH_MAX)
        return fail_tensor(p, name, "too many operations on constants");
    p->folded++;
    p->depth++;
    tr_status status = fold(p, giver, out);
    p->depth--;
    return status;
}

/* Finds a constant input of the node. The caller frees out->value. */
static tr_status get_constant(parser *p, size_t input, constant *out) {
    return find_constant(p, input < p->node->n_input ? p->node->input[input] : "", out);
}

/* --- operations --- */

static tr_status add_dense(parser *p, bool transposed) {
    constant w = {0};
    tr_status status = get_constant(p, 1, &w);
    if (!status)
        status = at_node(
            p, tr_layer_stack_dense(&p->stack, w.value, transposed ? w.columns : w.rows,
                                    transposed ? w.rows : w.columns, transposed, NULL, p->error));
    free(w.value);
    return status;
}

/* Finds how many numbers the tensor has that the chain has reached; before the first layer, those
 * that this takes. */
static tr_status find_width(parser *p, int *out) {
    *out = p->stack.width;
    /* Before the first layer, the first weight of the graph tells the number of inputs. */
    for (size_t i = 0; i < p->graph->n_node && *out == 0; i++) {
        const Onnx__NodeProto *node = p->graph->node[i];
        const char *kind = text_of(node->op_type);
        bool gemm = strcmp(kind, "Gemm") == 0;
        constant w = {0};
        if ((!gemm && strcmp(kind, "MatMul") != 0) || node->n_input < 2)
            continue;
        tr_status status = find_constant(p, node->input[1], &w);
        const Onnx__AttributeProto *turned = gemm ? attribute_of(node, "transB") : NULL;
        *out = turned && turned->i ? w.columns : w.rows;
        free(w.value);
        if (status)
            return status;
    }
    return TR_OK;
}

/* Adds x -> s x + t, where one constant for all numbers counts for each. */
static tr_status add_affine(parser *p, size_t input, bool scales, double (*change)(double)) {
    constant c = {0};
    int all = 0, width = 0;
    tr_status status = get_constant(p, input, &c);
    if (!status)
        status = find_width(p, &all);
    if (status) {
        free(c.value);
        return status;
    }
    /* A single number is repeated over the whole width. */
    bool one = c.rows == 1 && c.columns == 1 && all > 1;
    width = one ? all : c.columns;
    double *value = one ? malloc((size_t)width * sizeof *value) : c.value;
    if (!value)
        status = tr_fail(p->error, TR_RESOURCE_EXHAUSTED, "%.120s: no memory", p->file);
    else if (c.rows != 1)
        status = fail_node(p, "expected a vector");
    for (int i = 0; !status && i < width; i++)
        value[i] = change(c.value[one ? 0 : i]);
    if (!status)
        status = at_node(p, tr_layer_stack_affine(&p->stack, scales ? value : NULL,
                                                  scales ? NULL : value, width, p->error));
    if (one)
        free(value);
    free(c.value);
    return status;
}

static tr_status add_gemm(parser *p) {
    if (float_attribute(p, "alpha", 1) != 1 || float_attribute(p, "beta", 1) != 1 ||
        int_attribute(p, "transA"))
        return fail_node(p, "expected alpha 1, beta 1 and transA 0");
    tr_status status = add_dense(p, int_attribute(p, "transB") != 0);
    bool has_bias = p->node->n_input > 2 && p->node->input[2][0];
    return status || !has_bias ? status : add_affine(p, 2, false, keep);
}

static tr_status add_matmul(parser *p) {
    return add_dense(p, false);
}

/* Returns which input is the constant: it may stand on either side. */
static size_t constant_side(const parser *p) {
    return p->node->n_input > 1 && strcmp(p->node->input[1], p->at) == 0 ? 0 : 1;
}

static tr_status add_add(parser *p) {
    return add_affine(p, constant_side(p), false, keep);
}
static tr_status add_mul(parser *p) {
    return add_affine(p, constant_side(p), true, keep);
}
static tr_status add_sub(parser *p) {
    if (constant_side(p) == 0)
        return fail_node(p, "expected a constant to be taken away");
    return add_affine(p, 1, false, negate);
}
static tr_status add_div(parser *p) {
    if (constant_side(p) == 0)
        return fail_node(p, "expected a constant as the divisor");
    return add_affine(p, 1, true, invert);
}

/* Adds y = gain (x - mean) / sqrt(variance + epsilon) + bias: inputs 1 to 4 are gain, bias, mean,
 * variance. */
static tr_status add_normalisation(parser *p) {
    constant c[4] = {{0}};
    tr_status status = TR_OK;
    double epsilon = float_attribute(p, "epsilon", (double)1e-5F);
    for (size_t i = 0; !status && i < 4; i++) {
        status = get_constant(p, i + 1, &c[i]);
        if (!status && (c[i].rows != 1 || c[i].columns != c[0].columns))
            status = fail_node(p, "expected four vectors of one length");
    }
    /* As s x + t, with t = bias - s mean. */
    for (int i = 0; !status && i < c[0].columns; i++) {
        double scale = c[0].value[i] / sqrt(c[3].value[i] + epsilon);
        c[0].value[i] = scale;
        c[1].value[i] -= scale * c[2].value[i];
    }
    if (!status)
        status = at_node(
            p, tr_layer_stack_affine(&p->stack, c[0].value, c[1].value, c[0].columns, p->error));
    for (int i = 0; i < 4; i++)
        free(c[i].value);
    return status;
}

static tr_status add_relu(parser *p) {
    return at_node(p, tr_layer_stack_activate(&p->stack, TR_ACTIVATION_RELU, p->error));
}
static tr_status add_tanh(parser *p) {
    return at_node(p, tr_layer_stack_activate(&p->stack, TR_ACTIVATION_TANH, p->error));
}
static tr_status add_elu(parser *p) {
    if (float_attribute(p, "alpha", 1) != 1)
        return fail_node(p, "expected alpha 1");
    return at_node(p, tr_layer_stack_activate(&p->stack, TR_ACTIVATION_ELU, p->error));
}
static tr_status pass(parser *p) {
    (void)p;
    return TR_OK;
}

static const struct {
    const char *name;
    tr_status (*add)(parser *p);
} operations[] = {
    {"Gemm", add_gemm}, {"MatMul", add_matmul},
    {"Add", add_add},   {"Sub", add_sub},
    {"Mul", add_mul},   {"Div", add_div},
    {"Relu", add_relu}, {"Elu", add_elu},
    {"Tanh", add_tanh}, {"BatchNormalization", add_normalisation},
    {"Identity", pass}, {"Flatten", pass},
    {"Dropout", pass},
};

/* --- the chain --- */

static tr_status add_node(parser *p) {
    bool default_domain = !p->node->domain || !p->node->domain[0];
    for (size_t i = 0; default_domain && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(text_of(p->node->op_type), operations[i].name) == 0)
            return operations[i].add(p);
    return fail_node(p, "expected Gemm, MatMul, Add, Sub, Mul, Div, BatchNormalization, Relu, Elu "
                        "or Tanh");
}

static bool takes(const Onnx__NodeProto *node, const char *tensor) {
    for (size_t i = 0; i < node->n_input; i++)
        if (strcmp(node->input[i], tensor) == 0)
            return true;
    return false;
}

/* Finds the node that works on the tensor reached. The graph is sorted, so it follows the last
 * one. */
static tr_status next_node(parser *p, size_t *at) {
    for (; *at < p->graph->n_node; ++*at)
        if (takes(p->graph->node[*at], p->at)) {
            p->node = p->graph->node[(*at)++];
            return p->node->n_output >= 1 ? TR_OK
                                          : tr_fail(p->error, TR_INVALID_ARGUMENT,
                                                    "%.120s: a node without output", p->file);
        }
    return tr_fail(p->error, TR_INVALID_ARGUMENT,
                   "%.120s: no node works on '%.60s'; expected a chain to the output", p->file,
                   p->at);
}

static tr_status follow(parser *p) {
    const char *found = NULL;
    int count = 0;
    for (size_t i = 0; i < p->graph->n_input; i++)
        if (!find_initializer(p->graph, text_of(p->graph->input[i]->name))) {
            found = text_of(p->graph->input[i]->name);
            count++;
        }
    p->at = count == 1 ? found : NULL;
    if (!p->at || p->graph->n_output != 1)
        return tr_fail(p->error, TR_INVALID_ARGUMENT, "%.120s: expected one input and one output",
                       p->file);
    const char *end = text_of(p->graph->output[0]->name);
    tr_status status = TR_OK;
    /* Node after node, from the input to the output. */
    for (size_t at = 0; !status && strcmp(p->at, end) != 0;) {
        status = next_node(p, &at);
        if (!status)
            status = add_node(p);
        if (!status)
            p->at = p->node->output[0];
    }
    return status;
}

static tr_status copy_description(const Onnx__ModelProto *model, char **out, tr_error *error) {
    for (size_t i = 0; i < model->n_metadata_props; i++)
        if (strcmp(text_of(model->metadata_props[i]->key), "troupe") == 0) {
            *out = strdup(text_of(model->metadata_props[i]->value));
            return *out ? TR_OK : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
        }
    return TR_OK;
}

static tr_status parse_model(const Onnx__ModelProto *model, const char *name, tr_perceptron *out,
                             char **out_description, tr_error *error) {
    tr_error inner = {0};
    parser p = {.file = name, .graph = model->graph, .error = error ? error : &inner};
    if (!p.graph)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.120s: the model has no graph", name);
    /* Names are found by linear searches, which these limits keep short. */
    if (p.graph->n_node > PARTS_MAX || p.graph->n_initializer > PARTS_MAX ||
        p.graph->n_input > PARTS_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "%.120s: expected at most %d nodes, initializers and inputs each", name,
                       PARTS_MAX);
    tr_status status = follow(&p);
    if (!status)
        status = tr_layer_stack_finish(&p.stack, out, p.error);
    if (!status)
        status = copy_description(model, out_description, p.error);
    if (status)
        tr_perceptron_deinit(out);
    tr_layer_stack_deinit(&p.stack);
    return status;
}

tr_status tr_onnx_parse(const void *data, size_t size, const char *name, tr_perceptron *out,
                        char **out_description, tr_error *error) {
    tr_perceptron network = {0};
    *out_description = NULL;
    Onnx__ModelProto *model = onnx__model_proto__unpack(NULL, size, data);
    if (!model)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.120s: not an ONNX model", name);
    tr_status status = parse_model(model, name, &network, out_description, error);
    onnx__model_proto__free_unpacked(model, NULL);
    if (!status)
        *out = network;
    return status;
}
