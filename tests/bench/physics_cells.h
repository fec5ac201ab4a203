/* Cells of `troupe-bench physics`: a scenario run by an engine at a step. */
#pragma once

#include "control/driver/controller.h"
#include "scenes/scenario.h"

#include <stdbool.h>

typedef struct tr_bench_run {
    double cpu_s;    /* of the steps alone */
    int steps;       /* taken */
    double contacts; /* mean per step */
    double root_z;   /* of the first character at the end, m */
} tr_bench_run;

/* What is to be run: `seconds` of simulated time, or less where the budget of processor time ends
 * it. */
typedef struct tr_bench_job {
    const tr_scenario *scenario;
    const tr_model *model;
    const char *model_path;
    const tr_controller *controller; /* drives the character; NULL: the scenario does */
    double h_s, seconds, budget_s;
} tr_bench_job;

/* An engine that a scenario can be run by. */
typedef struct tr_bench_engine {
    const char *name;
    const char *(*version)(void); /* of another project; NULL: ours, or ODE of this system */
    bool (*can_run)(const tr_bench_job *job);
    /* False: failed, the reason is on stderr. */
    bool (*run)(const tr_bench_job *job, tr_bench_run *out);
} tr_bench_engine;

extern const tr_bench_engine tr_bench_articulated, tr_bench_ode_reference;

/* The same MJCF in MuJoCo, in the two settings that are its fastest here (mujoco_engine.c). */
extern const tr_bench_engine tr_bench_mujoco_newton, tr_bench_mujoco_pgs;
