#include "learn/measure/tracking.h"

#include "learn/measure/noise.h"
#include "learn/rehearsal/cost.h"
#include "learn/rehearsal/trial.h"

#include <math.h>
#include <stdlib.h>

/* Sums of one trial; its poses at the ends of fragments and those of the reference. */
typedef struct watch {
    bool held;
    tr_tracking sum;
    int64_t cycles, steps, touching;
    double impulse;            /* weight of the sum of slips, N s */
    tr_pose *pose, *reference; /* [ends], part of those of all trials */
} watch;

typedef struct work {
    const tr_controller *controller;
    const tr_tracking_test *test;
    tr_driver_sheet sheet;
    int64_t cycle; /* steps */
    double cycle_s;
    int ends;                  /* of one trial at most */
    tr_cost_view *target;      /* [entry_count], of the reference ends */
    watch *watch;              /* [trials] */
    tr_pose *pose, *reference; /* [trials][ends] */
} work;

/* --- at the end of a fragment --- */

static int effector_of(const tr_model *model, int body) {
    for (int e = 0; e < model->end_effector_count; e++)
        if (model->end_effector[e] == body)
            return e;
    return 0;
}

static void add_errors(const tr_model *model, const tr_cost_view *view, const tr_cost_view *target,
                       bool mirrored, tr_tracking *sum) {
    for (int i = 1; i < model->body_count; i++) {
        /* What is seen in the mirror is booked to the limb that did it. */
        int body = mirrored ? model->body[i].mirror : i;
        sum->joint_rad[body] += tr_quat_angle(view->joint[i], target->joint[i]);
    }
    for (int e = 0; e < model->end_effector_count; e++) {
        int body = model->end_effector[e];
        int booked = mirrored ? effector_of(model, model->body[body].mirror) : e;
        sum->effector_m[booked] += tr_vec3_distance(view->effector[e], target->effector[e]);
    }
    sum->root_m += view->root_height - target->root_height;
    sum->root_rad += tr_quat_angle(view->root_rot, target->root_rot);
    sum->velocity_mps += tr_vec3_distance(view->velocity, target->velocity);
}

static void look_at_end(const work *w, watch *out, const tr_trial *trial, const tr_model *model,
                        const tr_state *state) {
    const tr_lost_watch *at = &trial->watch;
    const tr_state *reference = w->sheet.entry[at->entry].end;
    if (!reference)
        return;
    /* Mirrored ends are compared in the mirror, where the reference is. */
    tr_state seen = at->mirrored ? tr_state_mirror(model, state) : *state;
    double heading = at->mirrored ? -at->heading_start_rad : at->heading_start_rad;
    tr_body_state bodies[TR_BODY_MAX];
    tr_cost_view view;
    tr_state_forward(model, &seen, bodies);
    tr_cost_look(model, &seen, bodies, heading, &view);
    add_errors(model, &view, &w->target[at->entry], at->mirrored, &out->sum);
    if (out->sum.ends < w->ends) {
        out->pose[out->sum.ends] = state->pose;
        out->reference[out->sum.ends] =
            at->mirrored ? tr_pose_mirror(model, &reference->pose) : reference->pose;
    }
    out->sum.ends++;
}

/* --- at every step --- */

static bool is_foot(const tr_model *model, int body) {
    return body == model->foot[0] || body == model->foot[1] || body == model->toe[0] ||
           body == model->toe[1];
}

/* Returns the speed along the ground of the body's point at `pos`. */
static double sliding_speed(const tr_body_state *body, tr_vec3 pos) {
    tr_vec3 arm = tr_vec3_sub(pos, body->com_pos);
    tr_vec3 vel = tr_vec3_add(body->com_vel, tr_vec3_cross(body->omega, arm));
    return hypot(vel.x, vel.y);
}

static void look_at_contacts(watch *out, const tr_rehearsal *rehearsal) {
    int count = 0;
    double deepest = 0;
    const tr_contact *contact = tr_world_contacts(rehearsal->world, &count);
    const tr_body_state *bodies = tr_world_bodies(rehearsal->world, rehearsal->character);
    for (int i = 0; i < count; i++) {
        const tr_contact *c = &contact[i];
        if (c->entity[0] != rehearsal->character || c->entity[1] != 0)
            continue;
        deepest = fmax(deepest, c->depth);
        /* Other bodies may touch, but only feet are to stand still. */
        if (!is_foot(rehearsal->model, c->body[0]))
            continue;
        double impulse = tr_vec3_dot(c->impulse, c->normal);
        out->impulse += impulse;
        out->sum.slip_mps += impulse * sliding_speed(&bodies[c->body[0]], c->pos);
    }
    out->touching += deepest > 0;
    out->sum.depth_m += deepest;
    out->sum.depth_max_m = fmax(out->sum.depth_max_m, deepest);
}

