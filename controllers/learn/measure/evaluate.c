#include "learn/measure/evaluate.h"

#include "learn/rehearsal/tread.h"
#include "learn/rehearsal/trial.h"
#include "learn/rehearsal/trial_ground.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

static const double TREAD_SETTLE_S = 2;
static const double SLOPE_SIDE_M = 60;

static int64_t whole_steps(const tr_controller *controller, double seconds) {
    return (int64_t)llround(seconds / controller->step_s);
}

int64_t tr_evaluate_cycle(const tr_controller *controller) {
    tr_driver_outline outline = tr_controller_outline(controller);
    return whole_steps(controller, outline.cycle_s > 0 ? outline.cycle_s : outline.duration_s);
}

static bool sound_count(int trials, int first) {
    return trials >= 1 && trials <= TR_EVALUATE_TRIAL_MAX && first >= 0 &&
           first <= TR_EVALUATE_TRIAL_MAX;
}

/* --- undisturbed --- */

typedef struct hold_work {
    const tr_controller *controller;
    const tr_hold_test *test;
    double *held_s;         /* [trials], or infinity */
    tr_tread_result *tread; /* [trials] */
} hold_work;

/* Lays the slope of a trial, if it is on one, and puts its start there. */
static tr_status lay_slope(const tr_hold_test *test, int number, tr_world *world, tr_state *start) {
    const tr_trial_ground slope = {.kind = number % 2 ? TR_TRIAL_GROUND_UP : TR_TRIAL_GROUND_ACROSS,
                                   .amount = number % 4 < 2 ? test->slope_deg : -test->slope_deg,
                                   .side_m = SLOPE_SIDE_M};
    if (test->slope_deg == 0)
        return TR_OK;
    *start = tr_trial_slope_tilt(&slope, start);
    return tr_trial_ground_raise(&slope, world, start);
}

static void hold_trials(void *context, const int *item, int count,
                        const tr_rehearsal_group *group) {
    hold_work *work = context;
    const tr_hold_test *test = work->test;
    tr_trial trial[TR_QUARTET_MAX];
    int64_t steps[TR_QUARTET_MAX] = {0};
    for (int k = 0; k < count; k++) {
        int number = test->first + item[k];
        tr_state start = tr_trial_start(work->controller, &test->starts, test->seed, number);
        steps[k] = whole_steps(work->controller, test->cap_s);
        if (lay_slope(test, number, group->rehearsal[k]->world, &start) ||
            tr_trial_begin(&trial[k], work->controller, group->rehearsal[k], &start))
            trial[k].lost = true;
    }
    tr_trial_run_together(trial, group, steps, count);
    for (int k = 0; k < count; k++) {
        if (test->slope_deg > 0)
            tr_trial_ground_lift(group->rehearsal[k]->world);
        double time_s = (double)trial[k].steps * work->controller->step_s;
        /* Infinity tells a trial that held from one that was lost in the last step. */
        work->held_s[item[k]] = trial[k].lost ? fmin(time_s, test->cap_s) : (double)INFINITY;
    }
}

tr_status tr_evaluate_hold(tr_ensemble *ensemble, const tr_controller *controller,
                           const tr_hold_test *test, tr_hold_result *out) {
    if (!sound_count(test->trials, test->first) || !(test->cap_s > 0))
        return TR_INVALID_ARGUMENT;
    double *held_s = calloc((size_t)test->trials, sizeof *held_s);
    if (!held_s)
        return TR_RESOURCE_EXHAUSTED;
    hold_work work = {.controller = controller, .test = test, .held_s = held_s};
    tr_ensemble_share_groups(ensemble, hold_trials, &work, test->trials,
                             (const tr_ranks_result[]){{held_s, sizeof *held_s}, {0}});
    tr_hold_result result = {.trials = test->trials, .shortest_s = test->cap_s};
    for (int i = 0; i < test->trials; i++) {
        bool held = isinf(held_s[i]);
        double time_s = held ? test->cap_s : held_s[i];
        result.held += held;
        result.mean_s += time_s / test->trials;
        result.shortest_s = fmin(result.shortest_s, time_s);
    }
    free(held_s);
    *out = result;
    return TR_OK;
}

/* --- treading --- */

