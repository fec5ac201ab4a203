#include "learn/policy/policy_file.h"

#include "learn/policy/onnx_network.h"
#include "motion/scan/npz.h"
#include "proto/json_text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STEP_MIN_S = 0.0005, STEP_MAX_S = 0.02;

/* A file being taken apart. network: of an ONNX file; npz: of the other kind */
typedef struct source {
    const char *name;
    const tr_model *model;
    bool is_npz;
    tr_npz npz;
    tr_perceptron network;
    char *description;
    json_t *root;
} source;

static tr_status fail_field(const source *s, tr_error *error, const char *field,
                            const char *expected) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%.120s: description: %s: expected %s", s->name,
                   field, expected);
}

/* --- fields of the description --- */

/* Returns the field as a number; `otherwise` where it is missing, NAN where it is something
 * else. */
static double get_number(const source *s, const char *field, double otherwise) {
    json_t *value = json_object_get(s->root, field);
    return !value ? otherwise : json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool copy_text(const json_t *value, const char *otherwise, char out[static TR_NAME_MAX]) {
    const char *text = value ? json_string_value(value) : otherwise;
    return text && (size_t)snprintf(out, TR_NAME_MAX, "%s", text) < TR_NAME_MAX;
}

static tr_status read_timing(const source *s, tr_policy_import *out, tr_error *error) {
    double period = get_number(s, "period_steps", (double)NAN);
    out->step_s = get_number(s, "step_s", 0.005);
    if (!(period >= 1 && period <= TR_AGENT_PERIOD_MAX) || period != floor(period))
        return fail_field(s, error, "period_steps",
                          "steps from one decision to the next, 1 to 200");
    if (!(out->step_s >= STEP_MIN_S && out->step_s <= STEP_MAX_S))
        return fail_field(s, error, "step_s", "seconds of a step, 0.0005 to 0.02");
    out->agent->period_steps = (int)period;
    /* Without a name the model's first gains are taken. */
    if (!copy_text(json_object_get(s->root, "gains"), s->model->gain_set[0].name,
                   out->agent->gain_set))
        return fail_field(s, error, "gains", "the name of gains of the model");
    if (!copy_text(json_object_get(s->root, "skill"), "policy", out->skill) || !out->skill[0])
        return fail_field(s, error, "skill", "a name of 1 to 47 bytes");
    return TR_OK;
}

static bool add_row(tr_observation *out, tr_observation_row row) {
    for (int i = 0; i < out->count; i++)
        if (out->row[i] == row)
            return false;
    out->row[out->count++] = row;
    return true;
}

static bool add_named(tr_observation *out, const char *name) {
    tr_observation_row row;
    bool added = true;
    if (strcmp(name, "body_state") != 0)
        return tr_observation_find(name, &row) && add_row(out, row);
    /* body_state stands for all rows up to the phase. */
    for (int i = 0; i <= TR_SEES_PHASE; i++)
        added = added && add_row(out, (tr_observation_row)i);
    return added;
}

static tr_status read_observation(const source *s, tr_observation *out, tr_error *error) {
    json_t *list = json_object_get(s->root, "observation");
    *out = (tr_observation){0};
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (!name || !add_named(out, name))
            return fail_field(s, error, "observation",
                              "body_state, root_height, root_rot, root_vel, root_omega, joint_rot, "
                              "joint_rate, phase, facing, contacts or target, each once");
    }
    if (!out->count)
        return fail_field(s, error, "observation", "a list of names, such as [\"body_state\"]");
    return TR_OK;
}

static tr_status read_joints(const source *s, tr_agent *out, tr_error *error) {
    json_t *list = json_object_get(s->root, "joints");
    size_t count = json_array_size(list);
    /* Joints are kept in the model's order, in which the names must come too. */
    for (int body = 1; body < s->model->body_count; body++)
        for (size_t i = 0; i < count; i++) {
            const char *name = json_string_value(json_array_get(list, i));
            if (name && strcmp(name, s->model->body[body].name) == 0) {
                out->joint[out->joint_count++] = body;
                break;
            }
        }
    if (count < 1 || out->joint_count != (int)count)
        return fail_field(s, error, "joints",
                          "a list of bodies of the model without its root, each once");
    for (size_t i = 0; i < count; i++)
        if (strcmp(json_string_value(json_array_get(list, i)),
                   s->model->body[out->joint[i]].name) != 0)
            return fail_field(s, error, "joints", "bodies in the order of the model");
    out->action_size = tr_agent_count_actions(s->model, out->joint, out->joint_count);
    if (out->action_size > TR_AGENT_ACTION_MAX)
        return fail_field(s, error, "joints", "joints of at most 64 numbers together");
    return TR_OK;
}

