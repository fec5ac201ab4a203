#include "learn/rehearsal/trial.h"

#include "control/graph/planner.h"
#include "control/parts/above_ground.h"
#include "math/random.h"

#include <math.h>

/* A character may take so many ends of a fragment, or this time, to be settled there. */
enum { SETTLE_MAX = 10 };
static const double SETTLE_S = 5;

static const double START_NOISE = 0.05; /* m/s and rad/s */

tr_status tr_trial_begin(tr_trial *trial, const tr_controller *controller, tr_rehearsal *rehearsal,
                         const tr_state *start) {
    return tr_trial_begin_at(trial, controller, controller->first.entry, rehearsal, start);
}

tr_status tr_trial_begin_at(tr_trial *trial, const tr_controller *controller, int entry,
                            tr_rehearsal *rehearsal, const tr_state *start) {
    tr_trial_hand_over(trial, controller, entry, false);
    return tr_rehearsal_place(rehearsal, start);
}

void tr_trial_hand_over(tr_trial *trial, const tr_controller *controller, int entry,
                        bool mirrored) {
    tr_runner_start(&trial->runner, controller, entry, mirrored);
    trial->steps = 0;
    trial->step = 0;
    trial->watch = (tr_lost_watch){.entry = entry, .mirrored = mirrored};
    trial->lost = false;
}

/* Lets the controller decide for the next step. False: the simulation broke. */
static bool decide(tr_trial *trial, tr_rehearsal *rehearsal, tr_drive *out) {
    tr_world *world = rehearsal->world;
    tr_state state;
    bool begins = trial->step == 0;
    if (begins && tr_world_get_state(world, rehearsal->character, &state))
        return false;
    if (tr_runner_advance(&trial->runner, world, rehearsal->character, out))
        return false;
    /* Only the drive says which entry has begun. */
    if (begins)
        trial->watch = tr_lost_begin(trial->runner.controller, out, &state);
    return true;
}

/* Counts the step that was made, and looks at its outcome. False: the motion is lost. */
static bool look(tr_trial *trial, const tr_rehearsal *rehearsal, const tr_drive *drive) {
    trial->steps++;
    trial->step++;
    /* A controller that has ended holds its last entry for as long as that takes. */
    bool completed =
        drive->completes || (drive->mode == TR_DRIVE_HOLD && trial->step >= trial->watch.steps);
    if (completed)
        trial->step = 0;
    return !tr_lost_look(&trial->watch, &trial->runner, rehearsal->world, rehearsal->character,
                         completed);
}

static bool step_once(tr_trial *trial, tr_rehearsal *rehearsal) {
    tr_drive drive;
    return decide(trial, rehearsal, &drive) && !tr_world_step(rehearsal->world) &&
           look(trial, rehearsal, &drive);
}

void tr_trial_run(tr_trial *trial, tr_rehearsal *rehearsal, int64_t steps) {
    trial->runner.rig = rehearsal->pieces;
    while (!trial->lost && trial->steps < steps)
        trial->lost = !step_once(trial, rehearsal);
}

/* Steps each trial that is not at its end. False: all are. */
static bool step_together(tr_trial *trial, const tr_rehearsal_group *group, const int64_t *steps,
                          int count) {
    tr_drive drive[TR_QUARTET_MAX];
    tr_status status[TR_QUARTET_MAX];
    bool moves[TR_QUARTET_MAX] = {false};
    for (int k = 0; k < count; k++) {
        moves[k] = !trial[k].lost && trial[k].steps < steps[k];
        if (moves[k])
            trial[k].lost = !decide(&trial[k], group->rehearsal[k], &drive[k]);
        moves[k] = moves[k] && !trial[k].lost;
    }
    bool any = tr_rehearsal_group_step(group, moves, count, status);
    for (int k = 0; k < count; k++)
        if (moves[k])
            trial[k].lost = status[k] || !look(&trial[k], group->rehearsal[k], &drive[k]);
    return any;
}

void tr_trial_run_together(tr_trial *trial, const tr_rehearsal_group *group, const int64_t *steps,
                           int count) {
    for (int k = 0; k < count; k++)
        trial[k].runner.rig = group->rehearsal[k]->pieces;
    while (step_together(trial, group, steps, count))
        ;
}

void tr_trial_finish_entry(tr_trial *trial, tr_rehearsal *rehearsal) {
    do
        tr_trial_run(trial, rehearsal, trial->steps + 1);
    while (!trial->lost && trial->step != 0);
}

static bool has_ended(const tr_trial *trial) {
    tr_doing doing;
    tr_runner_look(&trial->runner, &doing);
    return doing.ended;
}

void tr_trial_run_to(tr_trial *trial, tr_rehearsal *rehearsal, int fragment) {
    int entries = tr_controller_outline(trial->runner.controller).entry_count;
    /* A mirrored controller has each fragment in two halves. */
    for (int i = 0; i <= 2 * entries && !trial->lost && !has_ended(trial); i++) {
        tr_trial_finish_entry(trial, rehearsal);
        if (trial->watch.entry == fragment && !trial->lost)
            return;
    }
    trial->lost = true;
}

static tr_graph_place place_of(const tr_trial *trial) {
    return (tr_graph_place){trial->watch.entry, trial->watch.mirrored};
}

/* Reads the state above the local ground, as references are. False: the simulation broke. */
static bool get_state(const tr_rehearsal *rehearsal, tr_state *out) {
    if (tr_world_get_state(rehearsal->world, rehearsal->character, out))
        return false;
    tr_ground ground = tr_world_local_ground(rehearsal->world, rehearsal->character);
    *out = tr_state_above_ground(out, &ground);
    return true;
}

double tr_trial_distance(const tr_trial *trial, const tr_rehearsal *rehearsal) {
    const tr_bank *bank = tr_controller_bank(trial->runner.controller);
    tr_state state;
    if (trial->lost || !get_state(rehearsal, &state))
        return INFINITY;
    return tr_planner_distance(bank, rehearsal->model, place_of(trial), &state);
}

static bool is_settled(const tr_trial *trial, const tr_rehearsal *rehearsal) {
    const tr_bank *bank = tr_controller_bank(trial->runner.controller);
    tr_state state;
    return get_state(rehearsal, &state) &&
           tr_planner_is_settled(bank, rehearsal->model, place_of(trial), &state);
}

void tr_trial_settle_at(tr_trial *trial, tr_rehearsal *rehearsal, int fragment) {
    int64_t last = trial->steps + (int64_t)(SETTLE_S / trial->runner.controller->step_s);
    for (int i = 0; (i < SETTLE_MAX || trial->steps < last) && !trial->lost; i++) {
        tr_trial_run_to(trial, rehearsal, fragment);
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