/* Measures the treading of an undisturbed trial after 2 s; infinity if the motion was lost. */
static void tread_trial(void *context, int item, tr_rehearsal *rehearsal) {
    hold_work *work = context;
    tr_trial trial;
    tr_state start = tr_trial_disturbed_start(work->controller, work->test->seed, item);
    int64_t end = whole_steps(work->controller, TREAD_SETTLE_S + work->test->cap_s);
    tr_tread tread = {0};
    work->tread[item] = (tr_tread_result){INFINITY, INFINITY};
    if (tr_trial_begin(&trial, work->controller, rehearsal, &start))
        return;
    tr_trial_run(&trial, rehearsal, whole_steps(work->controller, TREAD_SETTLE_S));
    while (!trial.lost && trial.steps < end) {
        tr_trial_run(&trial, rehearsal, trial.steps + 1);
        tr_tread_add(&tread, rehearsal);
    }
    if (!trial.lost)
        work->tread[item] = (tr_tread_result){tread.peak_bw, tr_tread_slip(&tread)};
}

tr_status tr_evaluate_tread(tr_ensemble *ensemble, const tr_controller *controller,
                            const tr_hold_test *test, tr_tread_result *out) {
    if (!sound_count(test->trials, 0) || !(test->cap_s > 0))
        return TR_INVALID_ARGUMENT;
    tr_tread_result *result = calloc((size_t)test->trials, sizeof *result), sum = {0};
    if (!result)
        return TR_RESOURCE_EXHAUSTED;
    hold_work work = {.controller = controller, .test = test, .tread = result};
    tr_ensemble_share(ensemble, tread_trial, &work, test->trials,
                      (const tr_ranks_result[]){{result, sizeof *result}, {0}});
    for (int i = 0; i < test->trials; i++) {
        sum.peak_bw += result[i].peak_bw;
        sum.slip_mps += result[i].slip_mps;
    }
    free(result);
    *out = (tr_tread_result){sum.peak_bw / test->trials, sum.slip_mps / test->trials};
    return TR_OK;
}

/* --- pushes --- */

tr_push_test tr_push_test_default(void) {
    return (tr_push_test){.push_s = 0.2,
                          .settle_s = 3,
                          .after_s = 5,
                          .directions = TR_PUSH_DIRECTIONS,
                          .phases = TR_PUSH_PHASES,
                          .starts = 1};
}

typedef struct push_work {
    const tr_controller *controller;
    const tr_push_test *test;
    int64_t *first; /* [starts], step of the first phase */
    bool *survived; /* [starts][phases][directions] */
    bool *aloft;    /* [starts][phases] */
} push_work;

/* The phases of a group, as they are before their pushes. */
typedef struct phases {
    const push_work *work;
    const int *item; /* [count]: start * phases + phase */
    int count;
    tr_trial trial[TR_QUARTET_MAX];
    tr_rehearsal_moment moment[TR_QUARTET_MAX];
} phases;

/* Runs to the beginning of the pushes; a phase that does not reach it is lost. */
static void approach(phases *p, const tr_rehearsal_group *group) {
    const tr_controller *controller = p->work->controller;
    const tr_push_test *test = p->work->test;
    int64_t steps[TR_QUARTET_MAX] = {0};
    for (int k = 0; k < p->count; k++) {
        int start = p->item[k] / test->phases, phase = p->item[k] % test->phases;
        tr_state state = tr_trial_disturbed_start(controller, test->seed, p->item[k]);
        steps[k] = p->work->first[start] + phase * tr_evaluate_cycle(controller) / test->phases;
        if (tr_trial_begin(&p->trial[k], controller, group->rehearsal[k], &state))
            p->trial[k].lost = true;
    }
    tr_trial_run_together(p->trial, group, steps, p->count);
    for (int k = 0; k < p->count; k++) {
        int touches = 0;
        if (p->trial[k].lost)
            continue;
        p->trial[k].lost = tr_rehearsal_look(group->rehearsal[k], &p->moment[k]) != TR_OK;
        (void)tr_world_contacts(group->rehearsal[k]->world, &touches);
        p->work->aloft[p->item[k]] = touches == 0;
    }
}