static tr_status read_actions(const source *s, tr_agent *out, tr_error *error) {
    json_t *scale = json_object_get(s->root, "scale");
    /* A single number scales all actions. */
    bool list = json_is_array(scale);
    if (list && json_array_size(scale) != (size_t)out->action_size)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.120s: description: scale: %zu numbers; expected %d, or one for all",
                       s->name, json_array_size(scale), out->action_size);
    for (int i = 0; i < out->action_size; i++) {
        json_t *value = list ? json_array_get(scale, (size_t)i) : scale;
        if (value && !json_is_number(value))
            return fail_field(s, error, "scale", "numbers, rad");
        out->scale[i] = value ? json_number_value(value) : 1;
    }
    const double memory = get_number(s, "memory", 0);
    if (!(memory >= 0 && memory <= TR_AGENT_MEMORY_MAX) || memory != floor(memory))
        return fail_field(s, error, "memory", "numbers that it remembers, 0 to 64");
    out->memory = (int)memory;
    out->input_limit = get_number(s, "input_limit", TR_AGENT_LIMIT_MAX);
    out->action_limit = get_number(s, "action_limit", TR_AGENT_LIMIT_MAX);
    return TR_OK;
}

/* --- arrays --- */

static tr_status fail_array(const source *s, tr_error *error, const char *name,
                            const tr_npz_array *array, const char *expected) {
    char shape[TR_NPZ_SHAPE_TEXT_MAX];
    return tr_fail(error, TR_INVALID_ARGUMENT, "%.120s: array %s: %s; expected %s", s->name, name,
                   array ? tr_npz_shape_text(array, shape) : "missing", expected);
}

/* Reads mean and spread of the observation: [inputs], where the file has them. */
static tr_status read_normalisation(const source *s, int inputs, tr_agent *out, tr_error *error) {
    static const char *const names[] = {"mean", "spread"};
    char expected[64];
    snprintf(expected, sizeof expected, "%d, the size of the observation", inputs);
    for (int i = 0; i < 2; i++) {
        const tr_npz_array *array = tr_npz_find(&s->npz, names[i]);
        if (array && (array->dimensions != 1 || array->shape[0] != (size_t)inputs))
            return fail_array(s, error, names[i], array, expected);
        if (array)
            memcpy(i ? out->spread : out->mean, array->value, array->size * sizeof(double));
    }
    return TR_OK;
}

/* Reads one layer of W0, b0, W1, b1, ...: [in][out] and [out]. */
static tr_status read_layer(const source *s, int layer, int in, tr_layer_stack *stack,
                            tr_error *error) {
    char w_name[16], b_name[16], expected[64];
    /* Layer l has the arrays Wl and bl. */
    snprintf(w_name, sizeof w_name, "W%d", layer);
    snprintf(b_name, sizeof b_name, "b%d", layer);
    const tr_npz_array *w = tr_npz_find(&s->npz, w_name), *b = tr_npz_find(&s->npz, b_name);
    snprintf(expected, sizeof expected, "%d x outputs, at most %d of them", in,
             TR_PERCEPTRON_WIDTH_MAX);
    if (!w || w->dimensions != 2 || w->shape[0] != (size_t)in || w->shape[1] < 1 ||
        w->shape[1] > TR_PERCEPTRON_WIDTH_MAX)
        return fail_array(s, error, w_name, w, expected);
    int out = (int)w->shape[1];
    snprintf(expected, sizeof expected, "%d, as %s has outputs", out, w_name);
    if (!b || b->dimensions != 1 || b->shape[0] != (size_t)out)
        return fail_array(s, error, b_name, b, expected);
    return tr_layer_stack_dense(stack, w->value, in, out, false, b->value, error);
}

static tr_status read_layers(const source *s, int inputs, tr_layer_stack *stack, tr_error *error) {
    json_t *list = json_object_get(s->root, "activation");
    int count = (int)json_array_size(list), width = inputs;
    if (count < 1 || count > TR_PERCEPTRON_LAYER_MAX)
        return fail_field(s, error, "activation", "a name for each of 1 to 8 layers");
    for (int l = 0; l < count; l++) {
        const char *name = json_string_value(json_array_get(list, (size_t)l));
        tr_activation activation;
        if (!name || !tr_activation_find(name, &activation))
            return fail_field(s, error, "activation", "none, relu, elu or tanh for each layer");
        tr_status status = read_layer(s, l, width, stack, error);
        if (!status)
            status = tr_layer_stack_activate(stack, activation, error);
        if (status)
            return status;
        width = stack->width;
    }
    return TR_OK;
}