static void look_at_root(watch *out, const tr_state *state) {
    double height = state->pose.root_pos.z;
    out->sum.root_low_m = fmin(out->sum.root_low_m, height);
    out->sum.root_high_m = fmax(out->sum.root_high_m, height);
    out->sum.root_mean_m += height;
    out->steps++;
}

/* --- one trial --- */

static void watch_cycle(const work *w, watch *out, tr_trial *trial, tr_rehearsal *rehearsal) {
    tr_state begin, state;
    if (tr_world_get_state(rehearsal->world, rehearsal->character, &begin))
        return;
    state = begin;
    for (int64_t i = 0; i < w->cycle && !trial->lost; i++) {
        tr_trial_run(trial, rehearsal, trial->steps + 1);
        if (tr_world_get_state(rehearsal->world, rehearsal->character, &state))
            return;
        look_at_root(out, &state);
        look_at_contacts(out, rehearsal);
        if (trial->step == 0)
            look_at_end(w, out, trial, rehearsal->model, &state);
    }
    if (trial->lost)
        return;
    tr_vec3 way = tr_vec3_sub(state.pose.root_pos, begin.pose.root_pos);
    out->sum.speed_mps += hypot(way.x, way.y) / w->cycle_s;
    out->cycles++;
}

static void watch_trial(void *context, int item, tr_rehearsal *rehearsal) {
    const work *w = context;
    watch *out = &w->watch[item];
    tr_trial trial;
    tr_state start = tr_trial_disturbed_start(w->controller, w->test->seed, item);
    if (tr_trial_begin(&trial, w->controller, rehearsal, &start))
        return;
    int64_t settle = llround(w->test->settle_s / w->controller->step_s);
    /* Whole cycles settle, so that each watched cycle begins at the same phase. */
    tr_trial_run(&trial, rehearsal, (settle + w->cycle - 1) / w->cycle * w->cycle);
    for (int c = 0; c < w->test->cycles && !trial.lost; c++)
        watch_cycle(w, out, &trial, rehearsal);
    out->held = !trial.lost;
    int ends = (int)(out->sum.ends < w->ends ? out->sum.ends : w->ends);
    /* NSR = 100 var(m - m_bar) / var(m_bar) (liu2015-samcon, eq. 5). */
    out->sum.nsr = tr_noise_ratio(rehearsal->model, out->pose, out->reference, ends);
}

/* --- all of them --- */

/* Returns the net speed of the reference over a cycle of the skill that the controller begins
 * in. */
static double reference_speed(const tr_driver_sheet *sheet, int first, double cycle_s) {
    const tr_driver_skill *skill = &sheet->skill[sheet->entry[first].skill];
    const int count = first == 0 ? sheet->outline.first_count : skill->count;
    double x = 0, y = 0, heading = 0;
    /* Each entry's way is in the frame of its start: they are laid one behind the other, the second
     * half in the mirror. */
    for (int half = 0; half < (skill->mirrored ? 2 : 1); half++) {
        double side = half ? -1 : 1;
        for (int k = skill->first; k < skill->first + count; k++) {
            const tr_state *end = sheet->entry[k].end;
            if (!end)
                return 0;
            tr_vec3 way = end->pose.root_pos;
            way.y *= side;
            way = tr_quat_rotate(tr_quat_from_heading(heading), way);
            x += way.x;
            y += way.y;
            heading += side * tr_quat_heading(end->pose.root_rot);
        }
    }
    return hypot(x, y) / cycle_s;
}

/* Adds the sums of a trial. Trials are added in their order, so that the last bits do not depend on
 * the threads. */
static void add_trial(const watch *from, watch *to) {
    tr_tracking *sum = &to->sum;
    const tr_tracking *one = &from->sum;
    for (int i = 0; i < TR_BODY_MAX; i++)
        sum->joint_rad[i] += one->joint_rad[i];
    for (int e = 0; e < 8; e++)
        sum->effector_m[e] += one->effector_m[e];
    sum->held += from->held;
    sum->ends += one->ends;
    sum->root_m += one->root_m;
    sum->root_rad += one->root_rad;
    sum->velocity_mps += one->velocity_mps;
    sum->nsr += one->nsr;
    sum->speed_mps += one->speed_mps;
    sum->root_low_m = fmin(sum->root_low_m, one->root_low_m);
    sum->root_high_m = fmax(sum->root_high_m, one->root_high_m);
    sum->root_mean_m += one->root_mean_m;
    sum->slip_mps += one->slip_mps;
    sum->depth_m += one->depth_m;
    sum->depth_max_m = fmax(sum->depth_max_m, one->depth_max_m);
    to->cycles += from->cycles;
    to->steps += from->steps;
    to->touching += from->touching;
    to->impulse += from->impulse;
}

