#include "learn/samcon/control_file.h"

#include "control/parts/above_ground.h"
#include "learn/rehearsal/cost.h"
#include "learn/samcon/skill.h"
#include "proto/json_text.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    const char *name;
    const tr_model *model;
    tr_controller *chain;
    tr_steps *steps;
    tr_error *error;
} reader;

static tr_status fail(const reader *r, const char *expected) {
    return tr_fail(r->error, TR_INVALID_ARGUMENT, "%.200s: expected %s", r->name, expected);
}

static bool read_vector(json_t *array, tr_vec3 *out) {
    double v[3];
    if (!tr_json_numbers(array, v, 3))
        return false;
    *out = (tr_vec3){v[0], v[1], v[2]};
    return true;
}

/* Reads the written value to the bit; it must have unit length. */
static bool read_rotation(json_t *array, tr_quat *out) {
    double v[4];
    if (!tr_json_numbers(array, v, 4))
        return false;
    *out = (tr_quat){v[0], v[1], v[2], v[3]};
    return fabs(tr_quat_dot(*out, *out) - 1) < 1e-6;
}

static bool read_start(const reader *r, json_t *start, tr_state *out) {
    json_t *joints = json_object_get(start, "joint"), *rates = json_object_get(start, "joint_rate");
    size_t count = (size_t)r->model->body_count - 1;
    bool whole = read_vector(json_object_get(start, "root_pos"), &out->pose.root_pos) &&
                 read_rotation(json_object_get(start, "root_rot"), &out->pose.root_rot) &&
                 read_vector(json_object_get(start, "root_vel"), &out->root_vel) &&
                 read_vector(json_object_get(start, "root_omega"), &out->root_omega) &&
                 json_array_size(joints) == count && json_array_size(rates) == count;
    for (size_t i = 0; whole && i < count; i++)
        whole = read_rotation(json_array_get(joints, i), &out->pose.joint[i + 1]) &&
                read_vector(json_array_get(rates, i), &out->joint_rate[i + 1]);
    return whole;
}

static bool read_targets(const reader *r, json_t *rows, tr_fragment *fragment) {
    size_t bodies = (size_t)r->model->body_count;
    bool whole = json_array_size(rows) == (size_t)fragment->steps;
    for (size_t s = 0; whole && s < (size_t)fragment->steps; s++) {
        json_t *row = json_array_get(rows, s);
        whole = json_array_size(row) == bodies - 1;
        for (size_t b = 1; whole && b < bodies; b++)
            whole = read_rotation(json_array_get(row, b - 1), &fragment->target[s * bodies + b]);
    }
    return whole;
}

static bool read_steps(const reader *r, json_t *text) {
    *r->steps = (tr_steps){0};
    return !text ||
           (json_is_string(text) && !tr_steps_read(json_string_value(text), r->steps, NULL));
}

static tr_status check_origin(const reader *r, json_t *root) {
    const tr_bank *bank = tr_controller_bank(r->chain);
    const char *hash = json_string_value(json_object_get(root, "model_hash"));
    const char *gains = json_string_value(json_object_get(root, "gain_set"));
    double step_s = json_number_value(json_object_get(root, "step_s"));
    char own[17];
    snprintf(own, sizeof own, "%016" PRIx64, r->model->hash);
    if (json_integer_value(json_object_get(root, "troupe_control")) != 1 || !hash || !gains)
        return fail(r, "a control that 'troupe-train reconstruct' wrote");
    if (strcmp(hash, own) != 0)
        return tr_fail(r->error, TR_FAILED_PRECONDITION, "%.200s: found on another model", r->name);
    if (strcmp(gains, bank->gain_set) != 0 || fabs(step_s - r->chain->step_s) > 1e-9)
        return fail(r, "a control with the same gains and time step");
    return TR_OK;
}