/* Pushes all phases of the group in direction d. */
static void survive_push(const phases *p, int d, const tr_rehearsal_group *group) {
    const push_work *work = p->work;
    const tr_push_test *test = work->test;
    tr_trial trial[TR_QUARTET_MAX];
    int64_t steps[TR_QUARTET_MAX] = {0};
    for (int k = 0; k < p->count; k++) {
        tr_rehearsal *rehearsal = group->rehearsal[k];
        /* Each direction continues from the same moment. */
        trial[k] = p->trial[k];
        if (trial[k].lost)
            continue;
        double heading_rad = tr_quat_heading(p->moment[k].state.pose.root_rot);
        tr_rehearsal_push push = {test->force_n, heading_rad + 2 * TR_PI * d / test->directions,
                                  (int)whole_steps(work->controller, test->push_s)};
        steps[k] = trial[k].steps + push.steps + whole_steps(work->controller, test->after_s);
        if (tr_rehearsal_return(rehearsal, &p->moment[k]) || tr_rehearsal_shove(rehearsal, &push))
            trial[k].lost = true;
    }
    tr_trial_run_together(trial, group, steps, p->count);
    for (int k = 0; k < p->count; k++)
        work->survived[(size_t)p->item[k] * (size_t)test->directions + (size_t)d] = !trial[k].lost;
}

static void push_phases(void *context, const int *item, int count,
                        const tr_rehearsal_group *group) {
    const push_work *work = context;
    phases p = {.work = work, .item = item, .count = count};
    approach(&p, group);
    for (int d = 0; d < work->test->directions; d++)
        survive_push(&p, d, group);
}

static bool sound_push_test(const tr_controller *controller, const tr_push_test *test) {
    return tr_evaluate_cycle(controller) >= 1 && test->push_s > 0 && test->after_s > 0 &&
           test->settle_s >= 0 && test->directions >= 1 &&
           test->directions <= TR_PUSH_DIRECTION_MAX && test->phases >= 1 &&
           test->phases <= TR_PUSH_PHASE_MAX && test->starts >= 1 &&
           test->starts <= TR_EVALUATE_TRIAL_MAX / TR_PUSH_PHASE_MAX;
}

static void place_phases(push_work *work) {
    const tr_push_test *test = work->test;
    int64_t cycle = tr_evaluate_cycle(work->controller);
    /* Whole cycles, so that phases are those of the cycle. */
    int64_t settle = (whole_steps(work->controller, test->settle_s) + cycle - 1) / cycle * cycle;
    tr_random random = tr_random_seed(test->seed);
    for (int s = 0; s < test->starts; s++) {
        double offset = tr_random_uniform(&random) / test->phases;
        work->first[s] = settle + (int64_t)(offset * (double)cycle);
    }
}

static tr_push_result count_survivors(const push_work *work) {
    const tr_push_test *test = work->test;
    int items = test->phases * test->starts;
    tr_push_result result = {.trials = items * test->directions};
    const bool *survived = work->survived;
    for (int i = 0; i < items; i++) {
        result.aloft[i % test->phases] += work->aloft[i];
        for (int d = 0; d < test->directions; d++, survived++) {
            result.survived += *survived;
            result.by_phase[i % test->phases] += *survived;
            result.by_direction[d] += *survived;
        }
    }
    return result;
}

tr_status tr_evaluate_pushes(tr_ensemble *ensemble, const tr_controller *controller,
                             const tr_push_test *test, tr_push_result *out) {
    if (!sound_push_test(controller, test))
        return TR_INVALID_ARGUMENT;
    int items = test->phases * test->starts;
    push_work work = {.controller = controller, .test = test};
    work.first = calloc((size_t)test->starts, sizeof *work.first);
    work.survived = calloc((size_t)items * (size_t)test->directions, sizeof *work.survived);
    work.aloft = calloc((size_t)items, sizeof *work.aloft);
    tr_status status = work.first && work.survived && work.aloft ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        place_phases(&work);
        const tr_ranks_result survived = {work.survived,
                                          (size_t)test->directions * sizeof *work.survived};
        const tr_ranks_result aloft = {work.aloft, sizeof *work.aloft};
        tr_ensemble_share_groups(ensemble, push_phases, &work, items,
                                 (const tr_ranks_result[]){survived, aloft, {0}});
        *out = count_survivors(&work);
    }
    free(work.aloft);
    free(work.survived);
    free(work.first);
    return status;
}

static tr_status survived_share(tr_ensemble *ensemble, const tr_controller *controller,
                                const tr_push_search *search, double force_n, double *out_share) {
    tr_push_test test = search->test;
    tr_push_result result;
    test.force_n = force_n;
    tr_status status = tr_evaluate_pushes(ensemble, controller, &test, &result);
    if (!status)
        *out_share = (double)result.survived / result.trials;
    return status;
}

