/* The two steppers behind tr_world as engines of the benchmark. */
#include "bench/bench.h"
#include "bench/physics_cells.h"
#include "control/driver/runner.h"
#include "oracle/ode_reference.h"

#include <stdio.h>
#include <stdlib.h>

/* A rig and what drives its characters. */
typedef struct performance {
    const tr_bench_job *job;
    tr_scenario_run rig;
    tr_quat *targets; /* of all steps: [steps][body_count] */
    tr_runner runner[TR_CHARACTER_MAX];
} performance;

static bool any(const tr_bench_job *job) {
    (void)job;
    return true;
}

/* Made before the clock starts. */
static tr_quat *prepare_targets(const tr_bench_job *job, int steps) {
    size_t bodies = (size_t)job->model->body_count;
    tr_quat *targets = calloc((size_t)steps * bodies, sizeof *targets);
    for (int step = 0; targets && step < steps; step++)
        tr_scenario_targets(job->scenario, job->model, (step + 1) * job->h_s,
                            targets + (size_t)step * bodies);
    return targets;
}

static bool open_performance(const tr_bench_job *job, tr_world_def def, int steps,
                             performance *out) {
    *out = (performance){.job = job};
    for (int i = 0; i < job->scenario->characters; i++)
        tr_runner_start(&out->runner[i], job->controller, 0, false);
    if (tr_scenario_run_create(job->scenario, job->model, def, &out->rig))
        return false;
    out->targets = prepare_targets(job, steps);
    return out->targets;
}

static void close_performance(performance *p) {
    tr_scenario_run_destroy(&p->rig);
    free(p->targets);
}

/* Each character begins some steps after the one before, so that they are in different phases. */
static bool advance_runner(performance *p, int i, int step) {
    enum { APART = 9 };
    tr_scenario_run *rig = &p->rig;
    tr_state state = p->job->controller->spawn;
    state.pose.root_pos.y += i * rig->scenario->spacing_m;
    if (step <= APART * i && tr_world_set_state(rig->world, rig->character[i], &state))
        return false;
    return step < APART * i ||
           !tr_runner_advance(&p->runner[i], rig->world, rig->character[i], NULL);
}

static bool advance(performance *p, int step) {
    tr_scenario_run *rig = &p->rig;
    if (p->job->controller) {
        for (int i = 0; i < rig->scenario->characters; i++)
            if (!advance_runner(p, i, step))
                return false;
        return !tr_world_step(rig->world);
    }
    const tr_quat *targets = p->targets + (size_t)step * (size_t)rig->model->body_count;
    for (int i = 0; i < rig->scenario->characters; i++)
        if (tr_world_set_targets(rig->world, rig->character[i], targets))
            return false;
    return !tr_world_step(rig->world);
}

static bool measure(performance *p, int steps, tr_bench_run *out) {
    enum { BATCH = 20 };
    long contacts = 0;
    double started = tr_bench_now();
    *out = (tr_bench_run){0};
    while (out->steps < steps && out->cpu_s < p->job->budget_s) {
        for (int i = 0; i < BATCH && out->steps < steps; i++, out->steps++) {
            if (!advance(p, out->steps))
                return false;
            int count;
            tr_world_contacts(p->rig.world, &count);
            contacts += count;
        }
        out->cpu_s = tr_bench_now() - started;
    }
    tr_state state;
    if (tr_world_get_state(p->rig.world, p->rig.character[0], &state))
        return false;
    out->root_z = state.pose.root_pos.z;
    out->contacts = (double)contacts / out->steps;
    return true;
}

static bool run_stepper(const tr_bench_job *job, const tr_stepper *stepper, tr_bench_run *out) {
    tr_world_def def = tr_world_def_default();
    def.stepper = stepper;
    def.step_s = job->h_s;
    int steps = (int)(job->seconds / job->h_s + 0.5);
    performance p;
    bool ok = open_performance(job, def, steps, &p) && measure(&p, steps, out);
    if (!ok)
        fprintf(stderr, "%s: the scene cannot be made or stepped\n", job->scenario->name);
    close_performance(&p);
    return ok;
}

static bool run_articulated(const tr_bench_job *job, tr_bench_run *out) {
    return run_stepper(job, NULL, out);
}

static bool run_ode_reference(const tr_bench_job *job, tr_bench_run *out) {
    return run_stepper(job, &tr_stepper_ode_reference, out);
}

const tr_bench_engine tr_bench_articulated = {"articulated", NULL, any, run_articulated};
const tr_bench_engine tr_bench_ode_reference = {"ode_reference", NULL, any, run_ode_reference};
