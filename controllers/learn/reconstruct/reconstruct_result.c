/* The result of a reconstruction: performed as a motion, printed as a control. */
#include "learn/measure/noise.h"
#include "learn/reconstruct/reconstruct.h"
#include "math/hash.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- performed --- */

static uint64_t hash_state(const tr_model *model, uint64_t hash, const tr_state *s) {
    size_t joints = (size_t)(model->body_count - 1);
    hash = tr_hash_add(hash, &s->pose.root_pos, sizeof s->pose.root_pos);
    hash = tr_hash_add(hash, &s->pose.root_rot, sizeof s->pose.root_rot);
    hash = tr_hash_add(hash, &s->pose.joint[1], joints * sizeof s->pose.joint[1]);
    hash = tr_hash_add(hash, &s->root_vel, sizeof s->root_vel);
    hash = tr_hash_add(hash, &s->root_omega, sizeof s->root_omega);
    return tr_hash_add(hash, &s->joint_rate[1], joints * sizeof s->joint_rate[1]);
}

static int total_steps(const tr_reconstruction *r) {
    int total = 0;
    for (int k = 0; k < r->track->count; k++)
        total += tr_track_steps(r->track, r->path[k].sample);
    return total;
}

/* Performs fragment k; its poses go to poses[0..steps - 1]. */
static tr_status perform_fragment(const tr_reconstruction *r, int k, tr_rehearsal *rehearsal,
                                  tr_pose *poses, tr_state *state) {
    const double *sample = r->path[k].sample;
    int steps = tr_track_steps(r->track, sample);
    tr_quat target[TR_BODY_MAX];
    for (int i = 0; i < steps; i++) {
        tr_track_targets(r->track, k, i, sample, target);
        tr_status status = tr_rehearsal_step_to(rehearsal, target, state);
        if (status)
            return status;
        poses[i] = state->pose;
    }
    return TR_OK;
}

/* Adds cost and loss against the motion itself, whatever the averaging rounds aimed at. */
static void judge_fragment(const tr_reconstruction *r, int k, const tr_rehearsal *rehearsal,
                           const tr_state *state, tr_reconstruct_result *result) {
    tr_track clip = *r->track;
    tr_track_view view = {0};
    /* Averaging replaced the track's own ends. */
    clip.stage = r->clip_stage;
    const tr_body_state *bodies = tr_world_bodies(rehearsal->world, rehearsal->character);
    tr_track_look(&clip, k, state, bodies, &view);
    double cost = tr_track_cost(&clip, &r->weights, k, &view, r->path[k].sample);
    result->cost += cost / clip.count;
    result->lost = result->lost || tr_cost_is_lost(&view.pose, &clip.stage[k].end.pose);
    result->hash = hash_state(r->model, result->hash, state);
}

/* Returns the NSR (eq. 5) with the fragments brought to the clip's length (section 5: resampled
 * before they are compared). */
static double noise_ratio(const tr_reconstruction *r, const tr_motion *simulated) {
    const tr_track *track = r->track;
    int count = track->count * track->steps + 1;
    tr_pose *poses = malloc((size_t)count * sizeof *poses);
    if (!poses)
        return (double)NAN;
    int begin = 0;
    for (int k = 0; k < track->count; k++) {
        int steps = tr_track_steps(track, r->path[k].sample);
        for (int i = 0; i <= track->steps; i++) {
            /* A stretched fragment is read at the clip's instants. */
            double at = begin + (double)i * steps / track->steps;
            poses[k * track->steps + i] = tr_motion_pose(simulated, at * track->step_s);
        }
        begin += steps;
    }
    double ratio = tr_noise_ratio(r->model, poses, track->pose, count);
    free(poses);
    return ratio;
}

