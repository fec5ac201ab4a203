#include "control/controller.h"

#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t target_count(const tr_fragment *fragment, int body_count) {
    return (size_t)fragment->steps * (size_t)body_count;
}

static tr_state identity_state(void) {
    tr_state state = {.pose.root_rot = {1, 0, 0, 0}};
    for (int b = 0; b < TR_BODY_MAX; b++)
        state.pose.joint[b] = tr_quat_identity();
    return state;
}

static tr_status init_fragment(tr_fragment *fragment, int steps, int body_count) {
    *fragment = (tr_fragment){.steps = steps, .start = identity_state(), .end = identity_state()};
    size_t count = target_count(fragment, body_count);
    fragment->target = malloc(count * sizeof *fragment->target);
    if (!fragment->target)
        return TR_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < count; i++)
        fragment->target[i] = tr_quat_identity();
    return TR_OK;
}

tr_status tr_controller_create(int fragment_count, int steps, int body_count, tr_controller **out) {
    if (fragment_count < 1 || fragment_count > TR_CONTROLLER_FRAGMENT_MAX || steps < 1 ||
        steps > TR_FRAGMENT_STEPS_MAX || body_count < 1 || body_count > TR_BODY_MAX)
        return TR_INVALID_ARGUMENT;
    tr_controller *controller = calloc(1, sizeof *controller);
    if (!controller)
        return TR_RESOURCE_EXHAUSTED;
    controller->spawn = identity_state();
    controller->fragment_count = fragment_count;
    controller->fragment = calloc((size_t)fragment_count, sizeof *controller->fragment);
    if (!controller->fragment)
        goto fail;
    for (int f = 0; f < fragment_count; f++)
        if (init_fragment(&controller->fragment[f], steps, body_count))
            goto fail;
    *out = controller;
    return TR_OK;
fail:
    tr_controller_destroy(controller);
    return TR_RESOURCE_EXHAUSTED;
}

void tr_controller_copy_setting(const tr_controller *from, tr_controller *to) {
    memcpy(to->model_name, from->model_name, sizeof to->model_name);
    memcpy(to->gain_set, from->gain_set, sizeof to->gain_set);
    to->model_hash = from->model_hash;
    to->step_s = from->step_s;
    to->action = from->action;
}

tr_status tr_controller_copy(const tr_controller *controller, const tr_model *model,
                             tr_controller **out) {
    int steps = 0;
    for (int f = 0; f < controller->fragment_count; f++)
        if (controller->fragment[f].steps > steps)
            steps = controller->fragment[f].steps;
    tr_controller *copy = NULL;
    tr_status status =
        tr_controller_create(controller->fragment_count, steps, model->body_count, &copy);
    if (status)
        return status;

    tr_fragment *fragments = copy->fragment;
    *copy = *controller;
    copy->fragment = fragments;
    copy->graph = NULL;
    for (int f = 0; f < copy->fragment_count; f++) {
        const tr_fragment *from = &controller->fragment[f];
        tr_quat *target = fragments[f].target;
        memcpy(target, from->target, target_count(from, model->body_count) * sizeof *target);
        fragments[f] = *from;
        fragments[f].target = target;
    }
    if (controller->graph)
        status = tr_control_graph_copy(controller->graph, &copy->graph);
    if (status)
        tr_controller_destroy(copy);
    else
        *out = copy;
    return status;
}

void tr_controller_destroy(tr_controller *controller) {
    if (!controller)
        return;
    for (int f = 0; controller->fragment && f < controller->fragment_count; f++)
        free(controller->fragment[f].target);
    free(controller->fragment);
    tr_control_graph_destroy(controller->graph);
    free(controller);
}

double tr_controller_duration_s(const tr_controller *controller) {
    int steps = 0;
    for (int f = 0; f < controller->fragment_count; f++)
        steps += controller->fragment[f].steps;
    return steps * controller->step_s * (controller->mirrored ? 2 : 1);
}

static uint64_t hash_state(uint64_t hash, const tr_state *state, int body_count) {
    const tr_pose *pose = &state->pose;
    size_t joints = (size_t)(body_count - 1);
    hash = tr_hash_add(hash, &pose->root_pos, sizeof pose->root_pos);
    hash = tr_hash_add(hash, &pose->root_rot, sizeof pose->root_rot);
    hash = tr_hash_add(hash, pose->joint + 1, joints * sizeof *pose->joint);
    hash = tr_hash_add(hash, &state->root_vel, sizeof state->root_vel);
    hash = tr_hash_add(hash, &state->root_omega, sizeof state->root_omega);
    return tr_hash_add(hash, state->joint_rate + 1, joints * sizeof *state->joint_rate);
}

