/* troupe-bench physics: microseconds per step by scenario, stepper and step length. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "bench/physics_cells.h"
#include "model/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Neighbours 0.524 m apart touch with their upper arms; 1.5 m apart they never meet. */
static const tr_scenario scenarios[] = {
    {"stand", TR_MOTION_STAND, 1, 0.0, true, false, false},
    {"sin", TR_MOTION_WAVE, 1, 0.0, true, false, false},
    {"sin_no_self_collision", TR_MOTION_WAVE, 1, 0.0, false, false, false},
    {"push", TR_MOTION_PUSH, 1, 0.0, true, false, false},
    {"rag", TR_MOTION_LIMP, 1, 0.0, true, false, false},
    {"ball", TR_MOTION_STAND, 1, 0.0, true, true, false},
    {"apart_2", TR_MOTION_STAND, 2, 1.5, true, false, false},
    {"apart_4", TR_MOTION_STAND, 4, 1.5, true, false, false},
    {"apart_8", TR_MOTION_STAND, 8, 1.5, true, false, false},
    {"apart_16", TR_MOTION_STAND, 16, 1.5, true, false, false},
    {"apart_64", TR_MOTION_STAND, 64, 1.5, true, false, false},
    {"touching_2", TR_MOTION_STAND, 2, 0.524, true, false, false},
    {"touching_4", TR_MOTION_STAND, 4, 0.524, true, false, false},
    {"touching_8", TR_MOTION_STAND, 8, 0.524, true, false, false},
    {"stand_field", TR_MOTION_STAND, 1, 0.0, true, false, true},
    {"sin_field", TR_MOTION_WAVE, 1, 0.0, true, false, true},
    {"run", TR_MOTION_STAND, 1, 0.0, true, false, false}, /* by a learned controller */
    {"run_field", TR_MOTION_STAND, 1, 0.0, true, false, true},
    {"run_16", TR_MOTION_STAND, 16, 2.0, true, false, false},
};

static const tr_bench_engine *const engines[] = {&tr_bench_articulated, &tr_bench_ode_reference,
#ifdef TR_BENCH_MUJOCO
                                                 &tr_bench_mujoco_newton, &tr_bench_mujoco_pgs
#endif
};

static const double steps_s[] = {0.005, 0.010};

enum {
    SCENARIOS = sizeof scenarios / sizeof scenarios[0],
    ENGINES = sizeof engines / sizeof engines[0],
    STEPS = sizeof steps_s / sizeof steps_s[0],
    CELLS = SCENARIOS * ENGINES * STEPS,
    ROUNDS_MAX = 25
};

typedef struct cell {
    tr_bench_job job;
    const tr_bench_engine *engine;
    double us_per_step[ROUNDS_MAX];
    tr_bench_run last;
} cell;

static struct {
    const char *scenario, *stepper, *model_path, *bundle, *controller;
    double h_ms, seconds, budget_s; /* h_ms: 0: both */
    int rounds;
} options = {.model_path = TR_MODEL_DIR "/humanoid.xml",
             .bundle = TR_BENCH_BUNDLE,
             .controller = "run",
             .seconds = 5,
             .budget_s = 1,
             .rounds = 5};

static bool chosen(const char *wanted, const char *name) {
    return !wanted || strcmp(wanted, name) == 0;
}

static bool is_run(const char *scenario) {
    return strncmp(scenario, "run", 3) == 0;
}

/* Is `name` a height field and `plane` the same on the plane? */
static bool is_field_of(const char *name, const char *plane) {
    size_t length = strlen(plane);
    return strncmp(name, plane, length) == 0 && strcmp(name + length, "_field") == 0;
}

/* What is measured: the model, and for the scenarios "run" a controller with the model it was
 * learned on. */
typedef struct cast {
    tr_model *model, *runner_model;
    tr_controller *runner; /* NULL: no such controller; "run" is left out */
} cast;

static bool same_step(double a, double b) {
    return a > 0.99 * b && a < 1.01 * b;
}

/* Whether the options ask for the cell, and the engine and the cast can do it. */
static bool lay_out_cell(const cast *c, int index, cell *out) {
    const tr_scenario *scenario = &scenarios[index / (ENGINES * STEPS)];
    bool run = is_run(scenario->name);
    *out = (cell){.job = {.scenario = scenario,
                          .model = run ? c->runner_model : c->model,
                          .model_path = options.model_path,
                          .controller = run ? c->runner : NULL,
                          .h_s = steps_s[index % STEPS],
                          .seconds = options.seconds,
                          .budget_s = options.budget_s},
                  .engine = engines[index / STEPS % ENGINES]};
    bool compared = options.scenario && is_field_of(options.scenario, scenario->name);
    bool wanted = (compared || chosen(options.scenario, scenario->name)) &&
                  chosen(options.stepper, out->engine->name) &&
                  (options.h_ms == 0.0 || same_step(options.h_ms / 1000, out->job.h_s));
    bool able = !run || (c->runner && same_step(c->runner->step_s, out->job.h_s));
    return wanted && able && out->engine->can_run(&out->job);
}

static int lay_out(const cast *c, cell *out) {
    int count = 0;
    for (int i = 0; i < CELLS; i++)
        count += lay_out_cell(c, i, &out[count]);
    return count;
}

