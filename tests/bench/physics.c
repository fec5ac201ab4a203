/* troupe-bench physics: microseconds per step by scenario, stepper and step length. */
#include "bench/bench.h"
#include "bench/physics_cells.h"
#include "model/mjcf.h"

#include <getopt.h>
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
    {"touching_2", TR_MOTION_STAND, 2, 0.524, true, false, false},
    {"touching_4", TR_MOTION_STAND, 4, 0.524, true, false, false},
    {"touching_8", TR_MOTION_STAND, 8, 0.524, true, false, false},
    {"stand_field", TR_MOTION_STAND, 1, 0.0, true, false, true},
    {"sin_field", TR_MOTION_WAVE, 1, 0.0, true, false, true},
    {"run", TR_MOTION_STAND, 1, 0.0, true, false, false}, /* by a learned controller */
    {"run_field", TR_MOTION_STAND, 1, 0.0, true, false, true},
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

typedef struct options {
    const char *scenario, *stepper, *model_path, *bundle, *controller;
    double h_s, seconds, budget_s;
    int rounds;
} options;

/* The whole text as a number in [low, high]. */
static bool read_number(const char *text, double low, double high, double *out) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= low && value <= high))
        return false;
    *out = value;
    return true;
}

/* One option, named by its letter in `names`. False: no such option, or a bad number. */
static bool take(options *o, int letter, const char *text) {
    double number;
    bool good = true;
    switch (letter) {
    case 'c':
        o->scenario = text;
        break;
    case 's':
        o->stepper = text;
        break;
    case 'u':
        o->bundle = text;
        break;
    case 'n':
        o->controller = text;
        break;
    case 'm':
        o->model_path = text;
        break;
    case 'h':
        good = read_number(text, 0.5, 20.0, &number);
        o->h_s = good ? number / 1000.0 : 0.0;
        break;
    case 't':
        good = read_number(text, 0.1, 600.0, &o->seconds);
        break;
    case 'b':
        good = read_number(text, 0.01, 600.0, &o->budget_s);
        break;
    case 'r':
        good = read_number(text, 1, ROUNDS_MAX, &number);
        o->rounds = good ? (int)number : 0;
        break;
    default:
        good = false;
    }
    return good;
}

static bool parse(int argc, char **argv, options *out) {
    static const struct option names[] = {
        {"scenario", required_argument, NULL, 'c'},   {"stepper", required_argument, NULL, 's'},
        {"h-ms", required_argument, NULL, 'h'},       {"seconds", required_argument, NULL, 't'},
        {"budget", required_argument, NULL, 'b'},     {"rounds", required_argument, NULL, 'r'},
        {"model", required_argument, NULL, 'm'},      {"bundle", required_argument, NULL, 'u'},
        {"controller", required_argument, NULL, 'n'}, {0}};
    *out = (options){.model_path = TR_MODEL_DIR "/humanoid.xml",
                     .bundle = TR_BENCH_BUNDLE,
                     .controller = "run",
                     .seconds = 5.0,
                     .budget_s = 1.0,
                     .rounds = 5};
    bool good = true;
    for (int c; good && (c = getopt_long(argc, argv, "", names, NULL)) != -1;)
        good = take(out, c, optarg);
    return good && optind == argc;
}

static bool chosen(const char *wanted, const char *name) {
    return !wanted || strcmp(wanted, name) == 0;
}

static bool is_run(const char *scenario) {
    return strncmp(scenario, "run", 3) == 0;
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
static bool lay_out_cell(const options *o, const cast *c, int index, cell *out) {
    const tr_scenario *scenario = &scenarios[index / (ENGINES * STEPS)];
    bool run = is_run(scenario->name);
    *out = (cell){.job = {.scenario = scenario,
                          .model = run ? c->runner_model : c->model,
                          .model_path = o->model_path,
                          .controller = run ? c->runner : NULL,
                          .h_s = steps_s[index % STEPS],
                          .seconds = o->seconds,
                          .budget_s = o->budget_s},
                  .engine = engines[index / STEPS % ENGINES]};
    bool wanted = chosen(o->scenario, scenario->name) && chosen(o->stepper, out->engine->name) &&
                  (o->h_s == 0.0 || same_step(o->h_s, out->job.h_s));
    bool able = !run || (c->runner && same_step(c->runner->step_s, out->job.h_s));
    return wanted && able && out->engine->can_run(&out->job);
}

static int lay_out(const options *o, const cast *c, cell *out) {
    int count = 0;
    for (int i = 0; i < CELLS; i++)
        count += lay_out_cell(o, c, i, &out[count]);
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

static void print(cell *cells, int count, int rounds) {
    printf("scenario,stepper,h_ms,characters,contacts,us_per_step,x_realtime,root_z_end\n");
    for (int i = 0; i < count; i++) {
        cell *c = &cells[i];
        double us = tr_bench_median(c->us_per_step, rounds);
        printf("%s,%s,%g,%d,%.1f,%.2f,%.1f,%.3f\n", c->job.scenario->name, c->engine->name,
               1000.0 * c->job.h_s, c->job.scenario->characters, c->last.contacts, us,
               1e6 * c->job.h_s / us, c->last.root_z);
    }
}

static bool open_cast(const options *o, cast *out) {
    tr_error error;
    *out = (cast){0};
    if (tr_mjcf_load(o->model_path, &out->model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    if ((!o->scenario || is_run(o->scenario)) &&
        !tr_bench_load_controller(o->bundle, o->controller, &out->runner_model, &out->runner))
        fprintf(stderr, "scenario run is left out\n");
    return true;
}

static void close_cast(cast *c) {
    tr_controller_destroy(c->runner);
    tr_model_destroy(c->runner_model);
    tr_model_destroy(c->model);
}

static int exec(int argc, char **argv) {
    options o;
    cast c;
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: troupe-bench physics %s\n", tr_bench_physics.arguments);
        return 2;
    }
    cell *cells = calloc(CELLS, sizeof *cells);
    bool ok = cells && open_cast(&o, &c);
    if (ok) {
        int count = lay_out(&o, &c, cells);
        if (count == 0)
            fprintf(stderr, "nothing to measure: no such scenario, stepper or step\n");
        ok = count > 0 && run_rounds(cells, count, o.rounds);
        if (ok)
            print(cells, count, o.rounds);
        close_cast(&c);
    }
    free(cells);
    return ok ? 0 : 1;
}

const tr_bench_command tr_bench_physics = {
    "physics",
    "[--scenario S] [--stepper S] [--h-ms 5|10] [--seconds 5] [--budget 1] [--rounds 5]\n"
    "             [--model FILE] [--bundle FILE] [--controller run]",
    "time of a step by scenario, stepper and step length", exec};
