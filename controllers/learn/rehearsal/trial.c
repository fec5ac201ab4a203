#include "learn/rehearsal/trial.h"

#include "control/planner.h"
#include "learn/rehearsal/cost.h"
#include "math/random.h"

#include <math.h>

enum { SETTLE_MAX = 10 };         /* times that a fragment is come to, */
static const double SETTLE_S = 5; /* or so long, until one is settled there */

static const double START_NOISE = 0.05; /* m/s and rad/s */

tr_status tr_trial_begin(tr_trial *trial, const tr_controller *controller, tr_rehearsal *rehearsal,
                         const tr_state *start) {
    return tr_trial_begin_at(trial, controller, 0, rehearsal, start);
}

tr_status tr_trial_begin_at(tr_trial *trial, const tr_controller *controller, int fragment,
                            tr_rehearsal *rehearsal, const tr_state *start) {
    *trial = (tr_trial){.controller = controller, .fragment = fragment};
    trial->runner = tr_runner_start(controller, fragment, false);
    return tr_rehearsal_place(rehearsal, start);
}

static bool is_lost(const tr_trial *trial, const tr_state *state) {
    const tr_state *end = &trial->controller->fragment[trial->fragment].end;
    tr_quat turn = tr_quat_from_heading(-trial->heading_start_rad);
    tr_cost_root root = {tr_quat_mul(turn, state->pose.root_rot), state->pose.root_pos.z};
    if (trial->mirrored)
        root.rot = tr_quat_mirror(root.rot);
    return tr_cost_root_is_lost(&root, &(tr_cost_root){end->pose.root_rot, end->pose.root_pos.z});
}

static bool step_once(tr_trial *trial, tr_rehearsal *rehearsal) {
    tr_state state;
    bool begins = trial->step == 0;
    if (begins && tr_world_get_state(rehearsal->world, rehearsal->character, &state) == TR_OK)
        trial->heading_start_rad = tr_quat_heading(state.pose.root_rot);
    if (tr_runner_advance(&trial->runner, rehearsal->world, rehearsal->character) != TR_OK)
        return false;
    if (begins) {
        trial->fragment = trial->runner.fragment;
        trial->mirrored = trial->runner.mirrored;
    }
    if (tr_world_step(rehearsal->world) != TR_OK)
        return false;
    trial->steps++;
    if (++trial->step < trial->controller->fragment[trial->fragment].steps)
        return true;
    trial->step = 0;
    return tr_world_get_state(rehearsal->world, rehearsal->character, &state) == TR_OK &&
           !is_lost(trial, &state);
}

void tr_trial_run(tr_trial *trial, tr_rehearsal *rehearsal, int64_t steps) {
    while (!trial->lost && trial->steps < steps)
        trial->lost = !step_once(trial, rehearsal);
}

void tr_trial_finish_fragment(tr_trial *trial, tr_rehearsal *rehearsal) {
    if (trial->step == 0) /* which fragment comes shows after its first step */
        tr_trial_run(trial, rehearsal, trial->steps + 1);
    int left = trial->controller->fragment[trial->fragment].steps - trial->step;
    if (trial->step != 0)
        tr_trial_run(trial, rehearsal, trial->steps + left);
}

void tr_trial_come_to(tr_trial *trial, tr_rehearsal *rehearsal, int fragment) {
    for (int i = 0; i <= 2 * trial->controller->fragment_count && !trial->lost; i++) {
        if (trial->runner.ended)
            break;
        tr_trial_finish_fragment(trial, rehearsal);
        if (trial->fragment == fragment && !trial->lost)
            return;
    }
    trial->lost = true;
}

double tr_trial_distance(const tr_trial *trial, const tr_rehearsal *rehearsal) {
    tr_state state;
    tr_graph_place done = {trial->fragment, trial->mirrored};
    if (trial->lost || tr_world_get_state(rehearsal->world, rehearsal->character, &state) != TR_OK)
        return INFINITY;
    return tr_planner_distance(trial->controller, rehearsal->model, done, &state);
}

static bool is_settled(const tr_trial *trial, const tr_rehearsal *rehearsal) {
    tr_state state;
    tr_graph_place done = {trial->fragment, trial->mirrored};
    return tr_world_get_state(rehearsal->world, rehearsal->character, &state) == TR_OK &&
           tr_planner_is_settled(trial->controller, rehearsal->model, done, &state);
}

void tr_trial_settle_at(tr_trial *trial, tr_rehearsal *rehearsal, int fragment) {
    int64_t last = trial->steps + (int64_t)(SETTLE_S / trial->controller->step_s);
    for (int i = 0; (i < SETTLE_MAX || trial->steps < last) && !trial->lost; i++) {
        tr_trial_come_to(trial, rehearsal, fragment);
        if (!trial->lost && is_settled(trial, rehearsal))
            return;
    }
    trial->lost = true;
}

static tr_vec3 noise(tr_random *random) {
    double x = tr_random_normal(random), y = tr_random_normal(random), z = tr_random_normal(random);
    return tr_vec3_scale((tr_vec3){x, y, z}, START_NOISE);
}

tr_state tr_trial_disturb(const tr_state *state, uint64_t seed, int trial) {
    tr_random random = tr_random_split(seed, 0, (uint64_t)trial);
    tr_state disturbed = *state;
    disturbed.root_vel = tr_vec3_add(state->root_vel, noise(&random));
    disturbed.root_omega = tr_vec3_add(state->root_omega, noise(&random));
    return disturbed;
}

tr_state tr_trial_disturbed_start(const tr_controller *controller, uint64_t seed, int trial) {
    return tr_trial_disturb(&controller->spawn, seed, trial);
}

tr_state tr_trial_start(const tr_controller *controller, const tr_starts *starts, uint64_t seed,
                        int trial) {
    if (starts->count == 0)
        return tr_trial_disturbed_start(controller, seed, trial);
    tr_random which = tr_random_split(seed, UINT64_MAX, (uint64_t)trial);
    int at = (int)(tr_random_uniform(&which) * starts->count);
    return tr_trial_disturb(&starts->state[at], seed, trial);
}
