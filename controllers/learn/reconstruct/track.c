#include "learn/reconstruct/track.h"

#include "learn/samcon/skill.h"
#include "math/elementary.h"

#include <stdlib.h>
#include <string.h>

static const double QUIET_J_PER_KG = 0.02; /* rms speed 0.2 m/s */
static const double CARRYING_M = 0.03;     /* a foot lower than this stands */

tr_track_weights tr_track_weights_default(void) {
    return (tr_track_weights){
        .base = tr_cost_weights_default(), .trunk = 2, .reach = 5, .support = 5, .tau = 0.5};
}

/* --- cutting the motion --- */

/* Resamples the motion at the track's steps; of a cyclic motion one cycle, which then repeats. */
static tr_status stretch(const tr_motion *motion, const tr_track_def *def, tr_track *track,
                         tr_motion **out, tr_error *error) {
    int cycles = motion->cyclic ? def->cycles : 1;
    double cycle_s = tr_motion_duration(motion);
    int fragments = (int)fmax(1, round(cycle_s / def->fragment_s));
    track->count = fragments * cycles;
    track->steps = (int)lround(cycle_s / fragments / def->step_s);
    if (!(cycle_s > 0) || fragments > TR_TRACK_STAGE_MAX || track->count > TR_TRACK_STAGE_MAX ||
        track->steps < 2 || track->steps > TR_FRAGMENT_STEPS_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: %d fragments of %d steps; expected 1 to %d of 2 to %d steps",
                       motion->name, track->count, track->steps, TR_TRACK_STAGE_MAX,
                       TR_FRAGMENT_STEPS_MAX);
    int frames = fragments * track->steps + (motion->cyclic ? 0 : 1);
    return tr_motion_resample(motion, def->step_s, frames, out);
}

static tr_status choose_joints(const tr_track_def *def, tr_track *track, tr_error *error) {
    static const char *const shoulders[] = {"luarm", "ruarm"};
    tr_status status = tr_action_map_default(track->model, true, &track->map, error);
    for (int s = 0; def->arms && !status && s < 2; s++) {
        int body = tr_model_find_body(track->model, shoulders[s]);
        if (body < 0 || track->model->body[body].joint != TR_JOINT_BALL)
            return tr_fail(error, TR_NOT_FOUND, "model '%s': expected a ball joint '%s' for arms",
                           track->model->name, shoulders[s]);
        if (tr_action_component(track->model, &track->map, body) >= 0)
            continue;
        if (track->map.joint_count == TR_ACTION_JOINT_MAX || track->map.size + 3 > TR_ACTION_MAX)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "model '%s': no room for arms in its key 'action': at most %d numbers",
                           track->model->name, TR_ACTION_MAX);
        track->map.body[track->map.joint_count++] = body;
        track->map.size += 3;
    }
    track->scales_time = def->scales_time;
    track->sample_size = track->map.size + (def->scales_time ? 1 : 0);
    return status;
}

static unsigned carrying_feet(const tr_model *model, const tr_body_state *bodies) {
    unsigned carries = 0;
    for (unsigned s = 0; s < 2; s++)
        if (tr_body_lowest_point(model, model->foot[s], bodies) < CARRYING_M ||
            (model->toe[s] >= 0 && tr_body_lowest_point(model, model->toe[s], bodies) < CARRYING_M))
            carries |= 1u << s;
    return carries;
}

static bool upside_down(const tr_model *model, const tr_body_state *bodies) {
    return tr_quat_rotate(bodies[model->trunk].rot, (tr_vec3){0, 0, 1}).z < -0.5;
}

/* Returns frame n with its rates; the first and the last frame take those of their neighbours. */
static tr_state state_at(const tr_model *model, const tr_motion *stretched, int n) {
    int last = stretched->frame_count - 1, m = n;
    if (!stretched->cyclic)
        m = n < 1 ? 1 : n > last - 1 ? last - 1 : n;
    tr_state state = tr_motion_state(model, stretched, m * stretched->dt_s);
    if (m != n)
        state.pose = tr_motion_pose(stretched, n * stretched->dt_s);
    return state;
}