static tr_status read_control(const reader *r, json_t *root) {
    tr_bank *bank = tr_controller_bank(r->chain);
    json_t *fragments = json_object_get(root, "fragments");
    tr_status status = check_origin(r, root);
    if (status)
        return status;
    if (bank->mirrored)
        return fail(r, "a motion whose second half is not mirrored");
    if (json_array_size(fragments) != (size_t)bank->fragment_count)
        return fail(r, "as many fragments as the motion has");
    for (int k = 0; k < bank->fragment_count; k++) {
        json_t *fragment = json_array_get(fragments, (size_t)k);
        if (!read_targets(r, json_object_get(fragment, "targets"), &bank->fragment[k]))
            return fail(r, "targets for each step of each fragment, unit quaternions");
    }
    if (!read_start(r, json_object_get(root, "start"), &r->chain->spawn))
        return fail(r, "a whole start state");
    if (!read_steps(r, json_object_get(root, "ground_steps")))
        return fail(r, "ground_steps as X:HEIGHT,...");
    return TR_OK;
}

/* Parses a control that fits the chain; without a chain, the steps alone. */
static tr_status parse(const reader *r, const char *text, size_t size) {
    json_t *root = NULL;
    tr_status status = tr_json_parse(text, size, r->name, &root, r->error);
    if (!status)
        status = tr_json_only(root,
                              "troupe_control model model_hash gain_set step_s start fragments "
                              "ground_steps",
                              r->name, "", r->error);
    if (!status && r->chain)
        status = read_control(r, root);
    else if (!status && !read_steps(r, json_object_get(root, "ground_steps")))
        status = fail(r, "ground_steps as X:HEIGHT,...");
    json_decref(root);
    return status;
}

tr_status tr_control_parse(const char *text, size_t size, const char *name, const tr_model *model,
                           tr_controller *chain, tr_steps *out_steps, tr_error *error) {
    return parse(&(reader){name, model, chain, out_steps, error}, text, size);
}

tr_status tr_control_read_steps(const char *text, size_t size, const char *name,
                                tr_steps *out_steps, tr_error *error) {
    return parse(&(reader){.name = name, .steps = out_steps, .error = error}, text, size);
}

/* --- performed --- */

/* Reads the state above the local ground, as references are, and the height of that ground. */
static tr_status look(const tr_rehearsal *rehearsal, tr_state *out, double *out_ground) {
    tr_status status = tr_world_get_state(rehearsal->world, rehearsal->character, out);
    tr_ground ground = tr_world_local_ground(rehearsal->world, rehearsal->character);
    if (!status)
        *out = tr_state_above_ground(out, &ground);
    *out_ground = ground.height;
    return status;
}

static tr_status perform_fragment(tr_rehearsal *rehearsal, const tr_action_map *action,
                                  tr_fragment *fragment) {
    tr_state before, after;
    double ground;
    tr_rehearsal_part part = {action, fragment, NULL};
    tr_status status = look(rehearsal, &before, &ground);
    if (!status)
        status = tr_rehearsal_perform(rehearsal, &part);
    if (!status)
        status = look(rehearsal, &after, &ground);
    if (status)
        return status;
    after = tr_skill_relative(&after, &before);
    before = tr_skill_relative(&before, &before);
    /* The old reference end is of the motion, whose heights are above the plane, steps included. */
    if (tr_cost_root_is_lost(
            &(tr_cost_root){after.pose.root_rot, after.pose.root_pos.z + ground},
            &(tr_cost_root){fragment->end.pose.root_rot, fragment->end.pose.root_pos.z}))
        return TR_ABORTED;
    fragment->start = before;
    fragment->end = after;
    return TR_OK;
}

tr_status tr_control_perform(tr_rehearsal *rehearsal, tr_controller *chain) {
    tr_bank *bank = tr_controller_bank(chain);
    tr_status status = tr_rehearsal_place(rehearsal, &chain->spawn);
    for (int k = 0; k < bank->fragment_count && !status; k++)
        status = perform_fragment(rehearsal, &bank->action, &bank->fragment[k]);
    chain->spawn = tr_skill_relative(&chain->spawn, &chain->spawn);
    return status;
}