tr_status tr_evaluate_largest_push(tr_ensemble *ensemble, const tr_controller *controller,
                                   const tr_push_search *search, double *out_n, double *out_score) {
    double force_n = fmax(search->grid_n, search->from_n), passed_n = 0, failed_n = INFINITY;
    /* Up while pushes are survived, down while they are not, until both sides of the bound are
     * known. No push at all counts as survived. */
    double passed_share = 1, failed_share = 0;
    while (force_n > 0 && force_n <= search->limit_n && passed_n + search->grid_n < failed_n) {
        double share = 0;
        tr_status status = survived_share(ensemble, controller, search, force_n, &share);
        if (status)
            return status;
        if (share >= search->share) {
            passed_n = force_n;
            passed_share = share;
            force_n += search->grid_n;
        } else {
            failed_n = force_n;
            failed_share = share;
            force_n -= search->grid_n;
        }
    }
    *out_n = passed_n;
    *out_score = passed_n;
    /* Linear between the two forces at which the share is crossed. */
    if (isfinite(failed_n))
        *out_score +=
            (failed_n - passed_n) * (passed_share - search->share) / (passed_share - failed_share);
    return TR_OK;
}

/* --- pushes of growing magnitude --- */

tr_resist_test tr_resist_test_default(void) {
    return (tr_resist_test){
        .trials = 100, .growth_nps = 1, .every_s = 1, .push_s = 0.2, .cap_s = 3600};
}

typedef struct resist_work {
    const tr_controller *controller;
    const tr_resist_test *test;
    double *lost_s; /* [trials] */
} resist_work;

/* Runs up to the next push and gives it. */
static bool resist_push(const resist_work *work, tr_trial *trial, int number, tr_random *random,
                        tr_rehearsal *rehearsal) {
    const tr_resist_test *test = work->test;
    double time_s = (2 * number + 1) * test->every_s;
    tr_trial_run(trial, rehearsal, whole_steps(work->controller, fmin(time_s, test->cap_s)));
    if (trial->lost || time_s >= test->cap_s)
        return false;
    double direction = 2 * TR_PI * tr_random_uniform(random);
    /* The deviation of the force grows with time (liu2015-guided, section 6.1, leaves open how). */
    double force = fabs(test->growth_nps * time_s * tr_random_normal(random));
    tr_rehearsal_push push = {force, direction, (int)whole_steps(work->controller, test->push_s)};
    return !tr_rehearsal_shove(rehearsal, &push);
}

static void resist_trial(void *context, int item, tr_rehearsal *rehearsal) {
    resist_work *work = context;
    const tr_resist_test *test = work->test;
    int number = test->first + item;
    tr_trial trial;
    tr_random random = tr_random_split(test->seed, 1, (uint64_t)number);
    tr_state start = tr_trial_disturbed_start(work->controller, test->seed, number);
    work->lost_s[item] = 0;
    if (tr_trial_begin(&trial, work->controller, rehearsal, &start))
        return;
    for (int push = 0; resist_push(work, &trial, push, &random, rehearsal); push++)
        ;
    work->lost_s[item] = fmin((double)trial.steps * work->controller->step_s, test->cap_s);
}

tr_status tr_evaluate_resistance(tr_ensemble *ensemble, const tr_controller *controller,
                                 const tr_resist_test *test, double *out_s) {
    if (!sound_count(test->trials, test->first) || !(test->cap_s > 0) || !(test->growth_nps >= 0) ||
        !(test->every_s >= test->push_s) || !(test->push_s >= controller->step_s))
        return TR_INVALID_ARGUMENT;
    resist_work work = {controller, test, NULL};
    work.lost_s = out_s;
    tr_ensemble_share(ensemble, resist_trial, &work, test->trials,
                      (const tr_ranks_result[]){{out_s, sizeof *out_s}, {0}});
    return TR_OK;
}

/* --- how sure --- */

void tr_evaluate_wilson(int successes, int trials, double *out_low, double *out_high) {
    const double z = 1.959963984540054;
    double n = trials, p = successes / n, z2 = z * z;
    /* The bounds are the p0 with (p - p0)^2 = z^2 p0 (1 - p0) / n (Wilson 1927). */
    double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half = z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    *out_low = fmax(0, centre - half);
    *out_high = fmin(1, centre + half);
}

/* --- the way it moves --- */

typedef struct gait_work {
    const tr_controller *controller;
    double settle_s;
    int cycles;
    tr_status status;
    tr_gait_report report;
} gait_work;