/* Refuses an array that nothing would use. */
static tr_status check_arrays(const source *s, int layers, tr_error *error) {
    for (int i = 0; i < s->npz.count; i++) {
        const char *name = s->npz.array[i].name;
        bool is =
            (name[0] == 'W' || name[0] == 'b') && name[1] >= '0' && name[1] <= '9' && !name[2];
        int layer = is ? name[1] - '0' : -1;
        bool known = strcmp(name, "mean") == 0 || strcmp(name, "spread") == 0 ||
                     strcmp(name, "reference") == 0;
        if (!known && layer < 0)
            return tr_fail(
                error, TR_INVALID_ARGUMENT,
                "%.120s: array %.80s: unknown; expected W0, b0, W1, ..., mean, spread or "
                "reference",
                s->name, name);
        if (layer >= layers)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%.120s: array %s: there is no layer %d: `activation` names %d", s->name,
                           name, layer, layers);
    }
    return TR_OK;
}

static tr_status read_network(source *s, int inputs, tr_agent *out, tr_error *error) {
    tr_layer_stack stack = {0};
    tr_status status =
        check_arrays(s, (int)json_array_size(json_object_get(s->root, "activation")), error);
    if (!status)
        status = read_normalisation(s, inputs, out, error);
    if (!status)
        status = read_layers(s, inputs + out->memory, &stack, error);
    if (!status)
        status = tr_layer_stack_finish(&stack, &out->network, error);
    tr_layer_stack_deinit(&stack);
    return status;
}

static tr_status check_sizes(const source *s, int inputs, const tr_agent *agent, tr_error *error) {
    const tr_perceptron *network = &agent->network;
    int in = network->width[0], out = network->width[network->layers];
    if (in != inputs + agent->memory)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "%.120s: the network has %d inputs, the observation %d numbers, its memory %d", s->name,
            in, inputs, agent->memory);
    if (out != agent->action_size + 2 * agent->memory)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "%.120s: the network has %d outputs, the joints take %d numbers, its memory %d",
            s->name, out, agent->action_size, 2 * agent->memory);
    return TR_OK;
}

/* --- the reference motion --- */

static tr_quat quat_at(const double *value) {
    return tr_quat_normalize((tr_quat){value[0], value[1], value[2], value[3]});
}

/* Returns the pose of a row: position and rotation of the root, rotations of the joints. */
static tr_pose pose_of(const tr_model *model, const double *row) {
    tr_pose pose = {.root_pos = {row[0], row[1], row[2]}, .root_rot = quat_at(row + 3)};
    pose.joint[0] = tr_quat_identity();
    for (int b = 1; b < model->body_count; b++)
        pose.joint[b] = quat_at(row + 7 + 4 * (b - 1));
    return pose;
}

static tr_status read_frames(const source *s, const tr_npz_array *array, double decision_s,
                             tr_agent *out, tr_error *error) {
    const tr_model *model = s->model;
    for (size_t i = 0; i < array->size; i++)
        if (!(fabs(array->value[i]) < 1e3))
            return fail_array(s, error, "reference", array, "metres and unit quaternions");
    int count = out->entry_count, last = count - 1;
    for (int e = 0; e < count; e++) {
        tr_pose pose[3];
        /* The first and the last frame take their rates from the frame beside them. */
        int middle = e < 1 || count < 3 ? 1 : e < last ? e : last - 1;
        for (int k = 0; k < 3 && count >= 3; k++)
            pose[k] = pose_of(model, array->value + (size_t)(middle - 1 + k) * array->shape[1]);
        tr_pose here = pose_of(model, array->value + (size_t)e * array->shape[1]);
        tr_state state = count < 3
                             ? tr_state_at_rest(model, &here)
                             : tr_state_from_poses(model, &pose[0], &pose[1], &pose[2], decision_s);
        state.pose = here;
        /* Moves a state to heading 0 and x = y = 0. */
        tr_vec3 back = {-state.pose.root_pos.x, -state.pose.root_pos.y, 0};
        tr_state moved = tr_state_place(&state, 0, back);
        out->start[e] =
            tr_state_place(&moved, -tr_quat_heading(state.pose.root_rot), (tr_vec3){0, 0, 0});
    }
    return TR_OK;
}

