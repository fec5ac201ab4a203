#include "bench/truth_mujoco.h"
#include "bench/mujoco_twin.h"
#include "learn/rehearsal/lost.h"
#include "learn/rehearsal/trial.h"

#include <math.h>

static const uint64_t SEED = 20150815;
static const double AFTER_END_S = 1;

/* A trial. The rehearsal's world holds MuJoCo's state, for the controller to see; it never steps. */
typedef struct play {
    const tr_controller *controller;
    tr_rehearsal seen;
    tr_twin *twin;
    tr_runner runner;
    tr_drive drive; /* the last one with targets */
    tr_lost_watch watch;
    int step, substeps;
} play;

static bool show(play *p, tr_state *out) {
    tr_twin_get(p->twin, out);
    return !tr_world_set_state(p->seen.world, p->seen.character, out);
}

/* One step of the controller. false: the motion is lost. */
static bool advance(play *p) {
    tr_state state;
    tr_drive drive;
    bool begins = p->step == 0;
    if (!show(p, &state) || tr_runner_advance(&p->runner, p->seen.world, p->seen.character, &drive))
        return false;
    if (begins)
        p->watch = tr_lost_begin(p->controller, &drive, &state);
    if (drive.mode == TR_DRIVE_TARGETS)
        p->drive = drive;
    if (!tr_twin_step(p->twin, p->drive.gain_set, p->drive.target, p->substeps) || !show(p, &state))
        return false;
    p->step++;
    bool completed = drive.completes || (drive.mode == TR_DRIVE_HOLD && p->step >= p->watch.steps);
    if (completed)
        p->step = 0;
    return !tr_lost_look(&p->watch, &p->runner, p->seen.world, p->seen.character, completed);
}

/* Seconds until the motion is lost, at most `seconds`. */
static double perform(play *p, int number, double seconds) {
    tr_state start = tr_trial_disturbed_start(p->controller, SEED, number);
    int64_t k = 0, steps = (int64_t)ceil(seconds / p->controller->step_s);
    tr_twin_put(p->twin, &start);
    tr_runner_start(&p->runner, p->controller, 0, false);
    p->step = 0;
    while (k < steps && advance(p))
        k++;
    return (double)k * p->controller->step_s;
}

bool tr_truth_in_mujoco(const tr_model *model, const char *mjcf, const tr_controller *controller,
                        const tr_truth_trials *trials, int *out_held, double *out_mean_s) {
    tr_ensemble_def def = tr_ensemble_def_for(model, controller);
    play p = {.controller = controller,
              .substeps = (int)lround(controller->step_s / trials->step_s)};
    double seconds = tr_controller_outline(controller).cyclic
                         ? trials->seconds
                         : tr_controller_duration_s(controller) + AFTER_END_S;
    p.twin = tr_twin_create(model, mjcf, controller->step_s / p.substeps);
    bool good = p.twin && !tr_rehearsal_open(&def, true, &p.seen);
    *out_held = 0;
    *out_mean_s = 0;
    for (int i = 0; good && i < trials->trials; i++) {
        double held_s = perform(&p, i, seconds);
        *out_held += held_s >= seconds - 1e-9;
        *out_mean_s += held_s / trials->trials;
    }
    tr_world_destroy(p.seen.world);
    tr_twin_destroy(p.twin);
    return good;
}