/* Returns the mean joint angle to the reference end; 0 where there is no reference. */
static double pose_error(const tr_model *model, const tr_trial *trial, const tr_state *state) {
    const tr_driver *driver = &trial->runner.controller->driver;
    tr_driver_entry entry;
    driver->kind->entry(driver->content, trial->watch.entry, &entry);
    const tr_state *end = entry.end;
    tr_pose pose = trial->watch.mirrored ? tr_pose_mirror(model, &state->pose) : state->pose;
    double sum = 0;
    if (!end)
        return 0;
    for (int i = 1; i < model->body_count; i++)
        sum += tr_quat_angle(pose.joint[i], end->pose.joint[i]);
    return sum / (model->body_count - 1);
}

static void note_torques(tr_gait_report *report, const tr_model *model, const tr_vec3 *torque) {
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        const bool single = tr_body_has_axis(body);
        const double axis[3] = {single ? tr_vec3_dot(torque[i], body->axis) : torque[i].x,
                                single ? 0 : torque[i].y, single ? 0 : torque[i].z};
        for (int k = 0; k < 3; k++) {
            double *peak = &report->peak_nm[i][k][axis[k] > 0];
            *peak = fmax(*peak, fabs(axis[k]));
        }
    }
}

static void watch_cycles(gait_work *work, tr_trial *trial, tr_rehearsal *rehearsal) {
    tr_gait_report *report = &work->report;
    int64_t steps = work->cycles * tr_evaluate_cycle(work->controller), ends = 0;
    const int64_t cycle = steps / work->cycles;
    tr_state state, begin, cycle_begin;
    work->status = tr_world_get_state(rehearsal->world, rehearsal->character, &begin);
    state = cycle_begin = begin;
    double heading = 0;
    for (int64_t i = 0; i < steps && !work->status && !trial->lost; i++) {
        double before = tr_quat_heading(state.pose.root_rot);
        tr_trial_run(trial, rehearsal, trial->steps + 1);
        work->status = tr_world_get_state(rehearsal->world, rehearsal->character, &state);
        heading += tr_angle_wrap(tr_quat_heading(state.pose.root_rot) - before);
        note_torques(report, rehearsal->model,
                     tr_world_servo_torques(rehearsal->world, rehearsal->character));
        if ((i + 1) % cycle == 0) {
            tr_vec3 way = tr_vec3_sub(state.pose.root_pos, cycle_begin.pose.root_pos);
            report->cycle_m += hypot(way.x, way.y) / work->cycles;
            cycle_begin = state;
        }
        if (trial->step == 0) {
            report->pose_error_rad += pose_error(rehearsal->model, trial, &state);
            ends++;
        }
    }
    double time_s = (double)steps * work->controller->step_s;
    tr_vec3 way = tr_vec3_sub(state.pose.root_pos, begin.pose.root_pos);
    report->speed_mps = hypot(way.x, way.y) / time_s;
    /* A skill that turns whole turns in a cycle, as a pirouette, does not count as turning. */
    double turn = heading / work->cycles, cycle_s = time_s / work->cycles;
    report->turn_rate = tr_angle_wrap(turn) / cycle_s;
    report->pose_error_rad /= ends ? (double)ends : 1;
    report->held = !trial->lost;
}

static void gait_trial(void *context, int item, tr_rehearsal *rehearsal) {
    gait_work *work = context;
    tr_trial trial;
    (void)item;
    work->status = tr_trial_begin(&trial, work->controller, rehearsal, &work->controller->spawn);
    if (work->status)
        return;
    int64_t cycle = tr_evaluate_cycle(work->controller);
    tr_trial_run(&trial, rehearsal,
                 (whole_steps(work->controller, work->settle_s) + cycle - 1) / cycle * cycle);
    watch_cycles(work, &trial, rehearsal);
}

tr_status tr_evaluate_gait(tr_ensemble *ensemble, const tr_controller *controller, double settle_s,
                           int cycles, tr_gait_report *out) {
    if (cycles < 1 || tr_evaluate_cycle(controller) < 1 || !(settle_s >= 0))
        return TR_INVALID_ARGUMENT;
    gait_work work = {.controller = controller, .settle_s = settle_s, .cycles = cycles};
    tr_ensemble_run(ensemble, gait_trial, &work, 1);
    if (!work.status)
        *out = work.report;
    return work.status;
}