static double mean(double sum, double count) {
    return count > 0 ? sum / count : 0;
}

static tr_status summarize(const work *w, tr_tracking *out) {
    watch all = {.sum = {.trials = w->test->trials, .root_low_m = INFINITY}};
    int watched = 0;
    for (int i = 0; i < w->test->trials; i++) {
        /* A trial without a whole cycle has no speed. */
        if (w->watch[i].cycles == 0)
            continue;
        add_trial(&w->watch[i], &all);
        watched++;
    }
    if (watched == 0)
        return TR_ABORTED;
    tr_tracking result = all.sum;
    double ends = result.ends ? (double)result.ends : 1;
    for (int i = 0; i < TR_BODY_MAX; i++)
        result.joint_rad[i] /= ends;
    for (int e = 0; e < 8; e++)
        result.effector_m[e] /= ends;
    result.root_m /= ends;
    result.root_rad /= ends;
    result.velocity_mps /= ends;
    result.nsr /= watched;
    result.speed_mps /= (double)all.cycles;
    result.reference_speed_mps = reference_speed(&w->sheet, w->controller->first.entry, w->cycle_s);
    result.root_mean_m /= (double)all.steps;
    result.slip_mps = mean(result.slip_mps, all.impulse);
    result.depth_m = mean(result.depth_m, (double)all.touching);
    *out = result;
    return TR_OK;
}

/* Returns the most ends that a trial can reach, if it ran the shortest of the entries all the
 * time. */
static int64_t most_ends(const work *w) {
    int64_t shortest = w->cycle;
    for (int i = 0; i < w->sheet.outline.entry_count; i++) {
        int steps = w->sheet.entry[i].steps;
        shortest = steps > 0 && steps < shortest ? steps : shortest;
    }
    return w->test->cycles * ((w->cycle + shortest - 1) / shortest);
}

static tr_status open_watches(work *w, const tr_model *model) {
    size_t entries = (size_t)w->sheet.outline.entry_count;
    w->watch = calloc((size_t)w->test->trials, sizeof *w->watch);
    size_t ends = (size_t)w->test->trials * (size_t)w->ends;
    w->target = calloc(entries, sizeof *w->target);
    w->pose = calloc(ends, sizeof *w->pose);
    w->reference = calloc(ends, sizeof *w->reference);
    if (!w->watch || !w->target || !w->pose || !w->reference)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < w->test->trials; i++)
        w->watch[i] = (watch){.sum = {.root_low_m = INFINITY},
                              .pose = w->pose + (ptrdiff_t)i * w->ends,
                              .reference = w->reference + (ptrdiff_t)i * w->ends};
    for (size_t i = 0; i < entries; i++)
        if (w->sheet.entry[i].end)
            tr_cost_reference(model, w->sheet.entry[i].end, &w->target[i]);
    return TR_OK;
}

static tr_status open_work(work *w, const tr_model *model) {
    tr_status status = tr_driver_describe(w->controller->driver, w->controller->step_s, &w->sheet);
    if (status)
        return status;
    w->cycle_s = tr_controller_outline(w->controller).cycle_s;
    w->cycle = llround(w->cycle_s / w->controller->step_s);
    if (w->cycle < 1 || most_ends(w) > TR_TRACKING_END_MAX)
        return TR_INVALID_ARGUMENT;
    w->ends = (int)most_ends(w);
    return open_watches(w, model);
}

tr_status tr_tracking_watch(tr_ensemble *ensemble, const tr_controller *controller,
                            const tr_tracking_test *test, tr_tracking *out) {
    if (test->trials < 1 || test->trials > 1000 || test->cycles < 1 || !(test->settle_s >= 0))
        return TR_INVALID_ARGUMENT;
    work w = {.controller = controller, .test = test};
    tr_status status = open_work(&w, ensemble->model);
    if (!status) {
        /* The poses are not needed after the trial. */
        tr_ensemble_share(ensemble, watch_trial, &w, test->trials,
                          (const tr_ranks_result[]){{w.watch, sizeof *w.watch}, {0}});
        status = summarize(&w, out);
    }
    free(w.pose);
    free(w.reference);
    free(w.watch);
    free(w.target);
    tr_driver_sheet_deinit(&w.sheet);
    return status;
}