tr_status tr_reconstruct_perform(tr_reconstruction *r, tr_reconstruct_result *out) {
    tr_reconstruct_result result = {.hash = TR_HASH_START};
    tr_rehearsal *rehearsal = &r->ensemble->rehearsal[0];
    if (isnan(r->progress.path_cost))
        return TR_FAILED_PRECONDITION;
    tr_state state = r->track->start;
    tr_status status =
        tr_motion_create(r->model, total_steps(r) + 1, r->track->step_s, &result.motion);
    if (!status)
        status = tr_rehearsal_place(rehearsal, &state);
    if (!status)
        result.motion->poses[0] = state.pose;
    /* No fragment is reset to its start, so that errors add up as they do in use. */
    for (int k = 0, frame = 1; !status && k < r->track->count; k++) {
        status = perform_fragment(r, k, rehearsal, result.motion->poses + frame, &state);
        frame += tr_track_steps(r->track, r->path[k].sample);
        if (!status)
            judge_fragment(r, k, rehearsal, &state, &result);
    }
    if (status) {
        tr_motion_destroy(result.motion);
        return status;
    }
    snprintf(result.motion->name, sizeof result.motion->name, "%s", r->name);
    result.nsr = noise_ratio(r, result.motion);
    *out = result;
    return TR_OK;
}

/* --- printed --- */

static json_t *numbers(const double *v, int count) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real(v[i]));
    return array;
}

static json_t *targets_json(const tr_reconstruction *r, int k) {
    const double *sample = r->path[k].sample;
    json_t *rows = json_array();
    for (int i = 0; i < tr_track_steps(r->track, sample); i++) {
        tr_quat target[TR_BODY_MAX];
        json_t *row = json_array();
        tr_track_targets(r->track, k, i, sample, target);
        for (int b = 1; b < r->model->body_count; b++)
            json_array_append_new(
                row, numbers((double[4]){target[b].w, target[b].x, target[b].y, target[b].z}, 4));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *start_json(const tr_reconstruction *r) {
    const tr_state *s = &r->track->start;
    json_t *joints = json_array(), *rates = json_array();
    for (int b = 1; b < r->model->body_count; b++) {
        tr_quat q = s->pose.joint[b];
        tr_vec3 w = s->joint_rate[b];
        json_array_append_new(joints, numbers((double[4]){q.w, q.x, q.y, q.z}, 4));
        json_array_append_new(rates, numbers((double[3]){w.x, w.y, w.z}, 3));
    }
    tr_vec3 p = s->pose.root_pos, v = s->root_vel, o = s->root_omega;
    tr_quat q = s->pose.root_rot;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "root_pos",
                     numbers((double[3]){p.x, p.y, p.z}, 3), "root_rot",
                     numbers((double[4]){q.w, q.x, q.y, q.z}, 4), "root_vel",
                     numbers((double[3]){v.x, v.y, v.z}, 3), "root_omega",
                     numbers((double[3]){o.x, o.y, o.z}, 3), "joint", joints, "joint_rate", rates);
}

static json_t *control_json(const tr_reconstruction *r) {
    json_t *fragments = json_array();
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, r->model->hash);
    for (int k = 0; k < r->track->count; k++) {
        const tr_path_step *step = &r->path[k];
        json_array_append_new(fragments,
                              json_pack("{s:i, s:f, s:o, s:o}", "steps",
                                        tr_track_steps(r->track, step->sample), "cost", step->cost,
                                        "sample", numbers(step->sample, r->track->sample_size),
                                        "targets", targets_json(r, k)));
    }
    json_t *root =
        json_pack("{s:i, s:s, s:s, s:s, s:f, s:o, s:o}", "troupe_control", 1, "model",
                  r->model->name, "model_hash", hash, "gain_set", r->parameters.gain_set, "step_s",
                  r->track->step_s, "start", start_json(r), "fragments", fragments);
    char steps[TR_STEPS_TEXT_MAX];
    tr_steps_print(&r->steps, steps);
    if (root && r->steps.count > 0)
        json_object_set_new(root, "ground_steps", json_string(steps));
    return root;
}

tr_status tr_reconstruct_print(const tr_reconstruction *r, char **out, size_t *out_size) {
    if (isnan(r->progress.path_cost))
        return TR_FAILED_PRECONDITION;
    json_t *root = control_json(r);
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    if (!text)
        return TR_RESOURCE_EXHAUSTED;
    *out = text;
    *out_size = strlen(text);
    return TR_OK;
}