static uint64_t hash_fragment(uint64_t hash, const tr_fragment *fragment, int body_count) {
    const tr_policy *policy = &fragment->policy;
    size_t size = target_count(fragment, body_count) * sizeof *fragment->target;
    hash = tr_hash_add(hash, &fragment->steps, sizeof fragment->steps);
    hash = tr_hash_add(hash, fragment->target, size);
    hash = tr_hash_add(hash, policy->m, sizeof policy->m);
    hash = tr_hash_add(hash, policy->offset, sizeof policy->offset);
    hash = hash_state(hash, &fragment->start, body_count);
    return hash_state(hash, &fragment->end, body_count);
}

static bool is_steered(const tr_steering *steering) {
    bool steered = steering->speed_mps != 0 || steering->turn_rad_s != 0 ||
                   steering->faster_mps != 0 || steering->slower_mps != 0;
    for (int i = 0; i < TR_ACTION_MAX; i++)
        steered |= steering->turn[i] != 0 || steering->faster[i] != 0 || steering->slower[i] != 0;
    return steered;
}

/* What cannot be steered hashes as before there was steering. */
static uint64_t hash_steering(uint64_t hash, const tr_steering *steering) {
    return is_steered(steering) ? tr_hash_add(hash, steering, sizeof *steering) : hash;
}

uint64_t tr_controller_hash(const tr_controller *controller, const tr_model *model) {
    const tr_action_map *map = &controller->action;
    unsigned char order[2] = {controller->cyclic, controller->mirrored};
    size_t joints = (size_t)map->joint_count;
    uint64_t hash = tr_hash_add(TR_HASH_START, &model->hash, sizeof model->hash);
    hash = tr_hash_add(hash, controller->gain_set, strlen(controller->gain_set));
    hash = tr_hash_add(hash, &controller->step_s, sizeof controller->step_s);
    hash = tr_hash_add(hash, order, sizeof order);
    hash = tr_hash_add(hash, map->body, joints * sizeof *map->body);
    hash = hash_state(hash, &controller->spawn, model->body_count);
    for (int f = 0; f < controller->fragment_count; f++)
        hash = hash_fragment(hash, &controller->fragment[f], model->body_count);
    hash = hash_steering(hash, &controller->steering);
    return controller->graph ? tr_control_graph_hash(controller->graph, hash) : hash;
}

const char *tr_controller_gain_set(const tr_controller *controller, int fragment) {
    const tr_control_graph *graph = controller->graph;
    return graph ? graph->node[tr_control_graph_node_of(graph, fragment)].gain_set
                 : controller->gain_set;
}

const tr_steering *tr_controller_steering(const tr_controller *controller, int fragment) {
    const tr_control_graph *graph = controller->graph;
    return graph ? &graph->node[tr_control_graph_node_of(graph, fragment)].steering
                 : &controller->steering;
}

/* Squared distance of two feature vectors in spreads. */
static double feature_distance(const tr_features *a, const tr_features *b) {
    double sum = 0;
    for (int i = 0; i < TR_FEATURE_COUNT; i++) {
        double d = (a->s[i] - b->s[i]) / tr_feature_spread[i];
        sum += d * d;
    }
    return sum;
}

static tr_features features_of_state(const tr_model *model, const tr_state *state) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, state, bodies);
    return tr_features_of(model, state, bodies);
}

void tr_controller_nearest(const tr_controller *controller, const tr_model *model,
                           const tr_state *state, int *out_fragment, bool *out_mirrored) {
    tr_features here[2] = {features_of_state(model, state)};
    here[1] = tr_features_mirror(&here[0]);
    double best = INFINITY;
    int fragment = 0, mirrored = 0;
    for (int f = 0; f < controller->fragment_count; f++) {
        tr_features start = features_of_state(model, &controller->fragment[f].start);
        for (int m = 0; m <= controller->mirrored; m++) {
            double distance = feature_distance(&here[m], &start);
            if (distance < best) {
                best = distance;
                fragment = f;
                mirrored = m;
            }
        }
    }
    *out_fragment = fragment;
    *out_mirrored = mirrored;
}