/* Creates an agent with as many entries as the reference has frames; with one without a
 * reference. */
static tr_status create_agent(const source *s, tr_agent **out, tr_error *error) {
    const tr_npz_array *array = tr_npz_find(&s->npz, "reference");
    size_t columns = 7 + 4 * (size_t)(s->model->body_count - 1);
    char expected[80];
    snprintf(expected, sizeof expected, "1 to %d frames x %zu", TR_DRIVER_ENTRY_MAX, columns);
    if (array && (array->dimensions != 2 || array->shape[0] < 1 ||
                  array->shape[0] > TR_DRIVER_ENTRY_MAX || array->shape[1] != columns))
        return fail_array(s, error, "reference", array, expected);
    if (tr_agent_create(s->model, array ? (int)array->shape[0] : 1, out))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.120s: no memory", s->name);
    return TR_OK;
}

/* --- the whole --- */

/* The layers of an ONNX file have their activations in the graph. */
static tr_status read_description(source *s, const char *text, tr_error *error) {
    static const char keys[] = "observation joints period_steps scale step_s gains input_limit "
                               "action_limit skill activation memory";
    char name[160];
    snprintf(name, sizeof name, "%.120s: description", s->name);
    tr_status status = tr_json_parse(text, strlen(text), name, &s->root, error);
    if (!status)
        status = tr_json_only(s->root, keys, name, "", error);
    if (!status && !s->is_npz && json_object_get(s->root, "activation"))
        status = fail_field(s, error, "activation", "none: the graph of an ONNX file has them");
    return status;
}

static tr_status open_source(const tr_policy_bytes *bytes, source *s, tr_error *error) {
    /* ZIP archives begin with PK. */
    s->is_npz = bytes->size >= 2 && memcmp(bytes->data, "PK", 2) == 0;
    tr_status status =
        s->is_npz
            ? tr_npz_parse(&(tr_npz_file){bytes->data, bytes->size, s->name, false}, &s->npz, error)
            : tr_onnx_parse(bytes->data, bytes->size, s->name, &s->network, &s->description, error);
    const char *text = bytes->description ? bytes->description
                       : s->is_npz        ? s->npz.description
                                          : s->description;
    if (status)
        return status;
    if (!text)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.120s: no description in it; give one with --description FILE", s->name);
    return read_description(s, text, error);
}

static tr_status check_agent(const source *s, const tr_policy_import *import, tr_error *error) {
    tr_driver_setting setting = {s->model, import->step_s, &import->agent->start[0], NULL};
    tr_error inner = {0};
    tr_status status =
        tr_driver_check((tr_driver){&tr_agent_kind, import->agent}, &setting, &inner);
    return status ? tr_fail(error, status, "%.120s: %.300s", s->name, inner.message) : TR_OK;
}

static tr_status read_agent(source *s, tr_policy_import *out, tr_error *error) {
    tr_agent *agent = out->agent;
    const tr_npz_array *reference = tr_npz_find(&s->npz, "reference");
    tr_status status = read_timing(s, out, error);
    if (!status)
        status = read_observation(s, &agent->observation, error);
    if (!status)
        status = read_joints(s, agent, error);
    if (!status)
        status = read_actions(s, agent, error);
    int inputs = tr_observation_size(&agent->observation, s->model->body_count);
    if (!status && reference)
        status = read_frames(s, reference, out->step_s * agent->period_steps, agent, error);
    if (!status && s->is_npz)
        status = read_network(s, inputs, agent, error);
    /* The agent takes the network over. */
    if (!status && !s->is_npz) {
        agent->network = s->network;
        s->network = (tr_perceptron){0};
    }
    if (!status)
        status = check_sizes(s, inputs, agent, error);
    return status ? status : check_agent(s, out, error);
}

tr_status tr_policy_import_parse(const tr_policy_bytes *bytes, const tr_model *model,
                                 tr_policy_import *out, tr_error *error) {
    source s = {.name = bytes->name, .model = model};
    tr_policy_import import = {0};
    tr_status status = open_source(bytes, &s, error);
    if (!status)
        status = create_agent(&s, &import.agent, error);
    if (!status)
        status = read_agent(&s, &import, error);
    json_decref(s.root);
    free(s.description);
    tr_npz_deinit(&s.npz);
    tr_perceptron_deinit(&s.network);
    if (status)
        tr_agent_destroy(import.agent);
    else
        *out = import;
    return status;
}