static void fill(const tr_motion *stretched, const tr_gain_set *gains, tr_track *track) {
    const tr_model *model = track->model;
    int last = track->count * track->steps;
    tr_body_state bodies[TR_BODY_MAX];
    for (int n = 0; n <= last; n++) {
        tr_state state = state_at(model, stretched, n);
        tr_state_forward(model, &state, bodies);
        track->pose[n] = state.pose;
        track->flips = track->flips || upside_down(model, bodies);
        if (n == 0) {
            track->start = state;
            continue;
        }
        int k = (n - 1) / track->steps;
        tr_track_stage *stage = &track->stage[k];
        tr_skill_look_ahead(model, gains, &state,
                            track->target + (ptrdiff_t)(n - 1) * model->body_count);
        stage->energy += tr_track_energy(model, bodies) / track->steps;
        if (n % track->steps != 0)
            continue;
        /* Step n ends fragment k: what the cost compares with. */
        stage->carries = carrying_feet(model, bodies);
        stage->quiet = stage->carries != 0 && stage->energy < QUIET_J_PER_KG;
        tr_track_look(track, k, &state, bodies, &stage->end);
    }
}

static tr_status check(const tr_model *model, const tr_motion *motion, const tr_track_def *def,
                       tr_error *error) {
    tr_status status = tr_skill_check(model, motion, def->gain_set, error);
    if (status)
        return status;
    if (model->foot[0] < 0 || model->foot[1] < 0 || model->trunk < 0)
        return tr_fail(error, TR_NOT_FOUND, "%s: names no feet or no trunk", model->name);
    return TR_OK;
}

tr_status tr_track_create(const tr_model *model, const tr_motion *motion, const tr_track_def *def,
                          tr_track **out, tr_error *error) {
    tr_status status = check(model, motion, def, error);
    if (status)
        return status;
    tr_track *track = calloc(1, sizeof *track);
    if (!track)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", motion->name);
    tr_motion *stretched = NULL;
    track->model = model;
    track->step_s = def->step_s;
    /* Which joints are sampled; then the motion in whole fragments; then what they aim at. */
    status = choose_joints(def, track, error);
    if (!status)
        status = stretch(motion, def, track, &stretched, error);
    if (!status) {
        size_t steps = (size_t)track->count * (size_t)track->steps;
        track->target = calloc(steps * (size_t)track->model->body_count, sizeof *track->target);
        track->pose = calloc(steps + 1, sizeof *track->pose);
        track->stage = calloc((size_t)track->count, sizeof *track->stage);
        if (!track->target || !track->pose || !track->stage)
            status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", motion->name);
    }
    if (!status) {
        fill(stretched, &model->gain_set[tr_model_find_gain_set(model, def->gain_set)], track);
        *out = track;
    } else {
        tr_track_destroy(track);
    }
    tr_motion_destroy(stretched);
    return status;
}

void tr_track_destroy(tr_track *track) {
    if (!track)
        return;
    free(track->target);
    free(track->pose);
    free(track->stage);
    free(track);
}

/* --- performing --- */

int tr_track_steps(const tr_track *track, const double *sample) {
    if (!track->scales_time)
        return track->steps;
    double scaled = track->steps * tr_exp(sample[track->map.size]);
    return (int)lround(fmin(fmax(scaled, 0.5 * track->steps), 2.0 * track->steps));
}

void tr_track_targets(const tr_track *track, int k, int i, const double *sample, tr_quat *out) {
    int bodies = track->model->body_count, steps = tr_track_steps(track, sample);
    /* The target for the end of a step lies at n of the whole track, n = 1 being the first. */
    double n = (double)k * track->steps + (double)(i + 1) * track->steps / steps;
    int low = (int)floor(n), last = track->count * track->steps;
    low = low < 1 ? 1 : low > last ? last : low;
    const tr_quat *from = track->target + (ptrdiff_t)(low - 1) * bodies;
    double part = fmax(0, n - low);
    memcpy(out, from, (size_t)bodies * sizeof *out);
    for (int b = 1; part > 0 && low < last && b < bodies; b++)
        out[b] = tr_quat_slerp(from[b], from[bodies + b], part);
    tr_action_apply(track->model, &track->map, sample, out);
}

