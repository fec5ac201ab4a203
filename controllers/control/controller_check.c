/* Checks of a controller that came from a file, a catalogue or a learner: after these nothing that
 * runs it needs to ask again. */
#include "control/controller.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Joint quaternions are of unit length to this. */
static const double unit_tolerance = 1e-6;

/* Where in the controller the check is; messages begin with it. */
typedef struct place {
    const tr_controller *controller;
    const tr_model *model;
    int fragment; /* -1: outside the fragments */
    tr_error *error;
} place;

static tr_status reject(const place *at, const char *what) {
    const char *name = at->controller->name;
    if (at->fragment < 0)
        return tr_fail(at->error, TR_INVALID_ARGUMENT, "controller '%.*s': %s", TR_NAME_MAX, name,
                       what);
    return tr_fail(at->error, TR_INVALID_ARGUMENT, "controller '%.*s': fragment %d: %s",
                   TR_NAME_MAX, name, at->fragment, what);
}

static bool is_unit(tr_quat q) {
    return fabs(tr_quat_dot(q, q) - 1.0) < unit_tolerance;
}

static bool all_finite(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static bool terminated(const char *name) {
    return memchr(name, 0, TR_NAME_MAX) != NULL;
}

static tr_status check_names(const place *at) {
    const tr_controller *c = at->controller;
    if (!terminated(c->name) || !terminated(c->skill) || !terminated(c->model_name) ||
        !terminated(c->gain_set))
        return reject(at, "name, skill, model_name, gain_set: expected terminated text");
    if (c->name[0] == 0)
        return reject(at, "name: expected one that is not empty");
    if (c->model_hash != at->model->hash)
        return tr_fail(
            at->error, TR_FAILED_PRECONDITION,
            "controller '%s': model_hash: expected %016llx of model '%s', found %016llx of '%s'",
            c->name, (unsigned long long)at->model->hash, at->model->name,
            (unsigned long long)c->model_hash, c->model_name);
    if (at->model->foot[0] < 0 || at->model->foot[1] < 0)
        return reject(at, "model: expected one with marked feet");
    if (tr_model_find_gain_set(at->model, c->gain_set) < 0)
        return tr_fail(at->error, TR_INVALID_ARGUMENT,
                       "controller '%s': gain_set: model '%s' has none named '%s'", c->name,
                       at->model->name, c->gain_set);
    return TR_OK;
}

static tr_status check_action(const place *at) {
    const tr_action_map *map = &at->controller->action;
    uint32_t seen = 0;
    int size = 0;
    if (map->joint_count < 0 || map->joint_count > TR_ACTION_JOINT_MAX)
        return reject(at, "action.joint_count: out of range");
    for (int j = 0; j < map->joint_count; j++) {
        int body = map->body[j];
        if (body < 1 || body >= at->model->body_count)
            return reject(at, "action.body: expected bodies of the model with a joint");
        if (seen & (UINT32_C(1) << body))
            return reject(at, "action.body: named twice");
        seen |= UINT32_C(1) << body;
        size += at->model->body[body].joint == TR_JOINT_BALL ? 3 : 1;
    }
    if (size != map->size || size > TR_ACTION_MAX)
        return reject(at, "action.size: expected the sum of its joints' degrees of freedom");
    if (at->controller->mirrored && !tr_action_map_is_symmetric(at->model, map))
        return reject(at, "action.body: a mirrored controller needs both sides");
    return TR_OK;
}

static tr_status check_state(const place *at, const tr_state *state, const char *name) {
    char what[64];
    int count = at->model->body_count;
    bool good = tr_vec3_is_finite(state->pose.root_pos) && is_unit(state->pose.root_rot) &&
                tr_vec3_is_finite(state->root_vel) && tr_vec3_is_finite(state->root_omega);
    for (int b = 1; good && b < count; b++)
        good = is_unit(state->pose.joint[b]) && tr_vec3_is_finite(state->joint_rate[b]);
    if (good)
        return TR_OK;
    snprintf(what, sizeof what, "%s: expected finite rates and unit quaternions", name);
    return reject(at, what);
}

static tr_status check_policy(const place *at, const tr_policy *policy) {
    if (!all_finite(policy->m[0], sizeof policy->m / sizeof(double)))
        return reject(at, "policy.m: expected finite numbers");
    if (!all_finite(policy->offset, TR_ACTION_MAX))
        return reject(at, "policy.offset: expected finite numbers");
    for (int i = 0; i < TR_ACTION_MAX; i++)
        if (!(isfinite(policy->sigma[i]) && policy->sigma[i] >= 0))
            return reject(at, "policy.sigma: expected finite numbers that are not negative");
    for (int i = at->controller->action.size; i < TR_ACTION_MAX; i++)
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            if (policy->m[i][j] != 0)
                return reject(at, "policy.m: expected zero rows past the action's size");
    return TR_OK;
}

static bool is_offset(const place *at, const double *offset) {
    for (int i = at->controller->action.size; i < TR_ACTION_MAX; i++)
        if (offset[i] != 0)
            return false;
    return all_finite(offset, TR_ACTION_MAX);
}

static tr_status check_steering(const place *at, const tr_steering *s) {
    double rate[] = {s->speed_mps, s->turn_rad_s, s->faster_mps, s->slower_mps};
    for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
        if (!(rate[i] >= 0 && rate[i] <= 20))
            return reject(at, "steering: expected speeds and rates of 0 to 20");
    if (!is_offset(at, s->turn) || !is_offset(at, s->faster) || !is_offset(at, s->slower))
        return reject(at, "steering: expected finite actions, zero past the action's size");
    return TR_OK;
}

static tr_status check_graph(const place *at) {
    const tr_controller *c = at->controller;
    const tr_control_graph *graph = c->graph;
    bool flips = false;
    if (!graph)
        return TR_OK;
    tr_status status = tr_control_graph_check(graph, at->model, c->fragment_count, at->error);
    for (int n = 0; !status && n < graph->node_count; n++) {
        flips |= graph->node[n].mirrored;
        status = check_steering(at, &graph->node[n].steering);
    }
    for (int e = 0; !status && e < graph->edge_count; e++)
        flips |= graph->edge[e].flips;
    if (!status && (!c->cyclic || c->mirrored != flips))
        status = reject(at, "graph: expected a cyclic bank, mirrored where the graph flips");
    return status;
}

static tr_status check_fragment(const place *at, const tr_fragment *fragment) {
    if (fragment->steps < 1 || fragment->steps > TR_FRAGMENT_STEPS_MAX)
        return reject(at, "steps: out of range");
    if (!fragment->target)
        return reject(at, "target: missing");
    for (int s = 0; s < fragment->steps; s++)
        for (int b = 1; b < at->model->body_count; b++)
            if (!is_unit(fragment->target[s * at->model->body_count + b]))
                return reject(at, "target: expected unit quaternions");
    tr_status status = check_policy(at, &fragment->policy);
    if (!status)
        status = check_state(at, &fragment->start, "start");
    if (!status)
        status = check_state(at, &fragment->end, "end");
    return status;
}

tr_status tr_controller_check(const tr_controller *controller, const tr_model *model,
                              tr_error *error) {
    place at = {controller, model, -1, error};
    tr_status status = check_names(&at);
    if (status)
        return status;
    if (!(controller->step_s >= 0.0005 && controller->step_s <= 0.02))
        return reject(&at, "step_s: expected 0.0005 to 0.02 s");
    if (controller->mirrored && !controller->cyclic)
        return reject(&at, "mirrored: expected only with cyclic");
    if (controller->fragment_count < 1 || controller->fragment_count > TR_CONTROLLER_FRAGMENT_MAX ||
        !controller->fragment)
        return reject(&at, "fragment_count: out of range");
    status = check_action(&at);
    if (!status)
        status = check_state(&at, &controller->spawn, "spawn");
    if (!status)
        status = check_steering(&at, &controller->steering);
    if (!status)
        status = check_graph(&at);
    for (at.fragment = 0; !status && at.fragment < controller->fragment_count; at.fragment++)
        status = check_fragment(&at, &controller->fragment[at.fragment]);
    return status;
}