/* Round -1 warms up and is not kept. */
static bool run_rounds(cell *cells, int count, int rounds) {
    for (int round = -1; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            cell *c = &cells[i];
            if (!c->engine->run(&c->job, &c->last))
                return false;
            if (round >= 0)
                c->us_per_step[round] = 1e6 * c->last.cpu_s / c->last.steps;
        }
    return true;
}

static bool is_same_on_plane(const cell *field, const cell *plane) {
    return is_field_of(field->job.scenario->name, plane->job.scenario->name) &&
           field->engine == plane->engine && same_step(field->job.h_s, plane->job.h_s);
}

static bool is_same_in_troupe(const cell *other, const cell *ours) {
    return other->job.scenario == ours->job.scenario && ours->engine == &tr_bench_articulated &&
           same_step(other->job.h_s, ours->job.h_s);
}

/* The median ratio, round by round, to the cell that is the same in one way; 1 without one. */
static double over(const cell *cells, int count, const cell *c, int rounds,
                   bool (*is_same)(const cell *, const cell *)) {
    double ratio[ROUNDS_MAX] = {1};
    int ratios = 1;
    for (int i = 0; i < count; i++)
        if (is_same(c, &cells[i]))
            for (ratios = 0; ratios < rounds; ratios++)
                ratio[ratios] = c->us_per_step[ratios] / cells[i].us_per_step[ratios];
    return tr_bench_median(ratio, ratios);
}

static void print(cell *cells, int count, int rounds) {
    double over_plane[CELLS], over_troupe[CELLS]; /* before medians sort the rounds */
    for (int i = 0; i < count; i++) {
        over_plane[i] = over(cells, count, &cells[i], rounds, is_same_on_plane);
        over_troupe[i] = over(cells, count, &cells[i], rounds, is_same_in_troupe);
    }
    printf("scenario,stepper,version,h_ms,characters,contacts,us_per_step,x_realtime,root_z_end,"
           "over_plane,over_troupe\n");
    for (int i = 0; i < count; i++) {
        cell *c = &cells[i];
        double us = tr_bench_median(c->us_per_step, rounds);
        printf("%s,%s,%s,%g,%d,%.1f,%.2f,%.1f,%.3f,%.2f,%.2f\n", c->job.scenario->name,
               c->engine->name, c->engine->version ? c->engine->version() : "", 1000.0 * c->job.h_s,
               c->job.scenario->characters, c->last.contacts, us, 1e6 * c->job.h_s / us,
               c->last.root_z, over_plane[i], over_troupe[i]);
    }
}

static bool open_cast(cast *out) {
    tr_error error;
    *out = (cast){0};
    if (tr_mjcf_load(options.model_path, &out->model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    if ((!options.scenario || is_run(options.scenario)) &&
        !tr_bench_load_controller(options.bundle, options.controller, &out->runner_model,
                                  &out->runner))
        fprintf(stderr, "scenario run is left out\n");
    return true;
}

static void close_cast(cast *c) {
    tr_controller_destroy(c->runner);
    tr_model_destroy(c->runner_model);
    tr_model_destroy(c->model);
}

static int exec(int count, char **words) {
    cast c;
    (void)count;
    (void)words;
    cell *cells = calloc(CELLS, sizeof *cells);
    bool ok = cells && open_cast(&c);
    if (ok) {
        count = lay_out(&c, cells);
        if (count == 0)
            fprintf(stderr, "nothing to measure: no such scenario, stepper or step\n");
        ok = count > 0 && run_rounds(cells, count, options.rounds);
        if (ok)
            print(cells, count, options.rounds);
        close_cast(&c);
    }
    free(cells);
    return ok ? 0 : 1;
}

static const tr_bench_option table[] = {
    {{"scenario", TR_OPTION_TEXT, &options.scenario, 0, 0},
     "NAME",
     "only this one, as the first column names it"},
    {{"stepper", TR_OPTION_TEXT, &options.stepper, 0, 0},
     "NAME",
     "only this one, as the second column names it"},
    {{"h-ms", TR_OPTION_NUMBER, &options.h_ms, 0.5, 20}, "5", "only steps of 5 or of 10 ms"},
    {{"seconds", TR_OPTION_NUMBER, &options.seconds, 0.1, 600}, "5", "to simulate"},
    {{"budget", TR_OPTION_NUMBER, &options.budget_s, 0.01, 600},
     "1",
     "seconds of processor time for each cell, at most"},
    {{"rounds", TR_OPTION_COUNT, &options.rounds, 1, ROUNDS_MAX},
     "5",
     "after one of warm-up; the median counts"},
    {{"model", TR_OPTION_TEXT, &options.model_path, 0, 0},
     "FILE",
     "MJCF; humanoid.xml if not given"},
    {{"controller", TR_OPTION_TEXT, &options.controller, 0, 0},
     "run",
     "of the scenarios that begin with \"run\""},
    TR_BENCH_BUNDLE_OPTION(&options.bundle)};

const tr_bench_command tr_bench_physics = {
    .name = "physics",
    .summary = "time of a step by scenario, stepper and step length",
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output =
        "A row for each scenario, stepper and step: contacts in the mean, microseconds a step, how "
        "many\n"
        "times faster than real time, the height of the first character's root at the end, and the "
        "time\n"
        "over that of the same on the plane (height fields) and by Troupe, medians of the rounds.",
    .exec = exec};