/* Makes one step of each sample that is still in progress. False: all have ended. */
static bool step_together(const tr_track *track, int k, const double *const *sample,
                          const tr_rehearsal_group *group, int step, tr_status *status) {
    tr_quat target[TR_BODY_MAX];
    bool moves[TR_QUARTET_MAX] = {false};
    for (int i = 0; i < group->count; i++) {
        const tr_rehearsal *in = group->rehearsal[i];
        moves[i] = !status[i] && step < tr_track_steps(track, sample[i]);
        if (!moves[i])
            continue;
        tr_track_targets(track, k, step, sample[i], target);
        status[i] = tr_world_set_targets(in->world, in->character, target);
        moves[i] = !status[i];
    }
    return tr_rehearsal_group_step(group, moves, group->count, status);
}

void tr_track_perform_together(const tr_track *track, int k, const double *const *sample,
                               const tr_rehearsal_group *group, tr_status *status) {
    int step = 0;
    while (step_together(track, k, sample, group, step, status))
        step++;
}

/* --- judging --- */

/* Returns the planar distance from the centroid to the middle of the feet that should carry; 0 when
 * none should. */
static double support_distance(const tr_track *track, int k, const tr_body_state *bodies,
                               tr_vec3 centroid) {
    tr_vec3 sum = {0, 0, 0};
    int count = 0;
    for (unsigned s = 0; s < 2; s++)
        if (track->stage[k].carries & 1u << s) {
            sum = tr_vec3_add(sum, bodies[track->model->foot[s]].com_pos);
            count++;
        }
    if (count == 0)
        return 0;
    const tr_vec3 off = tr_vec3_sub(tr_vec3_scale(sum, 1.0 / count), centroid);
    return hypot(off.x, off.y);
}

void tr_track_look(const tr_track *track, int k, const tr_state *state, const tr_body_state *bodies,
                   tr_track_view *out) {
    const tr_model *model = track->model;
    tr_momentum sum = tr_body_momentum(model, bodies);
    tr_cost_view *view = &out->pose;
    view->root_rot = state->pose.root_rot;
    view->root_height = state->pose.root_pos.z;
    memcpy(view->joint, state->pose.joint, sizeof view->joint);
    /* Horizontally the centroid counts from the root, vertically from the ground. */
    view->centroid = tr_vec3_sub(sum.com_pos, state->pose.root_pos);
    view->centroid.z = sum.com_pos.z;
    view->velocity = sum.com_vel;
    view->angular = sum.angular;
    for (int e = 0; e < model->end_effector_count; e++)
        view->effector[e] = tr_vec3_sub(bodies[model->end_effector[e]].com_pos, sum.com_pos);
    out->trunk = bodies[model->trunk].rot;
    out->support = support_distance(track, k, bodies, sum.com_pos);
}

static double mean_effector_distance(const tr_model *model, const tr_cost_view *a,
                                     const tr_cost_view *b) {
    double sum = 0;
    for (int e = 0; e < model->end_effector_count; e++)
        sum += tr_vec3_distance(a->effector[e], b->effector[e]);
    return model->end_effector_count ? sum / model->end_effector_count : 0;
}

double tr_track_cost(const tr_track *track, const tr_track_weights *w, int k,
                     const tr_track_view *view, const double *sample) {
    const tr_track_stage *stage = &track->stage[k];
    /* Eq. 20, and three terms of our own: flips, quiet standing, stretched time. */
    tr_cost_weights terms = tr_cost_terms(track->model, &view->pose, &stage->end.pose);
    double cost = tr_cost_total(&w->base, &terms, sample, track->map.size);
    if (track->flips)
        cost += w->trunk * tr_quat_angle(view->trunk, stage->end.trunk) +
                w->reach * mean_effector_distance(track->model, &view->pose, &stage->end.pose);
    if (stage->quiet)
        cost += w->support * view->support / track->model->height;
    if (track->scales_time)
        cost += w->tau * fabs(sample[track->map.size]);
    return cost;
}

double tr_track_energy(const tr_model *model, const tr_body_state *bodies) {
    double sum = 0;
    for (int i = 0; i < model->body_count; i++) {
        tr_vec3 omega = tr_quat_rotate_inverse(bodies[i].rot, bodies[i].omega);
        sum += 0.5 * model->body[i].mass * tr_vec3_dot(bodies[i].com_vel, bodies[i].com_vel) +
               0.5 * tr_vec3_dot(omega, tr_mat3_apply(&model->body[i].inertia, omega));
    }
    return sum / model->mass;
}

void tr_track_replace_end(tr_track *track, int k, const tr_state *state) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(track->model, state, bodies);
    tr_track_look(track, k, state, bodies, &track->stage[k].end);
}
